"""Local scales, bridges, and Euclidean distances on workers: the graph that a fit in memory gives."""

import dask.array as da
import numpy as np
import pytest
from dask_workers import assert_same_graph, fitted
from scipy.sparse.csgraph import connected_components
from sklearn.base import clone

from smoothgraph import LogDegreeGraph, SmoothGraph
from smoothgraph.cluster import gathered_pairs
from smoothgraph.io import read_graph


def table(m):
    """Clusters of widths that differ by a factor of 20, three of them far away, and a few lone nodes."""
    rng = np.random.default_rng(m)
    centers, widths = 4 * rng.normal(size=(20, 4)), 10 ** rng.uniform(-1, 0.3, size=(20, 1))
    centers[:3] += 1e4 * rng.normal(size=(3, 4))
    place = rng.integers(20, size=m)
    X = centers[place] + widths[place] * rng.normal(size=(m, 4))
    X[:4] = 1e5 * rng.normal(size=(4, 4))
    return X


def rows(X):
    return da.from_array(X, chunks=(len(X) // 3 + 1, -1))


def bridges(graph):
    return sorted(map(tuple, graph.bridges_.tolist()))


def learner(metric, **options):
    return LogDegreeGraph(alpha=1.0, beta=1.0, scale="local", connected=True, metric=metric, tol=1e-10, **options)


@pytest.mark.parametrize("metric", ["sqeuclidean", "euclidean"])
def test_the_graph_of_a_fit_in_memory(metric, cluster_client, tmp_path):
    X = table(4500)
    found = fitted(cluster_client, learner(metric), rows(X))
    expected = learner(metric).fit(X)
    np.testing.assert_allclose(found.scale_, expected.scale_, rtol=1e-9)
    assert bridges(found) == bridges(expected)
    assert len(found.bridges_) >= 3
    found.graph_.to_parquet(tmp_path / "graph")
    written = read_graph(tmp_path / "graph").adjacency
    assert_same_graph(found, expected)
    assert found.n_components_ == connected_components(found.adjacency_, directed=False)[0] == 1
    i, j = found.bridges_.T
    np.testing.assert_allclose(found.adjacency_[i, j], expected.adjacency_[i, j], rtol=1e-2)
    assert (written != found.adjacency_).nnz == 0
    assert found.graph_.n_edges == found.adjacency_.nnz // 2


def test_pairs_that_stay_on_the_workers(cluster_client, monkeypatch):
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(size=(120, 3)), 50 + rng.normal(size=(60, 3))])
    asked = LogDegreeGraph(beta=10.0, scale="local", connected=True)
    expected = clone(asked).fit(X)
    monkeypatch.setattr(gathered_pairs, "SHARE_OF_MEMORY", 0)  # as with very many pairs
    found = fitted(cluster_client, asked, rows(X))
    np.testing.assert_allclose(found.scale_, expected.scale_, rtol=1e-9)
    assert bridges(found) == bridges(expected)
    assert len(found.bridges_) == 1
    ours, theirs = found.adjacency_.toarray(), expected.adjacency_.toarray()
    np.testing.assert_allclose(ours, theirs, atol=1e-2 * theirs.max())


def test_a_floor_of_pairs_that_stay_on_the_workers(cluster_client, monkeypatch):
    """The weights of the nodes depend on the pairs that were known when they were raised."""
    monkeypatch.setattr(gathered_pairs, "SHARE_OF_MEMORY", 0)
    X = np.random.default_rng(0).normal(size=(150, 3))
    found = fitted(cluster_client, LogDegreeGraph(beta=10.0, scale="local", min_edges=8), rows(X))
    assert np.diff(found.adjacency_.indptr).min() >= 8
    assert found.node_weights_.max() > 1
    assert found.is_exact_


def test_euclidean_distances_without_scales(cluster_client):
    X = table(700)
    options = {"alpha": 1.0, "beta": 1.0, "metric": "euclidean", "tol": 1e-10}
    assert_same_graph(fitted(cluster_client, LogDegreeGraph(**options), rows(X)), LogDegreeGraph(**options).fit(X))


def test_a_smooth_graph_with_a_chosen_density(cluster_client):
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(size=(500, 3)), 50 + rng.normal(size=(200, 3))])
    found, expected = fitted(cluster_client, SmoothGraph(), rows(X)), SmoothGraph().fit(X)
    assert str(found.density_choice_) == str(expected.density_choice_)
    assert bridges(found) == bridges(expected)
    assert found.n_components_ == 1
