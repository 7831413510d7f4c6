"""Files and folders that are written whole or not at all."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def written_whole(path: Path | str) -> Iterator[Path]:
    """A temporary path beside ``path`` that takes its place once the block has succeeded."""
    path = Path(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(
            dir=path.parent, prefix=f".{path.stem}-", suffix=path.suffix
        )
    except OSError as error:  # which names the temporary file
        raise type(error)(error.errno, error.strerror, str(path)) from error
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def folder_written_whole(path: Path | str) -> Iterator[Path]:
    """A temporary folder beside ``path`` that takes this name once the block has succeeded."""
    path = Path(path)
    refuse_existing(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name}-"))
    except OSError as error:  # which names the temporary folder
        raise type(error)(error.errno, error.strerror, str(path)) from error
    try:
        temporary.chmod(0o777 & ~_umask())
        yield temporary
        refuse_existing(path)  # which may have come meanwhile
        temporary.rename(path)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def refuse_existing(path: Path | str) -> None:
    """A FileExistsError if there is something of this name."""
    if os.path.lexists(path):
        raise FileExistsError(
            f"{path}: expected a name that is free, but there is something of this name already; "
            "give another, or remove it first."
        )


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
