"""Metrics with parameters, functions as metrics, and |r|, against SciPy and NumPy."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cdist, pdist
from sklearn.metrics.pairwise import cosine_distances

from smoothgraph import Pairs, PairSet, distances
from smoothgraph.pairs.distances import distances_to
from smoothgraph.pairs.measure import Measure


def positive_definite(rng, d):
    root = rng.normal(size=(d, d))
    return root @ root.T


def with_params(rng, d=5):
    """Metrics with parameters as in SciPy."""
    w = rng.uniform(0.1, 2, size=d)
    return {
        "minkowski 3": ("minkowski", {"p": 3}),
        "minkowski 1": ("minkowski", {"p": 1}),
        "minkowski": ("minkowski", {}),
        "minkowski inf": ("minkowski", {"p": np.inf}),
        "minkowski 2, w": ("minkowski", {"p": 2, "w": w}),
        "minkowski 1.5, w": ("minkowski", {"p": 1.5, "w": w}),
        "euclidean, w": ("euclidean", {"w": w}),
        "sqeuclidean, w": ("sqeuclidean", {"w": w}),
        "cityblock, w": ("cityblock", {"w": w}),
        "seuclidean": ("seuclidean", {"V": rng.uniform(0.1, 2, size=d)}),
        "mahalanobis": ("mahalanobis", {"VI": positive_definite(rng, d)}),
        "canberra": ("canberra", {}),
        "chebyshev": ("chebyshev", {}),
    }


NAMES = tuple(with_params(np.random.default_rng(0)))


@pytest.mark.parametrize("name", NAMES)
def test_parameters_mean_what_they_mean_in_scipy(name, rng):
    X, Y = rng.normal(size=(25, 5)) + 3, rng.normal(size=(7, 5))
    metric, params = with_params(rng)[name]
    np.testing.assert_allclose(distances(X, metric=metric, metric_params=params), pdist(X, metric, **params), rtol=1e-9)
    some = PairSet.from_mask(np.triu(np.ones((25, 25)), k=20))
    expected = cdist(X, X, metric, **params)[some.rows, some.cols]
    np.testing.assert_allclose(Pairs.of(X, some, metric=metric, metric_params=params).z, expected, rtol=1e-9)
    measure = Measure.of(metric, params)
    np.testing.assert_allclose(distances_to(Y, X, measure), cdist(Y, X, metric, **params), rtol=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_identical_rows_are_at_distance_zero_whatever_the_other_rows_are(name, rng):
    X = rng.normal(size=(400, 5)) + 1e3
    metric, params = with_params(rng)[name]
    for chosen in (slice(17, 18), slice(100, 130)):
        z = distances_to(X[chosen], X, Measure.of(metric, params))
        assert np.all(z[np.arange(len(z)), np.arange(400)[chosen]] == 0)


@given(st.integers(0, 10**6), st.sampled_from(["manhattan", "l1", "l2", "cityblock", "euclidean"]))
def test_other_names_are_the_same_metric(seed, name):
    X = np.random.default_rng(seed).normal(size=(6, 3))
    first = {"manhattan": "cityblock", "l1": "cityblock", "l2": "euclidean"}.get(name, name)
    np.testing.assert_allclose(distances(X, metric=name), pdist(X, first), rtol=1e-12)


@pytest.mark.parametrize("metric", ["euclidean", "sqeuclidean", "seuclidean"])
def test_parameters_of_sparse_rows(metric, rng):
    X = sp.random_array((20, 6), density=0.4, format="csr", rng=rng)
    params = {"V" if metric == "seuclidean" else "w": rng.uniform(0.5, 2, size=6)}
    expected = pdist(X.toarray(), metric, **params)
    np.testing.assert_allclose(distances(X, metric=metric, metric_params=params), expected, rtol=1e-9)


@given(st.integers(0, 10**6))
def test_absolute_correlation_is_one_minus_the_size_of_r(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(9, 6))
    X[3], X[4], X[5] = 2 * X[0] + 1, -X[1], -0.5 * X[2] + 1e-4 * X[8]
    z = distances(X, metric="absolute_correlation")
    i, j = np.triu_indices(9, 1)
    np.testing.assert_allclose(z, (1 - np.abs(np.corrcoef(X)))[i, j], atol=1e-12)
    signs, shifts = rng.choice([-1.0, 1.0], size=(9, 1)), rng.normal(size=(9, 1))
    changed = distances(signs * X * rng.uniform(0.5, 2, size=(9, 1)) + shifts, metric="absolute_correlation")
    np.testing.assert_allclose(changed, z, atol=1e-12)


def test_the_row_that_has_no_correlation_is_named(rng):
    X = rng.normal(size=(9, 4))
    X[7] = 3.0
    with pytest.raises(ValueError, match="row 7"):
        distances(X, metric="absolute_correlation")


@pytest.mark.parametrize("container", [np.asarray, sp.csr_array])
def test_a_row_of_zeros_has_the_cosine_zero_with_all_rows(container, rng):
    X = rng.normal(size=(8, 4))
    X[[2, 5]] = 0
    expected = cosine_distances(X)
    i, j = np.triu_indices(8, 1)
    np.testing.assert_allclose(distances(container(X), metric="cosine"), expected[i, j], atol=1e-14)
    np.testing.assert_allclose(distances_to(container(X[:3]), container(X), Measure("cosine"))[2], np.ones(8))


@pytest.mark.parametrize("metric", ["cosine", "correlation", "absolute_correlation"])
def test_angles_keep_the_digits_of_near_duplicates(metric):
    """Two unit vectors at the angle t: 1 - cos t = t^2 / 2 up to t^4."""
    plane = np.array([[1.0, -1.0, 0.0], [1.0, 1.0, -2.0]]) / np.sqrt([[2.0], [6.0]])  # its rows have the mean zero
    for t in (1e-3, 1e-6):
        X = np.array([[1.0, 0.0], [np.cos(t), np.sin(t)]]) @ plane
        np.testing.assert_allclose(distances(X, metric=metric), t**2 / 2 - t**4 / 24, rtol=1e-8)


# -- functions -------------------------------------------------------------


def steps(a, b, *, height=1.0):
    return float(np.sum(np.abs(a - b) > height))


def test_a_function_is_called_with_two_rows(rng):
    X, Y = rng.normal(size=(20, 4)), rng.normal(size=(3, 4))
    given_height = {"height": 0.7}
    expected = pdist(X, steps, height=0.7)
    np.testing.assert_array_equal(distances(X, metric=steps, metric_params=given_height), expected)
    to_others = distances_to(Y, X, Measure.of(steps, given_height))
    np.testing.assert_array_equal(to_others, cdist(Y, X, steps, height=0.7))
    some = PairSet.from_pairs([0, 4], [7, 2], 20)
    np.testing.assert_array_equal(distances(X, some, metric=steps), [steps(X[0], X[7]), steps(X[2], X[4])])


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda a, b: a[0] - b[0], "finite distances >= 0, but it gave -"),
        (lambda a, b: np.nan, "finite distances >= 0, but it gave nan"),  # noqa: ARG005
        (lambda a, b: np.inf, "finite distances >= 0, but it gave inf"),  # noqa: ARG005
        (lambda a, b: max(a[0] - b[0], 0) + 2 * max(b[0] - a[0], 0), "symmetric, but for rows 0 and 1"),
    ],
)
def test_a_function_that_is_no_distance_is_refused(function, message, rng):
    X = np.sort(rng.normal(size=(6, 1)), axis=0)[::-1]
    with pytest.raises(ValueError, match=message):
        distances(X[::-1] if "-" in message[-2:] else X, metric=function)


def test_a_function_takes_no_sparse_rows(rng):
    with pytest.raises(ValueError, match="metric='steps' needs a dense X"):
        distances(sp.csr_array(rng.normal(size=(4, 3))), metric=steps)


# -- what cannot be used is said ---------------------------------------------


@pytest.mark.parametrize(
    ("metric", "params", "message"),
    [
        (3, None, "metric must be a name or a function"),
        ("minkowski", [3], "metric_params must be a dict"),
        ("cosine", {"p": 3}, r"other metric_params \(none\), got p"),
        ("gower", {"w": 1}, r"other metric_params \(none\), got w"),
        ("seuclidean", None, "needs metric_params={'V': one number per column}"),
        ("seuclidean", {"V": [1.0, 2.0]}, r"one finite number >= 0 per column, \(3,\), got shape \(2,\)"),
        ("seuclidean", {"V": [1.0, 0.0, 2.0]}, "column 1 has 0: leave it out"),
        ("euclidean", {"w": [1.0, -1.0, 2.0]}, "finite number >= 0 per column.*smallest -1"),
        ("euclidean", {"q": 1}, r"other metric_params \('w'\), got q"),
        ("mahalanobis", None, "needs metric_params={'VI'"),
        ("mahalanobis", {"VI": np.eye(2)}, r"symmetric matrix of finite numbers, \(3, 3\)"),
        ("mahalanobis", {"VI": np.triu(np.ones((3, 3)))}, "symmetric matrix"),
        ("mahalanobis", {"VI": np.diag([1.0, 1.0, -1.0])}, "no negative eigenvalue, got -1"),
        ("minkowski", {"p": 0}, "must be"),
        ("canberra", {"q": 1}, "do not go together"),
        ("nothing", None, "nothing"),
    ],
)
def test_wrong_parameters_are_named(metric, params, message, rng):
    with pytest.raises(ValueError, match=message):
        distances(rng.normal(size=(5, 3)), metric=metric, metric_params=params)


def test_mahalanobis_needs_dense_rows():
    with pytest.raises(ValueError, match="dense X"):
        distances(sp.eye_array(3, format="csr"), metric="mahalanobis", metric_params={"VI": np.eye(3)})
