"""Where the rows of a distributed fit come from: files and Dask collections, read by workers."""

import mmap
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, groupby
from math import ceil
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import numpy as np

from smoothgraph._optional import load_optional
from smoothgraph.io.errors import FileError, a_graph_instead, explained
from smoothgraph.io.parquet import GRAPH_METADATA

if TYPE_CHECKING:
    from dask.array import Array

_MOST_CHUNKS = 4096  # about: more of them cost the scheduler more than they help the workers
_EXPECTED = "a table of real numbers"
_PARQUET = (".parquet", ".parq", ".pq")
_ZARR_METADATA = ("zarr.json", ".zarray", ".zgroup")


def is_distributed(X: Any) -> bool:
    """Whether ``X`` is a Dask collection or a path; nothing is imported to find out.

    A :class:`numpy.memmap` is neither: whoever has a cluster decides to read it there.
    """
    if isinstance(X, str | os.PathLike):
        return True
    dask = sys.modules.get("dask")
    return dask is not None and bool(dask.is_dask_collection(X))


def as_rows(source: Any, *, most_bytes: int = 64 * 2**20) -> "Array":
    """A Dask array with one row per node, whose chunks are read where they are computed.

    Here only headers are read. Chunks hold whole rows; they are those of the source, the large
    ones split and very many small ones joined. float32 stays as it is, other real numbers become
    float64. What is wrong with a file is told by a FileError, here or when a chunk is computed.

    Parameters
    ----------
    source : Dask array, Dask DataFrame, str, path or numpy.memmap
        A path leads to a Zarr array, a Parquet file, a folder of Parquet files (in the natural
        order of their names) or an .npy file, and has to be the same on all workers. The index of
        a DataFrame is left out. Chunk sizes that are unknown are computed.
    most_bytes : int
        The size of a chunk as float64, unless that is less than a row.
    """
    arrays = _dask_array()
    if isinstance(source, str | os.PathLike):
        return _lazy(_file_at(Path(os.path.abspath(source))), most_bytes)
    if isinstance(source, np.memmap):
        return _lazy(_file_behind(source), most_bytes)
    if isinstance(source, arrays.Array):
        return _rechunked(source, most_bytes)
    if is_distributed(source) and hasattr(type(source), "to_dask_array"):
        return _rechunked(_array_of_frame(source), most_bytes)
    raise ValueError(
        "X: expected a Dask array, a Dask DataFrame, a path or a numpy.memmap, got "
        f"{type(source).__module__}.{type(source).__qualname__}; convert it to one of them"
    )


def _dask_array() -> Any:
    return load_optional("dask.array", needed_by="a distributed fit", extra="dask")


