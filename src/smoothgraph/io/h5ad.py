"""Tables in AnnData's files, read as HDF5: rows are cells."""

from collections.abc import Collection
from typing import Any, BinaryIO

import numpy as np
import scipy.sparse as sp

from smoothgraph.io.arrays import attribute, matrix, set_aside
from smoothgraph.io.errors import FileError
from smoothgraph.io.hdf5 import kind_of, load_dataset, open_hdf5
from smoothgraph.io.names import are_names, checked_row_names, unknown
from smoothgraph.io.sparse import checked_sparse
from smoothgraph.io.table import Table

_WIDEST_ATTRIBUTE = 3
_SPARSE = {"csr_matrix": sp.csr_array, "csc_matrix": sp.csc_array}


def read_h5ad(
    file: BinaryIO, *, key: str | None, names: str | None, aside: Collection[str]
) -> Table:
    """``obsm/X_pca`` if there, else ``X``; columns of obs and narrow obsm are attributes."""
    with open_hdf5(file) as root:
        known = _matrices(root)
        chosen = _chosen(known, key)
        values = _values(root[chosen])
        n_rows, n_columns = values.shape
        cells = _frame(root.get("obs"), n_rows)
        row_names = _row_names(cells, names, n_rows)
        attributes = {**cells.columns, **_embeddings(root, chosen, n_rows)}
        attributes.pop(names or "", None)
        features = _frame(_features(root, chosen), n_columns)
        table = Table(
            values,
            row_names,
            features.index,
            attributes,
            features.columns,
            [_note(chosen, known), *cells.notes, *features.notes],
        )
        return set_aside(table, aside)


class _Frame:
    """A data frame in the file: its index and its columns of the right length."""

    def __init__(self) -> None:
        self.index: list[str] | None = None
        self.columns: dict[str, np.ndarray] = {}
        self.notes: list[str] = []


def _matrices(root: Any) -> list[str]:
    """What can be the signals."""
    known = ["X"] if "X" in root else []
    for group in ("obsm", "layers"):
        known += [f"{group}/{name}" for name in root.get(group, ())]
    if "raw" in root and "X" in root["raw"]:
        known.append("raw/X")
    return known


def _chosen(known: list[str], key: str | None) -> str:
    if key is not None:
        if key not in known:
            raise unknown(key, known, what="arrays")
        return key
    if not known:
        raise FileError(
            "expected an AnnData file with X or obsm, got neither; if it is another HDF5 file, "
            "say so with the format hdf5"
        )
    return next((name for name in ("obsm/X_pca", "X") if name in known), known[0])


def _note(chosen: str, known: list[str]) -> str:
    others = [name for name in known if name != chosen]
    also = f"; the file also has {', '.join(others)}" if others else ""
    return f"The signals are those of {chosen}{also}."


def _values(node: Any) -> np.ndarray | sp.csr_array:
    encoding = _encoding(node)
    if encoding in _SPARSE:
        shape = tuple(int(size) for size in node.attrs["shape"])
        parts = tuple(load_dataset(node[name]) for name in ("data", "indices", "indptr"))
        return sp.csr_array(checked_sparse(_SPARSE[encoding](parts, shape=shape)), dtype=np.float64)
    if not hasattr(node, "shape"):
        raise FileError(
            f"{node.name}: expected a dense or sparse matrix, got {encoding or 'a group'}; take "
            "another key"
        )
    return matrix(load_dataset(node))


def _encoding(node: Any) -> str:
    """What AnnData says that it is; before 0.7 sparse matrices had a name of their own."""
    old = {"csr": "csr_matrix", "csc": "csc_matrix"}.get(str(node.attrs.get("h5sparse_format")))
    return old or str(node.attrs.get("encoding-type", ""))


def _features(root: Any, chosen: str) -> Any:
    if chosen.startswith("obsm/"):
        return None
    return root["raw"].get("var") if chosen == "raw/X" else root.get("var")


def _frame(group: Any, length: int) -> _Frame:
    result = _Frame()
    if group is None:
        return result
    if not hasattr(group, "keys"):
        result.notes.append(
            f"{group.name} is in the format of an old AnnData and was not read; read and write "
            "the file with a newer one to keep it."
        )
        return result
    index = str(group.attrs.get("_index", "_index"))
    for name in group:
        if name == "__categories":
            continue
        column = _column(group, name)
        if column is None or column.shape != (length,):
            result.notes.append(f"{group.name}/{name} is no plain column and was not read.")
        elif name == index:
            texts = [str(value) for value in column.tolist()]
            result.index = texts if are_names(texts) else None
            if result.index is None:
                result.notes.append(
                    f"The index {group.name}/{name} has empty or repeated names and was left out."
                )
        else:
            result.columns[name] = column
    return result


def _column(group: Any, name: str) -> np.ndarray | None:
    """A column as str, int or float; None if it is of a type that is not known here."""
    node = group[name]
    if hasattr(node, "shape"):
        if kind_of(node) == "O" or node.shape is None:
            return None
        values = attribute(load_dataset(node))
        if "__categories" in group and name in group["__categories"]:  # AnnData 0.7
            return _categorical(values, load_dataset(group["__categories"][name]))
        return values
    encoding = _encoding(node)
    if encoding == "categorical":
        return _categorical(load_dataset(node["codes"]), load_dataset(node["categories"]))
    if encoding.startswith("nullable-"):
        return _masked(load_dataset(node["values"]), load_dataset(node["mask"]))
    return None


def _categorical(codes: np.ndarray, categories: np.ndarray) -> np.ndarray:
    if np.any(codes >= len(categories)):
        raise FileError(
            f"expected categories 0 to {len(categories) - 1}, got {codes.max()}; the file is "
            "damaged: write it again"
        )
    categories = attribute(categories)
    return _masked(categories[np.maximum(codes, 0)] if len(categories) else codes, codes < 0)


def _masked(values: np.ndarray, missing: np.ndarray) -> np.ndarray:
    """The values with "" or NaN where they are missing."""
    values = attribute(values)
    if not missing.any():
        return values
    nothing: Any = "" if values.dtype.kind == "U" else np.nan
    return np.where(missing.astype(bool), nothing, values)


def _row_names(cells: _Frame, names: str | None, n_rows: int) -> list[str] | None:
    if names is None:
        return cells.index
    if names not in cells.columns:
        raise unknown(names, cells.columns, what="columns of obs")
    given = [str(name) for name in cells.columns[names].tolist()]
    return checked_row_names(given, range(1, n_rows + 1))


def _embeddings(root: Any, chosen: str, n_rows: int) -> dict[str, np.ndarray]:
    """What is narrow in obsm: coordinates on a map or in a picture."""
    result = {}
    for name in root.get("obsm", ()):
        node = root["obsm"][name]
        shape: tuple[int, ...] = getattr(node, "shape", None) or ()
        narrow = len(shape) == 2 and shape[0] == n_rows and shape[1] <= _WIDEST_ATTRIBUTE
        if narrow and f"obsm/{name}" != chosen and kind_of(node) in "biuf":
            result[name] = attribute(load_dataset(node))
    return result
