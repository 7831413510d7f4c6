"""A graph that is asked to be connected: its components, joined by the fewest and shortest bridges."""

import numpy as np
import pytest
import scipy.sparse as sp
from engines import BruteForce, Misled
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse.csgraph import connected_components, minimum_spanning_tree
from scipy.spatial.distance import cdist
from sklearn.base import clone
from sklearn.neighbors import KNeighborsTransformer, kneighbors_graph

from smoothgraph import DoublyStochasticGraph, GaussianGraph, L2DegreeGraph, LogDegreeGraph
from smoothgraph.candidates import choice


def islands(rng, sizes=(30, 25, 9, 40), d=2):
    centers = 30.0 * rng.normal(size=(len(sizes), d))
    return np.concatenate([c + rng.normal(size=(n, d)) for c, n in zip(centers, sizes, strict=True)])


def assert_connected(plain, joined, Z):
    """The joined graph is the plain one with a minimum spanning forest between its components, weighted by the rule."""
    W, V = plain.adjacency_.toarray(), joined.adjacency_.toarray()
    n, component = connected_components(W, directed=False)
    assert plain.n_components_ == n
    assert len(plain.bridges_) == 0
    assert joined.n_components_ == connected_components(V, directed=False)[0] == 1
    i, j = joined.bridges_.T
    assert len(i) == n - 1
    bridged = np.zeros_like(V, dtype=bool)
    bridged[i, j] = bridged[j, i] = True
    np.testing.assert_array_equal(V[~bridged], W[~bridged])
    assert np.all(W[bridged] == 0)
    np.testing.assert_array_equal(V, V.T)
    between = np.full((n, n), np.inf)
    np.minimum.at(between, (component[:, None], component[None]), Z)
    np.fill_diagonal(between, 0)
    np.testing.assert_allclose(Z[i, j].sum(), minimum_spanning_tree(between).sum(), rtol=1e-9)
    weakest = np.where(W > 0, W, np.inf).min(axis=1)
    expected = np.minimum(weakest[i], weakest[j])
    expected[np.isinf(expected)] = W[W > 0].min()
    np.testing.assert_array_equal(V[i, j], expected)
    np.testing.assert_allclose(joined.edges_per_node_, np.count_nonzero(V) / len(V))
    np.testing.assert_allclose(joined.laplacian_.toarray(), np.diag(V.sum(axis=1)) - V, atol=1e-12 * V.max())
    assert joined.dual_gap_ == plain.dual_gap_
    assert joined.is_exact_ == plain.is_exact_


def both(learner, X):
    return clone(learner).fit(X), clone(learner).set_params(connected=True).fit(X)


LEARNERS = [
    LogDegreeGraph(4),
    LogDegreeGraph(3, scale="local"),
    LogDegreeGraph(4, metric="euclidean"),
    L2DegreeGraph(2, scale="local"),
    DoublyStochasticGraph(4),
]


def distances_of(graph, X):
    Z = cdist(X, X, graph.metric)
    return Z if graph.scale == "global" else (Z / np.outer(graph.scale_, graph.scale_)) ** 2


@pytest.mark.parametrize("learner", LEARNERS)
def test_islands_are_joined_by_the_shortest_pairs(learner, rng):
    X = islands(rng)
    plain, joined = both(learner, X)
    assert plain.n_components_ > 1
    assert_connected(plain, joined, distances_of(plain, X))


@pytest.mark.parametrize("learner", [LEARNERS[0], LEARNERS[1], LEARNERS[2]])
def test_a_search_finds_the_same_bridges(learner, rng, monkeypatch):
    X = islands(rng, (200, 170, 3, 250))
    plain, joined = both(learner, X)
    monkeypatch.setattr(choice, "_ALL_PAIRS", 10)
    found = clone(learner).set_params(connected=True).fit(X)
    assert found.neighbors_ == "exact search"
    plain = clone(learner).fit(X)
    assert_connected(plain, found, distances_of(plain, X))
    assert sorted(map(tuple, found.bridges_)) == sorted(map(tuple, joined.bridges_))


def test_isolated_nodes_get_the_weakest_weight_at_the_other_end(rng):
    """The l2-degree model leaves nodes alone; a bridge between two of them has the weakest weight of all."""
    X = np.concatenate([rng.normal(size=(60, 2)), [[40.0, 0], [41, 0], [-90, 0]]])
    plain, joined = both(L2DegreeGraph(4), X)
    degrees = plain.adjacency_.sum(axis=1)
    assert np.all(degrees[60:] == 0)
    assert [60, 61] in joined.bridges_.tolist()
    assert_connected(plain, joined, cdist(X, X, "sqeuclidean"))


