"""``partial_fit``: nodes and signals that arrive later."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.distance import squareform
from sklearn.base import clone
from sklearn.datasets import load_digits

from smoothgraph import DoublyStochasticGraph, GaussianGraph, L2DegreeGraph, LogDegreeGraph, distances

FIXED = [
    LogDegreeGraph(beta=1e4, tol=1e-10),
    L2DegreeGraph(alpha=500.0, tol=1e-10),
    DoublyStochasticGraph(beta=1e3, tol=1e-10),
    GaussianGraph(sigma=30.0),
]
BY_DENSITY = [LogDegreeGraph(6), L2DegreeGraph(6), DoublyStochasticGraph(6)]


@pytest.fixture(scope="module")
def X():
    return load_digits().data[:150]


@pytest.fixture(scope="module")
def readings():
    rng = np.random.default_rng(3)
    return 10 * rng.normal(size=(90, 30)).cumsum(axis=1)


def assert_same_graph(found, expected, atol):
    W, V = found.adjacency_.toarray(), expected.adjacency_.toarray()
    assert_allclose(W, V, atol=atol * V.max())


@pytest.mark.parametrize("learner", FIXED)
def test_new_nodes_give_the_graph_of_all(learner, X):
    whole = learner.fit(X)
    expected = whole.adjacency_.toarray()
    parts = learner.fit(X[:60]).partial_fit(X[60:100]).partial_fit(X[100:])
    assert_allclose(parts.adjacency_.toarray(), expected, atol=1e-5 * expected.max())
    assert parts.is_exact_
    assert len(parts.node_names_) == len(parts.dual_) == 150


@pytest.mark.parametrize("learner", FIXED)
def test_new_signals_give_the_graph_of_all(learner, readings):
    learner = clone(learner).set_params(nodes="columns")
    expected = learner.fit(readings).adjacency_.toarray()
    parts = learner.fit(readings[:20]).partial_fit(readings[20:50]).partial_fit(readings[50:])
    assert_allclose(parts.adjacency_.toarray(), expected, atol=1e-5 * expected.max())
    assert parts.is_exact_


@pytest.mark.parametrize("learner", BY_DENSITY)
@pytest.mark.parametrize("nodes", ["rows", "columns"])
def test_the_density_asked_for_is_met_again(learner, nodes, X, readings):
    table = X if nodes == "rows" else readings
    learner = clone(learner).set_params(nodes=nodes).fit(table[:40]).partial_fit(table[40:])
    assert abs(learner.edges_per_node_ - 6) <= 0.06 + 2 / len(learner.dual_)
    assert learner.dual_gap_ <= 1e-6


def test_the_first_part_is_a_fit(X):
    assert_same_graph(LogDegreeGraph(5).partial_fit(X), LogDegreeGraph(5).fit(X), atol=0)


def test_a_fit_forgets_the_parts(readings):
    learner = LogDegreeGraph(5, nodes="columns").fit(readings[:30]).partial_fit(readings[30:60])
    alone = LogDegreeGraph(5, nodes="columns").fit(readings[60:])
    assert_same_graph(learner.fit(readings[60:]), alone, atol=0)
    assert_same_graph(learner.partial_fit(readings[:30]), alone.partial_fit(readings[:30]), atol=1e-12)


def test_copies_of_fitted_nodes_can_arrive(X):
    learner = LogDegreeGraph(beta=1e4, tol=1e-10).fit(X[:50]).partial_fit(X[:5])
    whole = LogDegreeGraph(beta=1e4, tol=1e-10).fit(np.vstack([X[:50], X[:5]]))
    assert_same_graph(learner, whole, atol=1e-5)


def test_nodes_that_stay_alone_can_arrive(X):
    learner = L2DegreeGraph(alpha=500.0, tol=1e-10)
    far = X[60:61] + 1e4
    expected = learner.fit(np.vstack([X[:60], far])).adjacency_.toarray()
    parts = learner.fit(X[:60]).partial_fit(far)
    assert not np.any(parts.adjacency_[60:].toarray())
    assert_allclose(parts.adjacency_.toarray(), expected, atol=1e-5 * expected.max())


def test_signals_can_follow_those_that_told_no_nodes_apart(readings):
    learner = LogDegreeGraph(beta=1e4, tol=1e-10, nodes="columns")
    expected = learner.fit(readings).adjacency_.toarray()
    same = np.outer(np.arange(5.0), np.ones(30))
    parts = learner.fit(same).partial_fit(readings)
    assert_allclose(parts.adjacency_.toarray(), expected, atol=1e-5 * expected.max())


def test_sparse_nodes_can_follow_sparse_ones(X):
    learner = LogDegreeGraph(beta=1e4, tol=1e-10)
    parts = learner.fit(sp.csr_array(X[:60])).partial_fit(sp.csr_array(X[60:]))
    assert_same_graph(parts, LogDegreeGraph(beta=1e4, tol=1e-10).fit(X), atol=1e-5)


def test_names_go_on(X):
    learner = LogDegreeGraph(3).fit(X[:10]).partial_fit(X[10:14])
    assert_array_equal(learner.node_names_, np.arange(14))
    named = pd.DataFrame(X[:10], index=list("abcdefghij"))
    more = pd.DataFrame(X[10:12], index=["k", "l"])
    assert_array_equal(LogDegreeGraph(3).fit(named).partial_fit(more).node_names_, list("abcdefghijkl"))


def test_new_nodes_can_be_joined_to_parts_of_nodes_but_not_of_signals(X, readings):
    joined = LogDegreeGraph(4).fit(X[:60]).partial_fit(X[60:100]).transform(X[100:])
    assert joined.shape == (50, 100)
    learner = LogDegreeGraph(4, nodes="columns").fit(readings[:30]).partial_fit(readings[30:])
    with pytest.raises(ValueError, match="are not here after partial_fit"):
        learner.transform(readings[:, :2])


@pytest.mark.parametrize(
    ("learner", "message"),
    [
        (LogDegreeGraph(metric="precomputed"), "use fit"),
        (LogDegreeGraph(checkpoint="somewhere"), "use fit"),
        (LogDegreeGraph(nodes="columns", metric="cosine"), "sums over signals"),
        (LogDegreeGraph(nodes="columns", missing="pairwise"), "sums over signals"),
        (LogDegreeGraph(nodes="columns", neighbors="approximate"), "neighbors='approximate'"),
    ],
)
def test_what_cannot_be_added_to_is_refused(learner, message, readings):
    table = distances(readings) if learner.metric == "precomputed" else readings
    with pytest.raises(ValueError, match=message):
        learner.partial_fit(table).partial_fit(table)


@pytest.mark.parametrize("nodes", ["rows", "columns"])
def test_parts_of_another_width_or_with_nan_are_refused(nodes, readings):
    learner = LogDegreeGraph(4, nodes=nodes).fit(readings)
    with pytest.raises(ValueError, match="29 features"):
        learner.partial_fit(readings[:, :29])
    with pytest.raises(ValueError, match="NaN"):
        learner.partial_fit(np.where(readings > 20, np.nan, readings))


def test_nothing_can_be_added_once_nodes_are_elsewhere(readings):
    learner = LogDegreeGraph(4).fit(readings).set_params(nodes="columns")
    with pytest.raises(ValueError, match="other nodes or precomputed"):
        learner.partial_fit(readings)


def test_nothing_can_be_added_to_distances(readings):
    learner = LogDegreeGraph(4, nodes="columns").fit(readings[:30]).partial_fit(readings[30:])
    Z = squareform(distances(readings.T))
    learner.set_params(metric="precomputed").fit(Z).set_params(metric="sqeuclidean")
    with pytest.raises(ValueError, match="other nodes or precomputed"):
        learner.partial_fit(readings)
