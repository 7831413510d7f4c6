"""Gower's distance against its definition, cell by cell."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from smoothgraph.pairs.distances import distances_to
from smoothgraph.pairs.gower import as_manhattan, has_few_categories
from smoothgraph.pairs.measure import Measure


def mixed(rng, m=12, missing=0.0):
    """Two columns of numbers, one constant, and two of categories."""
    X = np.column_stack([rng.normal(size=(m, 2)) * [1, 50] + 7, np.full(m, 3.0), rng.integers(0, 3, size=(m, 2))])
    X[rng.random(X.shape) < missing] = np.nan
    return X


CATEGORICAL = np.array([False, False, False, True, True])


def by_definition(a, b, fitted, categorical):
    parts = []
    for x, y, column, is_category in zip(a, b, fitted.T, categorical, strict=True):
        if np.isnan(x) or np.isnan(y):
            continue
        extent = np.nanmax(column) - np.nanmin(column)
        parts.append(float(x != y) if is_category else abs(x - y) / extent if extent else 0.0)
    return np.mean(parts) if parts else np.inf


def expected(A, B, categorical=CATEGORICAL):
    return np.array([[by_definition(a, b, B, categorical) for b in B] for a in A])


@given(st.integers(0, 10**6), st.sampled_from([0.0, 0.3]))
def test_the_mean_over_shared_columns(seed, missing):
    rng = np.random.default_rng(seed)
    X, new = mixed(rng, missing=missing), mixed(rng, 4, missing)
    new[0, 3] = -1  # an unknown category
    measure = Measure.of("gower", None, "pairwise" if missing else "error", CATEGORICAL)
    np.testing.assert_allclose(distances_to(X, X, measure), expected(X, X), atol=1e-12)
    np.testing.assert_allclose(distances_to(new, X, measure), expected(new, X), atol=1e-12)


@given(st.integers(0, 10**6))
def test_units_and_numbers_of_categories_do_not_matter(seed):
    rng = np.random.default_rng(seed)
    X = mixed(rng)
    z = distances_to(X, X, Measure.of("gower", categorical=CATEGORICAL))
    X[:, :2] = X[:, :2] * rng.uniform(-5, 5, size=2) + 1e3
    X[:, 3] = np.array([5.0, -2.0, 11.0])[X[:, 3].astype(int)]
    np.testing.assert_allclose(distances_to(X, X, Measure.of("gower", categorical=CATEGORICAL)), z, atol=1e-9)


def test_a_table_of_numbers_only(rng):
    X = rng.normal(size=(15, 4))
    scaled = (X - X.min(axis=0)) / np.ptp(X, axis=0)
    np.testing.assert_allclose(
        distances_to(X, X, Measure("gower")), cdist(scaled, scaled, "cityblock") / 4, rtol=1e-9, atol=1e-14
    )


@given(st.integers(0, 10**6))
def test_rows_to_search_among_have_the_same_distances(seed):
    X = mixed(np.random.default_rng(seed))
    rows = as_manhattan(X, CATEGORICAL)
    np.testing.assert_allclose(cdist(rows, rows, "cityblock"), expected(X, X), atol=1e-12)


def test_a_column_of_names_is_not_searched_among():
    X = np.column_stack([np.zeros(1100), np.arange(1100.0)])
    assert not has_few_categories(X, np.array([False, True]))
    assert has_few_categories(X, np.array([True, False]))


def test_missing_values_are_refused_unless_asked_for(rng):
    X = mixed(rng, missing=0.3)
    with pytest.raises(ValueError, match="missing='pairwise'"):
        distances_to(X, X, Measure.of("gower", categorical=CATEGORICAL))
