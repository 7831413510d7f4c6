"""The commands stability, cluster, propagate and diff."""

import csv

import numpy as np
import pandas as pd
import pytest
from command_line import refused, smoothgraph, succeeds, summary
from pictures import assert_drawn
from sklearn.metrics import adjusted_rand_score

from smoothgraph import PairSet
from smoothgraph.io import read_graph, write_graph

NAMES = ["a", "b, c", "été", "<d>", "5", "f"]


def rows_of(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture
def two_triangles(tmp_path):
    """Two triangles, the second one with heavier edges, and a weak edge between them."""
    edges = PairSet.from_pairs([0, 0, 1, 2, 3, 3, 4], [1, 2, 2, 3, 4, 5, 5], 6)
    W = edges.adjacency(np.array([1, 1, 1, 0.01, 2, 2, 2]))
    write_graph(tmp_path / "g.graphml", W, names=NAMES, attributes={"kind": ["x", "", "", "", "", "y"]})
    return tmp_path / "g.graphml"


# -- stability ---------------------------------------------------------------


@pytest.fixture
def series(tmp_path, rng):
    """Slow series of which the first two are nearly the same, and the times of their rows, in disorder."""
    walk = np.cumsum(rng.normal(size=(400, 9)), axis=0)
    walk[:, 1] = walk[:, 0] + rng.normal(size=400) / 10
    frame = pd.DataFrame(walk, columns=[f"s{k}" for k in range(9)])
    frame.insert(0, "date", pd.date_range("2020-01-01", periods=400).astype(str))
    frame.sample(frac=1, random_state=0).to_csv(tmp_path / "series.csv", index=False)
    return tmp_path / "series.csv"


def test_stability_gives_every_edge_its_share(series, tmp_path):
    out, shares = tmp_path / "edges.csv", tmp_path / "shares.npz"
    options = ("--nodes", "columns", "-k", "3", "--resamples", "20")
    facts = summary("stability", series, *options, "--out", out, "--out-shares", shares)
    succeeds("learn", series, "--nodes", "columns", "-k", "3", "--out", tmp_path / "graph.npz")
    W, F = (read_graph(tmp_path / name).adjacency for name in ("graph.npz", "shares.npz"))
    rows = rows_of(out)
    names = [f"s{k}" for k in range(9)]
    assert facts["edges"] == len(rows) == W.nnz // 2
    for row in rows:
        i, j = names.index(row["source"]), names.index(row["target"])
        assert float(row["weight"]) == pytest.approx(W[i, j], rel=1e-3)
        assert float(row["share"]) == F[i, j]
    assert F[0, 1] == 1
    assert facts["edges_in_90%_of_resamples"] == sum(float(row["share"]) >= 0.9 for row in rows)


def test_blocks_are_for_series_in_time_unless_the_user_says_so(series, tmp_path, rng):
    options = ("--nodes", "columns", "-k", "3", "--resamples", "2")
    slow = summary("stability", series, *options)["block"]
    assert slow > 10, "rows in disorder are put in the order of time first"
    assert f"{slow} in a row" in succeeds("stability", series, *options).stderr
    assert summary("stability", series, *options, "--block", "1")["block"] == 1
    np.save(tmp_path / "rows.npy", np.cumsum(rng.normal(size=(12, 200)), axis=1))
    assert summary("stability", tmp_path / "rows.npy", "--resamples", "2")["block"] == 1
    assert summary("stability", tmp_path / "rows.npy", "--resamples", "2", "--block", "auto")["block"] > 5


def test_stability_through_a_pipe_and_refusals(series, tmp_path):
    options = ("--nodes", "columns", "--resamples", "2")
    result = succeeds("stability", "-", *options, "--out", "-", stdin=series.read_bytes())
    assert result.stdout.splitlines()[0] == "source,target,weight,share"
    assert "resamples" in result.stderr
    refused("stability", series, *options, "--out", tmp_path / "edges.graphml")
    refused("stability", series, *options, "--out", "-", "--json")
    refused("stability", series, *options, "--out", tmp_path / "x.csv", "--out-shares", tmp_path / "x.csv")


# -- cluster -----------------------------------------------------------------


def test_cluster_finds_the_triangles(two_triangles, tmp_path):
    facts = summary("cluster", two_triangles, "--clusters", "2", "--out", tmp_path / "nodes.csv")
    rows = rows_of(tmp_path / "nodes.csv")
    assert [row["name"] for row in rows] == NAMES
    assert [row["kind"] for row in rows] == ["x", "", "", "", "", "y"]
    assert adjusted_rand_score([0, 0, 0, 1, 1, 1], [row["cluster"] for row in rows]) == 1
    assert facts["sizes"] == {"1": 3, "2": 3}
    assert facts["share_of_weight_between_clusters"] == pytest.approx(0.01 / 9.01)


def test_the_first_cluster_is_the_largest(tmp_path):
    W = PairSet.from_pairs([0, 2, 2, 3], [1, 3, 4, 4], 5).adjacency(np.ones(4))
    write_graph(tmp_path / "g.npz", W)
    lines = succeeds("cluster", tmp_path / "g.npz", "--clusters", "2", "--out", "-").stdout.splitlines()
    assert [line.rpartition(",")[2] for line in lines] == ["cluster", "2", "2", "1", "1", "1"]


@pytest.mark.parametrize("clusters", ["0", "7", "x"])
def test_numbers_of_clusters_that_are_none(two_triangles, clusters):
    assert smoothgraph("cluster", two_triangles, "--clusters", clusters).exit_code == 2


# -- propagate ---------------------------------------------------------------


def test_propagate_labels_each_triangle(two_triangles, tmp_path):
    out = tmp_path / "labels.csv"
    facts = summary("propagate", two_triangles, "--labels", "kind", "--out", out)
    rows = rows_of(out)
    assert [row["kind_propagated"] for row in rows] == ["x", "x", "x", "y", "y", "y"]
    assert [row["kind"] for row in rows] == ["x", "", "", "", "", "y"]
    assert [float(rows[k]["kind_probability"]) for k in (0, 5)] == [1, 1]
    assert all(0.5 < float(row["kind_probability"]) <= 1 for row in rows)
    assert facts["new_labels"] == {"x": 2, "y": 2}
    assert (facts["known_labels"], facts["unreachable_nodes"]) == (2, 0)


def test_propagate_takes_labels_from_a_table(two_triangles, tmp_path):
    known = tmp_path / "known.csv"
    known.write_text('node,team\n"b, c",7\nf,3\n')
    rows = succeeds("propagate", two_triangles, "--labels", "team", "--node-table", known, "--out", "-").stdout
    found = [row["team_propagated"] for row in csv.DictReader(rows.splitlines())]
    assert found == ["7", "7", "7", "3", "3", "3"]


def test_nodes_that_no_label_reaches_stay_without_one(tmp_path):
    W = PairSet.from_pairs([0, 2], [1, 3], 4).adjacency(np.ones(2))
    write_graph(tmp_path / "g.npz", W, attributes={"kind": ["x", "", "", ""]})
    result = succeeds("propagate", tmp_path / "g.npz", "--labels", "kind", "--out", tmp_path / "out.csv")
    assert "2 of 4 nodes lie in components without labels" in result.stderr
    rows = rows_of(tmp_path / "out.csv")
    assert [row["kind_propagated"] for row in rows] == ["x", "x", "", ""]
    assert [row["kind_probability"] for row in rows][2:] == ["", ""]


def test_labels_that_are_none_are_refused(two_triangles, tmp_path):
    assert "kind" in refused("propagate", two_triangles, "--labels", "kin")
    values = tmp_path / "values.csv"
    values.write_text("node,x,empty\na,0.5,\nf,1.5,\n")
    assert "expected texts" in refused("propagate", two_triangles, "--labels", "x", "--node-table", values)
    refused("propagate", two_triangles, "--labels", "empty", "--node-table", values)
    values.write_text("node,kind\nnobody,x\n")
    assert "values.csv" in refused("propagate", two_triangles, "--labels", "kind", "--node-table", values)


# -- diff --------------------------------------------------------------------


@pytest.fixture
def before_and_after(tmp_path):
    """Of three edges one is lost and one is new; the nodes are in another order, and one is new."""
    first = PairSet.from_pairs([0, 1], [1, 2], 3).adjacency(np.array([1.0, 2.0]))
    second = PairSet.from_pairs([0, 0], [1, 3], 4).adjacency(np.array([3.0, 4.0]))
    write_graph(tmp_path / "a.npz", first, names=["p", "q", "r"])
    write_graph(tmp_path / "b.graphml", second, names=["q", "p", "r", "s"])
    return tmp_path / "a.npz", tmp_path / "b.graphml"


def test_diff_tells_shared_new_and_lost_edges(before_and_after, tmp_path):
    out, picture = tmp_path / "changes.csv", tmp_path / "changes.png"
    facts = summary("diff", *before_and_after, "--out", out, "--picture", picture)
    assert {(*sorted((row["source"], row["target"])), row["change"]) for row in rows_of(out)} == {
        ("p", "q", "shared"),
        ("q", "r", "lost"),
        ("q", "s", "new"),
    }
    weights = {row["change"]: (float(row["weight_before"]), float(row["weight_after"])) for row in rows_of(out)}
    assert weights == {"shared": (1, 3), "lost": (2, 0), "new": (0, 4)}
    assert [facts[f"{change}_edges"] for change in ("shared", "new", "lost")] == [1, 1, 1]
    assert [facts[f"nodes_{where}"] for where in ("in_both", "only_before", "only_after")] == [3, 0, 1]
    assert_drawn(picture)


def test_a_graph_does_not_differ_from_itself(two_triangles):
    facts = summary("diff", two_triangles, two_triangles)
    assert (facts["shared_edges"], facts["shared_of_all"]) == (7, 1)
    assert facts["new_edges"] == facts["lost_edges"] == 0


def test_diff_refuses_graphs_without_common_nodes(before_and_after, two_triangles, tmp_path):
    assert "share no name" in refused("diff", before_and_after[0], two_triangles)
    refused("diff", "-", "-")
    refused("diff", *before_and_after, "--out", before_and_after[1])
