"""Tables in CSV and TSV files."""

from collections.abc import Collection, Sequence
from typing import Any, BinaryIO

import numpy as np

from smoothgraph.io.cells import number
from smoothgraph.io.errors import FileError, a_graph_instead
from smoothgraph.io.frames import Columns, table_of_frame
from smoothgraph.io.names import first_repetition, listed
from smoothgraph.io.table import Table, numbered_columns
from smoothgraph.io.text import Rows, rows_of

_EDGES = {"source", "target", "weight"}  # the header of a list of edges


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
    if rows.has_header and {cell.strip().lower() for cell in rows.first} == _EDGES:
        raise a_graph_instead()
    if len(rows.lines) == 0:
        raise FileError(
            "expected rows of values below the header, got a header only; "
            "check how the file was written"
        )
    labels = _labels(rows)
    frame = _frame(rows, labels, as_text={names, *aside})
    notes = []
    if header is None and not rows.has_header:
        notes.append(
            "No header was found: all cells of the first row are numbers. If they are names, say "
            "so (--header, or header=True)."
        )
    elif header is None and any(_is_number(cell) for cell in rows.first):
        notes.append(
            f"The first row is taken for a header: {listed(rows.first)}. If it is data, say so "
            "(--no-header, or header=False)."
        )
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
    """Some cell is no number, or they count: 0, 1, 2, ..., as pandas names columns.

    An empty first cell is that of an index above its numbers.
    """
    if not first[0].strip() or any(number(cell) is number(cell, ",") is None for cell in first):
        return True
    if not any(map(_is_number, first)):  # only words for missing
        return True
    return len(first) > 2 and list(first) == [str(k) for k in range(len(first))]


def _is_number(cell: str) -> bool:
    """Also with a decimal comma; a word for missing is none."""
    return any(not np.isnan(value) for d in ".," if (value := number(cell, d)) is not None)


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
