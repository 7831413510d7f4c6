"""The error that is meant for users. Any other exception is a defect of ours."""

from collections.abc import Iterator
from contextlib import contextmanager


class InputError(ValueError):
    """What was given cannot be used. The message says what was expected, what came, and what to do."""


@contextmanager
def checked_by_others() -> Iterator[None]:
    """Let the errors of another library's checks of the user's input be InputErrors."""
    try:
        yield
    except InputError:
        raise
    except ValueError as error:
        raise InputError(str(error)) from error
