"""Long (tidy) tables made wide: one row per time, one column per name."""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from smoothgraph.io.errors import FileError, quote_names, refuse_unknown
from smoothgraph.io.frame_columns import Columns, cell_texts, read_numbers
from smoothgraph.io.table_file import Table, check_table, to_attribute
from smoothgraph.io.text_cells import number_cells, parse_column

_ISO = re.compile(r"[0-9]{4}-[0-9]{2}.*")


def table_of_long_frame(columns: Columns) -> Table:
    """Return a table with a row for each time and a column for each name, from a long one.

    The columns ``options.long`` hold the times (or whatever tells the rows apart), the names, and the numbers.
    What the other columns say of a name, if it is one thing, becomes an attribute of its column.
    """
    keys = columns.options.long
    if len(set(keys)) != 3:
        raise FileError(
            "expected three different columns for a long table, those of the rows, of the names, and of the values, "
            f"got {quote_names(keys)}; write them as --long date,name,value"
        )
    for wanted in (*keys, *columns.options.aside):
        refuse_unknown(wanted, columns.labels, what="columns")
    rows, row_texts, numbers = _number_rows(columns, keys[0])
    names, name_texts = number_cells(cell_texts(columns.frame[keys[1]]))
    _refuse_repeated(columns, rows, row_texts, names, name_texts)
    values = np.full((len(row_texts), len(name_texts)), np.nan)
    values[rows, names] = read_numbers(columns, keys[2])
    others = [label for label in columns.labels if label not in keys]
    about_names = _describe(columns, others, names, len(name_texts))
    left = [label for label in others if label not in about_names]
    if left:
        columns.notes.append(f"Left out, because they say several things of a name: {quote_names(left)}.")
    row_attributes = {} if numbers is None else {keys[0]: numbers}
    table = Table(values, row_texts, name_texts, row_attributes, about_names, columns.notes, names_from=keys[0])
    return check_table(table)


def _number_rows(columns: Columns, key: str) -> tuple[np.ndarray, list[str], np.ndarray | None]:
    """Return the number of the row of every cell, the names of the rows, and their numbers if they are numbers.

    Numbers and ISO dates are sorted; other texts come in the order of the file.
    """
    series = columns.frame[key]
    cells = cell_texts(series)
    parsed = parse_column(cells, decimal_commas=columns.decimal_commas)
    if not parsed.is_text.any() and not np.isnan(parsed.values).any():
        numbers, codes = np.unique(parsed.values, return_inverse=True)
        return codes, [f"{number:.15g}" for number in numbers], numbers
    codes, texts = number_cells(cells)
    if all(_ISO.fullmatch(text) for text in texts):
        order = np.argsort(texts)
        return np.argsort(order)[codes], [texts[k] for k in order], None
    return codes, texts, None


def _refuse_repeated(
    columns: Columns, rows: np.ndarray, row_texts: Sequence[str], names: np.ndarray, name_texts: Sequence[str]
) -> None:
    cells = rows * len(name_texts) + names
    _, first, inverse = np.unique(cells, return_index=True, return_inverse=True)
    again = np.flatnonzero(first[inverse] != np.arange(len(cells)))
    if again.size:
        k = int(again[0])
        before, after = columns.row_numbers[first[inverse[k]]], columns.row_numbers[k]
        raise FileError(
            f"row {before} and row {after}: expected one value for {name_texts[names[k]]!r} at {row_texts[rows[k]]!r}, "
            "got two; keep one of them, or their mean, or name other columns (--long)"
        )


def _describe(columns: Columns, labels: Sequence[str], names: np.ndarray, n_names: int) -> dict[str, np.ndarray]:
    """Return the columns that say one thing of each name, with an entry per name."""
    first = np.full(n_names, -1)
    first[names[::-1]] = np.arange(len(names))[::-1]
    result = {}
    for label in labels:
        cells: Any = cell_texts(columns.frame[label])
        if np.all(cells == cells[first][names]):
            parsed = parse_column(cells[first], decimal_commas=columns.decimal_commas)
            result[label] = cells[first].astype(str) if parsed.is_text.any() else to_attribute(parsed.values)
    return result
