"""Tables made of arrays: which one holds the signals, and which describe its rows or columns."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import scipy.sparse as sp

from smoothgraph.io.errors import FileError, are_names, check_row_names, damaged_file, refuse_unknown
from smoothgraph.io.table_file import Table, TableOptions, finish_table, to_attribute
from smoothgraph.support.wording import agree

_WIDEST_ATTRIBUTE = 3  # columns of coordinates on a map or in a picture
_COLUMN_NAMES = ("columns", "column_names", "genes", "features")
# A sparse matrix may have this many rows or columns, or this many per stored value; beyond, its header is damaged.
_PLAUSIBLE_SIDE = 10_000_000
_PLAUSIBLE_SIDE_PER_VALUE = 100


@dataclass(frozen=True)
class ArrayHeader:
    """The shape of an array in a file and the kind of its dtype; "O" cannot be read."""

    shape: tuple[int, ...]
    kind: str


@dataclass
class ArrayFile:
    """The arrays of a file by name, loaded one by one."""

    headers: Mapping[str, ArrayHeader]
    load: Callable[[str], np.ndarray]
    notes: list[str] = field(default_factory=list)


def table_of_matrix(array: Any, options: TableOptions) -> Table:
    """Return the table of a file that holds one dense or sparse matrix and nothing else."""
    if options.names is not None:
        raise FileError(
            f"expected a file that holds names, got names={options.names!r} for one that holds a matrix only; use a "
            "format that has both, such as .npz or .csv"
        )
    values = check_sparse(array) if sp.issparse(array) else to_matrix(array)
    return finish_table(Table(values), options)


def table_of_arrays(
    file: ArrayFile, options: TableOptions, values: np.ndarray | sp.csr_array | None = None, used: Collection[str] = ()
) -> Table:
    """Return the table of signals, with all arrays that match its rows or columns as their attributes.

    The signals are ``values``, made of the arrays ``used``, or else the array chosen by the key, by ``X``, or the only
    one.
    """
    if values is None:
        chosen = _choose_array(file.headers, options)
        values, used = to_matrix(file.load(chosen)), [chosen]
        if len(file.headers) > 1:
            file.notes.append(f"The signals come from the array {chosen!r}.")
    n_rows, n_columns = values.shape
    row_names = _load_row_names(file, options.names, n_rows)
    rows, columns, unused = {}, {}, []
    for name, header in file.headers.items():
        if name in used or name == options.names:
            continue
        named_columns = name in _COLUMN_NAMES and header.shape == (n_columns,)
        if not named_columns and describes_rows(header, n_rows, wide=name in options.no_signals):
            rows[name] = to_attribute(file.load(name))
        elif header.kind != "O" and header.shape == (n_columns,):
            columns[name] = to_attribute(file.load(name))
        else:
            unused.append(f"{name} {header.shape}")
    if unused:
        why = "Ignored, because they are not plain arrays or have no entry per row or column"
        file.notes.append(f"{why}: {', '.join(unused)}.")
    row_names = row_names or _take_names(rows, ("names",))
    table = Table(values, row_names, _take_names(columns, _COLUMN_NAMES), rows, columns, file.notes)
    return finish_table(table, options)


def to_matrix(array: np.ndarray) -> np.ndarray:
    """Return a matrix of real numbers as float64 in C order."""
    if array.dtype.kind not in "biuf":
        words = {"c": "complex numbers", "U": "text", "S": "text", "O": "Python objects"}
        raise FileError(
            f"expected an array of real numbers, got {words.get(array.dtype.kind, f'the type {array.dtype}')}; save "
            "the numbers as floats, and text in arrays of its own in an .npz or as a .csv"
        )
    if array.ndim != 2:
        hint = "save it as a table with one row per node, x.reshape(len(x), -1)"
        if array.ndim == 1:
            hint = "a single signal is a table with one column, x[:, None]"
        raise FileError(f"expected a table, an array of shape (rows, columns), got shape {array.shape}; {hint}")
    return np.ascontiguousarray(array, dtype=np.float64)


def refuse_implausible(shape: tuple[int, ...], n_values: int) -> None:
    """Raise a FileError if a sparse matrix is almost all empty: its header must be damaged."""
    if max(shape, default=0) > max(_PLAUSIBLE_SIDE, _PLAUSIBLE_SIDE_PER_VALUE * n_values):
        raise FileError(
            f"expected a shape that fits the number of values, got a shape of {shape} with only {n_values} "
            f"{agree(n_values, 'value', 'values')}; "
            "correct its header, or remove empty rows and columns"
        )


def read_sparse_shape(stored: Any) -> tuple[int, int]:
    """Return the shape that a file stores beside the parts of a sparse matrix."""
    sizes = np.asarray(stored)
    if sizes.shape != (2,) or sizes.dtype.kind not in "iu":
        raise damaged_file("a shape of two whole numbers for its sparse matrix", repr(stored))
    return int(sizes[0]), int(sizes[1])


def check_indices(arrays: Iterable[np.ndarray]) -> None:
    """Raise a FileError if the indices of a sparse matrix are not integers, which SciPy would round."""
    for array in arrays:
        if not np.issubdtype(array.dtype, np.integer):
            raise damaged_file("integers as the indices of a sparse matrix", f"numbers of type {array.dtype}")


def check_sparse(matrix: Any) -> sp.csr_array:
    """Return a sparse matrix as float64 CSR if its shape is plausible and its indices are valid."""
    if matrix.ndim != 2:
        raise FileError(f"expected a matrix, got a sparse array of shape {matrix.shape}; save a matrix")
    refuse_implausible(matrix.shape, matrix.nnz)
    if matrix.dtype.kind not in "biuf":
        raise FileError(f"expected a sparse matrix of real numbers, got {matrix.dtype}; save real numbers")
    if hasattr(matrix, "check_format"):
        matrix.check_format(full_check=True)
    return sp.csr_array(matrix, dtype=np.float64)


def _choose_array(headers: Mapping[str, ArrayHeader], options: TableOptions) -> str:
    refuse_unknown(options.key, headers, what="arrays")
    if options.key is not None:
        return options.key
    matrices = [name for name, header in headers.items() if len(header.shape) == 2 and header.kind in "biuf"]
    matrices = ["X"] if "X" in headers else [name for name in matrices if name not in options.no_signals]
    if len(matrices) == 1:
        return matrices[0]
    found = ", ".join(f"{name} {header.shape}" for name, header in headers.items()) or "none"
    raise FileError(
        f"expected an array X or a single 2-D array of numbers, got {len(matrices)} of them among its arrays: {found}; "
        "choose one with key= (--key), or set the others aside"
    )


def describes_rows(header: ArrayHeader, n_rows: int, *, wide: bool = False) -> bool:
    """Return whether the array has an entry per row, or a few of them unless it may be wide."""
    if header.kind == "O" or header.shape[:1] != (n_rows,):
        return False
    return len(header.shape) == 1 or (len(header.shape) == 2 and (wide or header.shape[1] <= _WIDEST_ATTRIBUTE))


def _load_row_names(file: ArrayFile, wanted: str | None, n_rows: int) -> list[str] | None:
    """Return the names in the array that the user wants, if any."""
    if wanted is None:
        return None
    refuse_unknown(wanted, file.headers, what="arrays")
    shape = file.headers[wanted].shape
    if shape != (n_rows,):
        raise FileError(
            f"expected one name per row, {n_rows}, got an array {wanted!r} of shape {shape}; choose another one"
        )
    return check_row_names(to_attribute(file.load(wanted)).tolist())


def _take_names(arrays: dict[str, np.ndarray], called: Collection[str]) -> list[str] | None:
    """Move the names out of the attributes: the first array that is called as names are."""
    first = next((name for name in arrays if name in called), "")
    array = arrays.get(first)
    if array is None or array.dtype.kind != "U" or array.ndim != 1 or not are_names(array):
        return None
    return arrays.pop(first).tolist()
