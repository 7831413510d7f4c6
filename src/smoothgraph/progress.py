"""Progress bars on a terminal, nothing elsewhere."""

import sys
from collections.abc import Iterator, Sequence
from typing import TypeVar

from rich.console import Console
from rich.progress import track

T = TypeVar("T")


def tracked(items: Sequence[T], description: str) -> Iterator[T]:
    """The items one by one, with a bar and the time left if standard error is a terminal."""
    console = Console(stderr=True)
    yield from track(
        items, description, console=console, transient=True, disable=not sys.stderr.isatty()
    )
