import warnings

import cvxpy as cp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_digits, load_iris
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.estimator_checks import parametrize_with_checks

from paper.methods import DaitchGraph
from paper.methods.pair_pricing import price

ALPHAS = (0.0, 0.01, 0.1, 0.5)


@parametrize_with_checks([DaitchGraph(n_neighbors=4)])
def test_scikit_learn_conventions(estimator, check):
    check(estimator)


def oracle(X, alpha, allowed=None):
    """The least ``||L X||^2`` by CVXPY with Clarabel, from the formulas alone."""
    m, unit = len(X), X.std()
    i, j = np.triu_indices(m, 1)
    if allowed is not None:
        i, j = i[allowed[i, j]], j[allowed[i, j]]
    e = np.arange(len(i))
    B = np.zeros((m, len(e)))
    B[i, e], B[j, e] = 1, -1
    w = cp.Variable(len(e), nonneg=True)
    Y = B @ cp.diag(w) @ (B.T @ X / unit)
    missing = cp.pos(1 - np.abs(B) @ w)
    constraint = missing <= 0 if alpha == 0 else cp.norm(missing) <= np.sqrt(alpha * m)
    model = cp.Problem(cp.Minimize(cp.norm(Y, "fro")), [constraint])
    model.solve(solver=cp.CLARABEL, tol_gap_abs=1e-8, tol_gap_rel=1e-8, tol_feas=1e-8)
    assert model.status == "optimal"
    return (model.value * unit) ** 2


def deficit(graph):
    """How much the degrees lack: ``sum_i max(0, 1 - d_i)^2``."""
    return np.sum(np.maximum(1 - graph.adjacency_.sum(axis=1), 0) ** 2)


def assert_valid(graph, X, alpha):
    W = graph.adjacency_
    assert (W != W.T).nnz == 0
    assert np.all(W.data > 0)
    if alpha == 0:
        assert W.sum(axis=1).min() >= 1 - 1e-9
    assert deficit(graph) <= alpha * len(X) * (1 + 1e-8) + 1e-15
    np.testing.assert_allclose(np.sum((graph.laplacian_ @ X) ** 2), graph.objective_, rtol=1e-7, atol=1e-12)


DATA = {
    "a line": lambda rng: rng.normal(size=(12, 1)),
    "the plane": lambda rng: rng.normal(size=(20, 2)),
    "more features than nodes": lambda rng: rng.normal(size=(8, 15)),
    "iris": lambda rng: load_iris().data[rng.choice(100, 16, replace=False) + 20],
    "digits": lambda rng: load_digits().data[rng.choice(1797, 15, replace=False)],
    "two clusters": lambda rng: rng.normal(size=(14, 2)) + np.repeat([[0], [50]], 7, axis=0),
}


@pytest.mark.parametrize("name", DATA)
@pytest.mark.parametrize("alpha", ALPHAS)
def test_the_objective_is_that_of_cvxpy(name, alpha, rng):
    X = DATA[name](rng)
    graph = DaitchGraph(alpha).fit(X)
    assert_valid(graph, X, alpha)
    assert graph.is_exact_ is True
    assert 0 <= graph.dual_gap_ <= 1e-6
    np.testing.assert_allclose(graph.objective_, oracle(X, alpha), rtol=1e-6)


@pytest.mark.parametrize("alpha", ALPHAS)
def test_few_neighbours_are_the_only_candidates(alpha):
    X = load_iris().data[50:75]
    graph = DaitchGraph(alpha, n_neighbors=4).fit(X)
    z = np.sum((X[:, None] - X) ** 2, axis=2)
    np.fill_diagonal(z, np.inf)
    near = z <= np.sort(z, axis=1)[:, [3]]
    allowed = near | near.T
    assert np.all(allowed[graph.adjacency_.nonzero()])
    assert graph.is_exact_ is False
    assert graph.dual_gap_ <= 1e-6
    assert_valid(graph, X, alpha)
    np.testing.assert_allclose(graph.objective_, oracle(X, alpha, allowed), rtol=1e-6)
    assert graph.objective_ > 1.01 * DaitchGraph(alpha).fit(X).objective_


