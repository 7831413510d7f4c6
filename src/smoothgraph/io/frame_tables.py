"""Tables made of DataFrames: which columns are signals, and which are set aside."""

import numpy as np

from smoothgraph.io.errors import FileError, are_names, check_row_names, quote_names, refuse_unknown
from smoothgraph.io.frame_columns import (
    CATEGORIES,
    COMMAS,
    DATES,
    EMPTY,
    TEXT,
    Column,
    Columns,
    cell_texts,
    numbers_in,
    read_column,
)
from smoothgraph.io.long_frames import table_of_long_frame
from smoothgraph.io.table_file import Table, check_table, drop_named, quote_column
from smoothgraph.io.text_cells import has_thousands, parse_column

_INDEX_HEADERS = ("", "id", "index", "unnamed: 0")


def table_of_frame(columns: Columns) -> Table:
    """Return the numeric columns as values; names, text and the columns in ``aside`` go beside."""
    if columns.options.texts_only:
        texts = {label: cell_texts(columns.frame[label]).astype(str) for label in columns.labels}
        names = {} if columns.row_names is None else {"index": np.array(columns.row_names)}
        return Table(np.empty((len(columns.frame), 0)), row_attributes=names | texts, notes=columns.notes)
    columns = columns.without_dropped()
    table = table_of_long_frame(columns) if columns.options.long else _table_of_wide_frame(columns)
    return drop_named(table, columns.options.drop)


def _table_of_wide_frame(columns: Columns) -> Table:
    for wanted in (*columns.options.aside, columns.options.names):
        refuse_unknown(wanted, columns.labels, what="columns")
    row_names, used = _find_row_names(columns)
    values, aside = _sort_columns(columns, used)
    if not values:
        first = ", ".join(repr(str(cells[0])) for cells in list(aside.values())[:3])
        raise FileError(
            "expected at least one column of numbers, got only text or empty columns, which begin with "
            f"{first or 'nothing'}; write numbers as 1234.5, and one row per node, or take text as categories "
            "(--metric gower, or categories=True)"
        )
    matrix, labels = np.stack([column.values for column in values.values()], axis=1), list(values)
    table = Table(
        matrix,
        row_names,
        labels if columns.headers is not None else None,
        aside,
        {name: np.array([of[label] for label in labels]) for name, of in columns.attributes.items()},
        categories={k: column.texts for k, column in enumerate(values.values()) if column.texts is not None},
        notes=columns.notes,
        names_from=None if used is None else columns.labels[used],
    )
    return check_table(table, row_numbers=columns.row_numbers, column_labels=labels)


def _sort_columns(columns: Columns, used: int | None) -> tuple[dict[str, Column], dict[str, np.ndarray]]:
    """Return the columns of values and those set aside, without the one used for names."""
    values, aside = {}, {}
    remarks: dict[str, list[str]] = {TEXT: [], CATEGORIES: [], DATES: [], EMPTY: [], COMMAS: []}
    for k, label in enumerate(columns.labels):
        if k == used:
            continue
        column = read_column(columns, k, label)
        remark = column.remark
        if label in columns.options.aside or column.values.dtype.kind == "U":
            aside[label] = column.values
        elif np.isnan(column.values).all():
            remark = EMPTY
        else:
            values[label] = column
        if remark is not None:
            remarks[remark].append(label)
    columns.notes += [f"{remark}: {quote_names(of)}." for remark, of in remarks.items() if of]
    return values, aside


def _find_row_names(columns: Columns) -> tuple[list[str] | None, int | None]:
    """Return the names of the rows, and the number of the column that holds them."""
    if columns.options.names is not None:
        k = columns.labels.index(columns.options.names)
        return check_row_names(cell_texts(columns.frame.iloc[:, k]), columns.row_numbers), k
    if columns.row_names is not None or not columns.labels or columns.labels[0] in columns.options.aside:
        return columns.row_names, None
    found, which = None, ""
    numbers = numbers_in(columns.frame.iloc[:, 0])
    if numbers is None:
        cells = cell_texts(columns.frame.iloc[:, 0])
        parsed = parse_column(cells, decimal_commas=columns.decimal_commas)
        if are_names(cells) and not parsed.is_numeric and not has_thousands(cells):
            found = list(cells)
    elif _are_ids(columns, numbers):
        found, which = [str(int(value)) for value in numbers], ", whose numbers are all different"
    if found is None:
        return None, None
    columns.notes.append(f"The rows are named by {quote_column(columns.labels[0])}{which}.")
    return found, 0


def _are_ids(columns: Columns, numbers: np.ndarray) -> bool:
    """Return whether these are different whole numbers under the header of an index."""
    if columns.headers is None or columns.headers[0].lower() not in _INDEX_HEADERS:
        return False
    return bool(np.all(np.isfinite(numbers) & (np.floor(numbers) == numbers))) and len(np.unique(numbers)) == len(
        numbers
    )
