"""NPY and NPZ: one NumPy array, several, or a sparse matrix of SciPy. Nothing is ever unpickled."""

import zipfile
from math import prod
from typing import Any, BinaryIO

import numpy as np
import scipy.sparse as sp

from smoothgraph.io.array_tables import (
    ArrayFile,
    ArrayHeader,
    check_indices,
    check_sparse,
    read_sparse_shape,
    table_of_arrays,
    table_of_matrix,
)
from smoothgraph.io.errors import FileError, damaged_file, graph_not_table, refuse_expansion
from smoothgraph.io.file_format import GraphFormat, TableFormat, register
from smoothgraph.io.graph_file import GraphFile, make_graph, parse_object, to_json
from smoothgraph.io.table_file import Table, TableOptions, to_attribute

_ATTRIBUTE = "attribute_"  # begins the names of arrays with one entry per node
_SPARSE_PARTS = {name: ["indices", "indptr", "data"] for name in ("csr", "csc", "bsr")}
_SPARSE_PARTS |= {"dia": ["offsets", "data"], "coo": ["row", "col", "coords", "data"]}
_NEEDED_PARTS = {
    form: parts for form, parts in _SPARSE_PARTS.items() if form != "coo"
}  # which has row and col, or coords
_SPARSE_NAMES = {"format", "shape", "_is_array"}.union(*_SPARSE_PARTS.values())


@register
class Npy(TableFormat):
    """The matrix in a file of NumPy."""

    name = "npy"
    suffixes = (".npy",)

    def read_table(self, file: BinaryIO, options: TableOptions) -> Table:
        size = file.seek(0, 2)
        file.seek(0)
        return table_of_matrix(_read_array(file, size), options)


@register
class Npz(TableFormat, GraphFormat):
    """Arrays by name, or what :func:`scipy.sparse.save_npz` writes; a graph adds names, info and attributes."""

    name = "npz"
    suffixes = (".npz",)
    has_keys = True

    def read_table(self, file: BinaryIO, options: TableOptions) -> Table:
        with zipfile.ZipFile(file) as archive:
            arrays = _list_arrays(archive)
            if _is_sparse(arrays) and "info" in arrays.headers:
                raise graph_not_table()
            if _is_sparse(arrays) and options.key is None:
                return table_of_arrays(arrays, options, _read_sparse(arrays), _SPARSE_NAMES)
            return table_of_arrays(arrays, options)

    def read_graph(self, file: BinaryIO) -> GraphFile:
        with zipfile.ZipFile(file) as archive:
            arrays = _list_arrays(archive)
            if not _is_sparse(arrays):
                raise FileError(
                    f"expected a sparse adjacency, got the arrays {', '.join(arrays.headers) or '(none)'}; write it "
                    "with scipy.sparse.save_npz, or learn the graph of a table with smoothgraph learn"
                )
            names = arrays.load("names").tolist() if "names" in arrays.headers else None
            info = parse_object(arrays.load("info").item()) if "info" in arrays.headers else {}
            found = [name for name in arrays.headers if name.startswith(_ATTRIBUTE)]
            attributes = {name.removeprefix(_ATTRIBUTE): to_attribute(arrays.load(name)) for name in found}
            return make_graph(_read_sparse(arrays), names, attributes, info)

    def write_graph(self, file: BinaryIO, graph: GraphFile) -> None:
        W = graph.adjacency
        arrays: dict[str, Any] = {_ATTRIBUTE + label: values for label, values in graph.attributes.items()}
        arrays |= {"data": W.data, "indices": W.indices, "indptr": W.indptr, "shape": np.array(W.shape)}
        if graph.names is not None:
            arrays["names"] = np.array(graph.names, dtype=str)
        np.savez_compressed(file, format=b"csr", _is_array=True, info=to_json(graph.info), **arrays)


def _list_arrays(archive: zipfile.ZipFile) -> ArrayFile:
    members = {info.filename.removesuffix(".npy"): info for info in archive.infolist()}
    size, stored = (sum(getattr(info, of) for info in members.values()) for of in ("file_size", "compress_size"))
    refuse_expansion(size, stored, "all arrays")

    def load(name: str) -> np.ndarray:
        with archive.open(members[name]) as member:
            return _read_array(member, members[name].file_size)

    headers = {}
    for name, info in members.items():
        with archive.open(info) as member:
            shape, dtype = _read_header(member)
        headers[name] = ArrayHeader(shape, "O" if dtype.hasobject else dtype.kind)
    return ArrayFile(headers, load)


def _is_sparse(arrays: ArrayFile) -> bool:
    return {"format", "shape", "data"} <= arrays.headers.keys()


def _read_sparse(arrays: ArrayFile) -> sp.csr_array:
    """Return the matrix that :func:`scipy.sparse.save_npz` wrote, with every index checked."""
    form = arrays.load("format").item()
    form = form.decode("ascii") if isinstance(form, bytes) else str(form)
    if form not in _SPARSE_PARTS:
        raise FileError(
            f"expected a sparse matrix in a format that SciPy saves, {', '.join(_SPARSE_PARTS)}, got {form!r}; write "
            "it again with scipy.sparse.save_npz"
        )
    lacking = sorted({"data", *_NEEDED_PARTS.get(form, ())} - arrays.headers.keys())
    if lacking:
        raise damaged_file(f"the arrays of a sparse matrix in the format {form}", f"none called {', '.join(lacking)}")
    parts: dict[str, Any] = {name: arrays.load(name) for name in _SPARSE_PARTS[form] if name in arrays.headers}
    shape = read_sparse_shape(arrays.load("shape"))
    data = parts.pop("data")
    check_indices(parts.values())
    if form == "coo" and "coords" not in parts:
        parts = {"coords": (parts["row"], parts["col"])}
    return check_sparse(getattr(sp, f"{form}_array")((data, *parts.values()), shape=shape))


def _read_header(file: Any) -> tuple[tuple[int, ...], np.dtype[Any]]:
    """Return the shape and the dtype of an array, and leave the file behind its header."""
    version = np.lib.format.read_magic(file)
    read = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}.get(version)
    if read is None:
        raise FileError(
            f"expected an array in version 1 or 2 of NumPy's format, got version {version}; save an array of numbers"
        )
    shape, _, dtype = read(file)
    return shape, dtype


def _read_array(file: Any, size: int) -> np.ndarray:
    """Return the array in a file of ``size`` bytes, of which every byte is read to find damage."""
    shape, dtype = _read_header(file)
    if dtype.hasobject:
        raise FileError(
            "expected numbers, but the array holds Python objects, which are never unpickled; save numbers as a float "
            "array and text as an array of str"
        )
    if prod(shape) * dtype.itemsize > size:
        raise damaged_file(f"{prod(shape)} values, as its header says", f"{size} bytes")
    file.seek(0)
    array = np.lib.format.read_array(file, allow_pickle=False)
    if file.read(1):
        raise damaged_file(f"{prod(shape)} values, as its header says", "more bytes")
    return array
