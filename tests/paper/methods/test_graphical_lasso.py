import cvxpy as cp
import numpy as np
import pytest
from sklearn.covariance import graphical_lasso
from sklearn.datasets import load_digits
from sklearn.exceptions import ConvergenceWarning

from paper.methods import GraphicalLassoGraph


def smooth_signals(n_nodes, n_signals, seed=0):
    """Return random walks along the nodes, in which neighbors are alike."""
    return np.cumsum(np.random.default_rng(seed).normal(size=(n_nodes, n_signals)), axis=0)


def objective(X, T, alpha):
    return -np.linalg.slogdet(T)[1] + np.trace(np.corrcoef(X) @ T) + alpha * np.sum(np.abs(T))


def cvxpy_optimum(X, alpha):
    T = cp.Variable((len(X), len(X)), PSD=True)
    value = -cp.log_det(T) + cp.trace(np.corrcoef(X) @ T) + alpha * cp.sum(cp.abs(T))
    model = cp.Problem(cp.Minimize(value))
    model.solve(solver=cp.CLARABEL, tol_gap_abs=1e-9, tol_gap_rel=1e-9, tol_feas=1e-9)
    assert model.status == "optimal"
    return model.value, T.value


@pytest.mark.parametrize("n_signals", [3, 8, 100])
@pytest.mark.parametrize("alpha", [0.02, 0.3])
def test_the_optimum_of_cvxpy(n_signals, alpha):
    X = smooth_signals(8, n_signals)
    graph = GraphicalLassoGraph(alpha, tol=1e-9).fit(X)
    value, precision = cvxpy_optimum(X, alpha)
    np.testing.assert_allclose(objective(X, graph.precision_, alpha), value, rtol=1e-6)
    np.testing.assert_allclose(graph.precision_, precision, atol=1e-3 * np.max(precision))


def test_the_precision_of_scikit_learn(rng):
    X = rng.normal(size=(20, 60))
    graph = GraphicalLassoGraph(0.1, tol=1e-10).fit(X)
    _, precision = graphical_lasso(np.corrcoef(X) + 0.1 * np.eye(20), 0.1, tol=1e-9, enet_tol=1e-12)
    np.testing.assert_allclose(graph.precision_, precision, atol=1e-5)


def test_two_nodes_in_closed_form():
    """The inverse of T is ``C + alpha I`` with the correlation shrunk by alpha."""
    X = smooth_signals(2, 50)
    r = np.corrcoef(X)[0, 1]
    shrunk = np.array([[1.2, r - 0.2], [r - 0.2, 1.2]])
    graph = GraphicalLassoGraph(0.2, tol=1e-12).fit(X)
    np.testing.assert_allclose(graph.precision_, np.linalg.inv(shrunk), rtol=1e-5)
    alone = GraphicalLassoGraph(1.01 * r).fit(X)
    assert alone.adjacency_.nnz == 0


def test_weights_are_the_positive_partial_correlations(rng):
    X = rng.normal(size=(15, 20))
    graph = GraphicalLassoGraph(0.05).fit(X)
    off = graph.precision_ - np.diag(np.diag(graph.precision_))
    np.testing.assert_array_equal(graph.adjacency_.toarray(), np.maximum(-off, 0))
    assert graph.n_negative_ == np.sum(off > 0) / 2 > 0


def test_the_path_that_signals_walked_is_found():
    graph = GraphicalLassoGraph(0.002).fit(smooth_signals(12, 2000))
    W = graph.adjacency_.toarray()
    assert np.all(np.diag(W, 1) > 0)
    assert np.trace(W, 1) > 0.9 * W[np.triu_indices(12, 1)].sum()


@pytest.mark.parametrize("alpha", [0.05, 0.3])
def test_many_more_nodes_than_signals(alpha):
    """scikit-learn's solver fails here with a FloatingPointError."""
    graph = GraphicalLassoGraph(alpha).fit(load_digits().data[:100, 2:30])
    assert graph.dual_gap_ <= 1e-6
    assert np.all(np.linalg.eigvalsh(graph.precision_) > 0)


@pytest.mark.parametrize("max_iter", [15, 40, 5000])
def test_the_gap_bounds_the_distance_to_the_optimum(max_iter):
    X, alpha = smooth_signals(8, 6), 0.05
    graph = GraphicalLassoGraph(alpha, tol=1e-9, max_iter=max_iter)
    if max_iter < 5000:
        with pytest.warns(ConvergenceWarning, match="relative duality gap is"):
            graph.fit(X)
    else:
        graph.fit(X)
    excess = objective(X, graph.precision_, alpha) - cvxpy_optimum(X, alpha)[0]
    assert -1e-6 <= excess <= 8 * graph.dual_gap_ + 1e-6
    C = np.corrcoef(X)
    dual = np.linalg.slogdet(np.clip(np.linalg.inv(graph.precision_), C - alpha, C + alpha))[1] + 8
    gap = (objective(X, graph.precision_, alpha) - dual) / 8
    np.testing.assert_allclose(graph.dual_gap_, gap, rtol=1e-6, atol=1e-12)
    assert graph.n_iter_ <= max_iter


@pytest.mark.parametrize("scale", [1e-6, 1e6])
def test_units_and_offsets_do_not_matter(scale, rng):
    X = smooth_signals(10, 30)
    other = scale * (rng.uniform(0.1, 10, size=(10, 1)) * X + rng.normal(size=(10, 1)))
    expected = GraphicalLassoGraph(tol=1e-10).fit(X)
    graph = GraphicalLassoGraph(tol=1e-10).fit(other)
    np.testing.assert_allclose(graph.precision_, expected.precision_, atol=1e-6)


def test_duplicates_are_joined_alike():
    X = np.repeat(smooth_signals(5, 20), 2, axis=0)
    W = GraphicalLassoGraph(0.1, tol=1e-10).fit(X).adjacency_.toarray()
    assert np.all(W[np.arange(0, 10, 2), np.arange(1, 10, 2)] > 0)
    swapped = np.arange(10).reshape(5, 2)[:, ::-1].ravel()
    np.testing.assert_allclose(W[np.ix_(swapped, swapped)], W, atol=1e-5)


def test_a_constant_node_stays_alone():
    X = smooth_signals(5, 20)
    others = GraphicalLassoGraph(tol=1e-10).fit(X[[0, 1, 2, 4]]).adjacency_.toarray()
    X[3] = 0.1  # its mean is not exactly 0.1
    W = GraphicalLassoGraph(tol=1e-10).fit(X).adjacency_.toarray()
    np.testing.assert_allclose(np.delete(np.delete(W, 3, 0), 3, 1), others, atol=1e-5)
    assert not np.any(W[3])
    assert GraphicalLassoGraph().fit(np.ones((4, 6))).adjacency_.nnz == 0


def test_one_signal_has_no_correlations():
    with pytest.raises(ValueError, match="need at least two signals, got n_features=1"):
        GraphicalLassoGraph().fit(smooth_signals(5, 1))
