"""HDF5: arrays in a hierarchy of groups."""

from dataclasses import replace
from typing import Any, BinaryIO

import numpy as np

from smoothgraph.io.array_tables import ArrayFile, ArrayHeader, table_of_arrays
from smoothgraph.io.errors import damaged_file
from smoothgraph.io.file_format import TableFormat, register
from smoothgraph.io.table_file import Table, TableOptions
from smoothgraph.support.optional import load_optional

# A dataset may have this many bytes, or this many per byte stored, before its shape is doubted.
_PLAUSIBLE_SIZE = 2**30
_BEST_COMPRESSION = 1000


@register
class Hdf5(TableFormat):
    """The datasets of a file, named by their paths."""

    name = "hdf5"
    suffixes = (".h5", ".hdf5")
    has_keys = True

    def read_table(self, file: BinaryIO, options: TableOptions) -> Table:
        """Return the dataset chosen, with the datasets that describe it."""
        with open_hdf5(file) as root:
            arrays = ArrayFile(_list_datasets(root), lambda name: load_dataset(root[name]))
            key = None if options.key is None else options.key.strip("/")
            return table_of_arrays(arrays, replace(options, key=key))


def open_hdf5(file: BinaryIO) -> Any:
    """Return the open HDF5 file; opening it by its path, if it has one, is faster."""
    return _h5py().File(getattr(file, "name", file), "r")


def load_dataset(dataset: Any) -> np.ndarray:
    """Return a dataset as an array, with text as str."""
    size, stored = dataset.size * dataset.dtype.itemsize, dataset.id.get_storage_size()
    if size > max(_PLAUSIBLE_SIZE, _BEST_COMPRESSION * stored):
        raise damaged_file(f"{size} bytes for {dataset.name} of shape {dataset.shape}", stored)
    if dtype_kind(dataset) == "U":
        return np.asarray(dataset.asstr()[()], dtype=str)
    return np.asarray(dataset[()])


def dtype_kind(dataset: Any) -> str:
    """Return the kind of the dtype as in NumPy; "U" for text, "O" for what cannot be read."""
    if _h5py().check_string_dtype(dataset.dtype) is not None:
        return "U"
    return dataset.dtype.kind if dataset.dtype.kind in "biufc" else "O"


def _list_datasets(root: Any) -> dict[str, ArrayHeader]:
    headers = {}

    def visit(path: str, node: Any) -> None:
        if getattr(node, "shape", None) is not None:
            headers[path] = ArrayHeader(node.shape, dtype_kind(node))

    root.visititems(visit)
    return headers


def _h5py() -> Any:
    return load_optional("h5py", needed_by="reading HDF5", extra="hdf5")
