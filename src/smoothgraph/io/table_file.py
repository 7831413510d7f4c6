"""What a file of signals holds, and the checks that every table passes."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import scipy.sparse as sp

from smoothgraph.io.errors import FileError, refuse_unknown
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
    """

    values: np.ndarray | sp.csr_array
    row_names: list[str] | None = None
    column_names: list[str] | None = None
    row_attributes: dict[str, np.ndarray] = field(default_factory=dict)
    column_attributes: dict[str, np.ndarray] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    categories: dict[int, list[str]] = field(default_factory=dict)

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


def finish_table(table: Table, aside: Sequence[str]) -> Table:
    """Turn the columns named in ``aside`` into row attributes, and check the rest."""
    labels = table.column_labels
    chosen = [name for name in aside if name not in table.row_attributes]
    for name in chosen:
        refuse_unknown(name, [*table.row_attributes, *labels], what="columns")
    if not chosen:
        return check_table(table)
    for name in chosen:
        column: Any = table.values[:, [labels.index(name)]]
        table.row_attributes[name] = (column.toarray() if sp.issparse(column) else column).ravel()
    kept = [k for k, label in enumerate(labels) if label not in chosen]
    values: Any = table.values[:, kept]
    return check_table(
        replace(
            table,
            values=values if sp.issparse(values) else np.ascontiguousarray(values),
            column_names=table.column_names and [labels[k] for k in kept],
            column_attributes={name: array[kept] for name, array in table.column_attributes.items()},
        )
    )


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
