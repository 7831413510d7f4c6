import cvxpy as cp
import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from smoothgraph import JointGraph, L2DegreeGraph
from smoothgraph.methods import SigRepGraph


@pytest.fixture(scope="module")
def X():
    rng = np.random.default_rng(0)
    return np.cumsum(rng.normal(size=(10, 15)), axis=0) + rng.normal(size=(10, 15))


def objective(X, Y, L, alpha, beta):
    fit = np.sum((X - Y) ** 2)
    return fit + alpha * np.trace(Y.T @ L @ Y) + beta * np.sum(L**2)


def cvxpy_graph(Y, alpha, beta):
    """``argmin_L alpha tr(Y'LY) + beta |L|_F^2`` over Laplacians of trace m."""
    m = len(Y)
    L = cp.Variable((m, m), symmetric=True)
    off = cp.multiply(L, 1 - np.eye(m))
    model = cp.Problem(
        cp.Minimize(alpha * cp.trace(Y @ Y.T @ L) + beta * cp.sum_squares(L)),
        [off <= 0, cp.sum(L, axis=1) == 0, cp.trace(L) == m],
    )
    model.solve(solver=cp.CLARABEL, tol_gap_abs=1e-9, tol_gap_rel=1e-9, tol_feas=1e-9)
    assert model.status == "optimal"
    return L.value


def alternate(X, alpha, beta, rounds):
    """Return the objective after the first graph and every round, by textbook steps."""
    Y, L = X, cvxpy_graph(X, alpha, beta)
    values = [objective(X, Y, L, alpha, beta)]
    for _ in range(rounds):
        Y = np.linalg.solve(np.eye(len(X)) + alpha * L, X)
        L = cvxpy_graph(Y, alpha, beta)
        values.append(objective(X, Y, L, alpha, beta))
    return values, Y, L


@pytest.mark.filterwarnings("ignore:SigRepGraph did not reach")
@pytest.mark.parametrize(("alpha", "beta"), [(0.3, 2.0), (0.05, 10.0), (2.0, 5.0)])
def test_every_round_is_that_of_the_textbook(alpha, beta, X):
    graph = SigRepGraph(alpha=alpha, beta=beta, tol=0, max_iter=8).fit(X)
    values, Y, L = alternate(X, alpha, beta, graph.n_iter_)
    np.testing.assert_allclose(graph.objective_, values, rtol=1e-6)
    np.testing.assert_allclose(graph.signals_, Y, atol=1e-3 * np.abs(X).max())
    np.testing.assert_allclose(graph.laplacian_.toarray(), L, atol=2e-3)


@pytest.mark.parametrize("settings", [{"edges_per_node": 3}, {"beta": 1.0}, {"beta": 9.0, "alpha": 3.0}])
def test_the_objective_is_what_it_says_and_never_increases(settings, X):
    graph = SigRepGraph(**settings).fit(X)
    L = graph.laplacian_.toarray()
    assert np.all(np.diff(graph.objective_) <= 0)
    np.testing.assert_allclose(
        graph.objective_[-1], objective(X, graph.signals_, L, graph.alpha, graph.beta_), rtol=1e-9
    )
    np.testing.assert_allclose(np.trace(L), 10, rtol=1e-6)
    assert graph.dual_gap_ <= 1e-6
    assert graph.n_iter_ == len(graph.objective_) - 1


def test_edges_per_node_is_the_density_of_the_first_graph(X):
    graph = SigRepGraph(3, alpha=0.2).fit(X)
    first = L2DegreeGraph(3).fit(X)
    np.testing.assert_allclose(graph.beta_, 0.2 * first.alpha_ / 2)
    same = SigRepGraph(alpha=0.2, beta=graph.beta_).fit(X)
    np.testing.assert_allclose(same.adjacency_.toarray(), graph.adjacency_.toarray(), atol=1e-6)
    joint = JointGraph(L2DegreeGraph(3), strength=0.2).fit(X)
    np.testing.assert_allclose(joint.objective_[-1], graph.objective_[-1], rtol=1e-3)


@pytest.mark.parametrize("scale", [1e-6, 1e6])
def test_beta_grows_with_the_square_of_the_scale(scale, X):
    expected = SigRepGraph(beta=2.0).fit(X)
    for graph in (SigRepGraph(beta=2.0 * scale**2), SigRepGraph(3)):
        graph.fit(scale * X)
        own = expected if graph.beta else SigRepGraph(3).fit(X)
        np.testing.assert_allclose(graph.adjacency_.toarray(), own.adjacency_.toarray(), atol=1e-5)
        np.testing.assert_allclose(graph.signals_ / scale, own.signals_, atol=1e-5)


def test_constant_signals_have_nothing_to_smooth():
    graph = SigRepGraph(beta=1.0).fit(np.full((6, 4), 3.0))
    np.testing.assert_allclose(graph.signals_, 3.0)
    np.testing.assert_allclose(graph.adjacency_.data, 1 / 5, rtol=1e-4)


def test_two_nodes_share_all_weight():
    graph = SigRepGraph(alpha=1.0).fit([[0.0, 1.0], [2.0, 5.0]])
    np.testing.assert_allclose(graph.adjacency_.toarray(), [[0, 1], [1, 0]])
    np.testing.assert_allclose(graph.signals_, [[2 / 3, 7 / 3], [4 / 3, 11 / 3]])


def test_stopping_too_early_warns(X):
    with pytest.warns(ConvergenceWarning, match="raise max_iter"):
        SigRepGraph(3, alpha=2.0, tol=1e-9, max_iter=1).fit(X)
