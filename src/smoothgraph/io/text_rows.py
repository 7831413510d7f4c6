"""Delimited text, split into rows that all have the same number of fields."""

import csv
import io
import itertools
import re
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from smoothgraph.io.errors import FileError
from smoothgraph.io.text_cells import parse_number
from smoothgraph.support.optional import load_optional
from smoothgraph.support.wording import agree

DELIMITERS = (",", ";", "\t", "|")
_ROWS_TO_GUESS_FROM = 20
_LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n)|[^\r\n]+")


@dataclass(frozen=True, eq=False)
class TextRows:
    """The rows below the header: their text, and the line of the file where each begins."""

    delimiter: str
    first: list[str]  # the cells of the first row, whether it is a header or not
    has_header: bool
    body: str
    lines: np.ndarray

    def without_first(self) -> "TextRows":
        """Return the rows without the first one below the header."""
        reader = csv.reader(lines_of(self.body), delimiter=self.delimiter)
        next(reader)
        lines = itertools.islice(lines_of(self.body), reader.line_num, None)
        return replace(self, body="".join(lines), lines=self.lines[1:])

    def head(self, n_rows: int) -> list[list[str]]:
        """Return the cells of the first rows below the header."""
        return list(itertools.islice(csv.reader(lines_of(self.body), delimiter=self.delimiter), n_rows))

    def frame(self, **options: Any) -> Any:
        """Return the body as a DataFrame with columns 0, 1, 2, ..."""
        pandas = load_optional("pandas", needed_by="reading CSV and TSV", extra="pandas")
        frame = pandas.read_csv(
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
                f"expected {len(self.lines)} {agree(len(self.lines), 'row', 'rows')}, got "
                f"{len(frame)}; quote all cells that contain quotes or line breaks"
            )
        return frame


def split_rows(text: str, delimiter: str | None, is_header: Callable[[Sequence[str]], bool]) -> TextRows:
    """Return the rows of a text; refuse a row that is not as wide as the first one.

    Without a delimiter, the one that splits the first rows best is used. Text whose lines are obviously rows is left
    to the parser of pandas; only other text is looked at row by row.
    """
    if not text.strip():
        raise FileError("expected rows of values, got an empty file; check how it was written")
    if delimiter is None:
        delimiter = max(DELIMITERS, key=lambda candidate: _score_delimiter(text, candidate))
    records = _parse_records(text, delimiter)
    begin, end, first = next(record for record in records if not _is_blank(record[2]))
    has_header = is_header(first)
    plain = _plain_rows(text, end if has_header else begin - 1, delimiter, len(first))
    if plain is not None:
        return TextRows(delimiter, first, has_header, *plain)
    skipped = set(range(1, end + 1 if has_header else begin))
    lines = array("q", [] if has_header else [begin])
    for line, _, row in records:
        if _is_blank(row):
            skipped.add(line)
        elif len(row) == len(first):
            lines.append(line)
        else:
            hint = "add the missing fields, or quote cells that contain the delimiter"
            if has_header and not lines and 1 < len(first) == len(row) - 1:
                hint = "a column of row names needs a name in the header too"
            elif len(row) > len(first):
                hint = "quote cells that contain the delimiter, or delete lines above the header"
            raise FileError(
                f"row {line}: expected {len(first)} {agree(len(first), 'field', 'fields')} between {delimiter!r} as in "
                f"the first row, got {len(row)}; {hint}"
            )
    if skipped:
        numbered = enumerate(lines_of(text), start=1)
        text = "".join(line for number, line in numbered if number not in skipped)
    return TextRows(delimiter, first, has_header, text, np.asarray(lines))


def _plain_rows(text: str, above: int, delimiter: str, width: int) -> tuple[str, np.ndarray] | None:
    """The text below so many lines and the numbers of its lines, if each is a row of this width; None if in doubt."""
    if width == 1 or '"' in text or text.count("\r") != text.count("\r\n"):
        return None
    begin = 0
    for _ in range(above):
        begin = text.find("\n", begin) + 1 or len(text)
    body = text[begin:].rstrip("\r\n")
    if not body:
        return None
    codes = np.frombuffer(body.encode(), np.uint8)
    ends = np.append(np.flatnonzero(codes == ord("\n")), len(codes))
    delimiters = np.searchsorted(np.flatnonzero(codes == ord(delimiter)), ends)
    if np.any(np.diff(delimiters, prepend=0) != width - 1):
        return None
    return body, np.arange(above + 1, above + 1 + len(ends))


def lines_of(text: str) -> Iterator[str]:
    """Yield the lines one by one, with their ends; no copy of the whole text is made."""
    for match in _LINE.finditer(text):
        yield match[0]


def _parse_records(text: str, delimiter: str) -> Iterator[tuple[int, int, list[str]]]:
    """Yield the lines where a row begins and ends, and its cells."""
    reader = csv.reader(lines_of(text), delimiter=delimiter, strict=True)
    line = 1
    try:
        for row in reader:
            yield line, reader.line_num, row
            line = reader.line_num + 1
    except csv.Error as error:
        raise FileError(
            f"row {line}: expected quotes around whole cells, got a quote that is not closed or is followed by text "
            f'({error}); write a quote inside a cell as ""'
        ) from error


def _is_blank(row: list[str]) -> bool:
    return not row or (len(row) == 1 and row[0].isspace() and row[0].isprintable())


def _score_delimiter(text: str, delimiter: str) -> tuple[float, float, float, int]:
    """Return how well a delimiter splits the first rows: three shares, and the width.

    The shares are those of rows as wide as the first, of cells without another delimiter (a comma may be a decimal
    comma), and of cells that hold numbers.
    """
    reader = csv.reader(lines_of(text), delimiter=delimiter)
    try:
        rows = [row for row in itertools.islice(reader, _ROWS_TO_GUESS_FROM) if row]
    except csv.Error:
        rows = []
    width = len(rows[0]) if rows else 0
    if width < 2:
        return 0.0, 0.0, 0.0, width
    decimals = ".," if delimiter == ";" else "."
    cells = [cell for row in rows for cell in row]
    numbers = np.mean([any(parse_number(cell, mark) is not None for mark in decimals) for cell in cells])
    unsplit = np.mean([not any(mark in cell for mark in DELIMITERS[1:]) for cell in cells])
    alike = np.mean([len(row) == width for row in rows])
    return float(alike), float(unsplit), float(numbers), width
