"""Files of rows: what their headers say, and how a worker reads some of the rows."""

import mmap
from collections.abc import Callable, Sequence
from functools import partial
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from smoothgraph.io.errors import FileError, explain_errors, graph_not_table, name_file
from smoothgraph.io.formats.parquet import GRAPH_METADATA
from smoothgraph.support.input_error import InputError
from smoothgraph.support.optional import load_optional

_EXPECTED = "a table of real numbers"
_PARQUET = (".parquet", ".parq", ".pq")
_ZARR_METADATA = ("zarr.json", ".zarray", ".zgroup")
_Layout = dict[str, Any] | None  # of an array in a file without a header


class RowFile(NamedTuple):
    """What a header says, and ``reader(start, stop)``, a task that reads some of the rows."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    own_chunks: Sequence[int]  # numbers of rows that are best read together
    reader: Callable[[int, int], Callable[[], np.ndarray]]


def dtype_to_keep(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return float32 as it is, and float64 for all other numbers."""
    return np.dtype(np.float32 if dtype.newbyteorder("=") == np.float32 else np.float64)


def check_rows(shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
    """Raise a FileError unless an array can be a table of rows."""
    if len(shape) != 2:
        raise FileError(f"expected a table with one row per node, got an array of shape {shape}; reshape it")
    if 0 in shape:
        raise FileError(f"expected at least one row and one column, got the shape {shape}")
    if dtype.kind not in "biuf":
        raise FileError(f"expected real numbers, got an array of dtype {dtype}; convert it")


def describe_columns(columns: dict[Any, Any]) -> str:
    """Return what to say of columns that do not hold numbers."""
    named = ", ".join(f"{str(name)!r} ({kind})" for name, kind in list(columns.items())[:10])
    return f"expected columns of real numbers, but {named} hold something else; leave them out"


def file_at(path: Path) -> RowFile:
    """Read the header of a Zarr array, a Parquet file, a folder of these, or an NPY file."""
    if path.is_dir() and not any((path / name).is_file() for name in _ZARR_METADATA):
        return _parquet_file(path, _parquet_paths(path))
    if path.is_file() and path.suffix.lower() in _PARQUET:
        return _parquet_file(path, [path])
    with explain_errors(str(path), _EXPECTED):
        if not path.exists():
            raise FileError(
                "expected a file or a folder, but there is none of this name; check the path, or "
                "give a Dask array of what is not on a disk"
            )
        return _array_file(str(path), _open_array(str(path), None), None)


def file_behind(array: np.memmap) -> RowFile:
    """Return the file of a memory map, which may be any view of what is in the file."""
    base: Any = array
    while isinstance(base, np.ndarray):
        base = base.base
    if not isinstance(base, mmap.mmap) or array.filename is None or array.mode == "c":
        raise InputError(
            "X: expected a numpy.memmap of a file with a name, got a copy in memory, a file "
            "without a name or mode 'c'; save the array, and open it with mode 'r'"
        )
    array.flush()
    # array.offset is where the original array began, of which this one may be a view.
    start_of_map = array.offset - array.offset % mmap.ALLOCATIONGRANULARITY
    offset = start_of_map + array.ctypes.data - np.frombuffer(base, np.uint8).ctypes.data
    layout = {"shape": array.shape, "dtype": array.dtype, "offset": offset, "strides": array.strides}
    with explain_errors(str(array.filename), _EXPECTED):
        return _array_file(str(array.filename), array, layout)


def _array_file(path: str, array: Any, layout: _Layout) -> RowFile:
    check_rows(array.shape, array.dtype)
    chunk = getattr(array, "shards", None) or getattr(array, "chunks", array.shape)
    n_whole, rest = divmod(array.shape[0], chunk[0])
    dtype = dtype_to_keep(array.dtype)
    reader = partial(partial, _read_array, (path, layout), array.shape, dtype)
    return RowFile(array.shape, dtype, [chunk[0]] * n_whole + [rest], reader)


def _open_array(path: str, layout: _Layout) -> Any:
    """Open an array without reading its numbers."""
    if layout is not None:
        return np.ndarray(buffer=np.memmap(path, np.uint8, mode="r"), **layout)
    if path.lower().endswith(".npy"):
        return np.lib.format.open_memmap(path, mode="r")  # which, unlike np.load, cannot unpickle
    if Path(path).is_dir():
        zarr = load_optional("zarr", needed_by="reading Zarr", extra="dask")
        found = zarr.open(path, mode="r")
        if isinstance(found, zarr.Group):
            names = ", ".join(sorted(found.array_keys())[:10]) or "none"
            raise FileError(f"expected a Zarr array, got a group with the arrays {names}; give the path of one")
        return found
    raise FileError(
        f"expected a folder or a name that ends in .npy or {', '.join(_PARQUET)}, got "
        f"{Path(path).suffix or 'no suffix'}; write such a file, or give a Dask array"
    )


def _read_array(place: tuple[str, _Layout], shape: tuple[int, int], dtype: np.dtype[Any], *rows: int) -> np.ndarray:
    with explain_errors(place[0], _EXPECTED):
        array = _open_array(*place)
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


def _parquet_file(name: Path, paths: list[Path]) -> RowFile:
    """Read the headers of files with the same columns; ``name`` stands for all of them."""
    names: list[str] = []
    types: set[Any] = set()
    groups: list[tuple[str, int, int]] = []  # path, number in the file, rows
    for path in map(str, paths):
        with explain_errors(path, _EXPECTED):
            file, columns = _open_parquet(path)
            found = [file.schema_arrow.names[k] for k in columns]
            if names and found != names:
                raise FileError(
                    f"expected the columns of {paths[0].name}, {names[:10]}, got {found[:10]}; "
                    "write the same columns in the same order into all files"
                )
            names = found
            types.update(file.schema_arrow.types[k] for k in columns)
            groups += [(path, k, file.metadata.row_group(k).num_rows) for k in range(file.num_row_groups)]
    sizes = [n_rows for _, _, n_rows in groups]
    shape = sum(sizes), len(names)
    dtype = np.dtype(np.float32 if all(kind == "float32" for kind in types) else np.float64)
    with name_file(str(name)):
        check_rows(shape, dtype)
    ends = np.cumsum(sizes)

    def reader(start: int, stop: int) -> Callable[[], np.ndarray]:
        first, last = np.searchsorted(ends, [start, stop - 1], side="right")
        skip = start - int(ends[first] - sizes[first])
        return partial(_read_parquet, groups[first : last + 1], skip, (stop - start, shape[1]), dtype)

    return RowFile(shape, dtype, sizes, reader)


def _open_parquet(path: str) -> tuple[Any, list[int]]:
    """Return the file and the positions of its columns, without those of an index."""
    parquet = load_optional("pyarrow.parquet", needed_by="reading Parquet", extra="parquet")
    from pyarrow.types import is_boolean, is_floating, is_integer

    file = parquet.ParquetFile(path)
    schema = file.schema_arrow
    if GRAPH_METADATA in (schema.metadata or {}):
        raise graph_not_table()
    index = (schema.pandas_metadata or {}).get("index_columns", [])
    columns = [k for k, name in enumerate(schema.names) if name not in index]
    is_number = [is_integer(kind) or is_floating(kind) or is_boolean(kind) for kind in schema.types]
    others = {schema.names[k]: schema.types[k] for k in columns if not is_number[k]}
    if others:
        raise FileError(describe_columns(others))
    return file, columns


def _read_parquet(
    groups: list[tuple[str, int, int]], skip: int, shape: tuple[int, int], dtype: np.dtype[Any]
) -> np.ndarray:
    """Read successive groups of rows, but for the first ``skip`` rows; NaN where nothing is."""
    values = np.empty(shape, dtype)
    at = -skip
    for path, same_file in groupby(groups, key=itemgetter(0)):
        with explain_errors(path, _EXPECTED):
            file, columns = _open_parquet(path)
            _, numbers, sizes = zip(*same_file, strict=True)
            found = [file.metadata.row_group(k).num_rows for k in numbers]
            if found != list(sizes) or len(columns) != shape[1]:
                raise FileError("expected the columns and groups of rows as before, got others")
            for batch in file.iter_batches(batch_size=shape[0], row_groups=numbers):
                first, last = max(0, -at), min(batch.num_rows, shape[0] - at)
                if first < last:
                    rows = batch.slice(first, last - first)
                    for k, column in enumerate(columns):
                        part = rows.column(column).to_numpy(zero_copy_only=False)
                        values[at + first : at + last, k] = part
                at += batch.num_rows
                if at >= shape[0]:
                    break
    return values
