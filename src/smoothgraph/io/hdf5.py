"""Tables in HDF5 files."""

from collections.abc import Collection
from typing import Any, BinaryIO

import numpy as np

from smoothgraph.io.arrays import ArrayFile, Entry, chosen_array, matrix, table_of_arrays
from smoothgraph.io.errors import FileError
from smoothgraph.io.table import Table
from smoothgraph.support.optional import load_optional

_ALWAYS_FITS = 2**30  # bytes
_BEST_COMPRESSION = 1000


def open_hdf5(file: BinaryIO) -> Any:
    """The open HDF5 file; by its path if it has one, which is faster."""
    h5py = load_optional("h5py", needed_by="reading HDF5", extra="hdf5")
    return h5py.File(getattr(file, "name", file), "r")


def read_hdf5(
    file: BinaryIO, *, key: str | None, names: str | None, aside: Collection[str]
) -> Table:
    """The table in an HDF5 file; its arrays are named by their paths."""
    with open_hdf5(file) as root:
        arrays = ArrayFile(_entries(root), lambda name: load_dataset(root[name]))
        key = key.strip("/") if key is not None else None
        chosen = chosen_array(arrays.entries, key, aside)
        values = matrix(arrays.load(chosen))
        if len(arrays.entries) > 1:
            arrays.notes.append(f"The signals are those of the dataset {chosen!r}.")
        return table_of_arrays(arrays, values, [chosen], names=names, aside=aside)


def load_dataset(dataset: Any) -> np.ndarray:
    """A dataset as an array, text as str."""
    size, stored = dataset.size * dataset.dtype.itemsize, dataset.id.get_storage_size()
    if size > max(_ALWAYS_FITS, _BEST_COMPRESSION * stored):
        raise FileError(
            f"{dataset.name}: expected {size} bytes for its shape {dataset.shape}, got {stored}; "
            "the file is damaged or was never filled: write it again"
        )
    if kind_of(dataset) == "U":
        return np.asarray(dataset.asstr()[()], dtype=str)
    return np.asarray(dataset[()])


def kind_of(dataset: Any) -> str:
    """The kind of its type as in NumPy; "U" for text, "O" for what is no plain array."""
    h5py = load_optional("h5py", needed_by="reading HDF5", extra="hdf5")
    if h5py.check_string_dtype(dataset.dtype) is not None:
        return "U"
    return dataset.dtype.kind if dataset.dtype.kind in "biufc" else "O"


def _entries(root: Any) -> dict[str, Entry]:
    """Every dataset that has a shape."""
    h5py = load_optional("h5py", needed_by="reading HDF5", extra="hdf5")
    entries = {}

    def visit(path: str, node: Any) -> None:
        if isinstance(node, h5py.Dataset) and node.shape is not None:
            entries[path] = Entry(node.shape, kind_of(node))

    root.visititems(visit)
    return entries
