"""Compressed files: the file inside, and its name."""

import bz2
import gzip
import io
import lzma
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

from smoothgraph.io.errors import FileError, quote_names, refuse_expansion

_ZIP = ".zip"
_STREAMS: dict[str, Callable[[BinaryIO], Any]] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
_CHUNK = 2**24


def name_inside(path: Path) -> Path:
    """Return the name of the file inside a compressed file, or the name of any other file."""
    suffix = path.suffix.lower()
    if suffix in _STREAMS:
        return path.with_suffix("")
    if suffix == _ZIP and path.is_file():
        with zipfile.ZipFile(path) as archive:
            return Path(_only_member(archive).filename)
    return path


def unpack(path: Path, file: BinaryIO) -> BinaryIO:
    """Return the file inside a compressed file, in memory, or any other file as it is."""
    suffix = path.suffix.lower()
    if suffix in _STREAMS:
        with _STREAMS[suffix](file) as stream:
            return _read(stream, path.stat().st_size)
    if suffix == _ZIP:
        with zipfile.ZipFile(file) as archive:
            member = _only_member(archive)
            refuse_expansion(member.file_size, member.compress_size, member.filename)
            return io.BytesIO(archive.read(member))
    return file


def _read(stream: Any, stored: int) -> BinaryIO:
    """Return what a stream holds; refuse more than any compression explains before it fills the memory."""
    result = io.BytesIO()
    while chunk := stream.read(_CHUNK):
        result.write(chunk)
        refuse_expansion(result.tell(), stored, "the file inside")
    result.seek(0)
    return result


def _only_member(archive: zipfile.ZipFile) -> zipfile.ZipInfo:
    members = [m for m in archive.infolist() if not m.is_dir() and not m.filename.startswith("__MACOSX/")]
    if len(members) != 1:
        names = quote_names([member.filename for member in members]) or "none"
        raise FileError(f"expected an archive with one file, got {names}; unpack it, and name the file")
    return members[0]
