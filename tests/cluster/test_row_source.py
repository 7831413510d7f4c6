import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smoothgraph.cluster import is_distributed
from smoothgraph.cluster.row_source import as_rows
from smoothgraph.io import FileError

da = pytest.importorskip("dask.array")
dd = pytest.importorskip("dask.dataframe")
pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
zarr = pytest.importorskip("zarr")

N_ROWS, N_COLUMNS = 100, 3
ROW_BYTES = 8 * N_COLUMNS


def numbers(dtype=np.float64, n_rows=N_ROWS):
    return np.random.default_rng(0).normal(scale=50, size=(n_rows, N_COLUMNS)).astype(dtype)


def arrow_table(X, **others):
    columns = {f"c{k}": pa.array(X[:, k]) for k in range(X.shape[1])}
    return pa.table(columns | others)


def write_npy(path, X):
    np.save(path.with_suffix(".npy"), X)
    return path.with_suffix(".npy")


def write_fortran_npy(path, X):
    return write_npy(path, np.asfortranarray(X))


def write_zarr(path, X, zarr_format=3, **options):
    array = zarr.create_array(path, shape=X.shape, dtype=X.dtype, chunks=(7, 2), zarr_format=zarr_format, **options)
    array[:] = X
    return path


def write_zarr_2(path, X):
    return write_zarr(path, X, zarr_format=2)


def write_parquet(path, X):
    pq.write_table(arrow_table(X), path.with_suffix(".parquet"), row_group_size=30)
    return path.with_suffix(".parquet")


def write_parquet_folder(path, X):
    """Twelve files, so that part.10 comes after part.9 only in the natural order."""
    path.mkdir()
    for k, part in enumerate(np.array_split(X, 12)):
        pq.write_table(arrow_table(part), path / f"part.{k}.parquet", row_group_size=4)
    return path


def write_memmap(path, X):
    X.tofile(path)
    return np.memmap(path, X.dtype, "r", shape=X.shape)


FILES = [write_npy, write_fortran_npy, write_zarr, write_zarr_2, write_parquet, write_parquet_folder]
KINDS = [*FILES, write_memmap]


def assert_same(found, expected):
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("write", KINDS)
@pytest.mark.parametrize("most_rows", [1, 8, 45, 1000])
def test_every_kind_gives_the_numbers_that_were_written(write, most_rows, tmp_path):
    X = numbers()
    rows = as_rows(write(tmp_path / "x", X), most_bytes=most_rows * ROW_BYTES)
    assert rows.shape == X.shape
    assert len(rows.chunks[1]) == 1
    assert max(rows.chunks[0]) <= most_rows
    assert_same(rows.compute(scheduler="synchronous"), X)


@pytest.mark.parametrize("write", KINDS)
@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.int64, np.uint8, bool])
def test_float32_stays_and_everything_else_becomes_float64(write, dtype, tmp_path):
    X = np.abs(numbers()).astype(dtype)
    rows = as_rows(write(tmp_path / "x", X))
    expected = X.astype(np.float32 if dtype is np.float32 else np.float64)
    assert rows.dtype == expected.dtype
    assert_same(rows.compute(scheduler="synchronous"), expected)


@pytest.mark.parametrize("write", KINDS)
def test_chunks_are_plain_arrays_with_rows_in_one_piece(write, tmp_path):
    rows = as_rows(write(tmp_path / "x", numbers()), most_bytes=20 * ROW_BYTES)
    for chunk in rows.to_delayed().ravel():
        values = chunk.compute(scheduler="synchronous")
        assert values.flags.c_contiguous
        assert type(values) is np.ndarray


@pytest.mark.parametrize("dtype", [">f4", ">f8", ">i2"])
def test_the_other_byte_order_is_turned(dtype, tmp_path):
    X = numbers(dtype)
    native = X.astype(np.float32 if dtype == ">f4" else np.float64)
    assert_same(as_rows(write_npy(tmp_path / "x", X)).compute(), native)
    assert_same(as_rows(write_memmap(tmp_path / "y", X)).compute(), native)


