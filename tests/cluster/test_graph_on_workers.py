"""What workers write of a learned graph is that graph."""

import os
import signal
from functools import partial

import numpy as np
import pandas as pd
import pytest

from smoothgraph import LogDegreeGraph, density_path
from smoothgraph.cluster.graph_on_workers import write_part
from smoothgraph.io import FileError, read_graph


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    path = tmp_path_factory.mktemp("rows") / "rows.npy"
    np.save(path, np.random.default_rng(0).normal(size=(1500, 3)))
    return path


@pytest.fixture(scope="module")
def learned(cluster_client, rows):
    with cluster_client.as_current():
        return LogDegreeGraph(6).fit(rows)


def write(learned, folder, kind, **options):
    writers = {"parquet": learned.graph_.to_parquet, "zarr": learned.graph_.to_zarr}
    writers[kind](folder, **options)


def assert_same(read, expected):
    assert (read != expected).nnz == 0
    assert read.nnz == expected.nnz


@pytest.mark.parametrize("kind", ["parquet", "zarr"])
def test_what_is_written_is_the_graph(kind, learned, tmp_path):
    folder = tmp_path / "new" / f"graph.{kind}"
    write(learned, folder, kind, info={"seed": np.int64(3), "gap": np.inf})
    graph = read_graph(folder)
    assert_same(graph.adjacency, learned.adjacency_)
    assert graph.info == {"seed": 3, "gap": np.inf}
    assert graph.names is None
    assert len(list(folder.glob("part-*"))) == learned.graph_.n_parts == 2
    assert list(folder.parent.iterdir()) == [folder]


def test_others_read_the_parquet_parts_as_one_table_of_edges(learned, tmp_path):
    write(learned, tmp_path / "graph.parquet", "parquet")
    edges = pd.read_parquet(tmp_path / "graph.parquet")
    assert list(edges.columns) == ["source", "target", "weight"]
    assert (edges["source"] < edges["target"]).all()
    assert not edges.duplicated(["source", "target"]).any()
    W = learned.adjacency_
    np.testing.assert_array_equal(W[edges["source"], edges["target"]], edges["weight"])
    assert len(edges) == learned.graph_.n_edges == W.nnz // 2


def test_a_part_knows_of_how_many_nodes_the_graph_is(learned, tmp_path):
    write(learned, tmp_path / "graph", "parquet")
    part = read_graph(tmp_path / "graph" / "part-00001.parquet")
    assert part.adjacency.shape == (1500, 1500)
    assert 0 < part.adjacency.nnz < learned.adjacency_.nnz


@pytest.mark.parametrize("kind", ["parquet", "zarr"])
def test_what_exists_is_not_replaced(kind, learned, tmp_path):
    target = tmp_path / "taken"
    target.write_text("old")
    with pytest.raises(FileExistsError, match="taken: expected a name that is free"):
        write(learned, target, kind)
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("kind", ["parquet", "zarr"])
def test_a_relative_path_is_that_of_the_client(kind, learned, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(learned, "graph", kind)
    assert_same(read_graph(tmp_path / "graph").adjacency, learned.adjacency_)


def test_what_was_solved_since_does_not_change_what_is_written(cluster_client, rows, tmp_path):
    with cluster_client.as_current():
        sparse, dense = density_path(rows, [3, 6])
    write(sparse, tmp_path / "graph", "parquet")
    W = read_graph(tmp_path / "graph").adjacency
    assert W.nnz == 2 * sparse.graph_.n_edges < 2 * dense.graph_.n_edges
    assert W.nnz / W.shape[0] == pytest.approx(sparse.edges_per_node_)


def test_info_that_json_cannot_hold_is_refused_before_anything_is_written(learned, tmp_path):
    with pytest.raises(FileError, match="info that JSON can hold"):
        write(learned, tmp_path / "graph", "parquet", info={"what": object()})
    assert list(tmp_path.iterdir()) == []


def test_a_worker_that_died_is_replaced_before_its_part_is_written(learned, cluster_client, tmp_path):
    expected = learned.adjacency_
    victim = min(cluster_client.scheduler_info()["workers"])
    pid = cluster_client.run(os.getpid, workers=[victim])[victim]
    os.kill(pid, signal.SIGKILL)
    write(learned, tmp_path / "graph", "zarr")
    assert_same(read_graph(tmp_path / "graph").adjacency, expected)


@pytest.mark.parametrize("kind", ["parquet", "zarr"])
def test_a_part_can_be_written_again(kind, tmp_path):
    ends, weights = (np.array([3, 0]), np.array([1, 2])), np.array([0.5, 0.25])
    target = partial(write_part, tmp_path, kind, {"graph": "g", "n_nodes": 4, "info": {}, "part": 0})
    assert target((*ends, weights)) == 2
    before = contents(tmp_path)
    assert target((*ends, weights)) == 2
    assert contents(tmp_path) == before


def contents(folder):
    return {p.relative_to(folder): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


@pytest.mark.parametrize("kind", ["parquet", "zarr"])
def test_a_worker_that_does_not_see_the_folder_says_so(kind, tmp_path):
    target = partial(write_part, tmp_path / "elsewhere", kind, {"part": 0})
    with pytest.raises(FileError, match="folder that all workers see"):
        target((np.array([0]), np.array([1]), np.array([1.0])))
    assert list(tmp_path.iterdir()) == []


def test_what_a_worker_cannot_write_is_no_death(tmp_path):
    """It is an error of the file, which says what to do."""
    blocked = tmp_path / "graph"
    target = partial(write_part, blocked, "parquet", {"n_nodes": 2, "info": {}, "part": 0})
    (blocked / "part-00000.parquet").mkdir(parents=True)
    with pytest.raises(FileError, match=r"part-00000\.parquet: a worker cannot write it"):
        target((np.array([0]), np.array([1]), np.array([1.0])))
