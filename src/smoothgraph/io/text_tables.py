"""Tables as text: the header, units, and cells of numbers or text."""

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from smoothgraph.io.errors import MOST_NOTED, FileError, graph_not_table, quote_names, refuse_duplicates
from smoothgraph.io.frame_columns import Columns
from smoothgraph.io.frame_tables import table_of_frame
from smoothgraph.io.graph_file import Edges
from smoothgraph.io.preamble import describe_units, find_units, refuse_preamble, skip_lines
from smoothgraph.io.table_file import Table, TableOptions, number_columns
from smoothgraph.io.text_cells import parse_number
from smoothgraph.io.text_rows import TextRows, split_rows

_ROWS_TO_JUDGE = 20


def read_text_table(text: str, options: TableOptions, delimiter: str | None = None) -> Table:
    """Return the table in a text, whose delimiter is found if it is not given."""
    if options.skip_rows:
        text = skip_lines(text, options.skip_rows)
    else:
        refuse_preamble(text, delimiter)
    guessed = options.header is None
    rows = split_rows(text, delimiter, _looks_like_header if guessed else lambda _: bool(options.header))
    if rows.has_header and {cell.strip().lower() for cell in rows.first} == {*Edges._fields}:
        raise graph_not_table()
    if len(rows.lines) == 0:
        raise FileError("expected rows of values below the header, got a header only; check how the file was written")
    notes = _describe_header(rows) if guessed else []
    commas = rows.delimiter == ";"
    units = find_units(rows.head(_ROWS_TO_JUDGE), decimal_commas=commas) if rows.has_header else None
    if units is not None:
        notes.append(describe_units(units, rows.lines[0]))
        rows = rows.without_first()
    labels = _label_columns(rows, options, notes)
    columns = Columns(
        frame=_read_frame(rows, labels, as_text=labels if options.texts_only else {options.names, *options.no_signals}),
        row_numbers=rows.lines,
        headers=[cell.strip() for cell in rows.first] if rows.has_header else None,
        options=options,
        decimal_commas=commas,
        notes=notes,
        attributes={} if units is None else {"unit": dict(zip(labels, units, strict=True))},
    )
    return table_of_frame(columns)


def _describe_header(rows: TextRows) -> list[str]:
    """Return a note if it was not plain whether the first row is a header."""
    if not rows.has_header:
        return [
            "No header was found, because all cells of the first row are numbers. If they are names, say so "
            "(--header, or header=True)."
        ]
    if any(map(_is_number, rows.first)):
        return [
            f"The first row is taken as a header: {quote_names(rows.first, MOST_NOTED)}. If it is data, say so "
            "(--no-header, or header=False)."
        ]
    return []


def _label_columns(rows: TextRows, options: TableOptions, notes: list[str]) -> list[str]:
    """Return different names of the columns; an empty header becomes the number of its column.

    Of equal headers, all but the first get a number, unless the user refers to them.
    """
    labels = number_columns(len(rows.first))
    if not rows.has_header:
        return labels
    headers = [cell.strip() or default for cell, default in zip(rows.first, labels, strict=True)]
    repeated = {header for header, count in Counter(headers).items() if count > 1}
    if not repeated:
        return headers
    meant = repeated & {options.names, *options.no_signals}
    if meant:
        refuse_duplicates(
            [header if header in meant else "" for header in headers], "column", range(1, len(labels) + 1)
        )
    result = _number_repeated(headers)
    renamed = [label for header, label in zip(headers, result, strict=True) if label != header]
    notes.append(
        f"Several columns are called {quote_names(sorted(repeated))}; all but the first are now "
        f"{quote_names(renamed)}. To leave one out, use --drop (or drop=)."
    )
    return result


def _number_repeated(headers: list[str]) -> list[str]:
    """Return the headers, with "a (2)", "a (3)", ... for all "a" but the first, unless other columns are called so."""
    taken, result = set(headers), []
    counts: Counter[str] = Counter()
    for header in headers:
        counts[header] += 1
        label = header
        if counts[header] > 1:
            while (label := f"{header} ({counts[header]})") in taken:
                counts[header] += 1
            taken.add(label)
        result.append(label)
    return result


def _read_frame(rows: TextRows, labels: list[str], as_text: Collection[str | None]) -> Any:
    """Return a frame of numbers and text; the columns ``as_text`` stay as they are written."""
    frame = rows.frame()
    text = [k for k, label in enumerate(labels) if label in as_text or frame.dtypes[k].kind not in "biuf"]
    if text:
        frame[text] = rows.frame(usecols=text, dtype=str, na_filter=False)
    frame.columns = labels
    return frame


def _looks_like_header(first: Sequence[str]) -> bool:
    """Return whether some cell is text, or the cells count 0, 1, 2, ... as pandas names columns.

    An empty first cell is the header of an index.
    """
    has_text = any(parse_number(cell) is parse_number(cell, ",") is None for cell in first)
    if not first[0].strip() or has_text or not any(map(_is_number, first)):
        return True
    return len(first) > 2 and list(first) == [str(k) for k in range(len(first))]


def _is_number(cell: str) -> bool:
    """Return whether the cell holds a number, maybe with a decimal comma."""
    return any(not np.isnan(value) for d in ".," if (value := parse_number(cell, d)) is not None)
