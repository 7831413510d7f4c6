"""The one error that a user's file can cause."""

import textwrap
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

_LONGEST_REASON = 200  # characters of another library's message


class FileError(ValueError):
    """A problem with a file: where it is, what was expected, what was found, what to try.

    Formats raise it without the name of the file; :func:`explain_errors` puts the name in front.
    """


def damaged_file(expected: str, found: object) -> FileError:
    """Return the error for a file that contradicts itself."""
    return FileError(f"expected {expected}, got {found}; the file is damaged: write it again")


def graph_not_table() -> FileError:
    """Return the error for a file that holds a graph where a table is expected."""
    return FileError(
        "expected a table, but this file holds a graph; look at it with smoothgraph info, or read it with read_graph"
    )


@contextmanager
def name_file(label: str) -> Iterator[None]:
    """Put the name of the file in front of any FileError raised inside."""
    try:
        yield
    except FileError as error:
        raise FileError(f"{label}: {error}") from error


@contextmanager
def explain_errors(label: str, expected: str) -> Iterator[None]:
    """Turn any exception raised inside into a FileError about ``label``, and mute all warnings.

    An ImportError passes through, because it says which package to install.
    """
    with name_file(label), warnings.catch_warnings():
        warnings.simplefilter("ignore")
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
            reason = textwrap.shorten(str(error) or type(error).__name__, _LONGEST_REASON, placeholder="...")
            raise FileError(
                f"expected {expected}, but it cannot be read as one ({reason}); the file may be damaged or in another "
                "format. Write it again, or name its format."
            ) from error
