"""RowIndex against brute force: the nodes near new rows."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from smoothgraph.search.row_index import RowIndex

METRICS = ("sqeuclidean", "euclidean")


def clustered(m, d, rng):
    return 10 * rng.normal(size=(8, d))[rng.integers(8, size=m)] + 0.3 * rng.normal(size=(m, d))


def lattice(m, d, rng):
    """Many ties and duplicates."""
    return rng.integers(0, 3, size=(m, d)).astype(float)


def uneven(m, d, rng):
    return np.exp(3 * rng.normal(size=(m, 1))) * rng.normal(size=(m, d))


KINDS = (clustered, lattice, uneven)


def table(pairs, shape):
    """The pairs as a matrix, with NaN elsewhere, once they are seen to be in order and different."""
    assert np.all(np.diff(pairs.i.astype(np.int64) * shape[1] + pairs.j) > 0)
    found = np.full(shape, np.nan)
    found[pairs.i, pairs.j] = pairs.z
    return found


def assert_found(pairs, z, wanted, sure):
    """Every pair that is ``sure`` to be wanted was found, and none that is not ``wanted``, at their distances."""
    found = table(pairs, z.shape)
    there = ~np.isnan(found)
    assert np.all(there[sure])
    assert np.all(wanted[there])
    np.testing.assert_allclose(found[there], z[there], rtol=1e-9)


def assert_within(index, new, z, reach, scale=None):
    """``z`` are the distances before any scaling."""
    if scale is not None:
        z = (z / (scale[0][:, None] * scale[1])) ** 2
    bar = (np.maximum(reach[0], -1e300)[:, None] + reach[1]) / 2
    rounding = 1e-12 * np.abs(bar)
    pairs = index.search_from(new).within(reach, scale)
    assert_found(pairs, z, z < bar + rounding, z < bar - rounding)
    return len(pairs.z)


@settings(max_examples=25, deadline=None)
@given(
    st.sampled_from(KINDS),
    st.sampled_from(METRICS),
    st.integers(20, 700),
    st.integers(1, 300),
    st.integers(1, 100),
    st.booleans(),
    st.integers(0, 2**32 - 1),
)
def test_all_pairs_within_reach(kind, metric, m, n, d, scaled, seed):
    rng = np.random.default_rng(seed)
    X = kind(m + n, d, rng)
    X, new = X[:m], X[m:]
    z = cdist(new, X, metric)
    scale = (np.exp(rng.normal(size=n)), np.exp(rng.normal(size=m))) if scaled else None
    level = np.quantile(z, 0.05)
    reach = level * rng.normal(1, 1, size=n), level * rng.normal(1, 1, size=m)
    reach[0][0] = -np.inf
    assert_within(RowIndex.of(X, np.arange(m), metric), new, z, reach, scale)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("kind", KINDS)
def test_the_nearest_and_all_that_are_as_near(kind, metric, rng):
    X, new = np.split(kind(2200, 70, rng), [2000])
    z = cdist(new, X, metric)
    pairs = RowIndex.of(X, np.arange(2000), metric).search_from(new).nearest(15)
    farthest = np.nanmax(table(pairs, z.shape), axis=1, keepdims=True)
    assert np.all(farthest >= np.sort(z, axis=1)[:, 14:15] * (1 - 1e-12))
    assert_found(pairs, z, z <= farthest * (1 + 1e-12), z <= farthest * (1 - 1e-12))
    assert len(pairs.z) < z.size / 4


def test_only_some_rows_are_nodes(rng):
    X, new = np.split(clustered(900, 20, rng), [800])
    nodes = rng.permutation(800)[:300]
    index = RowIndex.of(X, nodes, "sqeuclidean")
    reach, scale = (np.full(100, 3.0), np.linspace(-1, 4, 300)), (np.ones(100), np.linspace(0.5, 2, 300))
    z = cdist(new, X[nodes], "sqeuclidean")
    assert 0 < assert_within(index, new, z, reach, scale) < z.size / 2
    assert np.bincount(index.search_from(new).nearest(15).i).min() >= 15


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.float32, np.bool_])
def test_rows_of_any_type(dtype, rng):
    values = np.array([0, 0, 50, 127, -128]).astype(dtype)
    X, new = values[rng.integers(5, size=(500, 30))], values[rng.integers(5, size=(50, 30))]
    z = cdist(new.astype(float), X.astype(float), "sqeuclidean")
    reach = np.full(50, np.quantile(z, 0.1)), np.full(500, np.quantile(z, 0.1) + 0.5)
    assert assert_within(RowIndex.of(X, np.arange(500), "sqeuclidean"), new.astype(float), z, reach) > 0


@pytest.mark.parametrize("distance", [1e3, 1e12, 1e30, 1e60])
def test_new_rows_may_be_far_from_all_others(distance, rng):
    X = clustered(600, 80, rng)
    new = clustered(40, 80, rng)
    new[::2] *= distance
    z = cdist(new, X, "sqeuclidean")
    reach = 2.02 * z.min(axis=1), np.zeros(600)
    assert_within(RowIndex.of(X, np.arange(600), "sqeuclidean"), new, z, reach)


def test_distances_that_are_not_finite_are_refused(rng):
    index = RowIndex.of(rng.normal(size=(30, 2)), np.arange(30), "sqeuclidean")
    with pytest.raises(ValueError, match="rescale X"):
        index.search_from(np.full((1, 2), 1e200))
