import cvxpy as cp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ortho_group
from sklearn.datasets import load_digits, load_iris
from sklearn.neighbors import NearestNeighbors
from sklearn.utils.estimator_checks import parametrize_with_checks

from paper.methods import LinearNeighborhoodGraph
from paper.methods.simplex import _value_and_gap


@parametrize_with_checks([LinearNeighborhoodGraph()])
def test_scikit_learn_conventions(estimator, check):
    check(estimator)


def oracle(x, neighbors):
    """The least ``|x - w' neighbors|^2`` by CVXPY with Clarabel, from the formula alone."""
    w = cp.Variable(len(neighbors), nonneg=True)
    model = cp.Problem(cp.Minimize(cp.sum_squares(x - w @ neighbors)), [cp.sum(w) == 1])
    model.solve(solver=cp.CLARABEL, tol_gap_abs=1e-12, tol_gap_rel=1e-10, tol_feas=1e-10)
    assert model.status == "optimal"
    return model.value, w.value


@pytest.mark.parametrize(("n", "k"), [(1, 4), (2, 7), (3, 3), (5, 10), (20, 10), (8, 1)])
def test_every_node_has_the_optimum_of_cvxpy(n, k, rng):
    X = rng.normal(size=(25, n))
    graph = LinearNeighborhoodGraph(k).fit(X)
    ids = NearestNeighbors(n_neighbors=k).fit(X).kneighbors(None)[1]
    errors = np.sum((X - graph.weights_ @ X) ** 2, axis=1)
    for i in range(25):
        value, w = oracle(X[i], X[ids[i]])
        np.testing.assert_allclose(errors[i], value, rtol=1e-6, atol=1e-9)
        if k <= n:  # the optimum is unique
            np.testing.assert_allclose(graph.weights_.toarray()[i, ids[i]], w, atol=1e-4)
    np.testing.assert_allclose(graph.objective_, errors.sum(), rtol=1e-6, atol=1e-12)


@pytest.mark.parametrize("k", [1, 5, 30])
def test_rows_are_means_of_other_nodes(k):
    X = load_digits().data[:300]
    graph = LinearNeighborhoodGraph(k).fit(X)
    W = graph.weights_
    np.testing.assert_allclose(W.sum(axis=1), 1, atol=1e-12)
    assert np.all(W.data > 0)
    assert np.all(W.diagonal() == 0)
    assert np.diff(W.indptr).max() <= k
    np.testing.assert_array_equal(graph.adjacency_.toarray(), ((W + W.T) / 2).toarray())
    np.testing.assert_allclose(graph.laplacian_.sum(axis=1), 0, atol=1e-12)
    assert 0 <= graph.dual_gap_ <= 1e-9


def test_the_gap_bounds_what_weights_could_gain(rng):
    X = rng.normal(size=(7, 3))
    differences = X[1:] - X[0]
    value, gap = _value_and_gap(differences @ differences.T, np.full(6, 1 / 6))
    np.testing.assert_allclose(value, np.sum(differences.mean(axis=0) ** 2))
    assert value - oracle(X[0], X[1:])[0] <= gap <= 2 * np.max(np.abs(differences @ differences.T))


