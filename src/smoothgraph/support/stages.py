"""The log of a long run: each stage and how long it took."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

logger = logging.getLogger("smoothgraph")


@contextmanager
def stage(name: str) -> Iterator[None]:
    """Log the name of a stage and its seconds, which are also fields of the log record."""
    started = perf_counter()
    yield
    seconds = perf_counter() - started
    logger.info("%s: %.2f s", name, seconds, extra={"stage": name, "seconds": seconds})
