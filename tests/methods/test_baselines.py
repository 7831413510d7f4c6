import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import pdist, squareform
from sklearn.datasets import load_digits
from sklearn.neighbors import KNeighborsTransformer, kneighbors_graph

from paper.methods import EpsilonGraph
from smoothgraph import GaussianGraph
from smoothgraph.methods import KNeighborsGraph


@pytest.fixture(scope="module")
def X():
    return load_digits().data[:150]


@pytest.mark.parametrize("features", [3, 64])  # scikit-learn uses a tree, then brute force
def test_nearest_neighbors_are_those_of_scikit_learn(features, X, rng):
    X = X + rng.normal(size=X.shape)  # so that no two distances are equal
    A = kneighbors_graph(X[:, :features], 7).toarray()
    graph = KNeighborsGraph(7).fit(X[:, :features])
    np.testing.assert_array_equal(graph.adjacency_.toarray(), np.maximum(A, A.T))


@pytest.mark.parametrize("features", [2, 20])
def test_no_node_joins_itself_among_its_duplicates(features, rng):
    copies = np.repeat(rng.normal(size=(4, features)), 6, axis=0)
    W = KNeighborsGraph(3).fit(copies).adjacency_
    assert np.all(W.diagonal() == 0)
    assert np.all(np.diff(W.indptr) >= 3)
    i, j = W.nonzero()
    np.testing.assert_array_equal(i // 6, j // 6)


def test_fewer_others_than_neighbors(rng):
    W = KNeighborsGraph(10).fit(rng.normal(size=(4, 2))).adjacency_.toarray()
    np.testing.assert_array_equal(W, 1 - np.eye(4))


def test_gaussian_weights(X):
    z = squareform(pdist(X, "sqeuclidean"))
    given_width = KNeighborsGraph(5, weights="gaussian", sigma=20.0).fit(X)
    edges = KNeighborsGraph(5).fit(X).adjacency_.toarray()
    np.testing.assert_allclose(given_width.adjacency_.toarray(), edges * np.exp(-z / 800))
    assert given_width.sigma_ == 20.0
    assert KNeighborsGraph(5).fit(X).sigma_ is None


def test_the_default_is_the_gaussian_graph_on_these_edges(X):
    graph = KNeighborsGraph(5, weights="gaussian").fit(X)
    same = GaussianGraph(neighbors=KNeighborsTransformer(n_neighbors=5)).fit(X)
    np.testing.assert_allclose(graph.sigma_, same.sigma_)
    np.testing.assert_allclose(graph.adjacency_.toarray(), same.adjacency_.toarray())
    z = pdist(X, "sqeuclidean")[squareform(graph.adjacency_.toarray()) > 0]
    np.testing.assert_allclose(np.exp(-np.median(z) / (2 * graph.sigma_**2)), 1 / np.e)


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_the_default_width_among_duplicates(scale):
    """Of four nodes at 0 and one at 1, most edges have length 0; the others give the width."""
    graph = KNeighborsGraph(3, weights="gaussian").fit(scale * np.array([[0.0], [0], [0], [0], [1]]))
    np.testing.assert_allclose(graph.sigma_, scale / np.sqrt(2))
    np.testing.assert_allclose(np.unique(graph.adjacency_.data), [np.exp(-1), 1])


@pytest.mark.parametrize("graph", [KNeighborsGraph(3), EpsilonGraph()])
@pytest.mark.parametrize("weights", ["binary", "gaussian"])
def test_all_nodes_at_one_place(graph, weights):
    W = graph.set_params(weights=weights).fit(np.ones((6, 2))).adjacency_
    assert np.all(W.data == 1)
    assert np.all(np.diff(W.indptr) >= 3)


def test_the_nodes_within_a_radius(X):
    distance = squareform(pdist(X))
    graph = EpsilonGraph(30.5).fit(X)
    within = (distance <= 30.5) & ~np.eye(150, dtype=bool)
    np.testing.assert_array_equal(graph.adjacency_.toarray(), within)
    assert graph.radius_ == 30.5
    soft = EpsilonGraph(30.5, weights="gaussian", sigma=15.0).fit(X).adjacency_.toarray()
    np.testing.assert_allclose(soft, within * np.exp(-(distance**2) / 450))


def test_a_small_radius_leaves_nodes_alone():
    graph = EpsilonGraph(1.5).fit([[0.0], [1.0], [5.0]])
    assert graph.adjacency_.nnz == 2
    assert EpsilonGraph(0.5).fit([[0.0], [1.0], [5.0]]).adjacency_.nnz == 0


@given(st.integers(0, 10**6), st.sampled_from([1, 3, 40]), st.sampled_from([1e-6, 1.0, 1e6]))
def test_the_default_radius_is_the_smallest_that_leaves_no_node_alone(seed, features, scale):
    X = scale * np.random.default_rng(seed).normal(size=(25, features))
    distance = squareform(pdist(X))
    np.fill_diagonal(distance, np.inf)
    graph = EpsilonGraph().fit(X)
    np.testing.assert_allclose(graph.radius_, distance.min(axis=1).max())
    np.testing.assert_array_equal(graph.adjacency_.toarray(), distance <= (1 + 1e-9) * graph.radius_)
    assert np.all(np.diff(graph.adjacency_.indptr) > 0)
    less = EpsilonGraph((1 - 1e-6) * graph.radius_).fit(X)
    assert np.any(np.diff(less.adjacency_.indptr) == 0)
