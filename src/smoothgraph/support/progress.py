"""Progress on a terminal, or as lines in a log. Nothing is shown, or imported, elsewhere."""

import sys
from collections.abc import Iterable, Iterator, Sized
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import datetime
from functools import cache
from multiprocessing import parent_process
from time import perf_counter
from typing import Any, TypeVar

T = TypeVar("T")

_lines = False


def track(items: Iterable[T], description: str, *, total: int | None = None) -> Iterator[T]:
    """Yield the items under a progress bar; ``total`` is their number if they have no length."""
    if _lines:
        yield from _track_in_lines(items, description, total)
        return
    if not _is_shown():
        yield from items
        return
    from rich.progress import track as show_bar

    yield from show_bar(items, description, total, console=_console(), transient=True)


def spinner(description: str) -> AbstractContextManager[Any]:
    """Return a context that shows a moving sign."""
    if _lines:
        return _in_line(description)
    return _console().status(f"{description} ...") if _is_shown() else nullcontext()


@contextmanager
def in_lines() -> Iterator[None]:
    """Inside, progress is lines with times on standard error, which suit a log."""
    global _lines
    before, _lines = _lines, True
    try:
        yield
    finally:
        _lines = before


@contextmanager
def _in_line(description: str) -> Iterator[None]:
    _print_line(f"{description} ...")
    started = perf_counter()
    yield
    _print_line(f"{description}: done in {perf_counter() - started:.1f} s")


def _track_in_lines(items: Iterable[T], description: str, total: int | None) -> Iterator[T]:
    """Yield the items, and print a line for every tenth of them."""
    total = len(items) if total is None and isinstance(items, Sized) else total
    step = max(1, (total or 10) // 10)
    for done, item in enumerate(items, start=1):
        yield item
        if done % step == 0 or done == total:
            _print_line(f"{description}: {done}" + ("" if total is None else f" of {total}"))


def _print_line(text: str) -> None:
    print(f"{datetime.now():%Y-%m-%d %H:%M:%S} {text}", file=sys.stderr, flush=True)


def _is_shown() -> bool:
    """Return whether standard error is a terminal and this is not a worker process."""
    return sys.stderr.isatty() and parent_process() is None


@cache
def _console() -> Any:
    """Return the one console, on which a bar can stand below a spinner."""
    from rich.console import Console

    return Console(stderr=True)
