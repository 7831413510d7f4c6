import warnings

import cvxpy as cp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse.csgraph import connected_components
from scipy.spatial.distance import pdist, squareform
from sklearn.datasets import load_digits
from sklearn.exceptions import ConvergenceWarning

from smoothgraph.methods import CombinatorialLaplacianGraph, LakeTenenbaumGraph
from smoothgraph.methods.log_det_newton import newton_step
from smoothgraph.methods.log_det_problem import LogDetProblem, Unknowns

BOTH = [LakeTenenbaumGraph, CombinatorialLaplacianGraph]


@pytest.fixture(scope="module")
def digits():
    return load_digits().data


def costs_of(X, l1):
    """Return ``(z_e + 2 l1 mean(z)) / n`` for the pairs i < j, row by row, and ``tau``."""
    z = pdist(X, "sqeuclidean")
    return (z + 2 * l1 * z.mean()) / X.shape[1], np.sum(X**2) / X.shape[1]


def pose(c, tau):
    costs = squareform(c)
    np.fill_diagonal(costs, np.inf)
    return LogDetProblem(costs, tau)


def precision(w, rho, m, *, with_tau):
    """Return ``L(w) + rho I``, or ``L(w) + J`` without ``tau``."""
    W = squareform(w)
    return np.diag(W.sum(axis=1)) - W + (rho * np.eye(m) if with_tau else 1 / m)


def oracle(c, tau, m):
    """Return the optimal value and weights by CVXPY with Clarabel, from the formulas alone."""
    i, j = np.triu_indices(m, 1)
    A = np.eye(m)[i] - np.eye(m)[j]
    w = cp.Variable(len(i), nonneg=True)
    L, linear = A.T @ cp.diag(w) @ A, c @ w
    if tau is None:
        Q = L + np.full((m, m), 1 / m)
    else:
        rho = cp.Variable(nonneg=True)
        Q, linear = L + rho * np.eye(m), linear + tau * rho
    model = cp.Problem(cp.Minimize(linear - cp.log_det(Q)))
    model.solve(solver=cp.CLARABEL, tol_gap_abs=1e-9, tol_gap_rel=1e-9, tol_feas=1e-9)
    assert model.status == "optimal"
    return model.value, w.value


@pytest.mark.parametrize("method", BOTH)
@pytest.mark.parametrize(("m", "n", "l1"), [(8, 3, 0.0), (11, 1, 0.01), (10, 4, 0.3)])
def test_optimum_is_that_of_cvxpy(method, m, n, l1, rng):
    X = rng.normal(size=(m, n)) * rng.uniform(0.3, 3, size=(m, 1))
    c, tau = costs_of(X, l1)
    value, w = oracle(c, tau if method is LakeTenenbaumGraph else None, m)
    graph = method(l1=l1, tol=1e-9).fit(X)
    assert graph.objective_ == pytest.approx(value, rel=1e-6, abs=1e-6)
    learned = squareform(graph.adjacency_.toarray(), checks=False)
    np.testing.assert_allclose(learned, w, atol=1e-3 * w.max())


@pytest.mark.parametrize("with_tau", [False, True])
def test_certificate_bounds_the_optimum_at_any_point(with_tau, rng):
    m = 8
    i, j = np.triu_indices(m, 1)
    X = rng.normal(size=(m, 4))
    c, tau = costs_of(X, 0.05)
    tau = tau if with_tau else None
    value, w = oracle(c, tau, m)
    problem = pose(c, tau)
    for noise in [1e-4, 1e-2, 0.3, 3.0]:
        weights = np.maximum(w, 0) * np.exp(noise * rng.normal(size=len(i)))
        point = problem.at(Unknowns(i, j, weights, rng.uniform(0.1, 1.0) if with_tau else 0.0))
        Q = precision(point.unknowns.w, point.unknowns.rho, m, with_tau=with_tau)
        linear = c @ point.unknowns.w + (tau * point.unknowns.rho if with_tau else 0)
        np.testing.assert_allclose(point.value, linear - np.linalg.slogdet(Q)[1], rtol=1e-10)
        assert point.value - problem.total * point.gap <= value + 1e-6
        assert point.value >= value - 1e-6


