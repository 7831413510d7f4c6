"""The one error that a user's file can cause."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

_LONGEST_REASON = 200


class FileError(ValueError):
    """A problem with a file: where it is, what was expected, what came, what to try.

    Inside this package it is raised without the name of the file, which :func:`explained` puts
    in front.
    """


def a_graph_instead() -> FileError:
    """For a file of a graph where a table is expected."""
    return FileError(
        "expected a table, but this file holds a graph; look at it with smoothgraph info, or read "
        "it with read_graph"
    )


@contextmanager
def explained(label: str, expected: str) -> Iterator[None]:
    """Whatever a library raises inside becomes a FileError; no warning of theirs gets out."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    except FileError as error:
        raise FileError(f"{label}: {error}") from error
    except ImportError:  # an extra is missing; the message says which
        raise
    except (MemoryError, OverflowError) as error:
        raise FileError(
            f"{label}: expected {expected}, got sizes that do not fit into memory; the file may "
            "be damaged. If it is not, take fewer rows or columns."
        ) from error
    except Exception as error:
        raise FileError(
            f"{label}: expected {expected}, but it cannot be read as one ({_reason(error)}); the "
            "file may be damaged or of another format. Write it again, or name its format."
        ) from error


def _reason(error: Exception) -> str:
    words = " ".join(str(error).split()) or type(error).__name__
    return words if len(words) <= _LONGEST_REASON else words[:_LONGEST_REASON] + "..."
