"""Write files and folders whole or not at all."""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def atomic_write(path: Path | str) -> Iterator[Path]:
    """Yield a temporary path next to ``path`` that replaces it if the block succeeds."""
    path = Path(path)

    def make() -> Path:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.stem}-", suffix=path.suffix)
        os.close(handle)
        return Path(name)

    temporary = _make_next_to(path, make)
    try:
        yield temporary
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def atomic_folder(path: Path | str) -> Iterator[Path]:
    """Yield a temporary folder next to ``path`` that takes its name if the block succeeds."""
    path = Path(path)
    refuse_existing(path)
    temporary = _make_next_to(path, lambda: Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name}-")))
    try:
        temporary.chmod(0o777 & ~_umask())
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


def _make_next_to(path: Path, make: Callable[[], Path]) -> Path:
    """Return what ``make`` makes; an error names ``path``, not the temporary file."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return make()
    except OSError as error:
        raise type(error)(error.errno, error.strerror, str(path)) from error


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
