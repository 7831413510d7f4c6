"""Write files and folders whole or not at all."""

import errno
import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from tempfile import gettempdir

_NO_SPACE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@contextmanager
def atomic_write(path: Path | str) -> Iterator[Path]:
    """Yield a temporary path, whose content is at ``path`` once the block has succeeded.

    A symbolic link is followed. The file at its end is replaced at once, and keeps its owner and permissions. A file
    with several names, a pipe or a device cannot be replaced: the content is copied into it at the end. An error
    for want of space names ``path``.
    """
    with name_full_disk(path):
        yield from _write(path)


def _write(path: Path | str) -> Iterator[Path]:
    target = Path(os.path.realpath(path))
    before = _status(target, path)
    if before is not None and (not stat.S_ISREG(before.st_mode) or before.st_nlink > 1):
        with _temporary_file(Path(gettempdir()) / target.name, path, mode=0o600) as temporary:
            yield temporary
            _copy_into(target, temporary, before)
        return
    mode = 0o666 if before is None else 0o600  # nobody else may read what is to be private
    with _temporary_file(target, path, mode) as temporary:
        yield temporary
        if before is not None:
            with suppress(PermissionError):  # only root may give files away
                os.chown(temporary, before.st_uid, before.st_gid)
            temporary.chmod(stat.S_IMODE(before.st_mode))
        _flush_to_disk(temporary)
        temporary.replace(target)


@contextmanager
def atomic_folder(path: Path | str) -> Iterator[Path]:
    """Yield a temporary folder next to ``path`` that takes its name if the block succeeds."""
    refuse_existing(path)
    temporary = _name_next_to(Path(path))
    with _name_in_errors(path):
        temporary.mkdir(parents=True)
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


def _status(target: Path, path: Path | str) -> os.stat_result | None:
    """What is at the target, which must be writable; None if it is new."""
    try:
        found = target.stat()
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    return found


@contextmanager
def _temporary_file(target: Path, path: Path | str, mode: int) -> Iterator[Path]:
    """Make a file next to ``target``, and remove it at the end if it is still there."""
    temporary = _name_next_to(target)
    with _name_in_errors(path):
        temporary.parent.mkdir(parents=True, exist_ok=True)
        temporary.touch(mode, exist_ok=False)
    try:
        yield temporary
    finally:
        temporary.unlink(missing_ok=True)


def _name_next_to(path: Path) -> Path:
    return path.parent / f".{path.stem}-{token_hex(4)}{path.suffix}"


def _copy_into(target: Path, source: Path, before: os.stat_result) -> None:
    """Copy the content, for which a file is enlarged first: if that fails, it keeps what it held."""
    with source.open("rb") as content, target.open("r+b" if stat.S_ISREG(before.st_mode) else "wb") as sink:
        if stat.S_ISREG(before.st_mode):
            _enlarge(sink.fileno(), before.st_size, source.stat().st_size)
        shutil.copyfileobj(content, sink)
        if stat.S_ISREG(before.st_mode):
            sink.truncate()


def _enlarge(file: int, size: int, wanted: int) -> None:
    """Reserve space for a file to grow, or leave it as it is."""
    if wanted <= size or not hasattr(os, "posix_fallocate"):
        return
    try:
        os.posix_fallocate(file, size, wanted - size)
    except OSError:
        os.ftruncate(file, size)
        raise


@contextmanager
def name_full_disk(name: Path | str) -> Iterator[None]:
    """Say in an error for want of space what was being written; Python does not."""
    try:
        yield
    except OSError as error:
        if error.errno not in _NO_SPACE or error.filename is not None:
            raise
        raise OSError(error.errno, error.strerror or os.strerror(error.errno), str(name)) from error


@contextmanager
def _name_in_errors(path: Path | str) -> Iterator[None]:
    """Name ``path`` in an error instead of something temporary."""
    try:
        yield
    except OSError as error:
        raise type(error)(error.errno, error.strerror, str(path)) from error


def _flush_to_disk(path: Path) -> None:
    """Or the name might survive a power failure without its content."""
    with path.open("rb") as file:
        os.fsync(file.fileno())
