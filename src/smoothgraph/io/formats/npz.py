"""NPZ: several NumPy arrays, or a sparse matrix of SciPy. Nothing is ever unpickled."""

import json
import zipfile
from typing import Any, BinaryIO

import numpy as np
import scipy.sparse as sp

from smoothgraph.io.array_tables import ArrayFile, ArrayHeader, add_arrays, check_sparse, table_of_arrays, to_attribute
from smoothgraph.io.errors import FileError, graph_not_table
from smoothgraph.io.file_format import GraphFormat, TableFormat, register
from smoothgraph.io.formats.npy import read_array, read_header
from smoothgraph.io.graph_file import GraphFile, make_graph, to_json
from smoothgraph.io.table_file import Table, TableOptions

_ATTRIBUTE = "attribute_"  # begins the names of arrays with one entry per node
_SPARSE_PARTS = {
    "csr": ("indices", "indptr", "data"),
    "csc": ("indices", "indptr", "data"),
    "bsr": ("indices", "indptr", "data"),
    "dia": ("offsets", "data"),
    "coo": ("row", "col", "coords", "data"),
}
_SPARSE_NAMES = {"format", "shape", "_is_array"}.union(*_SPARSE_PARTS.values())


@register
class Npz(TableFormat, GraphFormat):
    """Arrays by name, or what :func:`scipy.sparse.save_npz` writes."""

    name = "npz"
    suffixes = (".npz",)
    has_keys = True

    def read_table(self, file: BinaryIO, options: TableOptions) -> Table:
        """Return the sparse matrix or the array chosen, with the arrays that describe it."""
        with zipfile.ZipFile(file) as archive:
            arrays = _list_arrays(archive)
            if not _is_sparse(arrays):
                return table_of_arrays(arrays, options)
            if "info" in arrays.headers:
                raise graph_not_table()
            if options.key is not None:
                return table_of_arrays(arrays, options)
            return add_arrays(_read_sparse(arrays), arrays, _SPARSE_NAMES, options)

    def read_graph(self, file: BinaryIO) -> GraphFile:
        """Return the graph of a sparse adjacency, and what this package writes with it."""
        with zipfile.ZipFile(file) as archive:
            arrays = _list_arrays(archive)
            if not _is_sparse(arrays):
                raise FileError(
                    "expected a sparse adjacency, got the arrays "
                    f"{', '.join(arrays.headers) or '(none)'}; write it with "
                    "scipy.sparse.save_npz, or learn the graph of a table with smoothgraph learn"
                )
            names = arrays.load("names").tolist() if "names" in arrays.headers else None
            info = json.loads(arrays.load("info").item()) if "info" in arrays.headers else {}
            attributes = {
                name.removeprefix(_ATTRIBUTE): to_attribute(arrays.load(name))
                for name in arrays.headers
                if name.startswith(_ATTRIBUTE)
            }
            return make_graph(_read_sparse(arrays), names, attributes, info)

    def write_graph(self, file: BinaryIO, graph: GraphFile) -> None:
        """Write a file for :func:`scipy.sparse.load_npz`, with names, info and attributes."""
        W = graph.adjacency
        arrays: dict[str, Any] = {
            "format": np.array(b"csr"),
            "shape": np.array(W.shape),
            "data": W.data,
            "indices": W.indices,
            "indptr": W.indptr,
            "_is_array": np.True_,
            "info": np.array(to_json(graph.info)),
        }
        if graph.names is not None:
            arrays["names"] = np.array(graph.names, dtype=str)
        arrays |= {_ATTRIBUTE + label: values for label, values in graph.attributes.items()}
        np.savez_compressed(file, **arrays)


def _list_arrays(archive: zipfile.ZipFile) -> ArrayFile:
    members = {info.filename.removesuffix(".npy"): info for info in archive.infolist()}

    def load(name: str) -> np.ndarray:
        with archive.open(members[name]) as member:
            return read_array(member, members[name].file_size)

    headers = {}
    for name, info in members.items():
        with archive.open(info) as member:
            shape, dtype = read_header(member)
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
            f"expected a sparse matrix in a format that SciPy saves, {', '.join(_SPARSE_PARTS)}, "
            f"got {form!r}; write it again with scipy.sparse.save_npz"
        )
    parts: dict[str, Any] = {name: arrays.load(name) for name in _SPARSE_PARTS[form] if name in arrays.headers}
    shape = tuple(int(size) for size in arrays.load("shape"))
    data = parts.pop("data")
    if form == "coo" and "coords" not in parts:
        parts = {"coords": (parts["row"], parts["col"])}
    build = getattr(sp, f"{form}_array")
    return check_sparse(build((data, *parts.values()), shape=shape))
