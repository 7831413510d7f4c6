"""Write files and folders whole or not at all."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex


@contextmanager
def atomic_write(path: Path | str) -> Iterator[Path]:
    """Yield a temporary path next to ``path`` that replaces it if the block succeeds."""
    temporary = _make_next_to(Path(path), Path.touch)
    try:
        yield temporary
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def atomic_folder(path: Path | str) -> Iterator[Path]:
    """Yield a temporary folder next to ``path`` that takes its name if the block succeeds."""
    refuse_existing(path)
    temporary = _make_next_to(Path(path), Path.mkdir)
    try:
        yield temporary
        refuse_existing(path)  # somebody else may have made it in the meantime
        temporary.rename(path)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def refuse_existing(path: Path | str) -> None:
    """Raise a FileExistsError if ``path`` exists."""
    if os.path.lexists(path):
        raise FileExistsError(
            f"{path}: expected a name that is free, but it already exists; choose another name, or remove it first."
        )


def _make_next_to(path: Path, make: Callable[[Path], None]) -> Path:
    """Make and return a temporary path; an error names ``path`` instead."""
    temporary = path.parent / f".{path.stem}-{token_hex(4)}{path.suffix}"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        make(temporary)
    except OSError as error:
        raise type(error)(error.errno, error.strerror, str(path)) from error
    return temporary
