"""Graphs as matrices: SciPy's .npz and Matrix Market files."""

import json
import zipfile
from typing import Any, BinaryIO

import numpy as np

from smoothgraph.io.arrays import attribute
from smoothgraph.io.errors import FileError
from smoothgraph.io.graph import GraphFile, graph_read, json_of
from smoothgraph.io.matrix_market import GRAPH_COMMENT, load_matrix
from smoothgraph.io.npy import is_sparse, npz_arrays, sparse_matrix

_ATTRIBUTE = "attribute_"
_LONGEST_COMMENT = 900  # characters; Matrix Market allows lines of 1024


def write_npz(file: BinaryIO, graph: GraphFile) -> None:
    """What :func:`scipy.sparse.load_npz` reads, and arrays names, info and attribute_*."""
    W = graph.adjacency
    arrays: dict[str, Any] = {
        "format": np.array(b"csr"),
        "shape": np.array(W.shape),
        "data": W.data,
        "indices": W.indices,
        "indptr": W.indptr,
        "_is_array": np.True_,
        "info": np.array(json_of(graph.info)),
    }
    if graph.names is not None:
        arrays["names"] = np.array(graph.names, dtype=str)
    arrays |= {_ATTRIBUTE + label: values for label, values in graph.attributes.items()}
    np.savez_compressed(file, **arrays)


def read_npz_graph(file: BinaryIO) -> GraphFile:
    """A sparse adjacency in SciPy's format, and what this package writes beside it."""
    with zipfile.ZipFile(file) as archive:
        arrays = npz_arrays(archive)
        if not is_sparse(arrays):
            raise FileError(
                "expected a sparse adjacency, got the arrays "
                f"{', '.join(arrays.entries) or '(none)'}; write it with "
                "scipy.sparse.save_npz, or learn the graph of a table with smoothgraph learn"
            )
        names = arrays.load("names").tolist() if "names" in arrays.entries else None
        info = json.loads(arrays.load("info").item()) if "info" in arrays.entries else {}
        attributes = {
            name.removeprefix(_ATTRIBUTE): attribute(arrays.load(name))
            for name in arrays.entries
            if name.startswith(_ATTRIBUTE)
        }
        return graph_read(sparse_matrix(arrays).tocsr(), names, attributes, info)


def write_matrix_market(file: BinaryIO, graph: GraphFile) -> None:
    """A symmetric matrix; names and info are JSON in its comments."""
    from scipy.io import mmwrite

    text = json_of({"names": graph.names, "info": graph.info})
    pieces = [text[k : k + _LONGEST_COMMENT] for k in range(0, len(text), _LONGEST_COMMENT)]
    comment = "\n".join(GRAPH_COMMENT + piece for piece in pieces)
    mmwrite(file, graph.adjacency, comment=comment, symmetry="symmetric")


def read_matrix_market_graph(file: BinaryIO) -> GraphFile:
    """A sparse or dense adjacency, and the comments of this package."""
    matrix, comments = load_matrix(file)
    pieces = [
        line.removeprefix(GRAPH_COMMENT) for line in comments if line.startswith(GRAPH_COMMENT)
    ]
    about = json.loads("".join(pieces)) if pieces else {"names": None, "info": {}}
    return graph_read(matrix, about["names"], info=about["info"])
