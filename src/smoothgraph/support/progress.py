"""Progress on a terminal, nothing elsewhere."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from multiprocessing import parent_process
from typing import Any, TypeVar

from rich.console import Console
from rich.progress import track

T = TypeVar("T")

_console = Console(stderr=True)  # one for all, so that one display can stand below another


def tracked(items: Iterable[T], description: str, *, total: int | None = None) -> Iterator[T]:
    """The items one by one, with a bar and the time left if standard error is a terminal.

    ``total`` is their number, where it cannot be asked for.
    """
    yield from track(
        items,
        description,
        total=total,
        console=_console,
        transient=True,
        disable=not _is_shown(),
    )


def busy(description: str) -> AbstractContextManager[Any]:
    """A moving sign while the block runs, if standard error is a terminal."""
    return _console.status(f"{description} ...") if _is_shown() else nullcontext()


def _is_shown() -> bool:
    """On a terminal, and not by a process that works for another."""
    return sys.stderr.isatty() and parent_process() is None