@dataclass(frozen=True)
class _File:
    """What a header says, and how a worker reads the rows from ``start`` to ``stop``."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    own_chunks: Sequence[int]  # rows that are best read together
    reader: Callable[[int, int], Callable[[], np.ndarray]]


def _lazy(file: _File, most_bytes: int) -> "Array":
    sizes = _row_chunks(file.own_chunks, file.shape[1], most_bytes)
    name = f"rows-{uuid4().hex}"  # not a hash of the path: the file may change between two calls
    tasks = {
        (name, k, 0): (file.reader(stop - size, stop),)
        for k, (size, stop) in enumerate(zip(sizes, accumulate(sizes), strict=True))
    }
    return _dask_array().Array(tasks, name, (sizes, file.shape[1:]), dtype=file.dtype)


def _rechunked(array: Any, most_bytes: int) -> "Array":
    chunk = type(array._meta)
    if not issubclass(chunk, np.ndarray) or issubclass(chunk, np.ma.MaskedArray):
        raise ValueError(
            f"X: expected chunks that are plain arrays of NumPy, got {chunk.__module__}."
            f"{chunk.__qualname__}; convert them by map_blocks"
        )
    if np.isnan(array.shape).any():
        array = array.copy().compute_chunk_sizes()  # which writes into the array that it is given
    problem = _problem(array.shape, array.dtype)
    if problem:
        raise ValueError(f"X: {problem}")
    sizes = _row_chunks(array.chunks[0], array.shape[1], most_bytes)
    return array.rechunk((sizes, array.shape[1:])).astype(_kept(array.dtype))


def _array_of_frame(frame: Any) -> "Array":
    from pandas.api.types import is_complex_dtype, is_numeric_dtype

    if frame.ndim != 2:
        raise ValueError(f"X: expected a table, got a {type(frame).__name__}; use its to_frame()")
    others = {
        name: dtype
        for name, dtype in frame.dtypes.items()
        if not is_numeric_dtype(dtype) or is_complex_dtype(dtype)
    }
    if others:
        raise ValueError(f"X: {_no_numbers(others)}")
    kept = [_kept(np.dtype(getattr(dtype, "numpy_dtype", dtype))) for dtype in frame.dtypes]
    return frame.astype(np.result_type(np.float32, *kept)).to_dask_array(lengths=True)


def _row_chunks(own: Iterable[int], n_columns: int, most_bytes: int) -> tuple[int, ...]:
    """The numbers of rows ``own``, large ones split, and joined if they are too many."""
    most_rows = max(1, most_bytes // (8 * n_columns))
    sizes: list[int] = []
    for size in own:
        n_parts = ceil(size / most_rows)
        sizes += [size * (k + 1) // n_parts - size * k // n_parts for k in range(n_parts)]
    if len(sizes) <= _MOST_CHUNKS:
        return tuple(sizes)
    # Any two neighbours in the result have more rows than this, so that there are few of them.
    enough = min(most_rows, ceil(2 * sum(sizes) / _MOST_CHUNKS))
    joined = sizes[:1]
    for size in sizes[1:]:
        if joined[-1] + size <= enough:
            joined[-1] += size
        else:
            joined.append(size)
    return tuple(joined)


def _kept(dtype: np.dtype[Any]) -> np.dtype[Any]:
    return np.dtype(np.float32 if dtype.newbyteorder("=") == np.float32 else np.float64)


def _problem(shape: tuple[int, ...], dtype: np.dtype[Any]) -> str | None:
    if len(shape) != 2:
        return f"expected a table with one row per node, got an array of shape {shape}; reshape it"
    if 0 in shape:
        return f"expected at least one row and one column, got the shape {shape}"
    if dtype.kind not in "biuf":
        return f"expected real numbers, got an array of dtype {dtype}; convert it"
    return None


def _no_numbers(columns: dict[Any, Any]) -> str:
    named = ", ".join(f"{str(name)!r} ({kind})" for name, kind in list(columns.items())[:10])
    return f"expected columns of real numbers, but {named} hold something else; leave them out"


def _file_at(path: Path) -> _File:
    if path.is_dir() and not any((path / name).is_file() for name in _ZARR_METADATA):
        return _parquet_files(path, _parquet_paths(path))
    if path.is_file() and path.suffix.lower() in _PARQUET:
        return _parquet_files(path, [path])
    with explained(str(path), _EXPECTED):
        if not path.exists():
            raise FileError(
                "expected a file or a folder, but there is none of this name; check the path, or "
                "give a Dask array of what is not on a disk"
            )
        return _file_of(str(path), _opened(str(path), None), None)


def _file_behind(array: np.memmap) -> _File:
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
    with explained(str(array.filename), _EXPECTED):
        return _file_of(str(array.filename), array, layout)


def _file_of(path: str, array: Any, layout: dict[str, Any] | None) -> _File:
    problem = _problem(array.shape, array.dtype)
    if problem:
        raise FileError(problem)
    chunk = getattr(array, "shards", None) or getattr(array, "chunks", array.shape)
    n_whole, rest = divmod(array.shape[0], chunk[0])
    dtype = _kept(array.dtype)
    reader = partial(partial, _rows_of_array, path, layout, array.shape, dtype)
    return _File(array.shape, dtype, [chunk[0]] * n_whole + [rest], reader)


def _opened(path: str, layout: dict[str, Any] | None) -> Any:
    """An array of whose numbers nothing is read; ``layout`` is that of a file without header."""
    if layout is not None:
        return np.ndarray(buffer=np.memmap(path, np.uint8, mode="r"), **layout)
    if path.lower().endswith(".npy"):
        return np.lib.format.open_memmap(path, mode="r")  # which, unlike np.load, cannot unpickle
    if Path(path).is_dir():
        zarr = load_optional("zarr", needed_by="reading Zarr", extra="dask")
        return zarr.open_array(path, mode="r")
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
    with explained(path, _EXPECTED):
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


def _parquet_files(name: Path, paths: list[Path]) -> _File:
    """Files of the same columns, one below the other; ``name`` stands for all of them."""
    names: list[str] = []
    types: set[Any] = set()
    groups: list[tuple[str, int, int]] = []  # path, number in the file, rows
    for path in map(str, paths):
        with explained(path, _EXPECTED):
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
    problem = _problem(shape, dtype)
    if problem:
        raise FileError(f"{name}: {problem}")
    ends = np.cumsum(sizes)

    def reader(start: int, stop: int) -> Callable[[], np.ndarray]:
        first, last = np.searchsorted(ends, [start, stop - 1], side="right")
        skipped = start - int(ends[first] - sizes[first])
        values = (stop - start, shape[1]), dtype
        return partial(_rows_of_parquet, groups[first : last + 1], skipped, *values)

    return _File(shape, dtype, sizes, reader)


def _opened_parquet(path: str) -> tuple[Any, list[int]]:
    """The file and the places of its columns, without those of an index."""
    parquet = load_optional("pyarrow.parquet", needed_by="reading Parquet", extra="parquet")
    file = parquet.ParquetFile(path)
    schema = file.schema_arrow
    if GRAPH_METADATA in (schema.metadata or {}):
        raise a_graph_instead()
    index = (schema.pandas_metadata or {}).get("index_columns", [])
    columns = [k for k, name in enumerate(schema.names) if name not in index]
    others = {schema.names[k]: schema.types[k] for k in columns if not _is_real(schema.types[k])}
    if others:
        raise FileError(_no_numbers(others))
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
        with explained(path, _EXPECTED):
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
