"""Open files, pipes and standard input for reading."""

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from smoothgraph.io.errors import FileError

STANDARD_STREAM = "-"

Source = Path | str


def source_label(source: Source, *, standard: str) -> str:
    """Return what messages call the source: its path, or the name of the standard stream."""
    return standard if source == STANDARD_STREAM else str(source)


def folder_error() -> FileError:
    """Return the error for a folder where a file is expected."""
    return FileError(
        "expected a file, got a folder; give a file inside it, or let Dask workers read a folder "
        "of Parquet files or a Zarr array (smoothgraph learn --workers)"
    )


@contextmanager
def open_source(source: Source) -> Iterator[BinaryIO]:
    """Yield a seekable binary file; pipes and standard input are read into memory."""
    if source == STANDARD_STREAM:
        yield io.BytesIO(sys.stdin.buffer.read())
        return
    with _open(Path(source)) as file:
        yield file if file.seekable() else io.BytesIO(file.read())


def _open(path: Path) -> BinaryIO:
    try:
        return path.open("rb")
    except FileNotFoundError as error:
        raise FileError("expected a file, but it does not exist; check the path") from error
    except IsADirectoryError as error:
        raise folder_error() from error
    except PermissionError as error:
        raise FileError("expected a readable file, but permission is denied; check who owns it") from error
