"""What a file of signals holds, and the checks that every table passes."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import scipy.sparse as sp

from smoothgraph.io.errors import FileError, refuse_unknown
from smoothgraph.io.text_cells import parse_number
from smoothgraph.support.wording import agree


@dataclass(frozen=True, eq=False)
class Table:
    """Rows of numbers, one row per node, and what the file holds besides.

    Attributes
    ----------
    values : array or csr_array of shape (rows, columns)
        Float64; NaN where a value is missing.
    row_names, column_names : list of str, or None
        None if the file has none.
    row_attributes, column_attributes : dict
        Arrays that are not signals, with one entry per row or column: text, dates as ISO strings, labels (1-D) and
        coordinates (2-D). They hold str, float or int; missing text is "".
    notes : list of str
        Sentences for the user: what was set aside and why, how many values are missing.
    categories : dict
        By the number of a column, the texts that its values 0, 1, 2, ... stand for.
    names_from : str or None
        The column of the file that holds the row names, if they come from a column.
    """

    values: np.ndarray | sp.csr_array
    row_names: list[str] | None = None
    column_names: list[str] | None = None
    row_attributes: dict[str, np.ndarray] = field(default_factory=dict)
    column_attributes: dict[str, np.ndarray] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    categories: dict[int, list[str]] = field(default_factory=dict)
    names_from: str | None = None

    @property
    def column_labels(self) -> list[str]:
        """The names of the columns, or "column 1", "column 2", ..."""
        return self.column_names or number_columns(self.values.shape[1])


@dataclass(frozen=True)
class TableOptions:
    """What the user says about a table; see :func:`smoothgraph.io.read_table`."""

    key: str | None = None
    names: str | None = None
    aside: tuple[str, ...] = ()
    header: bool | None = None
    categories: bool = False
    missing: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    skip_rows: int = 0
    encoding: str | None = None
    long: tuple[str, ...] = ()
    texts_only: bool = False

    @property
    def no_signals(self) -> set[str]:
        """The columns that are no signals because the user says so."""
        return {*self.aside, *self.drop}

    @property
    def missing_numbers(self) -> list[float]:
        """Those of the texts in ``missing`` that are numbers."""
        numbers = [parse_number(text) for text in self.missing]
        return [number for number in numbers if number is not None and not np.isnan(number)]


def finish_table(table: Table, options: TableOptions) -> Table:
    """Mark missing values, turn the columns that are no values into row attributes, and check the rest."""
    if options.texts_only:
        raise FileError("expected columns of texts and numbers, got arrays; write them as CSV, Excel, or Parquet")
    if not sp.issparse(table.values):
        table = replace(table, values=mark_missing(table.values, options))
    for name in options.aside:
        refuse_unknown(name, [*table.row_attributes, *table.column_labels], what="columns")
    wanted = options.no_signals - table.row_attributes.keys()
    chosen = [label for label in table.column_labels if label in wanted]
    return drop_named(check_table(set_aside(table, chosen)), options.drop)


def mark_missing(values: np.ndarray, options: TableOptions) -> np.ndarray:
    """Return the values with NaN for the numbers that the user calls missing."""
    if not options.missing_numbers:
        return values
    return np.where(np.isin(values, options.missing_numbers), np.nan, values)


def set_aside(table: Table, labels: Sequence[str]) -> Table:
    """Return the table with some of its columns as row attributes instead of values."""
    known = table.column_labels
    moved = {}
    for label in labels:
        k = known.index(label)
        column: Any = table.values[:, [k]]
        column = (column.toarray() if sp.issparse(column) else column).ravel()
        moved[label] = np.array([*table.categories[k], ""])[codes_of(column)] if k in table.categories else column
    table = leave_out(table, labels)
    return replace(table, row_attributes=table.row_attributes | moved)


def leave_out(table: Table, labels: Collection[str]) -> Table:
    """Return the table without some of its columns of values."""
    if not labels:
        return table
    gone = set(labels)
    return take_columns(table, [k for k, label in enumerate(table.column_labels) if label not in gone])


def take_columns(table: Table, kept: Sequence[int]) -> Table:
    """Return the table with these columns, in this order."""
    kept = list(kept)
    values: Any = table.values[:, kept]
    return replace(
        table,
        values=values if sp.issparse(values) else np.ascontiguousarray(values),
        column_names=table.column_names and [table.column_names[k] for k in kept],
        column_attributes={name: array[kept] for name, array in table.column_attributes.items()},
        categories={kept.index(k): texts for k, texts in table.categories.items() if k in kept},
    )


def drop_named(table: Table, names: Sequence[str]) -> Table:
    """Return the table without the columns, attributes, or rows of these names."""
    rows = []
    for name in names:
        if name in table.row_attributes or name in table.column_labels:
            table = leave_out(table, [name])
            attributes = {label: cells for label, cells in table.row_attributes.items() if label != name}
            table = replace(table, row_attributes=attributes)
        elif name in (table.row_names or ()):
            rows.append(name)
        else:
            refuse_unknown(name, [*table.row_attributes, *table.column_labels], what="columns")
    return take_rows(table, [k for k, name in enumerate(table.row_names or ()) if name not in rows]) if rows else table


def take_rows(table: Table, rows: Sequence[int]) -> Table:
    """Return the table with these rows, in this order."""
    values: Any = table.values[rows]
    return replace(
        table,
        values=values,
        row_names=table.row_names and [table.row_names[k] for k in rows],
        row_attributes={label: cells[rows] for label, cells in table.row_attributes.items()},
    )


def codes_of(column: np.ndarray) -> np.ndarray:
    """Return the numbers of the categories in a column, -1 where one is missing."""
    return np.nan_to_num(column, nan=-1.0).astype(int)


def check_table(
    table: Table, *, row_numbers: Sequence[int] | np.ndarray | None = None, column_labels: Sequence[str] | None = None
) -> Table:
    """Return the table with a note on missing values; refuse an empty or infinite one.

    ``row_numbers`` and ``column_labels`` say where the file holds an infinite value.
    """
    n_rows, n_columns = table.values.shape
    if n_rows == 0 or n_columns == 0:
        raise FileError(
            f"expected at least one row and one column of numbers, got {n_rows} {agree(n_rows, 'row', 'rows')} and "
            f"{n_columns} {agree(n_columns, 'column', 'columns')}; check how the file was written"
        )
    numbers = table.values.data if sp.issparse(table.values) else table.values
    if np.isinf(numbers).any():
        row, column = np.argwhere(abs(table.values) == np.inf)[0]
        label = (column_labels or table.column_labels)[column]
        number = row + 1 if row_numbers is None else row_numbers[row]
        raise FileError(
            f"row {number}, {quote_column(label)}: expected a finite number, got {table.values[row, column]}; correct "
            "it, or mark it as missing (an empty cell, NaN)"
        )
    missing = int(np.isnan(numbers).sum())
    if missing:
        total = n_rows * n_columns
        table.notes.append(f"Missing values: {missing} of {total} ({100 * missing / total:.2g}%).")
    return table


def number_columns(n_columns: int) -> list[str]:
    """Return the labels of columns without names: "column 1", "column 2", ..."""
    return [f"column {k}" for k in range(1, n_columns + 1)]


def quote_column(label: str) -> str:
    """Return ``column 'temp'`` for a name; a numbered column stays as it is."""
    return label if label.startswith("column ") else f"column {label!r}"


def to_attribute(array: np.ndarray) -> np.ndarray:
    """Return an array of str, int or float; dates become ISO 8601 strings."""
    kind = array.dtype.kind
    if kind == "S":
        return np.char.decode(array, "utf-8")
    if kind == "b":
        return array.astype(np.int64)
    return array if kind in "Uiuf" else array.astype(str)
