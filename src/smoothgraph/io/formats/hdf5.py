"""HDF5: arrays in a hierarchy of groups, and H5AD, single cells as AnnData stores them in HDF5."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, BinaryIO

import numpy as np
import scipy.sparse as sp

from smoothgraph.io.array_tables import (
    ArrayFile,
    ArrayHeader,
    check_indices,
    check_sparse,
    describes_rows,
    read_sparse_shape,
    table_of_arrays,
    to_matrix,
)
from smoothgraph.io.errors import FileError, are_names, check_row_names, damaged_file, refuse_expansion, refuse_unknown
from smoothgraph.io.file_format import TableFormat, register
from smoothgraph.io.table_file import Table, TableOptions, finish_table, to_attribute
from smoothgraph.support.optional import load_optional

# What AnnData calls sparse matrices, since version 0.7 and before.
_SPARSE = {"csr_matrix": sp.csr_array, "csc_matrix": sp.csc_array, "csr": sp.csr_array, "csc": sp.csc_array}


@register
class Hdf5(TableFormat):
    """The datasets of a file, named by their paths."""

    name = "hdf5"
    suffixes = (".h5", ".hdf5")
    has_keys = True

    def read_table(self, file: BinaryIO, options: TableOptions) -> Table:
        with open_hdf5(file) as root:
            headers = {}

            def visit(path: str, node: Any) -> None:
                if getattr(node, "shape", None) is not None:
                    headers[path] = ArrayHeader(node.shape, _dtype_kind(node))

            root.visititems(visit)
            arrays = ArrayFile(headers, lambda name: _load(root[name]))
            key = None if options.key is None else options.key.strip("/")
            return table_of_arrays(arrays, replace(options, key=key))


@register
class H5ad(TableFormat):
    """The matrices of an AnnData file, which are ``X``, ``obsm/...``, ``layers/...``, ``raw/X``. Rows are cells.

    The table is ``obsm/X_pca`` by default, or else ``X``. obs and narrow arrays in obsm are row attributes.
    """

    name = "h5ad"
    suffixes = (".h5ad",)
    has_keys = True

    def read_table(self, file: BinaryIO, options: TableOptions) -> Table:
        with open_hdf5(file) as root:
            known = ["X"] if "X" in root else []
            known += [f"{group}/{name}" for group in ("obsm", "layers") for name in root.get(group, ())]
            known += ["raw/X"] if "raw" in root and "X" in root["raw"] else []
            chosen = _choose_matrix(known, options.key)
            others = ", ".join(name for name in known if name != chosen)
            notes = [f"The signals come from {chosen}{'; the file also has ' * bool(others)}{others}."]
            values = _read_matrix(root[chosen])
            row_names, cells = _read_frame(root.get("obs"), values.shape[0], notes)
            described = {"obsm": "", "raw": "raw/var"}.get(chosen.split("/")[0], "var")  # the columns, where
            column_names, features = _read_frame(root.get(described) if described else None, values.shape[1], notes)
            refuse_unknown(options.names, cells, what="columns of obs")
            if options.names is not None:
                row_names = check_row_names(cells.pop(options.names).tolist())
            cells |= _read_embeddings(root, chosen, values.shape[0])
            return finish_table(Table(values, row_names, column_names, cells, features, notes), options)


@contextmanager
def open_hdf5(file: BinaryIO) -> Iterator[Any]:
    """Yield the open HDF5 file; opening it by its path, if it has one, is faster."""
    with _h5py().File(getattr(file, "name", file), "r") as root:
        _refuse_other_files(root)
        yield root


def _refuse_other_files(root: Any) -> None:
    """Raise a FileError if a part of the file would be read from another one, whatever that is."""
    h5py = _h5py()

    def visit(path: str, node: Any) -> None:
        refers = isinstance(node, h5py.Dataset) and (node.is_virtual or node.external)
        for name in node if isinstance(node, h5py.Group) else ():
            refers = refers or isinstance(node.get(name, getlink=True), h5py.ExternalLink)
        if refers:
            raise FileError(
                f"expected all data in this file, but {path} refers to another one; copy the data into one file"
            )

    visit("/", root)
    root.visititems(visit)


def _h5py() -> Any:
    return load_optional("h5py", needed_by="reading HDF5", extra="hdf5")


def _load(dataset: Any) -> np.ndarray:
    """Return a dataset as an array, with text as str."""
    size, stored = dataset.size * dataset.dtype.itemsize, dataset.id.get_storage_size()
    refuse_expansion(size, stored, f"{dataset.name} of shape {dataset.shape}")
    if _dtype_kind(dataset) == "U":
        return np.asarray(dataset.asstr()[()], dtype=str)
    return np.asarray(dataset[()])


def _dtype_kind(dataset: Any) -> str:
    """Return the kind of the dtype as in NumPy; "U" for text, "O" for what cannot be read."""
    if _h5py().check_string_dtype(dataset.dtype) is not None:
        return "U"
    return dataset.dtype.kind if dataset.dtype.kind in "biufc" else "O"


def _choose_matrix(known: list[str], key: str | None) -> str:
    refuse_unknown(key, known, what="arrays")
    if key is not None:
        return key
    if not known:
        raise FileError(
            "expected an AnnData file with X or obsm, got neither; if it is another HDF5 file, name the format hdf5"
        )
    return next((name for name in ("obsm/X_pca", "X") if name in known), known[0])


def _read_matrix(node: Any) -> np.ndarray | sp.csr_array:
    encoding = _encoding(node)
    if encoding in _SPARSE:
        shape = read_sparse_shape(node.attrs["shape"])
        parts = tuple(_load(node[name]) for name in ("data", "indices", "indptr"))
        check_indices(parts[1:])
        return check_sparse(_SPARSE[encoding](parts, shape=shape))
    if not hasattr(node, "shape"):
        raise FileError(
            f"{node.name}: expected a dense or sparse matrix, got {encoding or 'a group'}; choose another key"
        )
    return to_matrix(_load(node))


def _encoding(node: Any) -> str:
    """Return what AnnData says about the node."""
    return str(node.attrs.get("h5sparse_format") or node.attrs.get("encoding-type", ""))


def _read_frame(group: Any, length: int, notes: list[str]) -> tuple[list[str] | None, dict[str, np.ndarray]]:
    """Return the index of a data frame, if it holds names, and its columns of the right length."""
    names, columns = None, {}
    if group is not None and not hasattr(group, "keys"):
        notes.append(
            f"{group.name} is in the format of an old AnnData and was not read; read and write the file with a newer "
            "version to keep it."
        )
        group = None
    index = "" if group is None else str(group.attrs.get("_index", "_index"))
    for name in group or ():
        if name == "__categories":
            continue
        column = _read_column(group, name)
        if column is None or column.shape != (length,):
            notes.append(f"{group.name}/{name} is not a plain column and was not read.")
        elif name != index:
            columns[name] = column
        elif are_names(texts := [str(value) for value in column.tolist()]):
            names = texts
        else:
            notes.append(f"The index {group.name}/{name} has empty or repeated names and was left out.")
    return names, columns


def _read_column(group: Any, name: str) -> np.ndarray | None:
    """Return a column of str, int or float, or None if its type is unknown."""
    node = group[name]
    if hasattr(node, "shape"):
        if _dtype_kind(node) == "O" or node.shape is None:
            return None
        values = to_attribute(_load(node))
        if "__categories" in group and name in group["__categories"]:  # AnnData 0.7
            return _decode_categories(values, _load(group["__categories"][name]))
        return values
    encoding = _encoding(node)
    if encoding == "categorical":
        return _decode_categories(_load(node["codes"]), _load(node["categories"]))
    if encoding.startswith("nullable-"):
        return _fill_missing(_load(node["values"]), _load(node["mask"]))
    return None


def _decode_categories(codes: np.ndarray, categories: np.ndarray) -> np.ndarray:
    if np.any(codes >= len(categories)):
        raise damaged_file(f"categories 0 to {len(categories) - 1}", codes.max())
    values = categories[np.maximum(codes, 0)] if len(categories) else codes
    return _fill_missing(values, codes < 0)


def _fill_missing(values: np.ndarray, missing: np.ndarray) -> np.ndarray:
    """Return the values with "" or NaN where they are missing."""
    values = to_attribute(values)
    if not missing.any():
        return values
    nothing: Any = "" if values.dtype.kind == "U" else np.nan
    return np.where(missing.astype(bool), nothing, values)


def _read_embeddings(root: Any, chosen: str, n_rows: int) -> dict[str, np.ndarray]:
    """Return the narrow arrays in obsm: coordinates on a map or in a picture."""
    result = {}
    for name, node in root.get("obsm", {}).items():
        if f"obsm/{name}" == chosen or len(getattr(node, "shape", None) or ()) != 2:
            continue
        header = ArrayHeader(node.shape, _dtype_kind(node))
        if header.kind in "biuf" and describes_rows(header, n_rows):
            result[name] = to_attribute(_load(node))
    return result
