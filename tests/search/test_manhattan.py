"""Coordinates that bound Manhattan distances from below."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from smoothgraph.search import TiledSearch
from smoothgraph.search.manhattan import Steps, manhattan_coordinates

KINDS = {
    "normal": lambda rng, shape: rng.normal(size=shape),
    "long tails": lambda rng, shape: np.exp(3 * rng.normal(size=shape)),
    "offset": lambda rng, shape: 1e9 + rng.normal(size=shape),
    "few values": lambda rng, shape: rng.integers(0, 3, size=shape).astype(float),
    "constant columns": lambda rng, shape: rng.normal(size=shape) * (rng.random(shape[1]) < 0.5),
    "outlier": lambda rng, shape: np.where(rng.random(shape) < 0.001, 1e12, rng.normal(size=shape)),
}


@settings(max_examples=25)
@given(st.sampled_from(sorted(KINDS)), st.sampled_from([1, 3, 20]), st.integers(0, 10**6))
def test_no_squared_distance_of_coordinates_exceeds_the_manhattan_distance(kind, d, seed):
    X = KINDS[kind](np.random.default_rng(seed), (120, d))
    Z = cdist(X, X, "cityblock")
    points, error, unit, _ = manhattan_coordinates(X)
    apart = cdist(points.astype(float), points.astype(float))
    bound = np.sqrt(Z) * (1 + 1e-6) / unit + error[:, None] + error
    assert np.all(apart <= bound)


@given(st.sampled_from(sorted(KINDS)), st.integers(0, 10**6))
def test_steps_end_to_end_are_as_long_as_the_distance(kind, seed):
    """Rows at the ends of the range: every step counts in full."""
    X = KINDS[kind](np.random.default_rng(seed), (50, 4))
    ends = np.stack([X.min(axis=0), X.max(axis=0)])
    q = Steps.of(X).coordinates(ends)
    np.testing.assert_allclose(np.sum((q[0] - q[1]) ** 2), np.sum(ends[1] - ends[0]), rtol=1e-9)


def test_far_pairs_are_ruled_out(rng):
    """The bound is of use: of uniform rows, two thirds of the distance are seen."""
    X = rng.uniform(size=(300, 10))
    points, _, unit, _ = manhattan_coordinates(X)
    Z = cdist(X, X, "cityblock")
    seen = unit**2 * cdist(points, points, "sqeuclidean")
    assert np.mean(seen) > 2 / 3 * np.mean(Z)


def test_rows_that_are_all_the_same_are_found():
    search = TiledSearch.of(np.ones((5, 2)), "cityblock")
    assert len(search.within(np.full(5, 1e-50)).i) == 10


@pytest.mark.parametrize("d", [12, 200])
def test_all_pairs_within_reach(d, rng):
    X = rng.normal(size=(700, d)) * rng.uniform(0.1, 3, size=(700, 1))
    Z = cdist(X, X, "cityblock")
    reach = 2 * np.partition(Z, 8, axis=1)[:, 8] * rng.uniform(0.5, 1.5, size=700)
    found = TiledSearch.of(X, "cityblock").within(reach)
    expected = np.triu(reach[:, None] + reach > 2 * Z, 1)
    assert len(found.i) == expected.sum()
    low, high = np.minimum(found.i, found.j), np.maximum(found.i, found.j)
    assert np.all(expected[low, high])
    np.testing.assert_allclose(found.z, Z[found.i, found.j], rtol=1e-12)
