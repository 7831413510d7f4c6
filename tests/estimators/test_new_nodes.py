"""New nodes join a learned graph by the root of a one-dimensional equation."""

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.spatial.distance import pdist, squareform
from sklearn.datasets import load_digits, load_iris

from smoothgraph import DoublyStochasticGraph, GaussianGraph, L2DegreeGraph, LogDegreeGraph
from smoothgraph.estimators import graph_learner
from smoothgraph.estimators.new_nodes import joining_weights
from smoothgraph.pairs.distances import distances_to
from smoothgraph.pairs.measure import Measure

ALL = [LogDegreeGraph, L2DegreeGraph, DoublyStochasticGraph, GaussianGraph]


@pytest.fixture(scope="module")
def X():
    return load_digits().data[:200]


def test_log_degree_solves_its_equation(X):
    graph = LogDegreeGraph(edges_per_node=6).fit(X[:150])
    w = graph.transform(X[150:]).toarray()
    z = np.sum((X[150:, None] - X[None, :150]) ** 2, axis=2)
    p = 1 / graph.theta_  # alpha and beta
    u = p / w.sum(axis=1)
    np.testing.assert_allclose(w, np.maximum(u[:, None] + graph.dual_ - 2 * z, 0) / (2 * p), atol=1e-7)


@pytest.mark.parametrize("learner", ALL)
def test_training_rows_give_the_learned_graph(learner, X):
    graph = learner().fit(X)
    assert (graph.transform(X) != graph.adjacency_).nnz == 0


@pytest.mark.parametrize("learner", ALL)
def test_the_learned_graph_solves_the_same_equation(learner, X):
    """A fitted node taken out and put back as a new one gets its own weights again."""
    graph = learner().fit(X)
    if learner is not GaussianGraph:
        graph.set_params(tol=1e-12).fit(X)
    z = distances_to(X, X, Measure())
    np.fill_diagonal(z, np.inf)
    np.testing.assert_allclose(
        joining_weights(*graph.priors_, graph.dual_, z).toarray(),
        graph.adjacency_.toarray(),
        atol=1e-4 * graph.adjacency_.max(),
    )


def test_duplicates_stand_for_one_another(X):
    twice = np.concatenate([X[:60], X[:60]])
    graph = LogDegreeGraph(beta=1e4, tol=1e-12).fit(twice)
    assert (graph.transform(twice) != graph.adjacency_).nnz == 0
    only_second_copies = graph.transform(twice[60:])
    assert (only_second_copies != graph.adjacency_[:60]).nnz == 0


def test_the_strongest_neighbor_is_that_of_a_refit(X):
    """Joining moves nothing else, so that weights differ, but rarely the first choice."""
    graph = LogDegreeGraph(edges_per_node=10).fit(X[:150])
    joined = graph.transform(X[150:]).toarray().argmax(axis=1)
    refit = LogDegreeGraph(edges_per_node=10).fit(X).adjacency_[150:, :150].toarray()
    chosen = refit[np.arange(50), joined]
    assert np.mean(chosen > 0) > 0.8


def test_precomputed_distances_to_the_fitted_nodes(X):
    Z = squareform(pdist(X, "sqeuclidean"))
    graph = LogDegreeGraph(edges_per_node=6, metric="precomputed").fit(Z[:150, :150])
    data = LogDegreeGraph(edges_per_node=6).fit(X[:150])
    expected = data.transform(X[150:]).toarray()
    np.testing.assert_allclose(graph.transform(Z[150:, :150]).toarray(), expected, atol=1e-3 * expected.max())
    sparse = sp.csr_array(np.where(expected > 0, Z[150:, :150], 0))
    np.testing.assert_allclose(graph.transform(sparse).toarray(), expected, atol=1e-3 * expected.max())


def test_more_neighbors_than_first_thought(rng):
    """A new node in the midst of a dense cluster joins hundreds of others."""
    X = np.concatenate([1e-3 * rng.normal(size=(300, 3)), 5 + rng.normal(size=(100, 3))])
    graph = LogDegreeGraph(beta=1.0).fit(X)
    w = graph.transform(np.zeros((1, 3)) + 1e-5).toarray()[0]
    assert np.count_nonzero(w) >= 300
    z = np.sum((X - 1e-5) ** 2, axis=1)
    np.testing.assert_allclose(w, np.maximum(1 / w.sum() + graph.dual_ - 2 * z, 0) / 2, atol=1e-9)


