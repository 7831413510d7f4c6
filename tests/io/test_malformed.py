"""Whatever is wrong with a file, reading it raises a FileError, which says what it is."""

import h5py
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import scipy.sparse as sp
from malformed import (
    GRAPH_CAUSES,
    GRAPH_REASONS_OF_OTHERS,
    TABLE_CAUSES,
    TABLE_REASONS_OF_OTHERS,
    good_graphs,
    good_tables,
    graphs_by_hand,
    malformed_graphs,
    malformed_tables,
    tables_by_hand,
)

from smoothgraph.io import FileError, read_graph, read_table

GENERAL = "but it cannot be read as one ("  # and then what another library says


@pytest.mark.parametrize(("files_in", "read"), [(malformed_tables, read_table), (malformed_graphs, read_graph)])
def test_malformed_files_raise_a_file_error_that_names_the_file(files_in, read, tmp_path):
    files = files_in(tmp_path)
    assert len(files) >= 200
    surprises = {label: surprise(read, path) for label, path in files}
    assert {label: what for label, what in surprises.items() if what} == {}


def surprise(read, path):
    """Return what went wrong, or None if a FileError names the file."""
    try:
        found = read(path)
    except FileError as error:
        proper = str(error).startswith(f"{path}: ") and "expected" in str(error)
        return None if proper else str(error)
    return f"it was read: {found}"


@pytest.fixture(params=["tables", "graphs"])
def told(request, tmp_path):
    """What is said of each file with one fault, the phrases that must be in it, and those of other libraries."""
    if request.param == "tables":
        files, read, causes, reasons = tables_by_hand(), read_table, TABLE_CAUSES, TABLE_REASONS_OF_OTHERS
    else:
        files, read = graphs_by_hand(good_graphs(tmp_path)), read_graph
        causes, reasons = GRAPH_CAUSES, GRAPH_REASONS_OF_OTHERS
    messages = {}
    for label, data in files.items():
        (tmp_path / label).write_bytes(data)
        with pytest.raises(FileError) as caught:
            read(tmp_path / label)
        messages[label] = str(caught.value)
    return messages, causes, reasons


def test_the_message_says_what_is_wrong_and_where(told):
    messages, causes, reasons = told
    expected = causes | reasons
    assert {label: messages[label] for label, phrase in expected.items() if phrase not in messages[label]} == {}


def test_only_damage_that_other_libraries_find_gets_a_general_message(told):
    messages, _, reasons = told
    assert {label for label, message in messages.items() if GENERAL in message} == {*reasons}


def test_the_good_files_can_be_read(tmp_path):
    for files, read in ((good_tables(), read_table), (good_graphs(tmp_path), read_graph)):
        for name, data in files.items():
            (tmp_path / name).write_bytes(data)
            read(tmp_path / name)


SHAPES = [3, np.array([2.0, 2.0]), np.array([2]), np.array([[2, 2]])]


@pytest.mark.parametrize("shape", SHAPES)
def test_the_shape_of_a_sparse_matrix_is_two_whole_numbers(shape, tmp_path):
    W = sp.eye_array(2, format="csr")
    parts = {"format": b"csr", "data": W.data, "indices": W.indices, "indptr": W.indptr, "shape": shape}
    np.savez(tmp_path / "table.npz", **parts)
    with h5py.File(tmp_path / "table.h5ad", "w") as root:
        for name in ("data", "indices", "indptr"):
            root[f"X/{name}"] = parts[name]
        root["X"].attrs.update({"encoding-type": "csr_matrix", "shape": shape})
    for path in sorted(tmp_path.iterdir()):
        with pytest.raises(FileError, match="expected a shape of two whole numbers"):
            read_table(path)


@pytest.mark.parametrize("about", ["[1]", "3", '{"names": 3}', '{"names": null, "info": [1]}', '{"n_nodes": "3"}'])
@pytest.mark.parametrize("suffix", ["mtx", "parquet"])
def test_names_and_info_of_another_type_are_damage(about, suffix, tmp_path):
    path = tmp_path / f"graph.{suffix}"
    if suffix == "mtx":
        if "n_nodes" in about:
            about = '{"names": {}}'
        path.write_text(f"%%MatrixMarket matrix coordinate real symmetric\n%smoothgraph:{about}\n2 2 1\n2 1 1.0\n")
    else:
        edges = pa.table({"source": [0], "target": [1], "weight": [1.0]})
        pq.write_table(edges.replace_schema_metadata({b"smoothgraph": about}), path)
    with pytest.raises(FileError, match="the file is damaged"):
        read_graph(path)


def test_weights_that_are_no_numbers_are_damage_in_a_graph_of_this_package(tmp_path):
    edges = pa.table({"source": [0], "target": [1], "weight": ["x"]})
    about = b'{"n_nodes": 2, "names": null, "info": {}}'
    pq.write_table(edges.replace_schema_metadata({b"smoothgraph": about}), tmp_path / "graph.parquet")
    with pytest.raises(FileError, match="expected numbers in the column weight"):
        read_graph(tmp_path / "graph.parquet")


def test_a_number_of_nodes_that_no_edges_explain_is_refused_before_memory_is_taken(tmp_path):
    edges = pa.table({"source": [0], "target": [1], "weight": [1.0]})
    about = b'{"n_nodes": 10000000000, "names": null, "info": {}}'
    pq.write_table(edges.replace_schema_metadata({b"smoothgraph": about}), tmp_path / "graph.parquet")
    with pytest.raises(FileError, match="with only 1 value"):
        read_graph(tmp_path / "graph.parquet")


def test_characters_beyond_unicode_are_no_names(tmp_path):
    names = np.array([0x6E616E65, 0x20, 0x61, 0x62], dtype=np.uint32).view("U2")
    W = sp.csr_array(np.array([[0.0, 1.0], [1.0, 0.0]]))
    np.savez(
        tmp_path / "graph.npz",
        format=b"csr",
        data=W.data,
        indices=W.indices,
        indptr=W.indptr,
        shape=[2, 2],
        names=names,
    )
    with pytest.raises(FileError, match="node 0: expected a name"):
        read_graph(tmp_path / "graph.npz")
