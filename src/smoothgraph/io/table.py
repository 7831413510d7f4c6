"""What a file of signals holds."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from smoothgraph.io.errors import FileError


@dataclass(frozen=True, eq=False)
class Table:
    """Rows of numbers, one row per node, and what stood beside them.

    Attributes
    ----------
    values : array or csr_array of shape (rows, columns)
        Float64; NaN where a value is missing.
    row_names, column_names : list of str, or None
        None if the file has none.
    row_attributes, column_attributes : dict
        What is no signal, one entry per row or column: text, dates as ISO strings, labels (1-D)
        and coordinates (2-D); str, float or int arrays, with "" where a text is missing.
    notes : list of str
        Sentences for the user: what was set aside and why, how many values are missing.
    """

    values: np.ndarray | sp.csr_array
    row_names: list[str] | None
    column_names: list[str] | None
    row_attributes: dict[str, np.ndarray]
    column_attributes: dict[str, np.ndarray]
    notes: list[str]


def checked_table(
    table: Table,
    *,
    row_numbers: Sequence[int] | np.ndarray | None = None,
    column_labels: Sequence[str] | None = None,
) -> Table:
    """The table, with a note on missing values; refused if it is empty or infinite anywhere."""
    n_rows, n_columns = table.values.shape
    if n_rows == 0 or n_columns == 0:
        raise FileError(
            f"expected at least one row and one column of numbers, got {n_rows} rows and "
            f"{n_columns} columns; check how the file was written"
        )
    numbers = table.values.data if sp.issparse(table.values) else table.values
    if np.isinf(numbers).any():
        row, column = _first_infinite(table.values)
        labels = column_labels or column_labels_of(table)
        number = row + 1 if row_numbers is None else row_numbers[row]
        raise FileError(
            f"row {number}, {quoted_column(labels[column])}: expected a finite number, got "
            f"{table.values[row, column]}; correct it, or mark it as missing (an empty cell, NaN)"
        )
    missing = int(np.isnan(numbers).sum())
    if missing:
        total = n_rows * n_columns
        table.notes.append(f"Missing values: {missing} of {total} ({100 * missing / total:.2g} %).")
    return table


def column_labels_of(table: Table) -> list[str]:
    """The names of the columns, or "column 1", "column 2", ..."""
    return table.column_names or numbered_columns(table.values.shape[1])


def numbered_columns(n_columns: int) -> list[str]:
    """What columns without names are called."""
    return [f"column {k}" for k in range(1, n_columns + 1)]


def quoted_column(label: str) -> str:
    """``column 'temp'``; a number stays as it is."""
    return label if label.startswith("column ") else f"column {label!r}"


def _first_infinite(values: np.ndarray | sp.csr_array) -> tuple[int, int]:
    if sp.issparse(values):
        coo = sp.coo_array(values)
        k = int(np.flatnonzero(np.isinf(coo.data))[0])
        return int(coo.row[k]), int(coo.col[k])
    row, column = np.argwhere(np.isinf(values))[0]
    return int(row), int(column)
