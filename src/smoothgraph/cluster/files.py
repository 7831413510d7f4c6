"""Files with rows: what their headers say, and how a worker reads some of the rows."""

import mmap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np

from smoothgraph.io.errors import FileError, explain_errors, graph_not_table
from smoothgraph.io.formats.parquet import GRAPH_METADATA
from smoothgraph.support.optional import load_optional

_EXPECTED = "a table of real numbers"
_PARQUET = (".parquet", ".parq", ".pq")
_ZARR_METADATA = ("zarr.json", ".zarray", ".zgroup")


@dataclass(frozen=True)
class RowsFile:
    """What a header says, and how a worker reads the rows from ``start`` to ``stop``."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    own_chunks: Sequence[int]  # rows that are best read together
    reader: Callable[[int, int], Callable[[], np.ndarray]]


def kept_dtype(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """float32 as it is, float64 for all other numbers."""
    return np.dtype(np.float32 if dtype.newbyteorder("=") == np.float32 else np.float64)


def problem_of(shape: tuple[int, ...], dtype: np.dtype[Any]) -> str | None:
    """What keeps an array from being a table of rows; None if nothing does."""
    if len(shape) != 2:
        return f"expected a table with one row per node, got an array of shape {shape}; reshape it"
    if 0 in shape:
        return f"expected at least one row and one column, got the shape {shape}"
    if dtype.kind not in "biuf":
        return f"expected real numbers, got an array of dtype {dtype}; convert it"
    return None


def no_numbers(columns: dict[Any, Any]) -> str:
    """What to say of columns that do not hold numbers."""
    named = ", ".join(f"{str(name)!r} ({kind})" for name, kind in list(columns.items())[:10])
    return f"expected columns of real numbers, but {named} hold something else; leave them out"


def file_at(path: Path) -> RowsFile:
    """A Zarr array, Parquet file, folder of these, or NPY file."""
    if path.is_dir() and not any((path / name).is_file() for name in _ZARR_METADATA):
        return _parquet_files(path, _parquet_paths(path))
    if path.is_file() and path.suffix.lower() in _PARQUET:
        return _parquet_files(path, [path])
    with explain_errors(str(path), _EXPECTED):
        if not path.exists():
            raise FileError(
                "expected a file or a folder, but there is none of this name; check the path, or "
                "give a Dask array of what is not on a disk"
            )
        return _file_of(str(path), _opened(str(path), None), None)


def file_behind(array: np.memmap) -> RowsFile:
    """The file of an array, which may be any view of what is in it."""
    base: Any = array
    while isinstance(base, np.ndarray):
        base = base.base
    if not isinstance(base, mmap.mmap) or array.filename is None or array.mode == "c":
        raise ValueError(
            "X: expected a numpy.memmap of a file with a name, got a copy in memory, a file "
            "without a name or mode 'c'; save the array, and open it with mode 'r'"
        )
    array.flush()
    # array.offset is where the first array began, of which this one may be a view.
    start_of_map = array.offset - array.offset % mmap.ALLOCATIONGRANULARITY
    layout = {
        "shape": array.shape,
        "dtype": array.dtype,
        "strides": array.strides,
        "offset": start_of_map + array.ctypes.data - np.frombuffer(base, np.uint8).ctypes.data,
    }
    with explain_errors(str(array.filename), _EXPECTED):
        return _file_of(str(array.filename), array, layout)


def _file_of(path: str, array: Any, layout: dict[str, Any] | None) -> RowsFile:
    problem = problem_of(array.shape, array.dtype)
    if problem:
        raise FileError(problem)
    chunk = getattr(array, "shards", None) or getattr(array, "chunks", array.shape)
    n_whole, rest = divmod(array.shape[0], chunk[0])
    dtype = kept_dtype(array.dtype)
    reader = partial(partial, _rows_of_array, path, layout, array.shape, dtype)
    return RowsFile(array.shape, dtype, [chunk[0]] * n_whole + [rest], reader)


def _opened(path: str, layout: dict[str, Any] | None) -> Any:
    """An array of whose numbers nothing is read; ``layout`` is that of a file without header."""
    if layout is not None:
        return np.ndarray(buffer=np.memmap(path, np.uint8, mode="r"), **layout)
    if path.lower().endswith(".npy"):
        return np.lib.format.open_memmap(path, mode="r")  # which, unlike np.load, cannot unpickle
    if Path(path).is_dir():
        zarr = load_optional("zarr", needed_by="reading Zarr", extra="dask")
        found = zarr.open(path, mode="r")
        if isinstance(found, zarr.Group):
            names = ", ".join(sorted(found.array_keys())[:10]) or "none"
            raise FileError(
                f"expected a Zarr array, got a group with the arrays {names}; give the path of one"
            )
        return found
    raise FileError(
        f"expected a folder or a name that ends in .npy or {', '.join(_PARQUET)}, got "
        f"{Path(path).suffix or 'no suffix'}; write such a file, or give a Dask array"
    )


def _rows_of_array(
    path: str,
    layout: dict[str, Any] | None,
    shape: tuple[int, int],
    dtype: np.dtype[Any],
    *rows: int,
) -> np.ndarray:
    with explain_errors(path, _EXPECTED):
        array = _opened(path, layout)
        if array.shape != shape:
            raise FileError(f"expected the shape {shape} as before, got {array.shape}")
        return np.array(array[slice(*rows)], dtype, order="C")


def _parquet_paths(folder: Path) -> list[Path]:
    from dask.utils import natural_sort_key

    found = [path for path in folder.iterdir() if path.suffix.lower() in _PARQUET]
    if not found:
        raise FileError(
            f"{folder}: expected a Zarr array or files that end in {', '.join(_PARQUET)}, got a "
            "folder without them; check the path"
        )
    return sorted(found, key=lambda path: natural_sort_key(path.name))


def _parquet_files(name: Path, paths: list[Path]) -> RowsFile:
    """Files of the same columns, one below the other; ``name`` stands for all of them."""
    names: list[str] = []
    types: set[Any] = set()
    groups: list[tuple[str, int, int]] = []  # path, number in the file, rows
    for path in map(str, paths):
        with explain_errors(path, _EXPECTED):
            file, columns = _opened_parquet(path)
            found = [file.schema_arrow.names[k] for k in columns]
            if names and found != names:
                raise FileError(
                    f"expected the columns of {paths[0].name}, {names[:10]}, got {found[:10]}; "
                    "write the same columns in the same order into all files"
                )
            names = found
            types.update(file.schema_arrow.types[k] for k in columns)
            rows = [file.metadata.row_group(k).num_rows for k in range(file.num_row_groups)]
            groups += [(path, k, n_rows) for k, n_rows in enumerate(rows)]
    sizes = [n_rows for _, _, n_rows in groups]
    shape = sum(sizes), len(names)
    dtype = np.dtype(np.float32 if all(kind == "float32" for kind in types) else np.float64)
    problem = problem_of(shape, dtype)
    if problem:
        raise FileError(f"{name}: {problem}")
    ends = np.cumsum(sizes)

    def reader(start: int, stop: int) -> Callable[[], np.ndarray]:
        first, last = np.searchsorted(ends, [start, stop - 1], side="right")
        skipped = start - int(ends[first] - sizes[first])
        values = (stop - start, shape[1]), dtype
        return partial(_rows_of_parquet, groups[first : last + 1], skipped, *values)

    return RowsFile(shape, dtype, sizes, reader)


def _opened_parquet(path: str) -> tuple[Any, list[int]]:
    """The file and the places of its columns, without those of an index."""
    parquet = load_optional("pyarrow.parquet", needed_by="reading Parquet", extra="parquet")
    file = parquet.ParquetFile(path)
    schema = file.schema_arrow
    if GRAPH_METADATA in (schema.metadata or {}):
        raise graph_not_table()
    index = (schema.pandas_metadata or {}).get("index_columns", [])
    columns = [k for k, name in enumerate(schema.names) if name not in index]
    others = {schema.names[k]: schema.types[k] for k in columns if not _is_real(schema.types[k])}
    if others:
        raise FileError(no_numbers(others))
    return file, columns


def _is_real(kind: Any) -> bool:
    from pyarrow.types import is_boolean, is_floating, is_integer

    return is_integer(kind) or is_floating(kind) or is_boolean(kind)


def _rows_of_parquet(
    groups: list[tuple[str, int, int]], skipped: int, shape: tuple[int, int], dtype: np.dtype[Any]
) -> np.ndarray:
    values = np.empty(shape, dtype)
    at = -skipped
    for path, same_file in groupby(groups, key=itemgetter(0)):
        with explain_errors(path, _EXPECTED):
            file, columns = _opened_parquet(path)
            _, numbers, sizes = zip(*same_file, strict=True)
            found = [file.metadata.row_group(k).num_rows for k in numbers]
            if found != list(sizes) or len(columns) != shape[1]:
                raise FileError("expected the columns and groups of rows as before, got others")
            for batch in file.iter_batches(batch_size=shape[0], row_groups=numbers):
                _put(batch, columns, values, at)
                at += batch.num_rows
                if at >= shape[0]:
                    break
    return values


def _put(batch: Any, columns: list[int], values: np.ndarray, at: int) -> None:
    """``values[at:] = batch`` as far as both go; NaN where nothing is."""
    first, stop = max(0, -at), min(batch.num_rows, len(values) - at)
    if first < stop:
        rows = batch.slice(first, stop - first)
        for k, column in enumerate(columns):
            values[at + first : at + stop, k] = rows.column(column).to_numpy(zero_copy_only=False)
