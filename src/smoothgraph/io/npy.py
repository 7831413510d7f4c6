"""Tables in NumPy's files. Nothing is ever unpickled."""

import zipfile
from collections.abc import Collection
from math import prod
from typing import Any, BinaryIO

import numpy as np
import scipy.sparse as sp

from smoothgraph.io.arrays import ArrayFile, Entry, chosen_array, matrix, set_aside, table_of_arrays
from smoothgraph.io.errors import FileError, a_graph_instead
from smoothgraph.io.sparse import checked_sparse
from smoothgraph.io.table import Table

_SPARSE_PARTS = {
    "csr": ("indices", "indptr", "data"),
    "csc": ("indices", "indptr", "data"),
    "bsr": ("indices", "indptr", "data"),
    "dia": ("offsets", "data"),
    "coo": ("row", "col", "coords", "data"),
}


def read_npy(file: BinaryIO, *, names: str | None, aside: Collection[str]) -> Table:
    """The table in an .npy file."""
    if names is not None:
        raise FileError(
            f"expected names in an array of their own, got names={names!r}, but an .npy file has "
            "one array only; save both in an .npz file"
        )
    size = file.seek(0, 2)
    file.seek(0)
    values = matrix(_array(file, size))
    return set_aside(Table(values, None, None, {}, {}, []), aside)


def read_npz(
    file: BinaryIO, *, key: str | None, names: str | None, aside: Collection[str]
) -> Table:
    """The table in an .npz file, be it of arrays or of SciPy's sparse matrix."""
    with zipfile.ZipFile(file) as archive:
        arrays = npz_arrays(archive)
        if is_sparse(arrays) and "info" in arrays.entries:
            raise a_graph_instead()
        if key is None and is_sparse(arrays):
            values = sparse_matrix(arrays)
            used: Collection[str] = (*_SPARSE_PARTS[values.format], "format", "shape", "_is_array")
            return table_of_arrays(
                arrays, values.tocsr().astype(np.float64), used, names=names, aside=aside
            )
        chosen = chosen_array(arrays.entries, key, aside)
        if arrays.entries[chosen].kind == "O":
            raise _pickled(f"the array {chosen!r}")
        values = matrix(arrays.load(chosen))
        if len(arrays.entries) > 1:
            arrays.notes.append(f"The signals are those of the array {chosen!r}.")
        return table_of_arrays(arrays, values, [chosen], names=names, aside=aside)


def npz_arrays(archive: zipfile.ZipFile) -> ArrayFile:
    """The arrays of an .npz file."""
    members = {info.filename.removesuffix(".npy"): info for info in archive.infolist()}

    def load(name: str) -> np.ndarray:
        with archive.open(members[name]) as member:
            return _array(member, members[name].file_size)

    entries = {}
    for name, info in members.items():
        with archive.open(info) as member:
            shape, dtype = _header(member)
        entries[name] = Entry(shape, "O" if dtype.hasobject else dtype.kind)
    return ArrayFile(entries, load)


def is_sparse(arrays: ArrayFile) -> bool:
    """:func:`scipy.sparse.load_npz` would read it."""
    return {"format", "shape", "data"} <= arrays.entries.keys()


def sparse_matrix(arrays: ArrayFile) -> Any:
    """What :func:`scipy.sparse.save_npz` wrote, with every index checked."""
    form = arrays.load("format").item()
    form = form.decode("ascii") if isinstance(form, bytes) else str(form)
    if form not in _SPARSE_PARTS:
        raise FileError(
            f"expected a sparse matrix of a format that SciPy saves, {', '.join(_SPARSE_PARTS)}, "
            f"got {form!r}; write it again with scipy.sparse.save_npz"
        )
    parts: dict[str, Any] = {
        name: arrays.load(name) for name in _SPARSE_PARTS[form] if name in arrays.entries
    }
    shape = tuple(int(size) for size in arrays.load("shape"))
    data = parts.pop("data")
    if form == "coo" and "coords" not in parts:
        parts = {"coords": (parts["row"], parts["col"])}
    build = getattr(sp, f"{form}_array")
    return checked_sparse(build((data, *parts.values()), shape=shape))


def _header(file: Any) -> tuple[tuple[int, ...], np.dtype[Any]]:
    version = np.lib.format.read_magic(file)
    read = {
        (1, 0): np.lib.format.read_array_header_1_0,
        (2, 0): np.lib.format.read_array_header_2_0,
    }.get(version)
    if read is None:
        raise FileError(
            f"expected an array in version 1 or 2 of NumPy's format, got version {version}; "
            "save a plain array of numbers"
        )
    shape, _, dtype = read(file)
    return shape, dtype


def _array(file: Any, size: int) -> np.ndarray:
    """The array, read to the last byte of its file, where damage is noticed."""
    shape, dtype = _header(file)
    if dtype.hasobject:
        raise _pickled("the array")
    if prod(shape) * dtype.itemsize > size:
        raise FileError(
            f"expected {prod(shape)} values, as its header says, got {size} bytes; the file is "
            "incomplete or damaged: write it again"
        )
    file.seek(0)
    array = np.lib.format.read_array(file, allow_pickle=False)
    if file.read(1):
        raise FileError(
            f"expected nothing behind the {prod(shape)} values of its header, got more; the file "
            "is damaged: write it again"
        )
    return array


def _pickled(what: str) -> FileError:
    return FileError(
        f"expected numbers, but {what} holds Python objects, which are never unpickled; save "
        "numbers as a float array and text as an array of str"
    )