@pytest.mark.parametrize("with_tau", [False, True])
def test_a_newton_step_minimizes_the_second_order_model(with_tau, rng):
    """Slopes ``gradient + H step`` vanish where the weights stay positive, else they are >= 0."""
    m = 12
    i, j = np.triu_indices(m, 1)
    c, tau = costs_of(rng.normal(size=(m, 5)), 0.1)
    at = pose(c, tau if with_tau else None).at(Unknowns(i, j, rng.uniform(0.5, 1.0, len(i)), 0.7 if with_tau else 0.0))
    w, rho = at.unknowns.w, at.unknowns.rho
    step = newton_step(at, at.unknowns, 1e-12, rng)
    theta = np.linalg.inv(precision(w, rho, m, with_tau=with_tau))
    change = precision(step.w, step.rho, m, with_tau=True)
    predicted = theta - theta @ change @ theta
    slopes = c - (predicted[i, i] + predicted[j, j] - 2 * predicted[i, j])
    after = w + step.w
    assert after.min() == 0
    assert after.max() > 0
    np.testing.assert_allclose(slopes[after > 0], 0, atol=1e-8 * c.max())
    assert slopes.min() >= -1e-8 * c.max()
    if with_tau:
        assert np.trace(predicted) == pytest.approx(tau, rel=1e-8)


def test_a_graph_in_parts_has_no_value_without_rho():
    parts = Unknowns(np.array([0]), np.array([1]), np.array([1.0]), 0.0)
    point = pose(np.ones(3), None).at(parts)
    assert point is None or point.value > 30
    assert pose(np.ones(3), 1.0).at(parts._replace(rho=1.0)).value < 30


@pytest.mark.parametrize("method", BOTH)
@pytest.mark.parametrize("l1", [0.0, 0.01, 1.0])
def test_optimality_conditions_on_digits(method, l1, digits):
    """``a_e'Theta a_e <= c_e`` on all pairs, with equality on the edges."""
    X = digits[:100]
    c, tau = costs_of(X, l1)
    graph = method(l1=l1, tol=1e-8).fit(X)
    w = squareform(graph.adjacency_.toarray(), checks=False)
    Q = graph.laplacian_.toarray()
    if method is LakeTenenbaumGraph:
        Q = Q + np.eye(100) / graph.sigma2_
        assert np.trace(np.linalg.inv(Q)) == pytest.approx(tau, rel=1e-5)
        linear = c @ w + tau / graph.sigma2_
        assert linear == pytest.approx(100, rel=1e-9)
    else:
        Q = Q + 0.01
        linear = c @ w
        assert linear == pytest.approx(99, rel=1e-9)
        assert connected_components(graph.adjacency_)[0] == 1
    theta = np.linalg.inv(Q)
    i, j = np.triu_indices(100, 1)
    resistance = theta[i, i] + theta[j, j] - 2 * theta[i, j]
    assert np.max(resistance / c) <= 1 + 1e-5
    np.testing.assert_allclose(resistance[w > 0], c[w > 0], rtol=1e-5)
    assert graph.objective_ == pytest.approx(linear - np.linalg.slogdet(Q)[1], rel=1e-9)
    assert 0 <= graph.dual_gap_ <= 1e-8
    assert graph.n_iter_ >= 1


@pytest.mark.parametrize("method", BOTH)
@pytest.mark.parametrize("scale", [1e-6, 1e6])
def test_rescaled_data_rescale_the_weights(method, scale, digits):
    graph = method(tol=1e-10).fit(digits[:60])
    rescaled = method(tol=1e-10).fit(scale * digits[:60])
    np.testing.assert_allclose(
        rescaled.adjacency_.toarray() * scale**2, graph.adjacency_.toarray(), atol=1e-6 * graph.adjacency_.max()
    )
    assert rescaled.dual_gap_ <= 1e-10
    dimensions = 60 if method is LakeTenenbaumGraph else 59
    moved = graph.objective_ + 2 * dimensions * np.log(scale)
    assert rescaled.objective_ == pytest.approx(moved, rel=1e-8)
    if method is LakeTenenbaumGraph:
        assert rescaled.sigma2_ == pytest.approx(graph.sigma2_ * scale**2, rel=1e-6)