def test_a_far_node_is_joined_though_hundreds_are_nearer(rng):
    """A new node on the way from a cluster to a lonely node, which wants an edge more than they do."""
    X = np.concatenate([rng.normal(size=(300, 2)), [[1000.0, 0.0]]])
    graph = LogDegreeGraph(beta=1.0).fit(X)
    new = np.array([[400.0, 0.0]])
    w = graph.transform(new).toarray()[0]
    z = np.sum((X - new) ** 2, axis=1)
    np.testing.assert_allclose(w, np.maximum(1 / w.sum() + graph.dual_ - 2 * z, 0) / 2, rtol=1e-6)
    assert w[300] > 0


@pytest.mark.parametrize("distance", [1e2, 1e5, 1e8, 1e12])
def test_far_away_nodes_keep_the_digits_of_their_weights(distance):
    """A degree is alpha / u, and u is all but twice the smallest distance."""
    X = load_iris().data
    graph = LogDegreeGraph(alpha=1.0, beta=1.0).fit(X)
    far = np.full((1, 4), distance)
    z = np.sum((X - far) ** 2, axis=1)
    degree = graph.transform(far).sum()
    np.testing.assert_allclose(degree, 1 / (2 * z.min()), rtol=1e-3)
    even = DoublyStochasticGraph(edges_per_node=8).fit(X)
    np.testing.assert_allclose(even.transform(far).sum(), 1.0, rtol=1e-9)


def test_many_new_rows_are_joined_in_blocks(X, monkeypatch):
    """New nodes and copies of fitted ones, each in its own row."""
    graph = LogDegreeGraph(4).fit(X[:100])
    new = np.concatenate([X[150:170], X[40:60], X[180:], X[:10]])
    whole = graph.transform(new)
    monkeypatch.setattr(graph_learner, "_BLOCK_BYTES", 8 * 100 * 7)  # of seven rows
    assert (graph.transform(new) != whole).nnz == 0
    assert (whole[20:40] != graph.adjacency_[40:60]).nnz == 0
    assert (whole[60:] != graph.adjacency_[:10]).nnz == 0


def test_of_two_nodes_equally_far_the_one_that_wants_more_is_joined(rng):
    """Their multipliers tell them apart, though beside the distance these are nothing."""
    others = rng.normal(size=(20, 2)) - [5, 0]
    graph = LogDegreeGraph(alpha=1.0, beta=1.0).fit(np.concatenate([[[0, 1], [0, -1]], others]))
    joined = graph.transform(np.array([[1e9, 0.0]])).toarray()[0]
    np.testing.assert_array_equal(np.flatnonzero(joined), [np.argmax(graph.dual_[:2])])


def test_a_row_without_candidates(X):
    Z = squareform(pdist(X[:30], "sqeuclidean"))
    nothing = sp.csr_array((2, 30))
    with pytest.raises(ValueError, match="New row 0 has no candidate edge"):
        LogDegreeGraph(4, metric="precomputed").fit(Z).transform(nothing)
    alone = L2DegreeGraph(4, metric="precomputed").fit(Z).transform(nothing)
    assert alone.shape == (2, 30)
    assert alone.nnz == 0


def test_the_fit_does_not_change_with_the_callers_array(X):
    own = X.copy()
    graph = LogDegreeGraph(4).fit(own)
    before = graph.transform(X[:3] + 0.1).toarray()
    own[:] = 0
    np.testing.assert_array_equal(graph.transform(X[:3] + 0.1).toarray(), before)


def test_where_every_node_has_its_own_degree_a_new_one_has_their_mean(X, rng):
    degree = rng.uniform(0.5, 2, 100)
    graph = DoublyStochasticGraph(edges_per_node=8, degree=degree).fit(X[:100])
    np.testing.assert_allclose(graph.transform(X[100:]).sum(axis=1), degree.mean(), rtol=1e-9)


def test_no_new_node_stays_alone(X):
    graph = LogDegreeGraph(edges_per_node=3).fit(X[:100])
    assert np.all(graph.transform(1e3 + X[100:]).sum(axis=1) > 0)
