import numpy as np
import pytest
import scipy.sparse as sp
from helpers import PAIR_SET_NAMES, make_pair_set
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import squareform

from benchmarks.reference import summation
from smoothgraph import PairSet


@pytest.fixture(params=PAIR_SET_NAMES)
def edges(request, rng):
    return make_pair_set(request.param, rng.normal(size=(20, 3)), rng)


def test_all_pairs_are_in_squareform_order(rng):
    w = rng.random(15)
    np.testing.assert_array_equal(PairSet.all_pairs(6).adjacency(w).toarray(), squareform(w))


def test_degree_sums_and_pair_sums_are_s_and_its_transpose(edges, rng):
    w, u = rng.normal(size=edges.n_pairs), rng.normal(size=edges.n_nodes)
    S = summation(edges)
    np.testing.assert_allclose(edges.degree_sums(w), S @ w, rtol=1e-12)
    np.testing.assert_allclose(edges.pair_sums(u), S.T @ u, rtol=1e-12)


def test_table_1_of_the_paper(edges, rng):
    """Each row of Table 1 in its Laplacian, adjacency and vector form."""
    X, w = rng.normal(size=(edges.n_nodes, 4)), rng.random(edges.n_pairs)
    W, L = edges.adjacency(w).toarray(), edges.laplacian(w).toarray()
    Z = np.sum((X[:, None] - X[None]) ** 2, axis=2)
    z, d = Z[edges.rows, edges.cols], edges.degree_sums(w)
    np.testing.assert_allclose(2 * np.trace(X.T @ L @ X), np.sum(W * Z))
    np.testing.assert_allclose(np.sum(W * Z), 2 * w @ z)
    np.testing.assert_allclose(np.trace(L), W.sum())
    np.testing.assert_allclose(W.sum(), 2 * w.sum())
    np.testing.assert_allclose(np.sum(W**2), 2 * w @ w)
    np.testing.assert_allclose(np.diag(L), W.sum(axis=1))
    np.testing.assert_allclose(W.sum(axis=1), d)
    np.testing.assert_allclose(np.sum(L**2), 2 * w @ w + d @ d)
    np.testing.assert_array_equal(edges.weights_of(W), w)
    np.testing.assert_array_equal(edges.weights_of(sp.csr_array(L)), w)


def test_adjacency_is_symmetric_hollow_and_stores_no_zeros(edges, rng):
    w = np.where(rng.random(edges.n_pairs) < 0.5, 0, rng.random(edges.n_pairs))
    W = edges.adjacency(w)
    assert sp.issparse(W)
    assert W.format == "csr"
    assert (W != W.T).nnz == 0
    assert np.all(W.diagonal() == 0)
    assert np.all(W.data != 0)
    assert W.nnz == 2 * np.count_nonzero(w)


def test_from_neighbors_merges_both_directions_and_skips_self():
    edges = PairSet.from_neighbors([[0, 1], [1, 0, 2], [], [2]])
    assert list(zip(edges.rows, edges.cols, strict=True)) == [(0, 1), (1, 2), (2, 3)]


@pytest.mark.parametrize("matrix", [sp.csr_array, sp.coo_matrix, np.asarray])
def test_from_mask_takes_either_triangle(matrix):
    dense = np.array([[1, 1, 0], [0, 0, 0], [0, 1, 0]])
    edges = PairSet.from_mask(matrix(dense))
    assert list(zip(edges.rows, edges.cols, strict=True)) == [(0, 1), (1, 2)]


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=60))
def test_from_pairs_is_the_set_of_pairs(pairs):
    pairs = [(i, j) for i, j in pairs if i != j]
    edges = PairSet.from_pairs(np.array([i for i, _ in pairs], int), np.array([j for _, j in pairs], int), 10)
    assert list(zip(edges.rows, edges.cols, strict=True)) == sorted({(min(p), max(p)) for p in pairs})


@pytest.mark.parametrize(
    ("i", "j", "message"),
    [
        ([0, 1], [1], "equal length"),
        ([0], [5], "between 0 and 3"),
        ([-1], [2], "between 0 and 3"),
        ([2], [2], "node 2 is paired with itself"),
        ([0.5], [1.0], "integers"),
    ],
)
def test_bad_pairs_are_refused(i, j, message):
    with pytest.raises(ValueError, match=message):
        PairSet.from_pairs(i, j, 4)


def test_one_node_is_refused():
    with pytest.raises(ValueError, match="at least two nodes"):
        PairSet.all_pairs(1)


def test_wrong_lengths_are_refused(edges):
    with pytest.raises(ValueError, match="one number per pair"):
        edges.degree_sums(np.ones(edges.n_pairs + 1))
    with pytest.raises(ValueError, match="one number per node"):
        edges.pair_sums(np.ones(edges.n_nodes + 1))
    with pytest.raises(ValueError, match="square"):
        PairSet.from_mask(np.ones((2, 3)))
    with pytest.raises(ValueError, match="Expected a matrix"):
        edges.weights_of(np.ones((2, 2)))


@pytest.mark.parametrize("n_nodes", [12, 2100])  # the larger one is split over threads
def test_sums_over_all_pairs_against_the_square_matrix(n_nodes, rng):
    w = rng.random(n_nodes * (n_nodes - 1) // 2)
    sums = PairSet.all_pairs(n_nodes).degree_sums(w)
    np.testing.assert_allclose(sums, squareform(w).sum(axis=1), rtol=1e-12)


def test_norm_bounds_the_operator_and_is_tight_on_all_pairs(edges):
    exact = np.linalg.norm(summation(edges).toarray(), 2)
    assert edges.norm >= exact * (1 - 1e-12)
    np.testing.assert_allclose(PairSet.all_pairs(9).norm, np.sqrt(2 * 8))


def test_select_keeps_pairs_and_order(edges, rng):
    ids = np.flatnonzero(rng.random(edges.n_pairs) < 0.3)
    part = edges.select(ids)
    np.testing.assert_array_equal(part.rows, edges.rows[ids])
    np.testing.assert_array_equal(part.cols, edges.cols[ids])


@pytest.mark.parametrize("sparse", [False, True])
def test_weights_on_no_edges(sparse):
    matrix = np.zeros((3, 3))
    nothing = PairSet.from_pairs([], [], 3)
    assert nothing.weights_of(sp.csr_array(matrix) if sparse else matrix).shape == (0,)
