"""Names: there, all different, and near misses."""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

import numpy as np

from smoothgraph.io.errors import FileError

_MOST_LISTED = 20


def first_repetition(names: Sequence[str]) -> tuple[int, int] | None:
    """The first two positions that hold the same name."""
    seen: dict[str, int] = {}
    for k, name in enumerate(names):
        if seen.setdefault(name, k) != k:
            return seen[name], k
    return None


def checked_row_names(names: list[str], row_numbers: Sequence[int] | np.ndarray) -> list[str]:
    """The names, if every row has one and all are different."""
    for k, name in enumerate(names):
        if not name.strip():
            raise FileError(
                f"row {row_numbers[k]}: expected a name in every row, got none; fill it in, or "
                "take other names"
            )
    twice = first_repetition(names)
    if twice is not None:
        first, second = (row_numbers[k] for k in twice)
        raise FileError(
            f"row {first} and row {second}: expected names that are all different, got "
            f"{names[twice[0]]!r} twice; correct it, or take other names"
        )
    return names


def are_names(names: Sequence[str] | np.ndarray) -> bool:
    """Every name is there, and all are different."""
    return all(name.strip() for name in names) and len(set(names)) == len(names)


def unknown(wanted: str, known: Iterable[str], *, what: str) -> FileError:
    """The error for a name that is not there: what is there, and what comes close."""
    known = list(known)
    close = get_close_matches(wanted, known, n=1)
    hint = f"; did you mean {close[0]!r}?" if close else "; take one of these"
    return FileError(
        f"expected one of its {what}, {listed(known) or 'of which there are none'}, got "
        f"{wanted!r}{hint}"
    )


def listed(names: Sequence[str]) -> str:
    """The names in quotes, the first twenty of them."""
    more = f" and {len(names) - _MOST_LISTED} more" if len(names) > _MOST_LISTED else ""
    return ", ".join(repr(name) for name in names[:_MOST_LISTED]) + more