@given(
    seed=st.integers(0, 10_000),
    m=st.integers(2, 14),
    n=st.integers(1, 4),
    alpha=st.sampled_from(ALPHAS),
    levels=st.sampled_from([2, 4, None]),
)
@settings(max_examples=40)
def test_every_answer_is_certified(seed, m, n, alpha, levels):
    """Points on a coarse grid coincide, and stand in lines."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(m, n)) if levels is None else 1.0 * rng.integers(levels, size=(m, n))
    graph = DaitchGraph(alpha).fit(X)
    assert_valid(graph, X, alpha)
    assert graph.is_exact_


@pytest.mark.parametrize("alpha", [0.0, 0.1])
@pytest.mark.parametrize(("scale", "shift"), [(1e-6, 0.0), (1e6, 0.0), (1.0, 1e4)])
def test_scale_and_shift_of_the_data_do_not_matter(alpha, scale, shift):
    X = load_iris().data[60:90]
    graph, other = DaitchGraph(alpha).fit(X), DaitchGraph(alpha).fit(scale * X + shift)
    np.testing.assert_allclose(other.objective_, scale**2 * graph.objective_, rtol=1e-6)
    np.testing.assert_allclose(other.adjacency_.toarray(), graph.adjacency_.toarray(), atol=1e-3)


@pytest.mark.parametrize("alpha", [0.0, 0.1])
def test_names_of_nodes_do_not_matter(alpha, rng):
    X = rng.normal(size=(40, 3))
    order = rng.permutation(40)
    graph, renamed = (DaitchGraph(alpha, tol=1e-7).fit(x) for x in (X, X[order]))
    np.testing.assert_allclose(renamed.objective_, graph.objective_, rtol=2e-7)
    expected = graph.adjacency_.toarray()[np.ix_(order, order)]
    np.testing.assert_allclose(renamed.adjacency_.toarray(), expected, atol=1e-2)


def test_less_is_asked_of_softer_graphs():
    X = load_iris().data[:60:2]
    objectives = [DaitchGraph(alpha).fit(X).objective_ for alpha in ALPHAS]
    assert np.all(np.diff(objectives) < 0)


@pytest.mark.parametrize("alpha", [0.0, 0.2])
def test_copies_cost_nothing(alpha, rng):
    """Coincident nodes join each other; they may still serve as neighbours of the others."""
    X = rng.normal(size=(12, 2))
    X = np.concatenate([X, X[:3], X[:1]])
    graph = DaitchGraph(alpha).fit(X)
    assert_valid(graph, X, alpha)
    assert graph.is_exact_
    if alpha == 0:  # among the others it is no worse than without those free edges
        apart = np.linalg.norm(X[:, None] - X, axis=2) > 0
        assert graph.objective_ <= oracle(X, alpha, apart)
    assert DaitchGraph(alpha).fit(np.repeat(X, 2, axis=0)).objective_ == 0


def test_all_nodes_at_one_place():
    graph = DaitchGraph().fit(np.ones((12, 3)))
    assert graph.objective_ == graph.dual_gap_ == 0
    assert graph.adjacency_.sum(axis=1).min() >= 1


@pytest.mark.parametrize(("alpha", "weight"), [(0.0, 1.0), (0.25, 0.5)])
def test_two_nodes(alpha, weight):
    graph = DaitchGraph(alpha).fit([[0.0, 1.0], [2.0, 3.0]])
    np.testing.assert_allclose(graph.adjacency_.toarray(), [[0, weight], [weight, 0]], rtol=1e-6)
    np.testing.assert_allclose(graph.objective_, 2 * 8 * weight**2, rtol=1e-6)


def test_columns_as_nodes():
    X = load_iris().data[:20]
    columns, rows = DaitchGraph(nodes="columns").fit(X), DaitchGraph().fit(X.T)
    np.testing.assert_array_equal(columns.adjacency_.toarray(), rows.adjacency_.toarray())


def test_iris_is_certified_over_all_pairs():
    graph = DaitchGraph(0.1).fit(load_iris().data)
    assert graph.is_exact_
    assert 0 < graph.dual_gap_ <= 1e-6


def test_many_nodes_have_near_candidates_only(rng):
    graph = DaitchGraph(0.1).fit(rng.normal(size=(301, 2)))
    assert graph.dual_gap_ <= 1e-6
    assert graph.is_exact_ is False


def test_too_few_iterations_are_said():
    with pytest.warns(ConvergenceWarning, match="after 3 iterations the relative duality gap is"):
        graph = DaitchGraph(max_iter=3).fit(load_iris().data)
    assert graph.is_exact_ is False
    assert graph.adjacency_.sum(axis=1).min() >= 1 - 1e-9


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("alpha", [0.0, 0.1])
def test_the_gap_is_honest_whenever_the_search_is_stopped(alpha, rng):
    """Even when the optimum on the near pairs is found, and others are still to be taken in."""
    X = rng.normal(size=(20, 2))
    optimum = oracle(X, alpha)
    for max_iter in range(1, 20):
        graph = DaitchGraph(alpha, max_iter=max_iter).fit(X)
        assert 1 - optimum / graph.objective_ <= graph.dual_gap_ + 1e-6


def test_pricing_misses_no_pair_however_close(rng):
    """Products of coordinates cannot tell apart the copies of a node that differ by 1e-9."""
    X = rng.normal(size=(30, 3))
    X = np.concatenate([X, X[:10] + 1e-9 * rng.normal(size=(10, 3)), X[10:12]])
    Y, p = rng.normal(size=X.shape), rng.random(len(X))
    priced = price(X, Y, p)
    for i in range(len(X)):
        apart = np.flatnonzero(np.any(X[i] != X, axis=1))
        step = X[i] - X[apart]
        lacking = p[i] + p[apart] - 2 * np.sum((Y[i] - Y[apart]) * step, axis=1)
        largest = np.sort(lacking / (2 * np.sum(step**2, axis=1)))[-2:]
        np.testing.assert_allclose(np.sort(priced.excess[priced.i == i]), largest, rtol=1e-9)


@pytest.mark.parametrize(
    ("graph", "message"),
    [
        (DaitchGraph(-0.1), "alpha must be a finite number >= 0"),
        (DaitchGraph(1.0), "alpha must be less than 1.*the empty graph is optimal"),
        (DaitchGraph(tol=0), "tol must be"),
        (DaitchGraph(max_iter=0), "max_iter must be"),
        (DaitchGraph(n_neighbors=0), "n_neighbors must be"),
    ],
)
def test_parameters_out_of_range_are_refused(graph, message):
    with pytest.raises(ValueError, match=message):
        graph.fit(load_iris().data)


def test_nodes_that_nearly_coincide_are_warned_of_at_worst():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(22, 3))
    X = np.vstack([X, X[:8] + 1e-9 * rng.normal(size=(8, 3))])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        graph = DaitchGraph().fit(X)
    assert graph.is_exact_ == (graph.dual_gap_ <= 1e-6)
    assert np.all(np.isfinite(graph.adjacency_.data))
