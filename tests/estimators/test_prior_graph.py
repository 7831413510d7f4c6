"""Graphs near a known one: ``fit(X, prior_graph=...)``."""

from functools import partial

import cvxpy as cp
import numpy as np
import pytest
import scipy.sparse as sp
from scipy.optimize import minimize_scalar
from scipy.spatial.distance import pdist, squareform
from sklearn.neighbors import KNeighborsTransformer

from smoothgraph import L2DegreeGraph, LogDegreeGraph, SmoothGraph
from smoothgraph.candidates import choice
from smoothgraph.support.input_error import InputError


@pytest.fixture
def X(rng):
    return rng.normal(size=(14, 3))


@pytest.fixture
def known(rng):
    """A sparse graph of other data on the same nodes, in a unit of its own; node 3 has no edge."""
    W = LogDegreeGraph(3).fit(rng.normal(size=(14, 3))).adjacency_.toarray()
    W[3] = W[:, 3] = 0
    return 1000 * W


def optimum(X, known, alpha, beta, strength):
    """``min 2 z'w - alpha sum log d + beta |w - strength s w0|^2`` by CVXPY, with the best ``s`` by SciPy."""
    z, w0 = pdist(X, "sqeuclidean"), squareform(known)
    d0 = known.sum(axis=1)
    joined = d0 > 0

    def of_multiple(log_s):
        s = np.exp(log_s)
        return beta * s**2 * w0 @ w0 - alpha * np.sum(np.log(s * d0[joined]))

    s = np.exp(minimize_scalar(of_multiple, bounds=(-30, 30), options={"xatol": 1e-12}).x)
    W = cp.Variable((len(X), len(X)), symmetric=True)
    upper = np.triu_indices(len(X), 1)
    off = W[upper] - strength * s * w0
    objective = 2 * z @ W[upper] - alpha * cp.sum(cp.log(cp.sum(W, axis=1))) + beta * cp.sum_squares(off)
    precisely = dict.fromkeys(("tol_gap_abs", "tol_gap_rel", "tol_feas"), 1e-11)
    cp.Problem(cp.Minimize(objective), [cp.diag(W) == 0, W >= 0]).solve(solver=cp.CLARABEL, **precisely)
    return W.value


@pytest.mark.parametrize("strength", [0.3, 1.0, 4.0])
def test_the_graph_is_the_optimum(X, known, strength):
    graph = LogDegreeGraph(alpha=0.7, beta=2.0, prior_strength=strength, tol=1e-12).fit(X, prior_graph=known)
    np.testing.assert_allclose(graph.adjacency_.toarray(), optimum(X, known, 0.7, 2.0, strength), atol=1e-5)
    assert graph.is_exact_


def test_the_unit_of_the_known_graph_does_not_matter(X, known):
    one, other = (LogDegreeGraph(3).fit(X, prior_graph=factor * known).adjacency_ for factor in (1, 1e-9))
    np.testing.assert_allclose(one.toarray(), other.toarray(), rtol=1e-6)


def test_the_known_graph_counts_more_and_more(rng):
    X = rng.normal(size=(40, 4))
    known = LogDegreeGraph(4).fit(rng.normal(size=(40, 4))).adjacency_
    plain = LogDegreeGraph(4).fit(X).adjacency_
    kept, own = [], []
    for strength in (0, 0.5, 2, 1e4):
        W = LogDegreeGraph(4, prior_strength=strength).fit(X, prior_graph=known).adjacency_
        kept.append((W != 0).multiply(known != 0).nnz / known.nnz)
        own.append((W != 0).multiply(plain != 0).nnz / plain.nnz)
    assert kept == sorted(kept)
    assert own == sorted(own, reverse=True)
    assert own[0] == 1
    assert kept[-1] > 0.99
    assert kept[0] < 0.5


def test_little_data_is_better_with_a_good_prior(rng):
    """Signals are smooth over a ring; the known graph lacks one edge of it, and has one too many."""
    n = 30
    ring = sp.diags_array([np.ones(n), np.ones(n)], offsets=[1, -1], shape=(n, n)).tolil()
    ring[0, n - 1] = ring[n - 1, 0] = 1
    ring = ring.toarray()
    laplacian = np.diag(ring.sum(axis=1)) - ring
    X = np.linalg.cholesky(np.linalg.inv(laplacian + 0.1 * np.eye(n))) @ rng.normal(size=(n, 12))
    known = ring.copy()
    known[4, 5] = known[5, 4] = 0
    known[4, 20] = known[20, 4] = 1
    plain = LogDegreeGraph(2).fit(X).adjacency_.toarray() > 0
    graph = LogDegreeGraph(2, prior_strength=0.5).fit(X, prior_graph=known).adjacency_.toarray() > 0
    assert np.sum(graph != ring) < np.sum(plain != ring)


