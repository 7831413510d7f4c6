"""Progress in a cell of a notebook: a bar, the stage that goes on, and the seconds of those that have ended."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextvars import copy_context
from html import escape
from importlib import import_module
from threading import Event, Thread
from time import perf_counter
from typing import Any, TypeVar

T = TypeVar("T")

_PATIENCE = 1.0  # seconds without a sign
_PAUSE = 0.5  # between two updates


def in_notebook() -> bool:
    """Return whether the code runs in a kernel of IPython, as in Jupyter, VS Code and Colab."""
    module = sys.modules.get("IPython")
    shell = None if module is None else module.get_ipython()
    return getattr(shell, "kernel", None) is not None


def show_in_cell() -> Callable[[str], None]:
    """Return a function that shows HTML in the current cell, each time instead of what it showed before."""
    notebook: Any = import_module("IPython.display")
    handle: list[Any] = []

    def show(html: str) -> None:
        if handle:
            handle[0].update(notebook.HTML(html))
        else:
            handle.append(notebook.display(notebook.HTML(html), display_id=True))

    return show


class NotebookSign:
    """A line in a cell about what takes longer than a second; the seconds of all stages stay there in the end."""

    def __init__(self, description: str, show: Callable[[str], None]) -> None:
        self._description, self._show = description, show
        self._seconds: dict[str, float] = {}
        self._stage: str | None = None
        self._bar: tuple[str, int, int | None] | None = None
        self._ended = Event()

    def __enter__(self) -> "NotebookSign":
        self._started = perf_counter()
        self._thread = Thread(target=copy_context().run, args=(self._update,), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._ended.set()
        self._thread.join()
        seconds = perf_counter() - self._started
        if seconds >= _PATIENCE:
            verb = "stopped after" if error[0] is not None else "done in"
            self._show(self._line(f"{self._description}: {verb} {seconds:.1f} s", self._ended_stages()))

    def begin(self, stage: str) -> None:
        """Show a stage."""
        self._stage = stage

    def end(self, stage: str, seconds: float) -> None:
        """Add the seconds of a stage."""
        self._seconds[stage] = self._seconds.get(stage, 0.0) + seconds
        self._stage = None

    def track(self, items: Iterable[T], description: str, total: int | None) -> Iterator[T]:
        """Yield the items under a bar."""
        before = self._bar
        try:
            for done, item in enumerate(items):
                self._bar = (description, done, total)
                yield item
        finally:
            self._bar = before

    def _update(self) -> None:
        pause = _PATIENCE
        while not self._ended.wait(pause):
            pause = _PAUSE
            seconds = perf_counter() - self._started
            self._show(self._line(f"{self._description}, {seconds:.0f} s", self._ended_stages(), self._now()))

    def _ended_stages(self) -> str:
        return ", ".join(f"{name} {seconds:.1f} s" for name, seconds in list(self._seconds.items()))

    def _now(self) -> str:
        """Return the stage that goes on, with a bar if its length is known."""
        bar, stage = self._bar, self._stage
        if bar is None:
            return "" if stage is None else f"<b>{escape(stage)}</b> ..."
        name, done, total = bar
        of = "" if total is None else f" max='{total}' value='{done}'"
        return f"<b>{escape(stage or name)}</b> <progress{of} style='vertical-align:middle'></progress>"

    def _line(self, text: str, ended: str, now: str = "") -> str:
        parts = [escape(text), escape(ended), now]
        return f"<div style='font:13px/1.5 system-ui,sans-serif'>{' &middot; '.join(filter(None, parts))}</div>"
