"""Progress bars on a terminal, nothing elsewhere."""

import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

from rich.console import Console
from rich.progress import track

T = TypeVar("T")


def tracked(items: Iterable[T], description: str, *, total: int | None = None) -> Iterator[T]:
    """The items one by one, with a bar and the time left if standard error is a terminal.

    ``total`` is their number, where it cannot be asked for.
    """
    yield from track(
        items,
        description,
        total=total,
        console=Console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    )
