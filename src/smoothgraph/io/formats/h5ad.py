"""H5AD: single cells as AnnData stores them, read as HDF5. Rows are cells."""

from dataclasses import dataclass, field
from typing import Any, BinaryIO

import numpy as np
import scipy.sparse as sp

from smoothgraph.io.array_tables import WIDEST_ATTRIBUTE, check_sparse, to_attribute, to_matrix
from smoothgraph.io.errors import FileError, damaged_file
from smoothgraph.io.file_format import TableFormat, register
from smoothgraph.io.formats.hdf5 import dtype_kind, load_dataset, open_hdf5
from smoothgraph.io.name_checks import are_names, check_row_names, unknown_name
from smoothgraph.io.table_file import Table, TableOptions, finish_table

_SPARSE = {"csr_matrix": sp.csr_array, "csc_matrix": sp.csc_array}
_BEFORE_07 = {"csr": "csr_matrix", "csc": "csc_matrix"}  # AnnData 0.6 called them so


@register
class H5ad(TableFormat):
    """The matrices of an AnnData file, which are ``X``, ``obsm/...``, ``layers/...``, ``raw/X``."""

    name = "h5ad"
    suffixes = (".h5ad",)
    has_keys = True

    def read_table(self, file: BinaryIO, options: TableOptions) -> Table:
        """Return ``obsm/X_pca`` if there, else ``X``; obs and narrow obsm are row attributes."""
        with open_hdf5(file) as root:
            known = _list_matrices(root)
            chosen = _choose_matrix(known, options.key)
            values = _read_matrix(root[chosen])
            n_rows, n_columns = values.shape
            cells = _read_frame(root.get("obs"), n_rows)
            features = _read_frame(_find_features(root, chosen), n_columns)
            row_names = cells.index
            if options.names is not None:
                if options.names not in cells.columns:
                    raise unknown_name(options.names, cells.columns, what="columns of obs")
                row_names = check_row_names(cells.columns.pop(options.names).tolist())
            others = [name for name in known if name != chosen]
            also = f"; the file also has {', '.join(others)}" if others else ""
            table = Table(
                values,
                row_names,
                column_names=features.index,
                row_attributes=cells.columns | _read_embeddings(root, chosen, n_rows),
                column_attributes=features.columns,
                notes=[f"The signals come from {chosen}{also}.", *cells.notes, *features.notes],
            )
            return finish_table(table, options.aside)


@dataclass
class _Frame:
    """A data frame in the file: its index and its columns of the right length."""

    index: list[str] | None = None
    columns: dict[str, np.ndarray] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def _list_matrices(root: Any) -> list[str]:
    known = ["X"] if "X" in root else []
    for group in ("obsm", "layers"):
        known += [f"{group}/{name}" for name in root.get(group, ())]
    return [*known, "raw/X"] if "raw" in root and "X" in root["raw"] else known


def _choose_matrix(known: list[str], key: str | None) -> str:
    if key is not None:
        if key not in known:
            raise unknown_name(key, known, what="arrays")
        return key
    if not known:
        raise FileError(
            "expected an AnnData file with X or obsm, got neither; if it is another HDF5 file, name the format hdf5"
        )
    return next((name for name in ("obsm/X_pca", "X") if name in known), known[0])


def _read_matrix(node: Any) -> np.ndarray | sp.csr_array:
    encoding = _encoding(node)
    if encoding in _SPARSE:
        shape = tuple(int(size) for size in node.attrs["shape"])
        parts = tuple(load_dataset(node[name]) for name in ("data", "indices", "indptr"))
        return check_sparse(_SPARSE[encoding](parts, shape=shape))
    if not hasattr(node, "shape"):
        raise FileError(
            f"{node.name}: expected a dense or sparse matrix, got {encoding or 'a group'}; choose another key"
        )
    return to_matrix(load_dataset(node))


def _encoding(node: Any) -> str:
    """Return what AnnData says about the node."""
    old = _BEFORE_07.get(str(node.attrs.get("h5sparse_format")))
    return old or str(node.attrs.get("encoding-type", ""))


def _find_features(root: Any, chosen: str) -> Any:
    """Return the group that describes the columns of the chosen matrix, or None."""
    if chosen.startswith("obsm/"):
        return None
    return root["raw"].get("var") if chosen == "raw/X" else root.get("var")


def _read_frame(group: Any, length: int) -> _Frame:
    result = _Frame()
    if group is None:
        return result
    if not hasattr(group, "keys"):
        result.notes.append(
            f"{group.name} is in the format of an old AnnData and was not read; read and write "
            "the file with a newer version to keep it."
        )
        return result
    index = str(group.attrs.get("_index", "_index"))
    for name in group:
        if name == "__categories":
            continue
        column = _read_column(group, name)
        if column is None or column.shape != (length,):
            result.notes.append(f"{group.name}/{name} is not a plain column and was not read.")
        elif name != index:
            result.columns[name] = column
        elif are_names(texts := [str(value) for value in column.tolist()]):
            result.index = texts
        else:
            result.notes.append(f"The index {group.name}/{name} has empty or repeated names and was left out.")
    return result


def _read_column(group: Any, name: str) -> np.ndarray | None:
    """Return a column of str, int or float, or None if its type is unknown."""
    node = group[name]
    if hasattr(node, "shape"):
        if dtype_kind(node) == "O" or node.shape is None:
            return None
        values = to_attribute(load_dataset(node))
        if "__categories" in group and name in group["__categories"]:  # AnnData 0.7
            return _decode_categories(values, load_dataset(group["__categories"][name]))
        return values
    encoding = _encoding(node)
    if encoding == "categorical":
        return _decode_categories(load_dataset(node["codes"]), load_dataset(node["categories"]))
    if encoding.startswith("nullable-"):
        return _fill_missing(load_dataset(node["values"]), load_dataset(node["mask"]))
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
    for name in root.get("obsm", ()):
        node = root["obsm"][name]
        shape: tuple[int, ...] = getattr(node, "shape", None) or ()
        narrow = len(shape) == 2 and shape[0] == n_rows and shape[1] <= WIDEST_ATTRIBUTE
        if narrow and f"obsm/{name}" != chosen and dtype_kind(node) in "biuf":
            result[name] = to_attribute(load_dataset(node))
    return result