def test_shifts_of_a_signal_matter_only_through_sigma(digits, rng):
    X = digits[:40]
    shifted = X + rng.normal(scale=1e3, size=X.shape[1])
    plain = CombinatorialLaplacianGraph(tol=1e-10).fit(X)
    again = CombinatorialLaplacianGraph(tol=1e-10).fit(shifted)
    np.testing.assert_allclose(
        again.adjacency_.toarray(), plain.adjacency_.toarray(), atol=1e-5 * plain.adjacency_.max()
    )
    far = LakeTenenbaumGraph().fit(X + 1e7)  # where rho is 1e-16 of the weights
    assert far.dual_gap_ <= 1e-6
    assert far.sigma2_ == pytest.approx(40 * np.mean((X + 1e7) ** 2), rel=1e-3)


@pytest.mark.parametrize("method", BOTH)
def test_recovers_the_graph_that_the_signals_are_drawn_from(method, rng):
    m = 8
    W = np.diag(rng.uniform(1, 3, m - 1), 1)
    W[0, 5], W[2, 7] = 2.0, 1.5
    W = W + W.T
    L = np.diag(W.sum(axis=1)) - W
    values, vectors = np.linalg.eigh(L)
    values = values + 0.5 if method is LakeTenenbaumGraph else np.maximum(values, 1e-3)
    X = vectors / np.sqrt(values) @ rng.normal(size=(m, 100_000))
    graph = method(l1=0.0).fit(X)
    np.testing.assert_allclose(graph.adjacency_.toarray(), W, atol=0.06)
    if method is LakeTenenbaumGraph:
        assert graph.sigma2_ == pytest.approx(2.0, rel=0.02)


values = st.lists(st.floats(-3, 3), min_size=3, max_size=3)


@settings(max_examples=30)
@given(values, values, st.floats(0.01, 2))
def test_two_nodes_in_closed_form(one, other, l1):
    X = np.array([one, other])
    c, tau = costs_of(X, l1)
    if c[0] < 1e-10 * tau or c[0] < 1e-100:
        return
    w = CombinatorialLaplacianGraph(l1=l1).fit(X).adjacency_[0, 1]
    assert w == pytest.approx(1 / c[0])
    graph = LakeTenenbaumGraph(l1=l1, tol=1e-12).fit(X)
    rho = 1 / (tau - c[0] / 2) if tau > c[0] else 2 / tau
    assert graph.sigma2_ == pytest.approx(1 / rho, rel=1e-4)
    wanted = max(0.0, 1 / c[0] - rho / 2)
    assert graph.adjacency_[0, 1] == pytest.approx(wanted, rel=1e-4, abs=1e-4 * rho)


def test_one_signal_gives_the_path_through_its_values(rng):
    """Resistances add up along the path, and sums of squares stay below squares of sums."""
    x = np.sort(rng.normal(size=30))
    order = rng.permutation(30)
    W = CombinatorialLaplacianGraph(l1=0.0, tol=1e-9).fit(x[order][:, None]).adjacency_.toarray()
    place = np.argsort(order)
    path = np.diag(1 / np.diff(x) ** 2, 1)
    np.testing.assert_allclose(W[np.ix_(place, place)], path + path.T, rtol=1e-5)


def test_a_large_l1_joins_all_pairs_or_none(digits):
    X = digits[:30]
    c, tau = costs_of(X, 1e4)
    complete = CombinatorialLaplacianGraph(l1=1e4).fit(X).adjacency_.toarray()
    np.testing.assert_allclose(complete, 29 / np.sum(c) * (1 - np.eye(30)), rtol=0.01)
    lone = LakeTenenbaumGraph(l1=1e4).fit(X)
    assert lone.adjacency_.nnz == 0
    assert lone.sigma2_ == pytest.approx(tau / 30)


