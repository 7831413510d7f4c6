"""The stages of a long run: which one goes on, and how long each took."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from time import perf_counter

from smoothgraph.support import progress

logger = logging.getLogger("smoothgraph")

_seconds: ContextVar[dict[str, list[float]] | None] = ContextVar("seconds of stages", default=None)


@contextmanager
def stage(name: str) -> Iterator[None]:
    """Show and log the name of a stage and its seconds, which are also fields of the log record."""
    started = perf_counter()
    with progress.in_stage(name):
        yield
    seconds = perf_counter() - started
    logger.info("%s: %.2f s", name, seconds, extra={"stage": name, "seconds": seconds})
    recorded = _seconds.get()
    if recorded is not None:
        recorded.setdefault(name, []).append(seconds)


@contextmanager
def show_stages(description: str, *, verbose: bool) -> Iterator[None]:
    """Inside, show on a terminal or in a notebook which stage goes on; elsewhere, print long ones if ``verbose``."""
    token = _seconds.set({})
    try:
        with progress.in_lines() if verbose and not progress.is_shown() else nullcontext(), progress.sign(description):
            yield
    finally:
        _seconds.reset(token)


def describe_stages() -> str:
    """Return the stages so far and their seconds, such as "index 0.31 s, solve 1.20 s (3 times)"."""
    recorded = _seconds.get() or {}
    return ", ".join(
        f"{name} {sum(times):.2f} s" + (f" ({len(times)} times)" if len(times) > 1 else "")
        for name, times in recorded.items()
    )