@pytest.mark.parametrize("write", KINDS)
def test_workers_read_files_by_themselves(write, tmp_path, cluster_client, monkeypatch):
    monkeypatch.chdir(tmp_path)
    X = numbers()
    rows = as_rows(write(Path("x"), X), most_bytes=20 * ROW_BYTES)
    assert_same(cluster_client.compute(rows).result(), X)


@pytest.mark.parametrize("write", [write_npy, write_memmap])
def test_nothing_but_names_is_sent_to_workers(write, tmp_path):
    X = numbers(n_rows=50_000)
    rows = as_rows(write(tmp_path / "x", X), most_bytes=10_000 * ROW_BYTES)
    assert len(pickle.dumps(dict(rows.dask))) < X.nbytes / 10


@pytest.mark.parametrize("write", FILES)
def test_a_file_that_is_damaged_later_is_named_by_the_worker(write, tmp_path, cluster_client):
    path = write(tmp_path / "x", numbers())
    rows = as_rows(path, most_bytes=20 * ROW_BYTES)
    for file in [path] if path.is_file() else path.rglob("*"):
        if file.is_file():
            file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    with pytest.raises(FileError, match=f"{path}.* expected a table of real numbers"):
        cluster_client.compute(rows).result()


@pytest.mark.parametrize("write", FILES)
def test_a_file_of_another_shape_later_is_refused(write, tmp_path):
    path = write(tmp_path / "x", numbers())
    rows = as_rows(path, most_bytes=20 * ROW_BYTES)
    if path.is_dir():
        shutil.rmtree(path)
    write(tmp_path / "x", numbers(n_rows=N_ROWS + 12))
    with pytest.raises(FileError, match=f"{path}.* as before"):
        rows.compute(scheduler="synchronous")


def test_a_memmap_whose_file_is_cut_later_is_named(tmp_path):
    rows = as_rows(write_memmap(tmp_path / "x", numbers()))
    (tmp_path / "x").write_bytes(b"short")
    with pytest.raises(FileError, match=f"{tmp_path / 'x'}: expected"):
        rows.compute(scheduler="synchronous")


@pytest.mark.parametrize("write", FILES)
def test_a_file_that_changed_is_read_again_by_the_next_call(write, tmp_path, cluster_client):
    path = write(tmp_path / "x", numbers())
    kept = cluster_client.persist(as_rows(path))
    np.testing.assert_array_equal(cluster_client.compute(kept).result(), numbers())
    if path.is_dir():
        shutil.rmtree(path)
    write(tmp_path / "x", numbers() + 1)
    np.testing.assert_array_equal(cluster_client.compute(as_rows(path)).result(), numbers() + 1)


VIEWS = {
    "rows": lambda X: X[10:],
    "steps": lambda X: X[3::4],
    "backwards": lambda X: X[::-1],
    "columns": lambda X: X[:, 1:],
    "transposed": lambda X: X.T,
    "view of a view": lambda X: X[20:][5:30, ::2],
    "reshaped": lambda X: X.reshape(N_ROWS // 2, -1),
    "repeated": lambda X: np.broadcast_to(X[5], (4, N_COLUMNS), subok=True),
}


@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)
@pytest.mark.parametrize("offset", [0, 24, 5000])
def test_views_of_a_memmap_are_found_in_its_file(view, offset, tmp_path):
    array = np.memmap(tmp_path / "x", np.float64, "w+", offset, (N_ROWS, N_COLUMNS))
    array[:] = numbers()
    rows = as_rows(view(array), most_bytes=1000)
    assert_same(rows.compute(scheduler="synchronous"), np.array(view(numbers())))


@pytest.mark.parametrize(
    "copied",
    [
        lambda path: np.memmap(path, np.float64, "r", shape=(N_ROWS, N_COLUMNS)).copy(),
        lambda path: np.memmap(path, np.float64, "c", shape=(N_ROWS, N_COLUMNS)),
    ],
)
def test_numbers_that_are_not_in_the_file_are_refused(copied, tmp_path):
    write_memmap(tmp_path / "x", numbers())
    with pytest.raises(ValueError, match=r"expected a numpy\.memmap of a file"):
        as_rows(copied(tmp_path / "x"))


