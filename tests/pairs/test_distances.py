import numpy as np
import pytest
import scipy.sparse as sp
from helpers import PAIR_SET_NAMES, make_pair_set
from scipy.spatial.distance import cdist, pdist, squareform
from sklearn.metrics.pairwise import nan_euclidean_distances
from sklearn.neighbors import kneighbors_graph

from smoothgraph import PairSet, distances
from smoothgraph.pairs.distances import distances_to, read_distance_matrix
from smoothgraph.pairs.measure import Measure


@pytest.mark.parametrize("name", PAIR_SET_NAMES)
@pytest.mark.parametrize("container", [np.asarray, sp.csr_array])
def test_squared_euclidean_on_any_edges(name, container, rng):
    X = rng.normal(size=(40, 7))
    edges = make_pair_set(name, X, rng)
    expected = squareform(pdist(X, "sqeuclidean"))[edges.rows, edges.cols]
    np.testing.assert_allclose(distances(container(X), edges), expected, rtol=1e-10)


@pytest.mark.parametrize("options", [{}, {"metric": "cityblock"}, {"missing": "pairwise"}])
def test_all_pairs_of_many_nodes_are_measured_in_blocks(options, rng):
    x = rng.normal(size=3000)
    edges = PairSet.all_pairs(3000)
    apart = np.abs(x[edges.rows] - x[edges.cols])
    expected = apart if "metric" in options else apart**2
    np.testing.assert_allclose(distances(x[:, None], **options), expected, rtol=1e-9)


def test_some_pairs_of_long_rows_are_measured_in_blocks(rng):
    X = rng.normal(size=(100, 2000))
    edges = PairSet.from_mask(np.triu(np.ones((100, 100)), k=2))  # too many pairs for one block
    expected = squareform(pdist(X, "sqeuclidean"))[edges.rows, edges.cols]
    np.testing.assert_allclose(distances(X, edges), expected, rtol=1e-12)


@pytest.mark.parametrize("metric", ["cityblock", "cosine", "euclidean", "correlation"])
def test_other_metrics_are_taken_as_they_are(metric, rng):
    X = rng.normal(size=(30, 5))
    np.testing.assert_allclose(distances(X, metric=metric), pdist(X, metric), atol=1e-12)


def test_cosine_of_equal_rows_is_not_negative():
    assert distances(np.ones((5, 3)), metric="cosine").min() >= 0


@pytest.mark.parametrize("offset", [0.0, 280.0, 1e6])
def test_near_duplicates_keep_their_digits(offset, rng):
    """The product formula alone would leave no correct digit here."""
    X = rng.normal(size=(30, 6)) + offset
    X[1] = X[0]
    X[1, 2] += 1e-6 * max(1, offset)
    X[2] = X[0]
    for metric in ("sqeuclidean", "euclidean"):
        np.testing.assert_allclose(distances(X, metric=metric), pdist(X, metric), rtol=1e-9)
        np.testing.assert_allclose(distances_to(X, X.copy(), Measure(metric)), cdist(X, X, metric), rtol=1e-9)
        assert distances(X, metric=metric)[1] == 0


def test_integers_and_lists_are_accepted():
    np.testing.assert_allclose(distances([[0, 0], [3, 4], [0, 1]]), [25, 1, 18], rtol=1e-14)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_missing_values_are_named(bad, rng):
    X = rng.normal(size=(5, 3))
    X[3, 1] = bad
    with pytest.raises(ValueError, match="node 3; drop such nodes, fill in the values, or use missing='pairwise'"):
        distances(X)


def test_shape_errors(rng):
    with pytest.raises(ValueError, match="at least two nodes"):
        distances(rng.normal(size=(1, 3)))
    with pytest.raises(ValueError, match="must agree"):
        distances(rng.normal(size=(4, 3)), PairSet.all_pairs(5))
    with pytest.raises(ValueError, match="rescale the data"):
        distances(np.array([[1e200], [-1e200]]))


def test_a_dense_matrix_matches_squareform(rng):
    z = rng.random(45 * 22)
    edges, read = read_distance_matrix(squareform(z))
    assert edges.n_nodes == 45
    np.testing.assert_array_equal(read, z)


