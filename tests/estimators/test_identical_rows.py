"""Identical rows are one node while the graph is learned, and as many as there are in the result."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse.csgraph import connected_components
from scipy.spatial.distance import cdist
from sklearn.base import clone

from smoothgraph import DoublyStochasticGraph, L2DegreeGraph, LogDegreeGraph
from smoothgraph.estimators.identical_rows import Places
from smoothgraph.support.input_error import InputError

OWN = {"alpha": 1.0, "beta": 2.0, "tol": 1e-12}


def with_copies(rng, m=60, d=3, copies=(7, 2, 3)):
    """Distinct rows, a few of which come several times, in any order; and the place of each row."""
    place = np.concatenate([np.arange(m), *(np.full(n - 1, k) for k, n in enumerate(copies))])
    place = place[rng.permutation(len(place))]
    return rng.normal(size=(m, d))[place], place


def by_place(W, place):
    """The weight between each two places, and within them on the diagonal."""
    spread = sp.coo_array((np.ones(len(place)), (np.arange(len(place)), place))).tocsr()
    return (spread.T @ W @ spread).toarray()


def assert_is_a_graph(W):
    assert (W != W.T).nnz == 0
    assert np.all(W.diagonal() == 0)
    assert np.all(W.data > 0)


@pytest.mark.parametrize(
    "learner", [LogDegreeGraph(**OWN), L2DegreeGraph(alpha=0.3, tol=1e-12), DoublyStochasticGraph(beta=2.0, tol=1e-12)]
)
def test_the_graph_of_the_places_is_that_of_the_distinct_rows(learner, rng):
    X, _ = with_copies(rng)
    merged = clone(learner).set_params(merge_identical=True).fit(X)
    distinct, first, where = np.unique(X, axis=0, return_index=True, return_inverse=True)
    alone = clone(learner).set_params(merge_identical=False).fit(distinct)
    W = merged.adjacency_
    assert_is_a_graph(W)
    between = by_place(W, where)
    np.fill_diagonal(between, 0)
    expected = alone.adjacency_.toarray()
    np.testing.assert_allclose(between, expected, atol=1e-5 * expected.max())
    np.testing.assert_allclose(merged.dual_[first], alone.dual_, rtol=1e-5, atol=1e-8)
    np.testing.assert_array_equal(merged.dual_, merged.dual_[first][where])
    assert merged.is_exact_
    np.testing.assert_allclose(merged.laplacian_.toarray(), np.diag(W.sum(axis=1)) - W.toarray(), atol=1e-14)
    np.testing.assert_allclose(merged.edges_per_node_, W.nnz / len(X))


def test_every_copy_has_the_degree_of_its_place(rng):
    """All neighbors of the copied rows are single."""
    X = np.concatenate([rng.normal(size=(40, 2)), np.repeat([[0.1, 0.2]], 9, axis=0)])
    merged = LogDegreeGraph(4, merge_identical=True, tol=1e-10).fit(X)
    p = 1 / merged.theta_
    alone = LogDegreeGraph(alpha=p, beta=p, tol=1e-10).fit(X[:41])
    degrees = alone.adjacency_.sum(axis=1)
    np.testing.assert_allclose(merged.adjacency_.sum(axis=1)[:41], degrees, rtol=1e-4)
    np.testing.assert_allclose(merged.adjacency_.sum(axis=1)[40:], degrees[40], rtol=1e-4)


@pytest.mark.parametrize("copies", [(2,), (3,), (50,), (4, 4), (13, 2, 5)])
def test_copies_hang_together(copies, rng):
    X, place = with_copies(rng, copies=copies)
    W = LogDegreeGraph(8, merge_identical=True).fit(X).adjacency_
    assert_is_a_graph(W)
    for k, n in enumerate(copies):
        own = np.flatnonzero(place == k)
        assert len(own) == n
        assert connected_components(W[own][:, own], directed=False)[0] == 1
        outside = np.delete(np.arange(len(X)), own)
        assert np.all(W[own][:, outside].sum(axis=1) > 0)


@settings(max_examples=30)
@given(st.integers(2, 40), st.integers(1, 4), st.integers(0, 10**6), st.booleans())
def test_places_are_those_of_equal_rows(m, d, seed, sparse):
    """Small integers, among which a poor hash would find the same sums."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-1, 2, size=(m, d)).astype(float) * rng.choice([1.0, -1.0, 0.0], size=(m, d))
    found = Places.of(sp.csr_array(X) if sparse else X)
    _, first, where = np.unique(X, axis=0, return_index=True, return_inverse=True)
    if len(first) == m:
        assert found is None
        return
    np.testing.assert_array_equal(found.first, np.sort(first))
    np.testing.assert_array_equal(found.first[found.place], first[where])


def test_different_rows_are_never_merged():
    """Permutations, opposite signs, neighboring numbers, and all small integers."""
    one = np.nextafter(1.0, 2.0)
    assert Places.of(np.array([[1.0, 2], [2, 1], [-1, -2], [-2, -1], [3, 0], [0, 3], [one, 2]])) is None
    grid = np.stack(np.meshgrid(np.arange(60.0), np.arange(60.0), np.arange(5.0)), axis=-1).reshape(-1, 3)
    assert Places.of(grid) is None
    assert Places.of(sp.csr_array(grid)) is None


def test_signs_and_stored_zeros_do_not_tell_rows_apart():
    X = np.array([[0.0, 1.0], [-0.0, 1.0], [2.0, 0.0], [2.0, -0.0], [5.0, 5.0]])
    np.testing.assert_array_equal(Places.of(X).place, [0, 0, 1, 1, 2])
    stored = sp.csr_array((np.array([-0.0, 1.0, 1.0, 2.0, 3.0]), [0, 1, 1, 0, 0], [0, 2, 3, 4, 5]))
    np.testing.assert_array_equal(Places.of(stored).place, [0, 0, 1, 2])


