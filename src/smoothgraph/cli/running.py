"""How a command runs: options in groups, errors as sentences."""

import inspect
import sys
import traceback
import warnings
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Annotated, Any

import typer

from smoothgraph.cluster.workers import NoWorkersError

# What a user can do something about.
_USERS = (ValueError, OSError, ImportError, MemoryError, NoWorkersError)

_DEBUG = inspect.Parameter(
    "debug",
    inspect.Parameter.KEYWORD_ONLY,
    default=False,
    annotation=Annotated[
        bool, typer.Option("--debug", help="On an error, show where in the program it was.")
    ],
)


def command(body: Callable[..., None]) -> Callable[..., None]:
    """``body`` for Typer: a dataclass among its parameters stands for one option per field.

    What a user can mend ends with exit code 2 and a sentence, anything else with 1.
    """
    parameters = inspect.signature(body, eval_str=True).parameters
    groups: dict[str, Any] = {
        name: parameter.annotation
        for name, parameter in parameters.items()
        if is_dataclass(parameter.annotation)
    }

    def run(*, debug: bool, **options: Any) -> None:
        quiet = options.get("quiet", False)
        for name, group in groups.items():
            own = {field.name: options.pop(field.name) for field in fields(group)}
            options[name] = group(**own)
        _run(body, options, debug=debug, quiet=quiet)

    expanded = [_DEBUG]
    for name, parameter in parameters.items():
        expanded += _options_of(groups[name]) if name in groups else [parameter]
    run.__name__, run.__doc__ = body.__name__, body.__doc__
    run.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in expanded]
    )
    run.__annotations__ = {}  # which Typer would prefer to the signature
    return run


def _options_of(group: Any) -> list[inspect.Parameter]:
    """The fields of a dataclass."""
    return list(inspect.signature(group, eval_str=True).parameters.values())


def _run(body: Callable[..., None], options: dict[str, Any], *, debug: bool, quiet: bool) -> None:
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _say_warning
            warnings.simplefilter("ignore")  # of what packages say to programmers
            if not quiet:
                warnings.simplefilter("always", UserWarning)
            body(**options)
    except BrokenPipeError:
        raise  # whoever read the output has enough of it
    except Exception as error:
        if debug:
            traceback.print_exc()
        raise typer.Exit(_say_error(error)) from error


def _say_error(error: Exception) -> int:
    """Tell the user, and give the exit code."""
    if isinstance(error, _USERS):
        typer.echo(f"Error: {_sentence(error)}", err=True)
        return 2
    typer.echo(
        f"Error: {type(error).__name__}: {error}\nThis should not happen: please report it, with "
        "what --debug shows.",
        err=True,
    )
    return 1


def _sentence(error: Exception) -> str:
    if isinstance(error, MemoryError) and not _is_ours(error):
        return "There is not enough memory; take fewer rows or columns."
    if isinstance(error, OSError) and error.filename is not None:
        reason = str(error.strerror).lower()
        return f"{error.filename}: {reason}; check the place, its permissions and its space."
    return str(error)


def _is_ours(error: MemoryError) -> bool:
    """Whether it says what workers need; NumPy's only says what it could not have."""
    return type(error) is MemoryError and bool(str(error))


def _say_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    print(f"Warning: {message}", file=sys.stderr)