@settings(max_examples=40)
@given(
    st.lists(st.integers(0, 40), min_size=1, max_size=30).filter(any),
    st.lists(st.integers(1, 3), min_size=1, max_size=4),
    st.integers(1, 20_000),
)
def test_chunks_of_a_dask_array_keep_its_numbers_and_the_bound(sizes, widths, most_bytes):
    shape = sum(sizes), sum(widths)
    X = np.arange(np.prod(shape), dtype=np.float64).reshape(shape)
    rows = as_rows(da.from_array(X, chunks=(tuple(sizes), tuple(widths))), most_bytes=most_bytes)
    np.testing.assert_array_equal(rows.compute(scheduler="synchronous"), X)
    assert rows.chunks[1] == (shape[1],)
    most_rows = max(1, most_bytes // (8 * shape[1]))
    assert max(rows.chunks[0]) <= most_rows
    if max(sizes) <= most_rows:
        assert rows.chunks[0] == tuple(size for size in sizes if size)


@pytest.mark.parametrize("pattern", [(1,), (1, 50), (0, 30, 1, 2, 2, 49)])
def test_very_many_small_chunks_are_joined(pattern):
    sizes = pattern * (10_000 // len(pattern))
    rows = as_rows(da.zeros((sum(sizes), 2), chunks=(sizes, 2)))
    assert sum(rows.chunks[0]) == sum(sizes)
    assert len(rows.chunks[0]) <= 4097


def test_joined_chunks_are_small_enough():
    rows = as_rows(da.zeros((20_000, 2), chunks=(1, 2)), most_bytes=3 * 16)
    assert max(rows.chunks[0]) == 3


def test_unknown_chunk_sizes_are_computed_in_a_copy():
    X = numbers()
    unknown = da.from_array(X, chunks=(30, 2))
    unknown = unknown[unknown[:, 0] > 0]
    rows = as_rows(unknown)
    assert_same(rows.compute(), X[X[:, 0] > 0])
    assert np.isnan(unknown.shape[0])


def test_a_dask_array_is_not_computed():
    def explode(block):
        raise AssertionError("computed")

    rows = as_rows(da.zeros((10, 2), chunks=2).map_blocks(explode, dtype=np.float64))
    assert rows.shape == (10, 2)
    with pytest.raises(AssertionError, match="computed"):
        rows.compute(scheduler="synchronous")


def frame_of_all_kinds():
    return pd.DataFrame(
        {
            "float": [0.5, np.nan, 2.0],
            "integer": [2**40, -1, 0],
            "truth": [True, False, True],
            "nullable": pd.array([1, None, 3], dtype="Int64"),
            "nullable truth": pd.array([None, True, False], dtype="boolean"),
            "arrow": pd.array([None, 2, 3], dtype="int32[pyarrow]"),
        },
        index=["u", "v", "w"],
    )


FRAME_NUMBERS = [[0.5, 2.0**40, 1, 1, np.nan, np.nan], [np.nan, -1, 0, np.nan, 1, 2], [2, 0, 1, 3, 0, 3]]


def test_a_dask_dataframe_gives_its_numbers():
    rows = as_rows(dd.from_pandas(frame_of_all_kinds(), npartitions=2))
    assert_same(rows.compute(scheduler="synchronous"), np.array(FRAME_NUMBERS))


def test_parquet_has_nan_where_nothing_is_and_leaves_out_the_index(tmp_path):
    frame_of_all_kinds().to_parquet(tmp_path / "x.parquet")
    rows = as_rows(tmp_path / "x.parquet")
    assert_same(rows.compute(scheduler="synchronous"), np.array(FRAME_NUMBERS))


def test_what_dask_writes_as_parquet_comes_back(tmp_path):
    X = numbers(np.float32)
    frame = dd.from_pandas(pd.DataFrame(X, columns=["a", "b", "c"]), npartitions=11)
    assert_same(as_rows(frame).compute(scheduler="synchronous"), X)
    frame.to_parquet(tmp_path / "x")
    assert_same(as_rows(tmp_path / "x").compute(scheduler="synchronous"), X)


def test_one_column_of_another_type_makes_parquet_float64(tmp_path):
    X = numbers(np.float32)
    path = write_parquet_folder(tmp_path / "x", X)
    last = np.array_split(X, 12)[-1]
    pq.write_table(arrow_table(last.astype(np.int16)), path / "part.11.parquet")
    expected = X.astype(np.float64)
    expected[-len(last) :] = last.astype(np.int16)
    assert_same(as_rows(path).compute(scheduler="synchronous"), expected)


def test_shards_of_zarr_are_read_whole(tmp_path):
    path = write_zarr(tmp_path / "x", numbers(), shards=(28, 4))
    rows = as_rows(path)
    assert rows.chunks[0] == (28, 28, 28, 16)
    assert_same(rows.compute(scheduler="synchronous"), numbers())


@pytest.mark.parametrize("write", FILES)
def test_no_rows_are_refused(write, tmp_path):
    with pytest.raises(FileError, match=r"x.*: expected at least one row"):
        as_rows(write(tmp_path / "x", numbers()[:0]))


@pytest.mark.parametrize("write", [write_npy, write_zarr, write_memmap])
def test_complex_numbers_are_refused_with_their_dtype(write, tmp_path):
    with pytest.raises(FileError, match=r"x.*: expected real numbers, got .* complex128"):
        as_rows(write(tmp_path / "x", numbers().astype(complex)))


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (np.arange(3.0), r"expected a table .*shape \(3,\)"),
        (np.zeros((2, 3, 4)), r"expected a table .*shape \(2, 3, 4\)"),
        (np.zeros((3, 0)), "expected at least one row and one column"),
        (np.array([["a"]]), "expected real numbers, got .* <U1"),
        (np.zeros((2, 2), "M8[s]"), "expected real numbers, got .* datetime64"),
        (np.zeros((2, 2), [("a", float)]), r"expected real numbers, got .*\[\('a', '<f8'\)\]"),
        (np.array([[1, None]]), "Python objects in dtype"),
    ],
)
def test_other_arrays_in_npy_files_are_refused(array, message, tmp_path):
    np.save(tmp_path / "x.npy", array)
    with pytest.raises(FileError, match=rf"x\.npy: .*{message}"):
        as_rows(tmp_path / "x.npy")