def test_sparse_rows_give_the_graph_of_dense_ones(rng):
    X, _ = with_copies(rng)
    X[np.abs(X) < 0.5] = 0
    dense = LogDegreeGraph(merge_identical=True, **OWN).fit(X).adjacency_
    sparse = LogDegreeGraph(merge_identical=True, **OWN).fit(sp.csr_array(X)).adjacency_
    np.testing.assert_allclose(sparse.toarray(), dense.toarray(), atol=1e-6 * dense.max())


@pytest.mark.parametrize("make", [np.asarray, sp.csr_array, sp.triu, lambda Z: sp.tril(Z, format="csr")])
def test_precomputed_distances_give_the_graph_of_the_rows(make, rng):
    X, _ = with_copies(rng)
    Z = cdist(X, X, "sqeuclidean")
    if make is not np.asarray:
        zero_but_stored = sp.coo_array(np.where(Z == 0, -1.0, Z))
        zero_but_stored.data = np.maximum(zero_but_stored.data, 0)
        Z = make(zero_but_stored).tocsr()
        assert Z.nnz > len(X) * (len(X) - 1) // 2 - 1
    expected = LogDegreeGraph(merge_identical=True, **OWN).fit(X).adjacency_
    found = LogDegreeGraph(metric="precomputed", merge_identical=True, **OWN).fit(Z).adjacency_
    np.testing.assert_allclose(found.toarray(), expected.toarray(), atol=1e-6 * expected.max())


def test_sparse_distances_without_a_pair_do_not_merge_its_nodes():
    """The leaves of a star have the same distances, but they are no candidates for each other."""
    leaves = np.arange(1, 6)
    for i, j in ((np.zeros(5, int), leaves), (leaves, np.zeros(5, int))):
        star = sp.coo_array((np.full(5, 2.0), (i, j)), shape=(6, 6)).tocsr()
        merged = LogDegreeGraph(metric="precomputed", merge_identical=True, **OWN).fit(star).adjacency_
        expected = LogDegreeGraph(metric="precomputed", **OWN).fit(star).adjacency_
        np.testing.assert_array_equal(merged.toarray(), expected.toarray())
        assert merged.nnz == 10


def test_missing_values_at_the_same_places_are_identical(rng):
    X = rng.normal(size=(30, 5))
    X[7, 2] = np.nan
    X = np.vstack([X, X[7]])
    graph = LogDegreeGraph(5, missing="pairwise", merge_identical=True).fit(X)
    assert graph.adjacency_[7, 30] > 0
    alone = LogDegreeGraph(alpha=1 / graph.theta_, beta=1 / graph.theta_, missing="pairwise").fit(X[:30])
    np.testing.assert_allclose(graph.adjacency_.sum(axis=1)[:30], alone.adjacency_.sum(axis=1), rtol=1e-2)


@pytest.mark.parametrize("make", [np.asarray, sp.csr_array])
def test_identical_rows_with_nan_are_refused(make, rng):
    X = rng.normal(size=(10, 3))
    X[3:5] = np.nan
    with pytest.raises(InputError, match="NaN"):
        LogDegreeGraph(merge_identical=True).fit(make(X))


@pytest.mark.parametrize("make", [np.asarray, sp.csr_array])
def test_nothing_but_copies_is_no_graph(make):
    with pytest.raises(InputError, match="All 12 nodes have identical data"):
        LogDegreeGraph(merge_identical=True).fit(make(np.ones((12, 3))))


def test_without_copies_nothing_changes(rng):
    X = rng.normal(size=(50, 3))
    plain, merged = (LogDegreeGraph(6, merge_identical=merge).fit(X).adjacency_ for merge in (False, True))
    assert (plain != merged).nnz == 0


def test_columns_that_are_identical(rng):
    X = rng.normal(size=(20, 30))
    X[:, 11] = X[:, 4]
    rows = LogDegreeGraph(merge_identical=True, **OWN).fit(X.T).adjacency_
    for table in (X, sp.csr_array(X)):
        columns = LogDegreeGraph(nodes="columns", merge_identical=True, **OWN).fit(table).adjacency_
        np.testing.assert_allclose(columns.toarray(), rows.toarray(), atol=1e-6 * rows.max())


def test_a_copy_of_a_fitted_row_stands_for_it(rng):
    X, _ = with_copies(rng)
    graph = LogDegreeGraph(merge_identical=True, **OWN).fit(X)
    assert (graph.transform(X) != graph.adjacency_).nnz == 0


def test_new_rows_share_their_weights_among_copies(rng):
    X, _ = with_copies(rng)
    new = rng.normal(size=(8, 3))
    graph = LogDegreeGraph(merge_identical=True, **OWN).fit(X)
    distinct, where = np.unique(X, axis=0, return_inverse=True)
    expected = LogDegreeGraph(**OWN).fit(distinct).transform(new).toarray()
    sizes = np.bincount(where)
    np.testing.assert_allclose(graph.transform(new).toarray(), (expected / sizes)[:, where], atol=1e-5 * expected.max())


def test_more_copies_can_come_later(rng):
    X, _ = with_copies(rng)
    graph = LogDegreeGraph(merge_identical=True, **OWN).fit(X[:40]).partial_fit(X[40:])
    expected = LogDegreeGraph(merge_identical=True, **OWN).fit(X).adjacency_
    np.testing.assert_allclose(graph.adjacency_.toarray(), expected.toarray(), atol=1e-5 * expected.max())
    columns = LogDegreeGraph(nodes="columns", merge_identical=True, **OWN).fit(X)
    with pytest.raises(InputError, match="may tell apart"):
        columns.partial_fit(X)
