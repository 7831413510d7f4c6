"""Tables in CSV and TSV files."""

from collections.abc import Collection, Sequence
from typing import Any, BinaryIO

import numpy as np

from smoothgraph.io.cells import number
from smoothgraph.io.errors import FileError
from smoothgraph.io.frames import Columns, table_of_frame
from smoothgraph.io.names import first_repetition
from smoothgraph.io.table import Table, numbered_columns
from smoothgraph.io.text import Rows, rows_of


def read_delimited(
    file: BinaryIO,
    *,
    delimiter: str | None,
    names: str | None,
    aside: Collection[str],
    header: bool | None,
) -> Table:
    """The table in a delimited text file; see :class:`smoothgraph.io.frames.Columns`."""
    is_header = _looks_like_header if header is None else lambda _: header
    rows = rows_of(file.read(), delimiter, is_header)
    if len(rows.lines) == 0:
        raise FileError(
            "expected rows of values below the header, got a header only; "
            "check how the file was written"
        )
    labels = _labels(rows)
    frame = _frame(rows, labels, as_text={names, *aside})
    notes = []
    if header is None and not rows.has_header:
        notes.append("No header was found: all cells of the first row are numbers.")
    return table_of_frame(
        Columns(
            frame=frame,
            row_numbers=rows.lines,
            headers=[cell.strip() for cell in rows.first] if rows.has_header else None,
            names=names,
            aside=aside,
            decimal_commas=rows.delimiter == ";",
            notes=notes,
        )
    )


def _frame(rows: Rows, labels: list[str], as_text: Collection[str | None]) -> Any:
    """Numeric columns as numbers, all others, and those named, as they are written."""
    from pandas.api.types import is_numeric_dtype

    frame = rows.frame()
    text = [
        k
        for k, (label, dtype) in enumerate(zip(labels, frame.dtypes, strict=True))
        if label in as_text or not is_numeric_dtype(dtype)
    ]
    if text:
        frame[text] = rows.frame(usecols=text, dtype=str, na_filter=False)
    frame.columns = labels
    return frame


def _looks_like_header(first: Sequence[str]) -> bool:
    """Some cell is no number. An empty first cell is that of an index above its numbers."""
    numbers = [number(cell) if number(cell) is not None else number(cell, ",") for cell in first]
    if not first[0].strip() or any(value is None for value in numbers):
        return True
    return bool(np.all(np.isnan(np.array(numbers, dtype=float))))  # only words for missing


def _labels(rows: Rows) -> list[str]:
    """The headers; an empty one is replaced by the number of its column."""
    numbered = numbered_columns(len(rows.first))
    if not rows.has_header:
        return numbered
    labels = [cell.strip() or default for cell, default in zip(rows.first, numbered, strict=True)]
    twice = first_repetition(labels)
    if twice is not None:
        first, second = (k + 1 for k in twice)
        raise FileError(
            f"columns {first} and {second}: expected headers that are all different, got "
            f"{labels[twice[0]]!r} twice; rename one of them"
        )
    return labels
