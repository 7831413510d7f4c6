"""Files of several arrays as tables: which one holds the signals, which go with its rows."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import scipy.sparse as sp

from smoothgraph.io.errors import FileError
from smoothgraph.io.names import are_names, checked_row_names, unknown
from smoothgraph.io.table import Table, checked_table, column_labels_of

_COLUMN_NAMES = ("columns", "column_names", "genes", "features")
_WIDEST_ATTRIBUTE = 3  # columns: coordinates on a map or in a picture


@dataclass(frozen=True)
class Entry:
    """An array in a file: its shape, and the kind of its type as in NumPy ("O": not readable)."""

    shape: tuple[int, ...]
    kind: str

    @property
    def is_matrix(self) -> bool:
        """It can hold signals."""
        return len(self.shape) == 2 and self.kind in "biuf"


@dataclass
class ArrayFile:
    """The arrays of a file by name, loaded one by one."""

    entries: Mapping[str, Entry]
    load: Callable[[str], np.ndarray]
    notes: list[str] = field(default_factory=list)


def table_of_arrays(
    file: ArrayFile,
    values: np.ndarray | sp.csr_array,
    used: Collection[str],
    *,
    names: str | None,
    aside: Collection[str],
) -> Table:
    """The values, and beside them every other array that has one entry per row or column."""
    table = Table(values, None, None, {}, {}, file.notes)
    n_rows, n_columns = values.shape
    if names is not None and names not in file.entries:
        raise unknown(names, file.entries, what="arrays")
    column_names = None
    unused = []
    for name, entry in file.entries.items():
        if name in used:
            continue
        if name in _COLUMN_NAMES and entry.shape == (n_columns,) and column_names is None:
            column_names = name
        elif _goes_with(entry, n_rows, wide=name in aside):
            table.row_attributes[name] = attribute(file.load(name))
        elif entry.kind != "O" and entry.shape == (n_columns,):
            table.column_attributes[name] = attribute(file.load(name))
        else:
            unused.append(f"{name} {entry.shape}")
    if unused:
        file.notes.append(
            "Not used, because they have no entry per row or column or are no plain arrays: "
            + ", ".join(unused)
            + "."
        )
    return set_aside(_named(table, file, names, column_names), aside)


def _goes_with(entry: Entry, n_rows: int, *, wide: bool) -> bool:
    if entry.kind == "O" or entry.shape[:1] != (n_rows,):
        return False
    return len(entry.shape) == 1 or (
        len(entry.shape) == 2 and (wide or entry.shape[1] <= _WIDEST_ATTRIBUTE)
    )


def _named(table: Table, file: ArrayFile, names: str | None, column_names: str | None) -> Table:
    """The table with the names of its rows and columns."""
    row_names = None
    if names is not None:
        row_names = _given_names(table, file, names)
        table.row_attributes.pop(names, None)
    elif "names" in table.row_attributes:
        candidates = table.row_attributes["names"]
        if candidates.dtype.kind == "U" and candidates.ndim == 1 and are_names(candidates):
            row_names = table.row_attributes.pop("names").tolist()
    labels = None
    if column_names is not None:
        array = attribute(file.load(column_names))
        if array.dtype.kind == "U" and are_names(array):
            labels = array.tolist()
        else:
            table.column_attributes[column_names] = array
    return Table(
        table.values,
        row_names,
        labels,
        table.row_attributes,
        table.column_attributes,
        table.notes,
    )


def _given_names(table: Table, file: ArrayFile, names: str) -> list[str]:
    n_rows, shape = table.values.shape[0], file.entries[names].shape
    if shape != (n_rows,):
        raise FileError(
            f"expected one name per row, {n_rows}, got an array {names!r} of shape {shape}; "
            "take another one"
        )
    given = [str(name) for name in attribute(file.load(names)).tolist()]
    return checked_row_names(given, range(1, n_rows + 1))


def set_aside(table: Table, aside: Collection[str]) -> Table:
    """The table without the columns named, which become attributes of its rows."""
    labels = column_labels_of(table)
    chosen = [name for name in aside if name not in table.row_attributes]
    for name in chosen:
        if name not in labels:
            raise unknown(name, [*table.row_attributes, *labels], what="columns")
    if not chosen:
        return checked_table(table)
    kept = [k for k, label in enumerate(labels) if label not in chosen]
    for name in chosen:
        column: Any = table.values[:, [labels.index(name)]]
        table.row_attributes[name] = (column.toarray() if sp.issparse(column) else column).ravel()
    values: Any = table.values[:, kept]
    values = values if sp.issparse(values) else np.ascontiguousarray(values)
    names = table.column_names and [labels[k] for k in kept]
    attributes = {name: array[kept] for name, array in table.column_attributes.items()}
    return checked_table(
        Table(values, table.row_names, names, table.row_attributes, attributes, table.notes)
    )


def attribute(array: np.ndarray) -> np.ndarray:
    """An array as str, int or float; dates as in ISO 8601."""
    kind = array.dtype.kind
    if kind == "S":
        return np.char.decode(array, "utf-8")
    if kind == "M":
        return np.datetime_as_string(array)
    if kind == "b":
        return array.astype(np.int64)
    if kind in "Uiuf":
        return array
    return array.astype(str)


def matrix(array: np.ndarray) -> np.ndarray:
    """A table of real numbers as float64 in C order."""
    if array.dtype.kind not in "biuf":
        raise FileError(
            f"expected an array of real numbers, got {_kind(array.dtype)}; save the numbers as "
            "floats, and text as arrays of their own in an .npz or as a .csv"
        )
    if array.ndim != 2:
        hint = (
            "a single signal is a table with one column, x[:, None]"
            if array.ndim == 1
            else "save it as a table with one row per node, x.reshape(len(x), -1)"
        )
        raise FileError(
            f"expected a table, an array of shape (rows, columns), got shape {array.shape}; {hint}"
        )
    return np.ascontiguousarray(array, dtype=np.float64)


def _kind(dtype: np.dtype[Any]) -> str:
    words = {"c": "complex numbers", "U": "text", "S": "text", "O": "Python objects"}
    return words.get(dtype.kind, f"the type {dtype}")


def chosen_array(entries: Mapping[str, Entry], key: str | None, aside: Collection[str]) -> str:
    """The array that was asked for, or X, or the only other one that can be a table."""
    if key is not None:
        if key not in entries:
            raise unknown(key, entries, what="arrays")
        return key
    if "X" in entries:
        return "X"
    matrices = [name for name, entry in entries.items() if entry.is_matrix and name not in aside]
    if len(matrices) == 1:
        return matrices[0]
    found = ", ".join(f"{name} {entry.shape}" for name, entry in entries.items()) or "none"
    raise FileError(
        f"expected an array X or a single 2-D one of numbers, got {len(matrices)} of them among "
        f"its arrays: {found}; name the one to take as its key, or set the others aside"
    )
