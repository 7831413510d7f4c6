"""NPY: one NumPy array. Nothing is ever unpickled."""

from math import prod
from typing import Any, BinaryIO

import numpy as np

from smoothgraph.io.array_tables import table_of_matrix
from smoothgraph.io.errors import FileError, damaged_file
from smoothgraph.io.file_format import TableFormat, register
from smoothgraph.io.table_file import Table, TableOptions


@register
class Npy(TableFormat):
    """The matrix in a file of NumPy."""

    name = "npy"
    suffixes = (".npy",)

    def read_table(self, file: BinaryIO, options: TableOptions) -> Table:
        """Return the matrix as a table without names."""
        size = file.seek(0, 2)
        file.seek(0)
        return table_of_matrix(read_array(file, size), options)


def read_header(file: Any) -> tuple[tuple[int, ...], np.dtype[Any]]:
    """Return the shape and the dtype of an array, and leave the file behind its header."""
    version = np.lib.format.read_magic(file)
    read = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}.get(version)
    if read is None:
        raise FileError(
            f"expected an array in version 1 or 2 of NumPy's format, got version {version}; save "
            "a plain array of numbers"
        )
    shape, _, dtype = read(file)
    return shape, dtype


def read_array(file: Any, size: int) -> np.ndarray:
    """Return the array in a file of ``size`` bytes, of which every byte is read to find damage."""
    shape, dtype = read_header(file)
    if dtype.hasobject:
        raise FileError(
            "expected numbers, but the array holds Python objects, which are never unpickled; "
            "save numbers as a float array and text as an array of str"
        )
    if prod(shape) * dtype.itemsize > size:
        raise damaged_file(f"{prod(shape)} values, as its header says", f"{size} bytes")
    file.seek(0)
    array = np.lib.format.read_array(file, allow_pickle=False)
    if file.read(1):
        raise damaged_file(f"{prod(shape)} values, as its header says", "more bytes")
    return array
