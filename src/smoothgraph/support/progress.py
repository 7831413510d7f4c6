"""Progress on a terminal, in a notebook, or as lines in a log. Nothing is shown, or imported, elsewhere."""

import sys
from collections.abc import Iterable, Iterator, Sized
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime
from functools import cache
from multiprocessing import parent_process
from time import perf_counter
from typing import Any, Protocol, TypeVar

from smoothgraph.support.notebook_sign import NotebookSign, in_notebook, show_in_cell

T = TypeVar("T")

_LONG = 2.0  # seconds, from which a stage, or a part of it, gets a line in a log


class Sign(Protocol):
    """Something on the screen that says what goes on."""

    def begin(self, stage: str) -> None:
        """Show a stage."""

    def end(self, stage: str, seconds: float) -> None:
        """Note that the stage has ended."""


_lines = False
_sign: Sign | None = None  # the one that is on the screen
_n_stages = 0  # that go on, one inside another


def track(items: Iterable[T], description: str, *, total: int | None = None) -> Iterator[T]:
    """Yield the items under a progress bar; ``total`` is their number if they have no length."""
    total = len(items) if total is None and isinstance(items, Sized) else total
    if _lines:
        yield from _track_in_lines(items, description, total)
    elif isinstance(_sign, NotebookSign):
        yield from _sign.track(items, description, total)
    elif _is_terminal():
        from rich.progress import track as show_bar

        yield from show_bar(items, description, total, console=_console(), transient=True)
    elif is_shown():
        with sign(description):
            yield from track(items, description, total=total)
    else:
        yield from items


@contextmanager
def spinner(description: str) -> Iterator[None]:
    """Inside, a moving sign says what goes on; in a log, two lines."""
    if _lines:
        _print_line(f"{description} ...")
    started = perf_counter()
    with sign(description):
        yield
    if _lines:
        _print_line(f"{description}: done in {perf_counter() - started:.1f} s")


@contextmanager
def sign(description: str) -> Iterator[None]:
    """Inside, a sign says what goes on, and in which stage it is, unless there is one; a log has none."""
    global _sign
    if _lines or _sign is not None or not is_shown():
        yield
        return
    made: Any = _TerminalSign(description) if _is_terminal() else NotebookSign(description, show_in_cell())
    try:
        with made:
            _sign = made
            yield
    finally:
        _sign = None


@contextmanager
def in_stage(name: str) -> Iterator[None]:
    """Inside, the sign says that this stage goes on; in a log, a long one has a line at its end."""
    global _n_stages
    started, shown = perf_counter(), _sign
    if shown is not None:
        shown.begin(name)
    _n_stages += 1
    try:
        yield
    finally:
        _n_stages -= 1
        seconds = perf_counter() - started
        if shown is not None:
            shown.end(name, seconds)
    if _lines and seconds >= _LONG:
        _print_line(f"{name}: done in {seconds:.1f} s")


@contextmanager
def in_lines() -> Iterator[None]:
    """Inside, progress is lines with times on standard error, which suit a log."""
    global _lines
    before, _lines = _lines, True
    try:
        yield
    finally:
        _lines = before


def is_shown() -> bool:
    """Return whether somebody watches: on a terminal or in a notebook, unless this is a worker process."""
    return parent_process() is None and (_is_terminal() or in_notebook())


def _track_in_lines(items: Iterable[T], description: str, total: int | None) -> Iterator[T]:
    """Yield the items, and print a line for every tenth of them; inside a stage, only if the last is long ago."""
    step = max(1, (total or 10) // 10)
    printed = perf_counter()
    for done, item in enumerate(items, start=1):
        yield item
        due = perf_counter() - printed >= _LONG if _n_stages else True
        if due and (done % step == 0 or done == total):
            _print_line(f"{description}: {done}" + ("" if total is None else f" of {total}"))
            printed = perf_counter()


def _print_line(text: str) -> None:
    print(f"{datetime.now():%Y-%m-%d %H:%M:%S} {text}", file=sys.stderr, flush=True)


def _is_terminal() -> bool:
    """Return whether standard error is a terminal and this is not a worker process."""
    return sys.stderr.isatty() and parent_process() is None


class _TerminalSign:
    """A spinner, with a description and the stage."""

    def __init__(self, description: str) -> None:
        self._description = description
        self._status: Any = _console().status(f"{description} ...")

    def begin(self, stage: str) -> None:
        self._status.update(f"{self._description}: {stage} ...")

    def end(self, stage: str, seconds: float) -> None:  # noqa: ARG002 (part of the protocol)
        self._status.update(f"{self._description} ...")

    def __enter__(self) -> AbstractContextManager[Any]:
        return self._status.__enter__()

    def __exit__(self, *error: object) -> None:
        self._status.__exit__(*error)


@cache
def _console() -> Any:
    """Return the one console, on which a bar can stand below a spinner."""
    from rich.console import Console

    return Console(stderr=True)
