"""Where bytes come from and go to, and in which format."""

import io
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from smoothgraph.io.errors import FileError

STANDARD_STREAM = "-"
_A_FOLDER = (
    "expected a file, got a folder; give a file inside it, or let Dask workers read a folder of "
    "Parquet files or a Zarr array (smoothgraph learn --workers)"
)

Source = Path | str


def label_of(source: Source, *, standard: str) -> str:
    """How messages call it: the path, or the name of the standard stream."""
    return standard if source == STANDARD_STREAM else str(source)


def format_of(source: Source, format: str | None, suffixes: Mapping[str, str]) -> str:  # noqa: A002
    """The format that was asked for, or that of the suffix; csv for a standard stream."""
    formats = list(dict.fromkeys(suffixes.values()))
    if format is not None:
        if format not in formats:
            raise FileError(f"expected one of the formats {_listed(formats)}, got {format!r}")
        return format
    if source == STANDARD_STREAM:
        return "csv"
    if Path(source).is_dir():
        raise FileError(_A_FOLDER)
    suffix = Path(source).suffix.lower()
    if suffix not in suffixes:
        raise FileError(
            f"expected a name that ends in {_listed(list(suffixes))}, got {suffix or 'no suffix'}; "
            f"rename the file, or name its format (format=, see --help): {_listed(formats)}"
        )
    return suffixes[suffix]


@contextmanager
def opened(source: Source) -> Iterator[BinaryIO]:
    """A binary file at its beginning in which one can go back; pipes are read into memory."""
    if source == STANDARD_STREAM:
        yield io.BytesIO(sys.stdin.buffer.read())
        return
    with _open(Path(source)) as file:
        yield file if file.seekable() else io.BytesIO(file.read())


def _open(path: Path) -> BinaryIO:
    try:
        return path.open("rb")
    except FileNotFoundError as error:
        raise FileError(
            "expected a file, but there is none of this name; check the path"
        ) from error
    except IsADirectoryError as error:
        raise FileError(_A_FOLDER) from error
    except PermissionError as error:
        raise FileError(
            "expected a file that may be read, but permission is denied; check who owns it"
        ) from error


def _listed(words: Sequence[str]) -> str:
    return ", ".join(words[:-1]) + " or " + words[-1]
