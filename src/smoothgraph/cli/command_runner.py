"""How a command runs: groups of options become dataclasses, errors become sentences."""

import inspect
import sys
import traceback
import warnings
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Annotated, Any

import typer

_DEBUG = inspect.Parameter(
    "debug",
    inspect.Parameter.KEYWORD_ONLY,
    default=False,
    annotation=Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")],
)


def wrap_command(body: Callable[..., None]) -> Callable[..., None]:
    """Return ``body`` for Typer, with one option per field of each dataclass parameter.

    An error that the user can correct ends with a sentence and exit code 2, any other with 1.
    """
    parameters = inspect.signature(body, eval_str=True).parameters
    groups: dict[str, Any] = {
        name: parameter.annotation for name, parameter in parameters.items() if is_dataclass(parameter.annotation)
    }

    def run(*, debug: bool, **options: Any) -> None:
        quiet = options.get("quiet", False)
        for name, group in groups.items():
            own = {field.name: options.pop(field.name) for field in fields(group)}
            options[name] = group(**own)
        _run(body, options, debug=debug, quiet=quiet)

    expanded = [_DEBUG]
    for name, parameter in parameters.items():
        group = groups.get(name)
        expanded += [parameter] if group is None else _list_options(group)
    run.__name__, run.__doc__ = body.__name__, body.__doc__
    run.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in expanded]
    )
    run.__annotations__ = {}  # Typer would prefer them to the signature
    return run


def _list_options(group: Any) -> list[inspect.Parameter]:
    return list(inspect.signature(group, eval_str=True).parameters.values())


def _run(body: Callable[..., None], options: dict[str, Any], *, debug: bool, quiet: bool) -> None:
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _print_warning
            warnings.simplefilter("ignore")  # libraries address theirs to programmers
            if not quiet:
                warnings.simplefilter("always", UserWarning)
            body(**options)
    except BrokenPipeError:
        raise  # the reader of the output has closed it
    except Exception as error:
        if debug:
            traceback.print_exc()
        raise typer.Exit(_print_error(error)) from error


def _print_error(error: Exception) -> int:
    """Print the error and return the exit code."""
    from smoothgraph.cluster.workers import NoWorkersError

    if isinstance(error, ValueError | OSError | ImportError | MemoryError | NoWorkersError):
        typer.echo(f"Error: {_explain(error)}", err=True)
        return 2
    typer.echo(
        f"Error: {type(error).__name__}: {error}\nThis is a bug in smoothgraph: please report it, "
        "together with what --debug prints.",
        err=True,
    )
    return 1


def _explain(error: Exception) -> str:
    if isinstance(error, MemoryError) and not _has_advice(error):
        return "There is not enough memory; use fewer rows or columns."
    if isinstance(error, OSError) and error.filename is not None:
        reason = str(error.strerror).lower()
        return f"{error.filename}: {reason}; check the path, its permissions and the free space."
    return str(error)


def _has_advice(error: MemoryError) -> bool:
    """Return whether smoothgraph raised the error; NumPy raises a subclass of MemoryError."""
    return type(error) is MemoryError and bool(str(error))


def _print_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    print(f"Warning: {message}", file=sys.stderr)
