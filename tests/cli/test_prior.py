"""``learn --prior``: a graph near a known one."""

import numpy as np
import pandas as pd
import pytest
from command_line import refused, succeeds, summary

from smoothgraph import LogDegreeGraph
from smoothgraph.io import read_graph, write_graph

NAMES = [f"n{k:02d}" for k in range(20)]


@pytest.fixture
def table(tmp_path, rng):
    frame = pd.DataFrame(rng.normal(size=(20, 4)), index=NAMES)
    frame.to_csv(tmp_path / "table.csv", index_label="name")
    return tmp_path / "table.csv"


@pytest.fixture
def known(rng):
    return LogDegreeGraph(3).fit(rng.normal(size=(20, 4))).adjacency_


def test_nodes_are_matched_by_their_names(table, known, tmp_path, rng):
    order = rng.permutation(20)
    shuffled = known.toarray()[np.ix_(order, order)]
    write_graph(tmp_path / "known.graphml", shuffled, names=[NAMES[k] for k in order])
    options = ("--prior", tmp_path / "known.graphml", "--prior-strength", "2", "-k", "3")
    facts = summary("learn", table, *options, "--out", tmp_path / "out.npz")
    X = pd.read_csv(table, index_col=0)
    expected = LogDegreeGraph(3, prior_strength=2).fit(X, prior_graph=known).adjacency_.toarray()
    np.testing.assert_allclose(read_graph(tmp_path / "out.npz").adjacency.toarray(), expected, rtol=1e-6, atol=1e-9)
    assert facts["prior_edges"] == known.nnz // 2
    assert facts["prior_edges_kept"] == np.sum((expected > 0) & (known.toarray() > 0)) // 2
    assert read_graph(tmp_path / "out.npz").info["prior_strength"] == 2


def test_nodes_that_only_one_side_has_are_told(table, known, tmp_path):
    names = [*NAMES[:18], "x", "y"]
    write_graph(tmp_path / "known.csv", known, names=names)
    said = succeeds("learn", table, "--prior", tmp_path / "known.csv", "-k", "3").stderr
    assert "The prior graph lacks 2 nodes: n18, n19." in said
    assert "The table lacks 2 nodes of the prior graph." in said


def test_what_cannot_be_done_is_said(table, known, tmp_path):
    write_graph(tmp_path / "known.csv", known)
    assert "such as 'n00', got none of them" in refused("learn", table, "--prior", tmp_path / "known.csv")
    assert "needs --prior GRAPH" in refused("learn", table, "--prior-strength", "1")
    prior = ("--prior", tmp_path / "known.csv")
    assert "--model" in refused("learn", table, *prior, "--model", "l2-degree")
    assert "--workers" in refused("learn", table, *prior, "--workers", "1")
