"""Words of messages that depend on what is counted or listed."""

from collections.abc import Sequence
from typing import Any

_NAMED = 5


def agree(count: int, singular: str, plural: str) -> str:
    """The word that agrees with the count."""
    return singular if count == 1 else plural


def list_some(names: Sequence[Any] | Any) -> str:
    """The first five names, and dots if there are more."""
    return ", ".join([str(name) for name in names[:_NAMED]] + ["..."] * (len(names) > _NAMED))