@pytest.mark.parametrize("make", [LogDegreeGraph, partial(LogDegreeGraph, scale="local"), SmoothGraph])
def test_a_search_finds_the_same_graph_as_all_pairs(make, rng, monkeypatch):
    """Every node has a known edge to its 40th neighbor, which a search for near pairs does not find."""
    X = rng.normal(size=(300, 2))
    farther = np.argsort(squareform(pdist(X)), axis=1)[:, 40]
    known = np.zeros((300, 300))
    known[np.arange(300), farther] = known[farther, np.arange(300)] = 1
    options = {"min_edges": 1, "tol": 1e-12, "prior_strength": 100}
    beta = 1 / make(4, **options).fit(X, prior_graph=known).theta_
    learner = make(None, alpha=beta, beta=beta, **options)
    W = learner.fit(X, prior_graph=known).adjacency_.toarray()
    assert np.sum((W > 0) & (known > 0)) > 100
    monkeypatch.setattr(choice, "_ALL_PAIRS", 10)
    learner.fit(X, prior_graph=known)
    assert learner.neighbors_ == "exact search"
    np.testing.assert_allclose(learner.adjacency_.toarray(), W, atol=1e-5)


def test_known_edges_join_the_pairs_of_a_transformer(rng):
    X = rng.normal(size=(50, 2))
    known = np.zeros((50, 50))
    far = np.argmax(np.linalg.norm(X - X[0], axis=1))
    known[0, far] = known[far, 0] = 1
    learner = LogDegreeGraph(2, neighbors=KNeighborsTransformer(n_neighbors=6), prior_strength=1e5)
    assert learner.fit(X, prior_graph=known).adjacency_[0, far] > 0


def test_identical_rows_share_the_known_edges(X, known):
    twice, both = np.vstack([X, X]), np.kron([[1, 1], [1, 1]], known)
    once = LogDegreeGraph(3).fit(X, prior_graph=known).adjacency_.toarray()
    W = LogDegreeGraph(3, merge_identical=True).fit(twice, prior_graph=both).adjacency_.toarray()
    merged = W.reshape(2, 14, 2, 14).sum(axis=(0, 2))
    np.fill_diagonal(merged, 0)
    np.testing.assert_allclose(merged, once, rtol=1e-6)


def test_every_node_has_the_fewest_edges_asked_for(rng):
    X = np.vstack([rng.normal(size=(40, 2)), [[9, 9], [-9, 9]]])
    known = LogDegreeGraph(3).fit(rng.normal(size=(42, 2))).adjacency_
    W = LogDegreeGraph(6, min_edges=4).fit(X, prior_graph=known).adjacency_
    assert np.diff(W.indptr).min() >= 4


def test_the_next_fit_knows_no_graph(X, known):
    graph = LogDegreeGraph(3)
    with_prior = graph.fit(X, prior_graph=known).adjacency_
    assert graph.transform(X + 0.1).shape == (14, 14)
    without = graph.fit(X).adjacency_
    np.testing.assert_array_equal(without.toarray(), LogDegreeGraph(3).fit(X).adjacency_.toarray())
    assert abs(with_prior - without).max() > 0.01


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda X, W: LogDegreeGraph(3).fit(X, prior_graph=W[:5, :5]), "14 nodes of the data, in their order, got 5"),
        (lambda X, W: LogDegreeGraph(3).fit(X, prior_graph=0 * W), "edges between the nodes of the data, got none"),
        (lambda X, W: LogDegreeGraph(3).fit(X, prior_graph=W, groups=[0, 1] * 7), "only without groups"),
        (lambda X, W: LogDegreeGraph(3, prior_strength=-1).fit(X, prior_graph=W), "prior_strength"),
        (lambda X, W: LogDegreeGraph(3).fit(X, prior_graph=W).partial_fit(X), "partial_fit takes no prior_graph"),
    ],
)
def test_what_cannot_be_done_is_said(X, known, act, message):
    with pytest.raises(InputError, match=message):
        act(X, known)


def test_other_models_take_no_known_graph(X, known):
    with pytest.raises(TypeError, match="prior_graph"):
        L2DegreeGraph(3).fit(X, prior_graph=known)