@pytest.mark.parametrize("method", BOTH)
def test_pure_noise_is_certified(method, rng):
    """All pairs are alike, so the weights are as strongly coupled as possible."""
    assert method(l1=0.0).fit(rng.normal(size=(40, 5000))).dual_gap_ <= 1e-6


@pytest.mark.parametrize("method", BOTH)
@pytest.mark.parametrize(("copies", "l1"), [(3, 0.01), (4, 0.001)])
def test_coincident_nodes(method, copies, l1, rng):
    X = np.repeat(rng.normal(size=(10, 4)), copies, axis=0)
    pairs = 10 * copies * (copies - 1) // 2
    with pytest.raises(ValueError, match=rf"{pairs} pairs of nodes coincide.*l1 > 0"):
        method(l1=0.0).fit(X)
    graph = method(l1=l1, tol=1e-9).fit(X)
    assert graph.dual_gap_ <= 1e-9
    W = graph.adjacency_.toarray()
    place = np.repeat(np.arange(10), copies)
    among_copies = (place[:, None] == place) & ~np.eye(len(X), dtype=bool)
    assert W[among_copies].min() > W[~among_copies].max()


@pytest.mark.parametrize("method", BOTH)
@pytest.mark.parametrize("value", [0.0, 2.0])
def test_constant_data_are_refused(method, value):
    with pytest.raises(ValueError, match="All nodes have the same values"):
        method().fit(np.full((5, 3), value))


def test_too_many_nodes_are_refused():
    with pytest.raises(ValueError, match=r"at most 5000 nodes.*got 5001"):
        LakeTenenbaumGraph().fit(np.zeros((5001, 1)))


@pytest.mark.parametrize("method", BOTH)
def test_not_converging_warns_and_says_the_gap(method, digits):
    with pytest.warns(ConvergenceWarning, match=r"tol=1e-06: after 1 iteration the relative"):
        graph = method(max_iter=1).fit(digits[:50])
    assert graph.dual_gap_ > 1e-6
    optimum = method(tol=1e-10).fit(digits[:50]).objective_
    total = 50 if method is LakeTenenbaumGraph else 49
    assert optimum < graph.objective_ <= optimum + total * graph.dual_gap_


@pytest.mark.parametrize("method", BOTH)
def test_an_accuracy_beyond_rounding_ends_with_a_warning(method, digits):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        graph = method(tol=1e-300).fit(digits[:30])
    assert [w.category for w in caught] == [ConvergenceWarning] or graph.dual_gap_ == 0
    assert graph.dual_gap_ <= 1e-12


# -- the limits of double precision ------------------------------------------


@pytest.mark.parametrize("l1", [1e3, 1e6, 1e10, 1e12, 1e15])
def test_a_large_penalty_leaves_no_edge_and_sigma_explains_all(l1, rng):
    X = rng.normal(size=(12, 8)) + np.arange(12)[:, None]
    graph = LakeTenenbaumGraph(l1=l1).fit(X)
    assert graph.adjacency_.nnz == 0
    variance = np.sum(X**2) / X.size
    np.testing.assert_allclose(graph.sigma2_, variance)
    np.testing.assert_allclose(graph.objective_, 12 * np.log(variance) + 12)
    assert graph.dual_gap_ <= 1e-6


@pytest.mark.parametrize("method", BOTH)
@pytest.mark.parametrize("far", [1e9, 1e13, 1e15])
def test_distances_too_different_for_double_precision_are_refused(method, far, rng):
    X = rng.normal(size=(12, 8))
    X[0] *= far
    with pytest.raises(ValueError, match="too much for double precision"):
        method(l1=0.0).fit(X)


def test_a_gap_of_twice_the_tolerance_is_warned_of(rng):
    X = rng.normal(size=(12, 8))
    with pytest.warns(ConvergenceWarning):
        gap = CombinatorialLaplacianGraph(max_iter=1, tol=1e-12).fit(X).dual_gap_
    with pytest.warns(ConvergenceWarning, match="raise max_iter"):
        assert CombinatorialLaplacianGraph(max_iter=1, tol=gap / 2).fit(X).dual_gap_ <= 3 * gap