@settings(max_examples=15)
@given(st.integers(0, 10**6), st.sampled_from(["global", "local"]))
def test_ties_close_no_cycle(seed, scale):
    """Distinct points of an integer grid, in clumps."""
    rng = np.random.default_rng(seed)
    X = np.unique(rng.integers(0, 5, size=(50, 2)) + 20 * rng.integers(0, 2, size=(50, 2)), axis=0).astype(float)
    learner = LogDegreeGraph(alpha=1.0, beta=0.1, scale=scale)
    plain, joined = both(learner, X)
    assert_connected(plain, joined, distances_of(plain, X))


def test_a_connected_graph_gets_no_bridge(rng):
    plain, joined = both(LogDegreeGraph(8), rng.normal(size=(100, 2)))
    assert plain.n_components_ == joined.n_components_ == 1
    assert joined.bridges_.shape == (0, 2)
    assert (plain.adjacency_ != joined.adjacency_).nnz == 0


def test_a_dense_graph_is_connected_as_it_is(rng):
    assert GaussianGraph(sigma=1.0, connected=True).fit(rng.normal(size=(40, 2))).n_components_ == 1


def test_sparse_distances_without_a_way_leave_several_components(rng):
    X = islands(rng, (30, 20))
    Z = kneighbors_graph(X, 6, mode="distance")
    Z = sp.csr_array(Z.maximum(Z.T))
    n = connected_components(Z, directed=False)[0]
    assert n > 1
    with pytest.warns(UserWarning, match=f"The graph has {n} components although connected=True"):
        joined = LogDegreeGraph(2, metric="precomputed", connected=True).fit(Z)
    assert joined.n_components_ == connected_components(joined.adjacency_, directed=False)[0] == n
    i, j = joined.bridges_.T
    assert np.all(Z[i, j] > 0)


def test_a_transformer_names_the_edges_but_not_the_bridges(rng):
    """Between islands there are no candidates, so the search finds the bridges."""
    X = islands(rng)
    plain, joined = both(LogDegreeGraph(3, neighbors=KNeighborsTransformer(n_neighbors=5)), X)
    assert plain.n_components_ > 1
    assert_connected(plain, joined, cdist(X, X, "sqeuclidean"))


def test_bridges_join_the_first_of_identical_rows(rng):
    X = islands(rng, (20, 20))
    X = np.concatenate([X, X[[3, 3, 25]]])
    graph = LogDegreeGraph(4, connected=True, merge_identical=True).fit(X)
    assert graph.n_components_ == connected_components(graph.adjacency_, directed=False)[0] == 1
    Z = cdist(X, X, "sqeuclidean")
    i, j = graph.bridges_.T
    across = (i % 40 < 20) != (j % 40 < 20)
    np.testing.assert_allclose(Z[i[across], j[across]], Z[:20, 20:40].min(), rtol=1e-12)
    assert np.all(graph.adjacency_[i, j] > 0)


def test_a_later_fit_forgets_the_bridges(rng):
    graph = LogDegreeGraph(4, connected=True).fit(islands(rng))
    assert len(graph.bridges_)
    graph.set_params(connected=False).fit(islands(rng))
    assert len(graph.bridges_) == 0


def test_bridges_last_through_new_nodes_and_partial_fit(rng):
    X = islands(rng)
    graph = LogDegreeGraph(4, connected=True).fit(X[:80])
    assert (graph.transform(X[:80]) != graph.adjacency_).nnz == 0
    graph.partial_fit(X[80:])
    assert graph.n_components_ == connected_components(graph.adjacency_, directed=False)[0] == 1


@pytest.mark.parametrize("scale", ["global", "local"])
@pytest.mark.parametrize("engine", [BruteForce, Misled])
def test_an_engine_of_a_user_finds_the_shortest_bridges(scale, engine, rng):
    X = islands(rng, sizes=(70, 60, 65, 55))
    expected = LogDegreeGraph(5, scale=scale, connected=True).fit(X)
    found = LogDegreeGraph(5, scale=scale, connected=True, neighbors=engine).fit(X)
    assert len(expected.bridges_) >= 3
    np.testing.assert_array_equal(found.bridges_, expected.bridges_)