def test_a_large_matrix_is_read_in_parallel(rng):
    z = rng.random(2100 * 2099 // 2)
    np.testing.assert_array_equal(read_distance_matrix(squareform(z))[1], z)


def test_a_sparse_matrix_is_the_candidate_set(rng):
    X = rng.normal(size=(30, 3))
    one_sided = kneighbors_graph(X, 4, mode="distance")
    edges, z = read_distance_matrix(one_sided)
    np.testing.assert_allclose(z, np.linalg.norm(X[edges.rows] - X[edges.cols], axis=1), rtol=1e-9)
    assert edges.n_pairs == sp.triu(one_sided + one_sided.T, k=1).nnz


def test_a_sparse_matrix_keeps_stored_zeros():
    edges, z = read_distance_matrix(sp.coo_array(([0.0, 2.0], ([0, 1], [1, 2])), shape=(3, 3)))
    assert edges.n_pairs == 2
    np.testing.assert_array_equal(z, [0, 2])


def _matrix(change):
    Z = squareform(np.arange(1.0, 7.0))
    change(Z)
    return Z


@pytest.mark.parametrize("container", [np.asarray, sp.csr_array])
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda Z: Z.__setitem__((0, 1), np.nan), "NaN or infinity"),
        (lambda Z: Z.__setitem__((1, 0), np.nan), "NaN or infinity"),
        (lambda Z: Z.__setitem__((2, 0), np.inf), "NaN or infinity"),
        (lambda Z: Z.__setitem__(([0, 1], [1, 0]), -1), "must be >= 0"),
        (lambda Z: Z.__setitem__((3, 1), 9), "not symmetric"),
        (lambda Z: Z.__setitem__((2, 2), 1), "diagonal"),
        (lambda Z: Z.__setitem__((2, 2), np.nan), "NaN or infinity"),
        (lambda Z: Z.__setitem__((2, 2), np.inf), "NaN or infinity"),
    ],
)
def test_bad_matrices_are_refused(container, change, message):
    with pytest.raises(ValueError, match=message):
        read_distance_matrix(container(_matrix(change)))


@pytest.mark.parametrize("shape", [(3, 4), (6,), (2, 2, 2)])
def test_non_square_matrices_are_refused(shape):
    with pytest.raises(ValueError, match="square"):
        read_distance_matrix(np.ones(shape))


def test_one_node_and_empty_matrices_are_refused():
    with pytest.raises(ValueError, match="at least two nodes"):
        read_distance_matrix(np.zeros((1, 1)))
    with pytest.raises(ValueError, match="stores no pair"):
        read_distance_matrix(sp.csr_array((4, 4)))


def test_a_flat_list_is_refused_with_the_remedy():
    with pytest.raises(ValueError, match=r"X\.reshape\(-1, 1\)"):
        distances([1.0, 2.0, 3.0])


def test_missing_values_pairwise_match_scikit_learn(rng):
    X = rng.normal(size=(25, 8))
    X[rng.random(X.shape) < 0.3] = np.nan
    expected = nan_euclidean_distances(X, squared=True)
    edges = PairSet.all_pairs(25)
    z = distances(X, edges, missing="pairwise")
    np.testing.assert_allclose(z, expected[edges.rows, edges.cols], rtol=1e-9)


def test_missing_values_keep_the_digits_of_near_duplicates(rng):
    X = rng.normal(size=(6, 5)) + 300.0
    X[1] = X[0]
    X[1, 3] += 1e-5
    X[2] = X[0]
    X[0, 4] = np.nan
    z = distances(X, missing="pairwise")
    np.testing.assert_allclose(z[0], (X[1, 3] - X[0, 3]) ** 2 * 5 / 4, rtol=1e-9)
    assert z[1] == 0


def test_without_missing_values_pairwise_changes_nothing(rng):
    X = rng.normal(size=(20, 4))
    np.testing.assert_allclose(distances(X, missing="pairwise"), distances(X), rtol=1e-12)


def test_what_pairwise_cannot_do_is_said(rng):
    X = rng.normal(size=(4, 3))
    with pytest.raises(ValueError, match="missing must be"):
        distances(X, missing="drop")
    with pytest.raises(ValueError, match="goes with metric='sqeuclidean'"):
        distances(X, metric="cosine", missing="pairwise")
    with pytest.raises(ValueError, match="infinity; use NaN"):
        distances(np.full((3, 2), np.inf), missing="pairwise")
    with pytest.raises(ValueError, match="dense X"):
        distances(sp.csr_array(X), missing="pairwise")


def test_rows_without_a_common_coordinate_are_infinitely_far(rng):
    X = rng.normal(size=(6, 4))
    X[0, :2] = X[1, 2:] = np.nan
    z = squareform(distances(X, missing="pairwise"))
    expected = nan_euclidean_distances(X, squared=True)
    expected[0, 1] = expected[1, 0] = np.inf
    np.testing.assert_allclose(z, expected, atol=1e-12)
    np.testing.assert_allclose(distances_to(X[:1], X, Measure(missing="pairwise")), expected[:1], atol=1e-12)


@pytest.mark.parametrize("container", [np.asarray, sp.csr_array])
def test_distances_to_fitted_rows(container, rng):
    A, B = rng.normal(size=(6, 4)) + 50, rng.normal(size=(9, 4)) + 50
    A[2] = B[5]
    z = distances_to(container(A), container(B), Measure())
    np.testing.assert_allclose(z, cdist(A, B, "sqeuclidean"), rtol=1e-9)
    assert z[2, 5] == 0
    cityblock = distances_to(A, B, Measure("cityblock"))
    np.testing.assert_allclose(cityblock, cdist(A, B, "cityblock"))


@pytest.mark.parametrize("missing", ["error", "pairwise"])
def test_one_huge_value_leaves_all_other_distances_alone(missing, rng):
    X = rng.normal(size=(50, 3))
    X[0, 0] = 1e18
    expected = pdist(X, "sqeuclidean")
    np.testing.assert_allclose(distances(X, missing=missing), expected, rtol=1e-12)
    to_others = distances_to(X[20:30], X, Measure(missing=missing))
    np.testing.assert_allclose(to_others, squareform(expected)[20:30], rtol=1e-12)
