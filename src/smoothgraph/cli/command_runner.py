"""How a command runs: groups of options become dataclasses, errors become sentences."""

import inspect
import traceback
import warnings
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import fields, is_dataclass
from typing import Annotated, Any

import typer

from smoothgraph.support.progress import in_lines

_NO_MEMORY = "There is not enough memory; use fewer rows or columns."

_DEBUG = inspect.Parameter(
    "debug",
    inspect.Parameter.KEYWORD_ONLY,
    default=False,
    annotation=Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")],
)

_THREADS = inspect.Parameter(
    "threads",
    inspect.Parameter.KEYWORD_ONLY,
    default=None,
    annotation=Annotated[int | None, typer.Option(min=1, help="The most threads to use.", show_default="all cores")],
)


def wrap_command(body: Callable[..., None]) -> Callable[..., None]:
    """Return ``body`` for Typer, with one option per field of each dataclass parameter.

    An error that the user can correct ends with a sentence and exit code 2, any other with 1.
    """
    parameters = inspect.signature(body, eval_str=True).parameters
    groups: dict[str, Any] = {name: p.annotation for name, p in parameters.items() if is_dataclass(p.annotation)}

    def run(*, debug: bool, threads: int | None = None, **options: Any) -> None:
        quiet, verbose = (options.get(name, False) for name in ("quiet", "verbose"))
        for name, group in groups.items():
            options[name] = group(**{field.name: options.pop(field.name) for field in fields(group)})
        with _use_threads(threads), in_lines() if verbose and not quiet else nullcontext():
            _run(body, options, debug=debug, quiet=quiet)

    expanded = [_DEBUG, _THREADS]
    for name, parameter in parameters.items():
        own = inspect.signature(groups[name], eval_str=True).parameters.values() if name in groups else [parameter]
        expanded += [option.replace(kind=inspect.Parameter.KEYWORD_ONLY) for option in own]
    run.__name__, run.__doc__ = body.__name__, body.__doc__
    run.__signature__ = inspect.Signature(expanded)  # type: ignore[attr-defined]
    run.__annotations__ = {}  # Typer would prefer them to the signature
    return run


def _use_threads(most: int | None) -> AbstractContextManager[None]:
    """Return a context in which at most so many threads compute; None changes nothing."""
    if most is None:
        return nullcontext()
    from smoothgraph.support.threads import limit_threads

    return limit_threads(most)


def _run(body: Callable[..., None], options: dict[str, Any], *, debug: bool, quiet: bool) -> None:
    try:
        with warnings.catch_warnings():
            warnings.showwarning = lambda message, *_, **__: typer.echo(f"Warning: {message}", err=True)
            warnings.simplefilter("ignore")  # libraries address theirs to programmers
            if not quiet:
                warnings.simplefilter("always", UserWarning)
            body(**options)
    except BrokenPipeError:
        raise  # the reader of the output has closed it
    except Exception as error:
        if debug:
            traceback.print_exc()
        try:
            message, exit_code = _explain(error)
        except (ImportError, MemoryError):  # too little memory even to load what explains the error
            message, exit_code = _NO_MEMORY, 2
        typer.echo(f"Error: {message}", err=True)
        raise typer.Exit(exit_code) from error


def _explain(error: Exception) -> tuple[str, int]:
    """Return a sentence about the error, and the exit code."""
    from smoothgraph.cluster.workers import NoWorkersError
    from smoothgraph.support.input_error import InputError

    # Errors of smoothgraph bring their advice; NumPy raises a subclass of MemoryError without any.
    if isinstance(error, MemoryError) and not (type(error) is MemoryError and str(error)):
        return _NO_MEMORY, 2
    if isinstance(error, RuntimeError) and str(error) == "can't start new thread":  # whose stack has no room
        return _NO_MEMORY, 2
    if isinstance(error, OSError) and error.filename is not None:
        reason = str(error.strerror).lower()
        return f"{error.filename}: {reason}; check the path, its permissions and the free space.", 2
    if isinstance(error, InputError | OSError | ImportError | MemoryError | NoWorkersError):
        return str(error), 2
    report = "This is a bug in smoothgraph: please report it, together with what --debug prints."
    return f"{type(error).__name__}: {error}\n{report}", 1
