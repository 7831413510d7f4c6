"""Progress on a terminal. Nothing is shown, or imported, elsewhere."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from multiprocessing import parent_process
from typing import Any, TypeVar

T = TypeVar("T")


def track(items: Iterable[T], description: str, *, total: int | None = None) -> Iterator[T]:
    """Yield the items under a progress bar; ``total`` is their number if they have no length."""
    if not _is_shown():
        yield from items
        return
    from rich.progress import track as show_bar

    yield from show_bar(items, description, total, console=_console(), transient=True)


def spinner(description: str) -> AbstractContextManager[Any]:
    """Return a context that shows a moving sign."""
    return _console().status(f"{description} ...") if _is_shown() else nullcontext()


def _is_shown() -> bool:
    """Return whether standard error is a terminal and this is not a worker process."""
    return sys.stderr.isatty() and parent_process() is None


@cache
def _console() -> Any:
    """Return the one console, on which a bar can stand below a spinner."""
    from rich.console import Console

    return Console(stderr=True)
