"""Sources of files, their formats, and the packages that reading them needs."""

import io
import os
import subprocess
import sys
import threading

import numpy as np
import pytest

from smoothgraph.io import GRAPH_FORMATS, TABLE_FORMATS, FileError, read_graph, read_table, write_graph
from smoothgraph.io.file_format import PARTS_FORMATS


def test_importing_loads_nothing_heavy():
    code = (
        "import sys, smoothgraph.io; heavy = {'pandas', 'h5py', 'pyarrow', 'networkx', 'sklearn'};"
        "sys.exit(str(heavy & set(sys.modules)) if heavy & set(sys.modules) else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_formats():
    assert set(TABLE_FORMATS) >= {"csv", "tsv", "parquet", "npy", "npz", "mtx", "hdf5", "h5ad", "xlsx", "netcdf"}
    assert set(GRAPH_FORMATS) >= {"csv", "tsv", "graphml", "gexf", "npz", "mtx", "parquet"}
    assert set(PARTS_FORMATS) >= {"parquet", "zarr"}


def give_standard_input(monkeypatch, data):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


def test_standard_input_is_csv(monkeypatch):
    give_standard_input(monkeypatch, b"a,b\n1,2\n")
    assert read_table("-").values.tolist() == [[1, 2]]
    give_standard_input(monkeypatch, b"a,b,2.5\n")
    assert read_graph("-").names == ["a", "b"]


@pytest.mark.parametrize("kind", ["npy", "npz", "hdf5"])
def test_standard_input_of_another_format(kind, monkeypatch, rng):
    h5py = pytest.importorskip("h5py")
    X, file = rng.normal(size=(3, 2)), io.BytesIO()
    if kind == "hdf5":
        with h5py.File(file, "w") as root:
            root["X"] = X
    else:
        {"npy": np.save, "npz": np.savez}[kind](file, X)
    give_standard_input(monkeypatch, file.getvalue())
    np.testing.assert_array_equal(read_table("-", format=kind).values, X)


def test_errors_name_standard_input(monkeypatch):
    give_standard_input(monkeypatch, b"a,b\n1\n")
    with pytest.raises(FileError, match=r"^standard input: row 2: expected 2 fields"):
        read_table("-")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_read(tmp_path):
    file = io.BytesIO()
    np.save(file, np.eye(3))
    os.mkfifo(tmp_path / "pipe.npy")
    writer = threading.Thread(target=(tmp_path / "pipe.npy").write_bytes, args=[file.getvalue()])
    writer.start()
    np.testing.assert_array_equal(read_table(tmp_path / "pipe.npy").values, np.eye(3))
    writer.join()


def test_suffixes_in_capitals_and_paths_as_text(tmp_path):
    (tmp_path / "TABLE.CSV").write_text("a\n1\n")
    assert read_table(str(tmp_path / "TABLE.CSV")).values.tolist() == [[1]]


def test_a_format_overrides_the_suffix(tmp_path):
    (tmp_path / "table.txt").write_text("a\tb\n1\t2\n")
    assert read_table(tmp_path / "table.txt", format="tsv").values.tolist() == [[1, 2]]
    (tmp_path / "edges.txt").write_text("a\tb\n")
    assert read_graph(tmp_path / "edges.txt", format="tsv").names == ["a", "b"]


@pytest.mark.parametrize("read", [read_table, read_graph])
def test_missing_files_folders_and_unknown_formats_are_refused(read, tmp_path):
    with pytest.raises(FileError, match=r"gone\.csv: expected a file, but it does not exist"):
        read(tmp_path / "gone.csv")
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(FileError, match=r"folder\.csv: expected a file, got a folder"):
        read(tmp_path / "folder.csv")
    with pytest.raises(FileError, match=r"\.txt: expected a name that ends in \.csv, .*got \.txt"):
        read(tmp_path / "table.txt")
    with pytest.raises(FileError, match=r"expected one of the formats csv, .*got 'xls'"):
        read(tmp_path / "table.csv", format="xls")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read all")
def test_an_unreadable_file_is_refused(tmp_path):
    (tmp_path / "secret.csv").write_text("a\n1\n")
    (tmp_path / "secret.csv").chmod(0)
    with pytest.raises(FileError, match="permission is denied"):
        read_table(tmp_path / "secret.csv")


@pytest.mark.parametrize("suffix", ["graphml", "gexf"])
def test_a_graph_file_is_not_a_table(suffix, tmp_path):
    write_graph(tmp_path / f"graph.{suffix}", np.ones((2, 2)))
    with pytest.raises(FileError, match=r"holds a graph; .* read it with read_graph"):
        read_table(tmp_path / f"graph.{suffix}")


@pytest.mark.parametrize(
    ("module", "name", "hint"),
    [
        ("h5py", "table.h5", r"reading HDF5 needs h5py: pip install 'smoothgraph\[hdf5\]'"),
        ("h5py", "table.h5ad", r"reading HDF5 needs h5py: pip install 'smoothgraph\[hdf5\]'"),
        ("pyarrow.parquet", "t.parquet", r"reading Parquet needs pyarrow.*smoothgraph\[parquet\]"),
        ("openpyxl", "table.xlsx", r"reading Excel needs openpyxl: pip install 'smoothgraph\[excel\]'"),
        ("xarray", "table.nc", r"reading NetCDF needs xarray: pip install 'smoothgraph\[netcdf\]'"),
        ("pandas", "table.csv", r"reading CSV and TSV needs pandas: pip.*smoothgraph\[pandas\]"),
    ],
)
def test_a_missing_package_is_named_with_its_remedy(module, name, hint, monkeypatch, tmp_path):
    (tmp_path / name).write_bytes(b"1,2\n")
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ImportError, match=hint):
        read_table(tmp_path / name)


