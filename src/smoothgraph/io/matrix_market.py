"""Matrices in Matrix Market files.

They are not read by SciPy, which reads beyond the end of some damaged files and takes Python down.
"""

import csv
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np
import scipy.sparse as sp

from smoothgraph.io.arrays import matrix, set_aside
from smoothgraph.io.cells import reading_of
from smoothgraph.io.errors import FileError, a_graph_instead
from smoothgraph.io.sparse import checked_sparse, refuse_mostly_empty
from smoothgraph.io.table import Table

GRAPH_COMMENT = "smoothgraph:"  # with which write_graph begins its comments
_FIELDS = ("real", "double", "integer", "unsigned-integer", "pattern")
_SYMMETRIES = ("general", "symmetric", "skew-symmetric")


def read_matrix_market(file: BinaryIO, *, names: str | None, aside: Collection[str]) -> Table:
    """The table in an .mtx file."""
    if names is not None:
        raise FileError(
            f"expected no names, got names={names!r}, but an .mtx file has none; use a format "
            "that has them, such as .npz or .csv"
        )
    found, comments = load_matrix(file)
    if any(line.startswith(GRAPH_COMMENT) for line in comments):
        raise a_graph_instead()
    values = found if sp.issparse(found) else matrix(found)
    return set_aside(Table(values, None, None, {}, {}, []), aside)


def load_matrix(file: BinaryIO) -> tuple[Any, list[str]]:
    """The matrix of an .mtx file, dense or as CSR, and its lines of comment."""
    header = _header(file)
    body = _body(file, header)
    if header.layout == "array":
        return _dense(body, header), header.comments
    rows, columns = (_indices(body[k], size) for k, size in enumerate(header.shape))
    values = np.ones(len(rows)) if header.n_fields == 2 else body[2].astype(np.float64)
    if header.symmetry != "general":
        mirrored = rows != columns
        sign = -1 if header.symmetry == "skew-symmetric" else 1
        values = np.concatenate([values, sign * values[mirrored]])
        rows, columns = (
            np.concatenate([rows, columns[mirrored]]),
            np.concatenate([columns, rows[mirrored]]),
        )
    return checked_sparse(sp.csr_array((values, (rows, columns)), header.shape)), header.comments


@dataclass(frozen=True)
class _Header:
    layout: str
    symmetry: str
    shape: tuple[int, int]
    n_entries: int  # the lines below
    n_fields: int  # on each of them
    comments: list[str]
    n_lines: int  # of the header itself


def _header(file: BinaryIO) -> _Header:
    """The header of a file, which may be true: it is not too short."""
    banner = file.readline().decode("ascii", errors="replace").lower().split()
    if len(banner) != 5 or banner[:2] != ["%%matrixmarket", "matrix"]:
        raise _bad_banner("something else")
    layout, field, symmetry = banner[2:]
    if layout not in ("coordinate", "array") or (layout, field) == ("array", "pattern"):
        raise _bad_banner(f"{layout} {field}")
    if field not in _FIELDS or symmetry not in _SYMMETRIES:
        raise _bad_banner(f"{field} {symmetry}")
    comments = []
    line = file.readline()
    while line.startswith(b"%") or (line and not line.strip()):
        comments.append(line.decode("utf-8", errors="replace").rstrip("\r\n").removeprefix("%"))
        line = file.readline()
    sizes = _sizes(line, 3 if layout == "coordinate" else 2)
    n_entries = sizes[2] if layout == "coordinate" else _n_stored(sizes, symmetry)
    n_fields = 1 if layout == "array" else 2 if field == "pattern" else 3
    header = _Header(
        layout, symmetry, (sizes[0], sizes[1]), n_entries, n_fields, comments, 2 + len(comments)
    )
    _refuse_false_sizes(file, header)
    return header


def _bad_banner(found: str) -> FileError:
    return FileError(
        "expected a first line '%%MatrixMarket matrix coordinate real general', with array, "
        f"integer, pattern or symmetric instead where it applies, got {found}; write it with "
        "scipy.io.mmwrite, or name its format"
    )


