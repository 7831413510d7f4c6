"""Delimited text, split into rows that all have the same number of fields."""

import codecs
import csv
import io
import itertools
import re
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from smoothgraph.io.cells import number
from smoothgraph.io.errors import FileError

_DELIMITERS = (",", ";", "\t", "|")
_ROWS_TO_GUESS_FROM = 20
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1f]")
_BYTES_TO_JUDGE = 1000


@dataclass(frozen=True, eq=False)
class Rows:
    """The rows below the header: their text, and the line of the file where each begins."""

    delimiter: str
    first: list[str]  # the cells of the first row, be it a header or not
    has_header: bool
    body: str
    lines: np.ndarray

    def frame(self, **options: Any) -> Any:
        """The body as a DataFrame with columns 0, 1, 2, ..."""
        import pandas as pd

        frame = pd.read_csv(
            io.StringIO(self.body),
            sep=self.delimiter,
            header=None,
            names=list(range(len(self.first))),
            index_col=False,
            skip_blank_lines=False,
            float_precision="round_trip",
            low_memory=False,
            **options,
        )
        if len(frame) != len(self.lines):
            raise FileError(
                f"expected {len(self.lines)} rows, got {len(frame)}; quote all cells that contain "
                "quotes or line breaks"
            )
        return frame


def rows_of(data: bytes, delimiter: str | None, is_header: Callable[[Sequence[str]], bool]) -> Rows:
    """The rows of a file; those that are not as wide as the first one are refused."""
    text = _decoded(data)
    if not text.strip():
        raise FileError("expected rows of values, got an empty file; check how it was written")
    delimiter = delimiter or _guessed_delimiter(text)
    records = _records(text, delimiter)
    begin, end, first = next(record for record in records if not _is_blank(record[2]))
    has_header = is_header(first)
    skipped = set(range(1, end + 1 if has_header else begin))
    lines = array("q", [] if has_header else [begin])
    for line, _, row in records:
        if _is_blank(row):
            skipped.add(line)
        elif len(row) == len(first):
            lines.append(line)
        else:
            names_likely = has_header and not lines and 1 < len(first) == len(row) - 1
            raise _ragged(line, len(row), len(first), delimiter, names_likely=names_likely)
    return Rows(delimiter, first, has_header, _without_lines(text, skipped), np.asarray(lines))


def _without_lines(text: str, skipped: set[int]) -> str:
    if not skipped:
        return text
    lines = enumerate(io.StringIO(text, newline=""), start=1)
    return "".join(line for k, line in lines if k not in skipped)


def _decoded(data: bytes) -> str:
    for mark, encoding in (
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
    ):
        if data.startswith(mark):
            text = _decode(data[len(mark) :], encoding)
            break
    else:
        text = _decode(data, "utf-8")
    nul = text.find("\0")
    if nul >= 0:
        raise FileError(
            f"row {_line_at(text, nul)}: expected text, got a NUL byte: this does not look like "
            "text; name its format, or save it as UTF-8"
        )
    return text


def _decode(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        line = _line_at(data[: error.start].decode(encoding), error.start)
        if encoding == "utf-8" and _CONTROL.search(data[:_BYTES_TO_JUDGE]):
            raise FileError(
                f"row {line}: expected text, got the byte 0x{data[error.start]:02x} among control "
                "characters: this does not look like text; name its format"
            ) from error
        raise FileError(
            f"row {line}: expected {encoding.upper()} text, got the byte "
            f"0x{data[error.start]:02x} (at {error.start}); save it as UTF-8 (in Excel as CSV "
            "UTF-8, elsewhere for example by iconv -f latin1 -t utf-8)"
        ) from error


def _line_at(text: str, position: int) -> int:
    return 1 + len(re.findall(r"\r\n?|\n", text[:position]))


def _records(text: str, delimiter: str) -> Iterator[tuple[int, int, list[str]]]:
    """The lines where a row begins and ends, and its cells."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    line = 1
    while True:
        try:
            row = next(reader, None)
        except csv.Error as error:
            raise FileError(
                f"row {line}: expected quotes around whole cells, got a quote that is not closed "
                f'or has text behind it ({error}); write a quote inside a cell as ""'
            ) from error
        if row is None:
            return
        yield line, reader.line_num, row
        line = reader.line_num + 1


def _is_blank(row: list[str]) -> bool:
    return not row or (len(row) == 1 and row[0].isspace() and row[0].isprintable())


def _ragged(
    line: int, n_fields: int, width: int, delimiter: str, *, names_likely: bool
) -> FileError:
    hint = "add what is missing, or quote cells that contain the delimiter"
    if n_fields > width:
        hint = "quote cells that contain the delimiter, or delete lines above the header"
    if names_likely:
        hint = "a column of row names needs a name in the header too"
    return FileError(
        f"row {line}: expected {width} field{'s' * (width != 1)} between {delimiter!r} as in the "
        f"first row, got {n_fields}; {hint}"
    )


def _guessed_delimiter(text: str) -> str:
    """The one that splits the first rows best."""
    return max(_DELIMITERS, key=lambda delimiter: _fit(text, delimiter))


def _fit(text: str, delimiter: str) -> tuple[float, float, float, int]:
    """How many rows are as wide as the first; how many cells hold no delimiter, and a number.

    A comma inside a cell does not count against it: it may be a decimal one.
    """
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    rows: list[list[str]] = []
    try:
        rows.extend(row for row in itertools.islice(reader, _ROWS_TO_GUESS_FROM) if row)
    except csv.Error:
        return 0.0, 0.0, 0.0, 0
    width = len(rows[0]) if rows else 0
    if width < 2:
        return 0.0, 0.0, 0.0, width
    decimal = "," if delimiter == ";" else "."
    cells = [cell for row in rows for cell in row]
    numbers = sum(number(cell) is not None or number(cell, decimal) is not None for cell in cells)
    whole = sum(not any(mark in cell for mark in _DELIMITERS[1:]) for cell in cells)
    alike = sum(len(row) == width for row in rows)
    return alike / len(rows), whole / len(cells), numbers / len(cells), width
