"""The command join."""

import numpy as np
import pandas as pd
import pytest
from command_line import refused, succeeds, summary
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler

from smoothgraph import LogDegreeGraph
from smoothgraph.io import read_graph

N = 150


@pytest.fixture
def wines(tmp_path):
    """Two tables of wines; the columns of the second one are in another order, and it has one more."""
    frame = load_wine(as_frame=True).data.sample(frac=1, random_state=0)
    frame.index = [f"wine {k}" for k in range(len(frame))]
    frame[:N].to_csv(tmp_path / "old.csv")
    frame[N:].iloc[:, ::-1].assign(price=range(len(frame) - N)).to_csv(tmp_path / "new.csv")
    return tmp_path / "old.csv", tmp_path / "new.csv", frame


@pytest.mark.parametrize("standardize", [True, False])
def test_join_is_transform_on_the_scale_of_the_first_table(wines, tmp_path, standardize):
    old, new, frame = wines
    facts = summary("join", old, new, "-k", "6", "--out", tmp_path / "g.npz", *["--standardize"] * standardize)
    values = frame.to_numpy()
    if standardize:
        values = StandardScaler().fit(values[:N]).transform(values)
    learner = LogDegreeGraph(edges_per_node=6).fit(values[:N])
    joined = read_graph(tmp_path / "g.npz")
    W = joined.adjacency.toarray()
    np.testing.assert_allclose(W[:N, :N], learner.adjacency_.toarray())
    np.testing.assert_allclose(W[N:, :N], learner.transform(values[N:]).toarray(), rtol=1e-6, atol=1e-12)
    assert not W[N:, N:].any()
    assert joined.names == list(frame.index)
    assert joined.attributes["new"].tolist() == [0] * N + [1] * (len(frame) - N)
    assert facts["new_edges"] == np.count_nonzero(W[N:])
    assert facts["new_nodes"] == len(frame) - N


def test_one_new_node_and_columns_as_nodes(tmp_path, rng):
    series = pd.DataFrame(rng.normal(size=(60, 8)).cumsum(axis=0), columns=list("abcdefgh"))
    series.insert(0, "date", pd.date_range("2024-01-01", periods=60).astype(str))
    series[["date", *"abcdefg"]].to_csv(tmp_path / "old.csv", index=False)
    series[["date", "h"]][::-1].to_csv(tmp_path / "new.csv", index=False)
    options = ("--nodes", "columns", "-k", "3", "--out", tmp_path / "g.graphml")
    succeeds("join", tmp_path / "old.csv", tmp_path / "new.csv", *options)
    learner = LogDegreeGraph(edges_per_node=3).fit(series[list("abcdefg")].to_numpy().T)
    expected = learner.transform(series[["h"]].to_numpy().T).toarray()
    W = read_graph(tmp_path / "g.graphml").adjacency.toarray()
    np.testing.assert_allclose(W[7, :7], expected[0], rtol=1e-6, atol=1e-12)


def test_tables_that_do_not_fit_are_refused(wines, tmp_path):
    old, new, frame = wines
    frame[N:].drop(columns="ash").to_csv(tmp_path / "less.csv")
    assert "ash" in refused("join", old, tmp_path / "less.csv")
    assert "not in the first table" in refused("join", old, old, "--out", tmp_path / "g.npz")
    assert "precomputed" in refused("join", old, new, "--metric", "precomputed")
    refused("join", "-", "-")
    refused("join", old, new, "--out", new)