def _sizes(line: bytes, count: int) -> tuple[int, ...]:
    words = line.split()
    if len(words) != count or not all(word.isdigit() and len(word) < 19 for word in words):
        text = line.decode("ascii", errors="replace").strip()
        raise FileError(
            f"expected a line of {count} sizes below the comments, got {text[:80]!r}; the file is "
            "damaged: write it again"
        )
    return tuple(int(word) for word in words)


def _n_stored(sizes: tuple[int, ...], symmetry: str) -> int:
    """How many values of a dense matrix are stored."""
    n_rows, n_columns = sizes
    if symmetry == "general":
        return n_rows * n_columns
    return n_rows * (n_rows + (1 if symmetry == "symmetric" else -1)) // 2


def _refuse_false_sizes(file: BinaryIO, header: _Header) -> None:
    begin = file.tell()
    available = file.seek(0, 2) - begin
    file.seek(begin)
    if header.n_entries * 2 * header.n_fields > available + 1:  # a digit and a space each
        raise FileError(
            f"expected {header.n_entries} entries, as its header says, got a file too short for "
            "them; it is incomplete or damaged: write it again"
        )
    if header.symmetry != "general" and header.shape[0] != header.shape[1]:
        raise FileError(
            f"expected as many rows as columns in a {header.symmetry} matrix, got shape "
            f"{header.shape}; correct the header"
        )
    if header.layout == "coordinate":
        refuse_mostly_empty(header.shape, header.n_entries)


def _body(file: BinaryIO, header: _Header) -> list[np.ndarray]:
    """The columns below the header, all of them numbers."""
    import pandas as pd

    if header.n_entries == 0 and not file.read().strip():
        return [np.zeros(0) for _ in range(header.n_fields)]
    frame = pd.read_csv(
        file,
        sep=r"\s+",
        header=None,
        names=list(range(header.n_fields + 1)),  # one more, where too many fields show
        index_col=False,
        na_filter=False,
        quoting=csv.QUOTE_NONE,
        float_precision="round_trip",
        low_memory=False,
    )
    if len(frame) != header.n_entries:
        raise FileError(
            f"expected {header.n_entries} entries, as its header says, got {len(frame)}; the "
            "file is incomplete or damaged: write it again"
        )
    longer = np.flatnonzero(frame[header.n_fields].to_numpy() != "")
    if longer.size:
        raise _bad_entry(header, longer[0], "more")
    return [_numbers(frame[k], header) for k in range(header.n_fields)]


def _numbers(column: Any, header: _Header) -> np.ndarray:
    if column.dtype.kind in "iuf":
        return column.to_numpy()
    cells = column.to_numpy(dtype=str).astype(object)
    reading = reading_of(cells, decimal_commas=False)
    wrong = np.flatnonzero(reading.is_text | (cells == ""))
    if wrong.size:
        raise _bad_entry(header, wrong[0], repr(cells[wrong[0]]))
    return reading.values


def _bad_entry(header: _Header, k: int, found: str) -> FileError:
    return FileError(
        f"row {header.n_lines + k + 1}: expected {header.n_fields} numbers, got {found}; the file "
        "is damaged: write it again"
    )


def _indices(numbers: np.ndarray, size: int) -> np.ndarray:
    """Counted from 0."""
    if numbers.size and (
        numbers.dtype.kind not in "iu" or numbers.min() < 1 or numbers.max() > size
    ):
        raise FileError(
            f"expected rows and columns from 1 to {size}, got others; the file is damaged: write "
            "it again"
        )
    return numbers.astype(np.int64) - 1


def _dense(body: list[np.ndarray], header: _Header) -> np.ndarray:
    """The matrix, of which the columns stand below one another."""
    values = body[0].astype(np.float64)
    if header.symmetry == "general":
        return values.reshape(header.shape, order="F")
    result = np.zeros(header.shape)
    columns, rows = np.triu_indices(header.shape[0], k=int(header.symmetry != "symmetric"))
    result[columns, rows] = values if header.symmetry == "symmetric" else -values
    result[rows, columns] = values
    return result