@pytest.mark.parametrize("suffix", ["graphml", "gexf"])
def test_a_missing_networkx_is_named_with_its_remedy(suffix, monkeypatch, tmp_path):
    write_graph(tmp_path / f"graph.{suffix}", np.ones((2, 2)))
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(ImportError, match=r"reading G.* needs networkx: pip .*smoothgraph\[networkx\]"):
        read_graph(tmp_path / f"graph.{suffix}")
    with pytest.raises(ImportError, match=r"writing G.* needs networkx: pip .*smoothgraph\[networkx\]"):
        write_graph(tmp_path / f"other.{suffix}", np.ones((2, 2)))


def test_numpy_and_scipy_suffice_for_arrays_and_graphs(tmp_path):
    """Graphs are written as CSV, too, but not read, because pandas parses them."""
    code = f"""
import sys
for blocked in ("pandas", "pyarrow", "h5py", "networkx", "zarr"):
    sys.modules[blocked] = None
import numpy as np
from smoothgraph.io import read_graph, read_table, write_graph
for suffix in ("npz", "mtx"):
    path = f"{tmp_path}/graph.{{suffix}}"
    write_graph(path, np.ones((2, 2)), names=["a", "b"])
    assert read_graph(path).names == ["a", "b"]
write_graph("{tmp_path}/graph.csv", np.ones((2, 2)))
np.save("{tmp_path}/table.npy", np.eye(2))
assert read_table("{tmp_path}/table.npy").values.tolist() == [[1, 0], [0, 1]]
"""
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_key_is_for_files_of_several_arrays(tmp_path):
    (tmp_path / "table.csv").write_text("a\n1\n")
    with pytest.raises(FileError, match="expected a key only for xlsx or hdf5 or h5ad or netcdf or npz"):
        read_table(tmp_path / "table.csv", key="X")


@pytest.mark.parametrize("suffix", GRAPH_FORMATS)
def test_a_graph_that_we_wrote_is_not_taken_for_a_table(tmp_path, suffix):
    path = tmp_path / f"graph.{suffix}"
    write_graph(path, np.ones((4, 4)) - np.eye(4), names=["a", "b", "c", "d"])
    with pytest.raises(FileError, match="holds a graph"):
        read_table(path)


def test_a_folder_is_called_a_folder(tmp_path):
    with pytest.raises(FileError, match="got a folder"):
        read_table(tmp_path)