class Unpickled:
    def __reduce__(self):
        return os.mkdir, ("unpickled",)


def test_nothing_is_unpickled(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    np.save("x.npy", np.array([[Unpickled()]], dtype=object), allow_pickle=True)
    Path("y.npy").write_bytes(pickle.dumps(Unpickled()))
    for name in ("x.npy", "y.npy"):
        with pytest.raises(FileError, match=name):
            as_rows(name)
    assert not Path("unpickled").exists()


@pytest.mark.parametrize("write", [write_npy, write_parquet])
def test_a_file_cut_before_is_refused_at_once(write, tmp_path):
    path = write(tmp_path / "x", numbers())
    path.write_bytes(path.read_bytes()[:-50])
    with pytest.raises(FileError, match=f"{path}: expected a table of real numbers"):
        as_rows(path)


def test_paths_that_lead_nowhere(tmp_path):
    with pytest.raises(FileError, match=r"none\.zarr: .* none of this name"):
        as_rows(tmp_path / "none.zarr")
    with pytest.raises(FileError, match=f"{tmp_path}: expected a Zarr array or files"):
        as_rows(tmp_path)
    (tmp_path / "x.csv").write_text("1,2")
    with pytest.raises(FileError, match=r"x\.csv: expected a folder or a name that ends in .npy"):
        as_rows(tmp_path / "x.csv")
    group = zarr.create_group(tmp_path / "group")
    group.create_array("cells", data=np.ones((3, 2)))
    with pytest.raises(FileError, match=r"group: expected a Zarr array.*the arrays cells; give the"):
        as_rows(tmp_path / "group")


def test_parquet_columns_without_numbers_are_named(tmp_path):
    X = numbers()
    others = {
        "name": pa.array(["a"] * N_ROWS),
        "day": pa.array(pd.date_range("2020", periods=N_ROWS, tz="UTC")),
        "list": pa.array([[1.0]] * N_ROWS),
    }
    pq.write_table(arrow_table(X, **others), tmp_path / "x.parquet")
    with pytest.raises(FileError, match=r"x.parquet: .*'name' \(string\), 'day' .*, 'list' "):
        as_rows(tmp_path / "x.parquet")


@pytest.mark.parametrize("change", [{"c3": np.zeros(4)}, {"c1": ["a", "b", "c", "d"]}])
def test_parquet_files_of_other_columns_are_named(change, tmp_path):
    path = write_parquet_folder(tmp_path / "x", numbers())
    frame = pd.DataFrame(numbers()[:4], columns=["c0", "c1", "c2"]).assign(**change)
    frame.to_parquet(path / "part.3.parquet")
    with pytest.raises(FileError, match=r"part\.3\.parquet: expected .*columns"):
        as_rows(path)


def test_a_graph_is_no_table(tmp_path):
    import scipy.sparse as sp

    from smoothgraph.io import GraphFile, write_graph

    write_graph(tmp_path / "x.parquet", GraphFile(sp.csr_array([[0.0, 1], [1, 0]])))
    with pytest.raises(FileError, match=r"x\.parquet: .*holds a graph"):
        as_rows(tmp_path / "x.parquet")


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (lambda: np.zeros((3, 2)), "expected a Dask array.* got numpy.ndarray"),
        (lambda: da.zeros(3), r"shape \(3,\)"),
        (lambda: da.zeros((3, 2), dtype=complex), "complex128"),
        (lambda: da.from_array(np.array([["a", "b"]])), "<U1"),
        (lambda: da.from_array(np.array([[1, None]], dtype=object), chunks=-1), "object"),
        (lambda: da.zeros((0, 2)), "at least one row"),
        (lambda: da.ma.masked_equal(da.zeros((3, 2)), 1), "MaskedArray"),
        (lambda: dd.from_pandas(pd.DataFrame({"x": [1], "t": ["a"]})), r"'t' \(string\)"),
        (lambda: dd.from_pandas(pd.DataFrame({"x": [1], "z": [1j]})), r"'z' \(complex128\)"),
        (lambda: dd.from_pandas(pd.Series([1.0])), "Series; use its to_frame"),
        (lambda: dd.from_pandas(pd.DataFrame({"x": [1.0]})).loc[5:], "at least one row"),
        (lambda: da.zeros((3, 2)).to_delayed()[0, 0], "got dask.delayed.Delayed"),
    ],
)
def test_other_sources_are_refused(source, message):
    with pytest.raises(ValueError, match=f"X: .*{message}"):
        as_rows(source())


def test_what_is_distributed(tmp_path):
    assert is_distributed(da.zeros((3, 2)))
    assert is_distributed(dd.from_pandas(pd.DataFrame({"x": [1.0]})))
    assert is_distributed("x.npy")
    assert is_distributed(Path("x.npy"))
    for other in (np.zeros((3, 2)), [[1.0]], pd.DataFrame({"x": [1.0]}), None):
        assert not is_distributed(other)
    assert not is_distributed(write_memmap(tmp_path / "x", numbers()))


def test_dask_is_not_imported_to_see_what_is_distributed():
    program = (
        "import sys, numpy; from smoothgraph.cluster.row_source import is_distributed; "
        "assert not is_distributed(numpy.zeros((3, 2))); "
        "assert not {'dask', 'distributed', 'zarr', 'pyarrow'} & sys.modules.keys()"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
