"""Graphs in parts come back as one, and parts that do not fit together are refused."""

import shutil

import numpy as np
import pytest
from command_line import succeeds, summary
from hypothesis import given, settings
from hypothesis import strategies as st

from smoothgraph.io import FileError, read_graph
from smoothgraph.io.atomic import atomic_folder
from smoothgraph.io.file_format import PARTS_FORMATS
from smoothgraph.io.graph_file import Edges

KINDS = pytest.mark.parametrize("kind", sorted(PARTS_FORMATS))
# Node 4 is isolated; each part may hold edges of any nodes.
PARTS = [
    Edges(np.array([0, 0]), np.array([1, 3]), np.array([0.1 + 0.2, 5e-324])),
    Edges(np.array([], dtype=int), np.array([], dtype=int), np.array([])),
    Edges(np.array([1]), np.array([2]), np.array([1e300])),
]


def write(folder, kind, parts=PARTS, *, graph="this", n_nodes=5):
    folder.mkdir(parents=True)
    common = {"graph": graph, "n_nodes": n_nodes, "info": {"seed": 3}}
    writer = PARTS_FORMATS[kind]
    for number, edges in enumerate(parts):
        writer.write_part(writer.part_path(folder, number), edges, common | {"part": number})
    counts = [len(edges.weight) for edges in parts]
    writer.write_common(folder, common | {"edges_of_parts": counts})
    return folder


def part(folder, kind, number):
    return PARTS_FORMATS[kind].part_path(folder, number)


def remove(path):
    shutil.rmtree(path) if path.is_dir() else path.unlink()


@KINDS
def test_parts_come_back_as_one_graph(kind, tmp_path):
    graph = read_graph(write(tmp_path / "graph", kind))
    W = np.zeros((5, 5))
    for edges in PARTS:
        W[edges.source, edges.target] = W[edges.target, edges.source] = edges.weight
    np.testing.assert_array_equal(graph.adjacency.toarray(), W)
    assert graph.info == {"seed": 3}
    assert graph.names is None


@KINDS
@settings(max_examples=15)
@given(
    weights=st.lists(st.floats(min_value=0, exclude_min=True, allow_infinity=False), min_size=1, max_size=10),
    cuts=st.sets(st.integers(0, 9), max_size=4),
)
def test_how_the_edges_were_divided_does_not_matter(kind, tmp_path_factory, weights, cuts):
    low, high = np.triu_indices(5, k=1)
    edges = Edges(low[: len(weights)], high[: len(weights)], np.array(weights))
    columns = [np.split(column, sorted(cut for cut in cuts)) for column in edges]
    parts = [Edges(*columns) for columns in zip(*columns, strict=True)]
    base = tmp_path_factory.mktemp("parts")
    whole, divided = write(base / "whole", kind, [edges]), write(base / "divided", kind, parts)
    assert (read_graph(whole).adjacency != read_graph(divided).adjacency).nnz == 0
    assert read_graph(divided).adjacency.nnz == 2 * len(weights)
    shutil.rmtree(base)


@KINDS
def test_a_folder_without_its_common_file_is_incomplete(kind, tmp_path):
    folder = write(tmp_path / "graph", kind)
    (folder / PARTS_FORMATS[kind].common_file).unlink()
    with pytest.raises(FileError, match=r"graph: expected a file, got a folder.*write the graph"):
        read_graph(folder)


@KINDS
@pytest.mark.parametrize("number", [0, 2])
def test_a_missing_part_is_named(kind, number, tmp_path):
    folder = write(tmp_path / "graph", kind)
    remove(part(folder, kind, number))
    with pytest.raises(FileError, match=f"expected 3 parts, but part-0000{number}.* is missing"):
        read_graph(folder)


@KINDS
def test_an_extra_part_is_named(kind, tmp_path):
    folder = write(tmp_path / "graph", kind)
    other = write(tmp_path / "other", kind, [*PARTS, PARTS[0]], graph="other")
    part(other, kind, 3).rename(part(folder, kind, 3))
    with pytest.raises(FileError, match=r"expected 3 parts, but part-00003.* is there, too"):
        read_graph(folder)


