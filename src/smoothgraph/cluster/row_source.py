"""Where rows on workers come from: files and Dask collections."""

import os
from collections.abc import Iterable
from itertools import accumulate
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import numpy as np

from smoothgraph.cluster import is_distributed
from smoothgraph.io.errors import name_file
from smoothgraph.io.row_files import RowFile, check_rows, describe_columns, dtype_to_keep, file_at, file_behind
from smoothgraph.support.input_error import InputError
from smoothgraph.support.optional import load_optional

if TYPE_CHECKING:
    from dask.array import Array

_MOST_CHUNKS = 4096  # about: more of them cost the scheduler more than they help the workers


def as_rows(source: Any, *, most_bytes: int = 64 * 2**20) -> "Array":
    """Return a Dask array with one row per node, whose chunks workers read when they need them.

    Only headers are read here. Chunks hold whole rows. They are those of the source, with large ones split and very
    many small ones joined. float32 stays as it is; other real numbers become float64. A FileError, here or when a
    chunk is computed, says what is wrong with a file.

    Parameters
    ----------
    source : Dask array, Dask DataFrame, str, path or numpy.memmap
        A path leads to a Zarr array, a Parquet file, a folder of Parquet files (in the natural order of their
        names) or an .npy file, and must be valid on all workers. The index of a DataFrame is left out. Unknown
        chunk sizes are computed.
    most_bytes : int
        The largest size of a chunk as float64, unless one row is larger.
    """
    arrays = _dask_array()
    if isinstance(source, str | os.PathLike):
        return _lazy_array(file_at(Path(os.path.abspath(source))), most_bytes)
    if isinstance(source, np.memmap):
        return _lazy_array(file_behind(source), most_bytes)
    if isinstance(source, arrays.Array):
        return _rechunk(source, most_bytes)
    if is_distributed(source) and hasattr(type(source), "to_dask_array"):
        return _rechunk(_array_of_frame(source), most_bytes)
    raise InputError(
        "X: expected a Dask array, a Dask DataFrame, a path or a numpy.memmap, got "
        f"{type(source).__module__}.{type(source).__qualname__}; convert it to one of them"
    )


def _dask_array() -> Any:
    return load_optional("dask.array", needed_by="a distributed fit", extra="dask")


def _lazy_array(file: RowFile, most_bytes: int) -> "Array":
    sizes = _chunk_sizes(file.own_chunks, file.shape[1], most_bytes)
    name = f"rows-{uuid4().hex}"  # not a hash of the path: the file may change between two calls
    tasks = {
        (name, k, 0): (file.reader(stop - size, stop),)
        for k, (size, stop) in enumerate(zip(sizes, accumulate(sizes), strict=True))
    }
    return _dask_array().Array(tasks, name, (sizes, file.shape[1:]), dtype=file.dtype)


def _rechunk(array: Any, most_bytes: int) -> "Array":
    chunk = type(array._meta)
    if not issubclass(chunk, np.ndarray) or issubclass(chunk, np.ma.MaskedArray):
        raise InputError(
            f"X: expected chunks that are plain NumPy arrays, got {chunk.__module__}."
            f"{chunk.__qualname__}; convert them by map_blocks"
        )
    if np.isnan(array.shape).any():
        array = array.copy().compute_chunk_sizes()  # which changes the array that it is given
    with name_file("X"):
        check_rows(array.shape, array.dtype)
    sizes = _chunk_sizes(array.chunks[0], array.shape[1], most_bytes)
    return array.rechunk((sizes, array.shape[1:])).astype(dtype_to_keep(array.dtype))


def _array_of_frame(frame: Any) -> "Array":
    from pandas.api.types import is_complex_dtype, is_numeric_dtype

    if frame.ndim != 2:
        raise InputError(f"X: expected a table, got a {type(frame).__name__}; use its to_frame()")
    others = {
        name: dtype for name, dtype in frame.dtypes.items() if not is_numeric_dtype(dtype) or is_complex_dtype(dtype)
    }
    if others:
        raise InputError(f"X: {describe_columns(others)}")
    kept = [dtype_to_keep(np.dtype(getattr(dtype, "numpy_dtype", dtype))) for dtype in frame.dtypes]
    return frame.astype(np.result_type(np.float32, *kept)).to_dask_array(lengths=True)


def _chunk_sizes(own: Iterable[int], n_columns: int, most_bytes: int) -> tuple[int, ...]:
    """Split large numbers of rows, and join successive ones if they are too many."""
    most_rows = max(1, most_bytes // (8 * n_columns))
    sizes: list[int] = []
    for size in own:
        n_parts = ceil(size / most_rows)
        sizes += [size * (k + 1) // n_parts - size * k // n_parts for k in range(n_parts)]
    if len(sizes) <= _MOST_CHUNKS:
        return tuple(sizes)
    # Any two neighbors in the result have more rows than this together, so there are few of them.
    enough = min(most_rows, ceil(2 * sum(sizes) / _MOST_CHUNKS))
    joined = sizes[:1]
    for size in sizes[1:]:
        if joined[-1] + size <= enough:
            joined[-1] += size
        else:
            joined.append(size)
    return tuple(joined)
