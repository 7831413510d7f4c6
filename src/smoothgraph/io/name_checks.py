"""Checks of names: none is missing, none is repeated, and near misses get a hint."""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

import numpy as np

from smoothgraph.io.errors import FileError

_MOST_QUOTED = 20


def are_names(names: Sequence[str] | np.ndarray) -> bool:
    """Return whether all names are non-empty and different."""
    return all(name.strip() for name in names) and len(set(names)) == len(names)


def check_row_names(names: Iterable[object], row_numbers: Sequence[int] | np.ndarray | None = None) -> list[str]:
    """Return the names as text, or raise a FileError if one is missing or repeated."""
    texts = [str(name) for name in names]
    numbers = range(1, len(texts) + 1) if row_numbers is None else row_numbers
    for number, text in zip(numbers, texts, strict=True):
        if not text.strip():
            raise FileError(f"row {number}: expected a name in every row, got none; fill it in, or choose other names")
    refuse_duplicates(texts, "row", numbers)
    return texts


def refuse_duplicates(names: Sequence[str], what: str, numbers: Sequence[int] | np.ndarray) -> None:
    """Raise a FileError with the numbers of the rows, columns or nodes that share a name."""
    seen: dict[str, int] = {}
    for k, name in enumerate(names):
        if seen.setdefault(name, k) != k:
            raise FileError(
                f"{what} {numbers[seen[name]]} and {what} {numbers[k]}: expected names that are "
                f"all different, got {name!r} twice; rename one of them"
            )


def unknown_name(wanted: str, known: Iterable[str], *, what: str) -> FileError:
    """Return the error for a name that the file lacks: the names it has, and the closest one."""
    known = list(known)
    close = get_close_matches(wanted, known, n=1)
    hint = f"; did you mean {close[0]!r}?" if close else "; choose one of these"
    return FileError(
        f"expected one of its {what}, {quote_names(known) or 'of which there are none'}, got {wanted!r}{hint}"
    )


def quote_names(names: Sequence[str]) -> str:
    """Return the names in quotes, at most the first twenty."""
    more = f" and {len(names) - _MOST_QUOTED} more" if len(names) > _MOST_QUOTED else ""
    return ", ".join(repr(name) for name in names[:_MOST_QUOTED]) + more
