"""Matrix Market: one dense or sparse matrix as text.

SciPy writes these files but does not read them here: it reads beyond the end of some damaged files and takes Python
down.
"""

from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np
import scipy.sparse as sp

from smoothgraph.io.array_tables import check_sparse, refuse_implausible, table_of_matrix
from smoothgraph.io.errors import FileError, damaged_file, graph_not_table
from smoothgraph.io.file_format import GraphFormat, TableFormat, register
from smoothgraph.io.graph_file import GraphFile, make_graph, parse_object, to_json
from smoothgraph.io.table_file import Table, TableOptions
from smoothgraph.io.text_cells import parse_number

_GRAPH_COMMENT = "smoothgraph:"  # begins comments with the names and the info of a graph
_LONGEST_COMMENT = 900  # characters; the format allows lines of 1024
_FIELDS = ("real", "double", "integer", "unsigned-integer", "pattern")
_SIGNS = {"general": 0, "symmetric": 1, "skew-symmetric": -1}


@register
class MatrixMarket(TableFormat, GraphFormat):
    """The matrix of an .mtx file; a graph has names and info as JSON in its comments."""

    name = "mtx"
    suffixes = (".mtx",)

    def read_table(self, file: BinaryIO, options: TableOptions) -> Table:
        matrix, comments = _read_matrix(file)
        if any(line.startswith(_GRAPH_COMMENT) for line in comments):
            raise graph_not_table()
        return table_of_matrix(matrix, options)

    def read_graph(self, file: BinaryIO) -> GraphFile:
        matrix, comments = _read_matrix(file)
        text = "".join(line.removeprefix(_GRAPH_COMMENT) for line in comments if line.startswith(_GRAPH_COMMENT))
        about = parse_object(text or "{}")
        return make_graph(matrix, about.get("names"), info=about.get("info"))

    def write_graph(self, file: BinaryIO, graph: GraphFile) -> None:
        from scipy.io import mmwrite

        text = to_json({"names": graph.names, "info": graph.info})
        pieces = [text[k : k + _LONGEST_COMMENT] for k in range(0, len(text), _LONGEST_COMMENT)]
        comment = "\n".join(_GRAPH_COMMENT + piece for piece in pieces)
        mmwrite(file, graph.adjacency, comment=comment, symmetry="symmetric")


@dataclass(frozen=True)
class _Header:
    is_dense: bool
    sign: int  # of the transpose in W = L + sign L'; 0 if the whole matrix is stored
    shape: tuple[int, int]
    n_entries: int  # lines below the header
    n_fields: int  # numbers on each of them
    comments: list[str]


def _read_matrix(file: BinaryIO) -> tuple[Any, list[str]]:
    """Return the matrix, dense or as CSR, and the comments."""
    header = _read_header(file)
    _refuse_false_sizes(file, header)
    body = _read_body(file, header)
    if header.is_dense:
        return _make_dense(body[:, 0], header), header.comments
    indices = body[:, :2]
    for numbers, size in zip(indices.T, header.shape, strict=True):
        if not np.all((numbers >= 1) & (numbers <= size) & (np.floor(numbers) == numbers)):
            raise damaged_file(f"rows and columns from 1 to {size}", "others")
    values = body[:, 2] if header.n_fields == 3 else np.ones(len(body))
    W = check_sparse(sp.csr_array((values, tuple(indices.T.astype(np.int64) - 1)), header.shape))
    if header.sign:
        W = (W + header.sign * (W - sp.diags_array(W.diagonal())).T).tocsr()
    return W, header.comments


def _read_header(file: BinaryIO) -> _Header:
    banner = file.readline().decode("ascii", errors="replace").lower().split()
    layout, field, symmetry = banner[2:] if len(banner) == 5 else ("", "", "")
    known = layout in ("coordinate", "array") and field in _FIELDS and symmetry in _SIGNS
    if not known or banner[:2] != ["%%matrixmarket", "matrix"] or (layout, field) == ("array", "pattern"):
        raise FileError(
            "expected a first line '%%MatrixMarket matrix coordinate real general', with array, integer, pattern or "
            f"symmetric where they apply, got {' '.join(banner)[:80]!r}; write the file with scipy.io.mmwrite, or "
            "name its format"
        )
    comments = []
    while (line := file.readline()).startswith(b"%") or line.isspace():
        comments.append(line.decode("utf-8", errors="replace").rstrip("\r\n").removeprefix("%"))
    is_dense, sign = layout == "array", _SIGNS[symmetry]
    sizes, expected = line.split(), 2 if is_dense else 3
    if len(sizes) != expected or not all(size.isdigit() and len(size) < 19 for size in sizes):
        found = line.decode("ascii", errors="replace").strip()
        raise damaged_file(f"a line of {expected} sizes below the comments", repr(found[:80]))
    n_rows, n_columns, n_entries = int(sizes[0]), int(sizes[1]), int(sizes[-1])
    if is_dense:
        n_entries = n_rows * (n_rows + sign) // 2 if sign else n_rows * n_columns
    n_fields = 1 if is_dense else 2 if field == "pattern" else 3
    return _Header(is_dense, sign, (n_rows, n_columns), n_entries, n_fields, comments)


def _refuse_false_sizes(file: BinaryIO, header: _Header) -> None:
    """Raise a FileError unless the file is long enough for its header to be true."""
    begin = file.tell()
    available = file.seek(0, 2) - begin
    file.seek(begin)
    if header.n_entries * 2 * header.n_fields > available + 1:  # a digit and a space each
        raise damaged_file(f"{header.n_entries} entries, as its header says", "too few bytes")
    if header.sign and header.shape[0] != header.shape[1]:
        raise damaged_file("as many rows as columns in a symmetric matrix", f"shape {header.shape}")
    if not header.is_dense:
        refuse_implausible(header.shape, header.n_entries)


def _read_body(file: BinaryIO, header: _Header) -> np.ndarray:
    """Return the numbers below the header, one row per line."""
    begin = file.tell()
    if header.n_entries == 0 and not file.read().strip():
        return np.zeros((0, header.n_fields))
    file.seek(begin)
    try:
        body = np.loadtxt(file, comments=None, ndmin=2, encoding="ascii")
    except ValueError:
        body = None
    if body is None or body.shape[1] != header.n_fields:
        file.seek(begin)
        raise _find_bad_line(file, header)
    if len(body) != header.n_entries:
        raise damaged_file(f"{header.n_entries} entries, as its header says", len(body))
    return body


def _find_bad_line(file: BinaryIO, header: _Header) -> FileError:
    """Return the error for the first line that does not hold the right number of numbers."""
    for number, line in enumerate(file, start=len(header.comments) + 3):
        words = line.decode("ascii", errors="replace").split()
        text = next((word for word in words if parse_number(word) is None), None)
        if words and (text is not None or len(words) != header.n_fields):
            found = len(words) if text is None else repr(text)
            return FileError(f"row {number}: {damaged_file(f'{header.n_fields} numbers', found)}")
    return damaged_file(f"{header.n_fields} numbers per row", "something else")


def _make_dense(values: np.ndarray, header: _Header) -> np.ndarray:
    """Return the matrix whose columns, or their lower parts, are stored one after the other."""
    if not header.sign:
        return values.reshape(header.shape, order="F")
    result = np.zeros(header.shape)
    columns, rows = np.triu_indices(header.shape[0], k=int(header.sign < 0))
    result[columns, rows] = header.sign * values
    result[rows, columns] = values
    return result
