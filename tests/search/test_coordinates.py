"""Coordinates: distances of the stored points, less their errors, never exceed the true ones."""

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.spatial.distance import cdist

from smoothgraph.search.coordinates import Coordinates, Projection, largest_magnitude, sample_rows


def low_rank(m, d, rng, noise):
    return rng.normal(size=(m, 6)) @ rng.normal(size=(6, d)) + noise * rng.normal(size=(m, d))


def near_copies(X):
    return np.concatenate([X, X * (1 + 1e-9), X])


TABLES = {
    "few features": lambda rng: rng.normal(size=(200, 3)),
    "isotropic": lambda rng: rng.normal(size=(200, 60)),
    "low rank": lambda rng: low_rank(200, 90, rng, 0.01),
    "no noise": lambda rng: low_rank(200, 90, rng, 0.0),
    "near copies": lambda rng: near_copies(low_rank(80, 90, rng, 0.01)),
    "tiny residuals": lambda rng: near_copies(low_rank(80, 90, rng, 1e-9)),
    "offset": lambda rng: 1e8 + low_rank(200, 90, rng, 0.01),
    "offset, few features": lambda rng: 1e8 + rng.normal(size=(200, 3)),
    "uneven": lambda rng: 10 ** rng.uniform(-4, 4, (200, 1)) * low_rank(200, 90, rng, 0.1),
    "constant": lambda _: np.full((200, 30), 0.1),
    "sparse": lambda rng: sp.random_array((200, 60), density=0.1, format="csr", rng=rng),
    "sparse, few features": lambda rng: sp.random_array((200, 9), format="csr", rng=rng),
    "sparse, low rank": lambda rng: sp.csr_array(near_copies(low_rank(80, 90, rng, 1e-3))),
    "sparse, offset": lambda rng: sp.csr_array(1e8 + low_rank(200, 90, rng, 0.01)),
    "one huge outlier": lambda rng: np.vstack([low_rank(199, 40, rng, 0.01), np.full((1, 40), 1e9)]),
    "duplicates": lambda rng: np.repeat(low_rank(20, 40, rng, 0.1), 10, axis=0),
    "single": lambda rng: rng.normal(size=(200, 60)).astype(np.float32),
}


def assert_lower_bounds(X):
    coordinates = Coordinates.of(X)
    rows = (X.toarray() if sp.issparse(X) else X).astype(float)
    most = cdist(rows, rows) + coordinates.error[:, None] + coordinates.error
    for points in (coordinates.points, coordinates.short):
        assert points.dtype == np.float32
        assert np.all(cdist(points.astype(float), points.astype(float)) <= most)


@pytest.mark.slow
@pytest.mark.parametrize("name", TABLES)
def test_lower_bounds(name, rng):
    assert_lower_bounds(TABLES[name](rng))


def test_lower_bounds_of_a_projection_from_single_precision(rng):
    X = low_rank(60, 300, rng, 0.0).astype(np.float32)
    assert_lower_bounds(np.concatenate([X, X * np.float32(1 + 2.0**-22)]))


def test_errors_are_small_beside_the_points(rng):
    """Otherwise the bounds would be true and useless."""
    X = low_rank(200, 100, rng, 0.01)
    coordinates = Coordinates.of(X)
    assert coordinates.short.shape[1] < 50
    assert np.all(coordinates.error < 1e-5 * np.linalg.norm(X - X.mean(axis=0), axis=1))


def test_projections_are_used_where_they_pay(rng):
    assert Coordinates.of(low_rank(300, 120, rng, 0.01)).short.shape[1] < 60
    assert Coordinates.of(low_rank(300, 40, rng, 0.01)).short.shape[1] < 20
    assert Coordinates.of(rng.normal(size=(400, 60))).points.shape[1] == 60
    assert Coordinates.of(rng.normal(size=(600, 3))).points.shape[1] == 3


def test_take(rng):
    coordinates, rows = Coordinates.of(rng.normal(size=(50, 3))), rng.permutation(50)
    taken = coordinates.take(rows)
    np.testing.assert_array_equal(taken.points, coordinates.points[rows])
    np.testing.assert_array_equal(taken.error, coordinates.error[rows])


def test_take_and_concatenate_with_shortened_points(rng):
    coordinates = Coordinates.of(low_rank(90, 120, rng, 0.2))
    assert coordinates.shortened is not None
    parts = [coordinates.take(np.arange(first, first + 30)) for first in (0, 30, 60)]
    joined = Coordinates.concatenate(parts)
    for got, expected in zip(joined, coordinates, strict=True):
        np.testing.assert_array_equal(got, expected)
    doubled = coordinates.in_unit(2 * coordinates.unit)
    np.testing.assert_array_equal(doubled.short, coordinates.short / 2)


@pytest.mark.slow
def test_chunks_of_rows_have_the_coordinates_of_the_table(rng):
    """Up to the rounding that the errors cover."""
    X = low_rank(900, 784, rng, 0.05)
    projection = Projection.choose(X[sample_rows(900)], float(abs(X).max()))
    assert projection.directions is not None
    whole = Coordinates.of(X)
    parts = [projection.coordinates(X[first : first + 250]) for first in range(0, 900, 250)]
    off = np.concatenate([part.points for part in parts]) - whole.points
    assert np.all(np.linalg.norm(off, axis=1) <= whole.error)
    np.testing.assert_allclose(np.concatenate([part.error for part in parts]), whole.error)
    assert {part.unit for part in parts} == {whole.unit}


@pytest.mark.parametrize("n_rows", [1, 1999, 5000])
def test_sampled_rows_are_different_and_in_order(n_rows):
    for size in (2000, 300):
        rows = sample_rows(n_rows, size)
        assert len(rows) == min(n_rows, size)
        assert np.all(np.diff(rows) > 0)
        assert 0 <= rows[0] <= rows[-1] < n_rows


@pytest.mark.parametrize("dtype", [np.int8, np.float32, np.float64])
def test_the_largest_magnitude_may_be_that_of_a_negative_number(dtype):
    assert largest_magnitude(np.array([[-128, 5], [7, 0]], dtype)) == 128
    assert largest_magnitude(np.array([[-1, 5], [7, 0]], dtype)) == 7
    assert largest_magnitude(sp.csr_array(np.array([[-128, 5], [7, 0]], dtype))) == 128
