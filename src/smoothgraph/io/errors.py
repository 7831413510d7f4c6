"""The one error that a user's file can cause, and the checks of names that raise it."""

import textwrap
import traceback
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches

import numpy as np

from smoothgraph.support.input_error import InputError

_MISTAKES = (AssertionError, AttributeError, LookupError, NameError, TypeError, ZeroDivisionError)
_LONGEST_REASON = 200  # characters of another library's message
_MOST_QUOTED = 20
MOST_NOTED = 8  # in notes
_PLAUSIBLE_SIZE = 2**30  # bytes of an array, whatever is stored
_BEST_COMPRESSION = 1000  # bytes of an array for each that is stored


class FileError(InputError):
    """A problem with a file: where it is, what was expected, what was found, what to try.

    Formats raise it without the name of the file; :func:`explain_errors` puts the name in front.
    """


def damaged_file(expected: str, found: object) -> FileError:
    """Return the error for a file that contradicts itself."""
    return FileError(f"expected {expected}, got {found}; the file is damaged: write it again")


def refuse_expansion(size: int, stored: int, what: str) -> None:
    """Raise a FileError if data would take more memory than any compression explains."""
    if size > max(_PLAUSIBLE_SIZE, _BEST_COMPRESSION * stored):
        raise damaged_file(f"{size} bytes for {what}", f"{stored} bytes in the file")


class GraphFoundError(FileError):
    """A file holds a graph where a table is expected."""


def graph_not_table() -> GraphFoundError:
    """Return the error for a file that holds a graph where a table is expected."""
    return GraphFoundError(
        "expected a table, but this file holds a graph; look at it with smoothgraph info or draw, or read it with "
        "read_graph"
    )


@contextmanager
def name_file(label: str) -> Iterator[None]:
    """Put the name of the file in front of any FileError raised inside."""
    try:
        yield
    except FileError as error:
        raise type(error)(f"{label}: {error}") from error


@contextmanager
def explain_errors(label: str, expected: str) -> Iterator[None]:
    """Turn any exception raised inside into a FileError about ``label``.

    An ImportError passes through, because it says which package to install, and so does a defect of our own.
    """
    with name_file(label):
        try:
            yield
        except (FileError, ImportError):
            raise
        except (MemoryError, OverflowError) as error:
            raise FileError(
                f"expected {expected}, got sizes that do not fit into memory; the file may be damaged. "
                "If it is not, keep fewer rows or columns."
            ) from error
        except Exception as error:
            if _is_defect(error):
                raise
            reason = textwrap.shorten(str(error) or type(error).__name__, _LONGEST_REASON, placeholder="...")
            raise FileError(
                f"expected {expected}, but it cannot be read as one ({reason}); the file may be damaged or in another "
                "format. Write it again, or name its format."
            ) from error


def _is_defect(error: Exception) -> bool:
    """Whether our own code, and not a library that was given the file, made a programmer's mistake."""
    *_, (innermost, _) = traceback.walk_tb(error.__traceback__)
    return isinstance(error, _MISTAKES) and innermost.f_globals.get("__name__", "").startswith("smoothgraph.")


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


def refuse_unknown(wanted: str | None, known: Iterable[str], *, what: str) -> None:
    """Raise a FileError for a name that the file lacks, with the names it has and the closest one."""
    known = list(known)
    if wanted is None or wanted in known:
        return
    close = get_close_matches(wanted, known, n=1)
    hint = f"; did you mean {close[0]!r}?" if close else "; choose one of these"
    raise FileError(
        f"expected one of its {what}, {quote_names(known) or 'of which there are none'}, got {wanted!r}{hint}"
    )


def quote_names(names: Sequence[str], most: int = _MOST_QUOTED) -> str:
    """Return the names in quotes, at most so many."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(repr(name) for name in names[:most]) + more