@given(
    seed=st.integers(0, 10_000),
    m=st.integers(2, 30),
    n=st.integers(1, 6),
    k=st.integers(1, 12),
    levels=st.sampled_from([2, 5, None]),
)
def test_the_weights_are_certified_whatever_the_points(seed, m, n, k, levels):
    """Points on a coarse grid coincide, and stand in lines."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(m, n)) if levels is None else 1.0 * rng.integers(levels, size=(m, n))
    graph = LinearNeighborhoodGraph(k).fit(X)
    assert graph.dual_gap_ <= 1e-8
    np.testing.assert_allclose(graph.weights_.sum(axis=1), 1, atol=1e-9)
    residual = X - graph.weights_ @ X
    np.testing.assert_allclose(np.sum(residual**2), graph.objective_, atol=1e-9)
    ids = NearestNeighbors(n_neighbors=min(k, m - 1)).fit(X).kneighbors(None)[1]
    nearest = np.sum((X - X[ids[:, 0]]) ** 2)  # of which every node could have been a copy
    assert graph.objective_ <= nearest + 1e-9


@pytest.mark.parametrize(("scale", "shift"), [(1e-6, 0.0), (1e6, 0.0), (1.0, 1e4), (1e-100, 0.0)])
def test_scale_shift_and_rotation_of_the_data_do_not_matter(scale, shift):
    X = load_digits().data[:80, 10:30]
    graph = LinearNeighborhoodGraph(6).fit(X)
    turned = scale * X @ ortho_group.rvs(20, random_state=0) + scale * shift
    other = LinearNeighborhoodGraph(6).fit(turned)
    np.testing.assert_allclose(other.weights_.toarray(), graph.weights_.toarray(), atol=1e-6)
    np.testing.assert_allclose(other.objective_, scale**2 * graph.objective_, rtol=1e-6)


def test_names_of_nodes_do_not_matter(rng):
    X = rng.normal(size=(60, 5))
    order = rng.permutation(60)
    graph, renamed = (LinearNeighborhoodGraph(5).fit(x) for x in (X, X[order]))
    expected = graph.weights_.toarray()[np.ix_(order, order)]
    np.testing.assert_allclose(renamed.weights_.toarray(), expected, atol=1e-6)


def test_blocks_of_nodes_in_threads_give_what_one_does(rng):
    """The first cluster stays as it is beside thousands of other, far-away nodes."""
    X = rng.normal(size=(2500, 4))
    alone = LinearNeighborhoodGraph(6).fit(X[:300]).weights_
    X[300:, 0] += 1e3
    beside = LinearNeighborhoodGraph(6).fit(X[::-1]).weights_[::-1][:, ::-1]
    np.testing.assert_allclose(beside[:300, :300].toarray(), alone.toarray(), atol=1e-6)
    np.testing.assert_allclose(beside.sum(axis=1), 1, atol=1e-12)


def test_a_node_among_its_neighbours_is_reproduced(rng):
    corners = np.concatenate([np.eye(3), -np.eye(3)])
    inside = 0.2 * rng.uniform(-1, 1, size=3)
    graph = LinearNeighborhoodGraph(6).fit(np.concatenate([[inside], corners]))
    np.testing.assert_allclose(graph.weights_[[0]] @ np.vstack([inside, corners]), [inside])


def test_copies_stand_for_each_other_but_never_for_themselves():
    X = np.repeat(load_iris().data[:20], 2, axis=0)
    graph = LinearNeighborhoodGraph(1).fit(X)
    assert graph.objective_ == 0
    np.testing.assert_array_equal(graph.weights_.indices, np.arange(40) ^ 1)


def test_all_nodes_at_one_place():
    graph = LinearNeighborhoodGraph(4).fit(np.ones((12, 3)))
    np.testing.assert_allclose(graph.weights_.sum(axis=1), 1)
    assert graph.objective_ == graph.dual_gap_ == 0


def test_two_nodes():
    graph = LinearNeighborhoodGraph().fit([[0.0, 1.0], [2.0, 3.0]])
    np.testing.assert_array_equal(graph.weights_.toarray(), [[0, 1], [1, 0]])


def test_columns_as_nodes():
    X = load_iris().data
    columns = LinearNeighborhoodGraph(2, nodes="columns").fit(X)
    rows = LinearNeighborhoodGraph(2).fit(X.T)
    np.testing.assert_array_equal(columns.weights_.toarray(), rows.weights_.toarray())


@pytest.mark.parametrize("k", [0, -2, 2.5, "many"])
def test_a_number_of_neighbours_that_is_none_is_refused(k):
    with pytest.raises(ValueError, match="n_neighbors must be"):
        LinearNeighborhoodGraph(k).fit(load_iris().data)
