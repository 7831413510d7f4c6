"""Processes that this one starts."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker


@contextmanager
def spare_children_interrupts() -> Iterator[None]:
    """Let Ctrl-C interrupt this process, which then ends its children, and not those that are started inside.

    A terminal interrupts all of them at once, and each would print a traceback. A signal that a thread has blocked
    is blocked in its threads and processes, too; other threads of this process still receive it.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    if hasattr(resource_tracker, "ensure_running"):
        resource_tracker.ensure_running()  # which some versions of Python start with the signal unblocked
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