@KINDS
def test_a_part_of_another_graph_is_refused(kind, tmp_path):
    folder, other = write(tmp_path / "graph", kind), write(tmp_path / "other", kind, graph="other")
    remove(part(folder, kind, 2))
    part(other, kind, 2).rename(part(folder, kind, 2))
    with pytest.raises(FileError, match=r"part-00002.*expected part 2 of the graph in this folder"):
        read_graph(folder)


@KINDS
def test_another_part_of_the_same_graph_is_refused(kind, tmp_path):
    folder = write(tmp_path / "graph", kind)
    remove(part(folder, kind, 2))
    copy = shutil.copytree if kind == "zarr" else shutil.copy
    copy(part(folder, kind, 0), part(folder, kind, 2))
    with pytest.raises(FileError, match=r"part-00002.*expected part 2 of the graph in this folder"):
        read_graph(folder)


@KINDS
def test_a_part_with_fewer_edges_is_refused(kind, tmp_path):
    folder = write(tmp_path / "graph", kind)
    about = {"graph": "this", "n_nodes": 5, "info": {}, "part": 0}
    fewer = Edges(*(column[:1] for column in PARTS[0]))
    PARTS_FORMATS[kind].write_part(part(folder, kind, 0), fewer, about)
    with pytest.raises(FileError, match=r"part-00000.*expected 2 edges, got 1"):
        read_graph(folder)


def test_a_truncated_parquet_part_is_named(tmp_path):
    folder = write(tmp_path / "graph", "parquet")
    path = part(folder, "parquet", 0)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(FileError, match=r"part-00000\.parquet: expected a part of a graph"):
        read_graph(folder)


@pytest.mark.parametrize("array", Edges._fields)
def test_a_lost_chunk_of_zarr_is_not_taken_for_zeros(array, tmp_path):
    folder = write(tmp_path / "graph", "zarr")
    remove(folder / "part-00002" / array / "c")
    with pytest.raises(FileError, match="row 3: expected"):
        read_graph(folder)


@KINDS
@pytest.mark.parametrize("text", ["", "[]", "{}", "{"])
def test_a_damaged_folder_is_refused(kind, text, tmp_path):
    folder = write(tmp_path / "graph", kind)
    (folder / PARTS_FORMATS[kind].common_file).write_text(text)
    with pytest.raises(FileError, match=r"graph: expected"):
        read_graph(folder)


def test_a_common_file_of_another_format(tmp_path):
    folder = write(tmp_path / "graph", "parquet")
    (folder / "zarr.json").write_text("{}")  # which means nothing here
    assert read_graph(folder).adjacency.shape == (5, 5)
    folder = write(tmp_path / "other", "zarr")
    (folder / "_graph.json").write_text("{}")
    with pytest.raises(FileError, match=r"other: expected a graph in parts"):
        read_graph(folder)


def test_a_folder_of_another_format_than_asked_for_is_refused(tmp_path):
    folder = write(tmp_path / "graph", "parquet")
    assert read_graph(folder, format="parquet").adjacency.nnz == 6
    with pytest.raises(FileError, match="expected a graph in csv, got parts in parquet"):
        read_graph(folder, format="csv")


@KINDS
def test_the_command_line_reads_parts(kind, tmp_path):
    folder = write(tmp_path / "graph", kind)
    facts = summary("info", folder)
    assert (facts["nodes"], facts["edges"], facts["isolated_nodes"]) == (5, 3, 1)
    assert facts["seed"] == 3
    succeeds("convert", folder, tmp_path / "graph.npz")
    again = read_graph(tmp_path / "graph.npz").adjacency
    assert (again != read_graph(folder).adjacency).nnz == 0


@pytest.mark.parametrize("kind", [RuntimeError, KeyboardInterrupt])
def test_a_folder_that_fails_leaves_nothing(kind, tmp_path):
    def fail():
        with atomic_folder(tmp_path / "graph") as temporary:
            (temporary / "half").write_text("half")
            raise kind("stopped")

    with pytest.raises(kind, match="stopped"):
        fail()
    assert list(tmp_path.iterdir()) == []


def test_a_folder_made_in_the_meantime_is_not_replaced(tmp_path):
    def write_slowly():
        with atomic_folder(tmp_path / "graph") as temporary:
            (temporary / "half").write_text("half")
            (tmp_path / "graph").mkdir()

    with pytest.raises(FileExistsError, match="graph: expected a name that is free"):
        write_slowly()
    assert list(tmp_path.rglob("*")) == [tmp_path / "graph"]
