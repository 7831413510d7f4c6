"""The log of a long run: what is being done, and how long it took."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

logger = logging.getLogger("smoothgraph")


@contextmanager
def stage(name: str) -> Iterator[None]:
    """Log the name and the seconds of a block, also as fields of the record."""
    started = perf_counter()
    yield
    seconds = perf_counter() - started
    logger.info("%s: %.2f s", name, seconds, extra={"stage": name, "seconds": seconds})
