"""Metrics as Euclidean distances or their squares, against SciPy."""

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.spatial.distance import cdist

from smoothgraph.pairs.euclidean import ROOTED, SEARCHABLE, as_euclidean


@pytest.mark.parametrize("metric", SEARCHABLE)
@pytest.mark.parametrize("offset", [0.0, 30.0])
@pytest.mark.parametrize("scale", [1e-8, 1.0, 1e8])
def test_the_distance_or_its_square_is_the_metric(metric, offset, scale, rng):
    X = scale * (rng.normal(size=(60, 7)) + offset)
    rows = as_euclidean(X, metric)
    expected = cdist(X, X, metric)
    z = cdist(rows, rows, "euclidean" if metric in ROOTED else "sqeuclidean")
    np.testing.assert_allclose(z, expected, rtol=1e-9, atol=1e-14 * max(1, expected.max()))


def test_cosine_of_sparse_rows(rng):
    X = sp.random_array((60, 30), density=0.3, format="csr", rng=rng)
    rows = as_euclidean(X, "cosine")
    assert sp.issparse(rows)
    z = cdist(rows.toarray(), rows.toarray(), "sqeuclidean")
    np.testing.assert_allclose(z, cdist(X.toarray(), X.toarray(), "cosine"), atol=1e-14)


def test_the_data_are_left_alone(rng):
    X = rng.normal(size=(20, 4))
    before = X.copy()
    for metric in SEARCHABLE:
        as_euclidean(X, metric)
    np.testing.assert_array_equal(X, before)


@pytest.mark.parametrize("container", [np.asarray, sp.csr_array])
def test_zero_rows_are_named(container, rng):
    X = rng.normal(size=(9, 4))
    X[5] = 0
    with pytest.raises(ValueError, match="cosine distance of row 5"):
        as_euclidean(container(X), "cosine")


@pytest.mark.parametrize("value", [0.0, 2.0, 0.1])
def test_constant_rows_have_no_correlation(value, rng):
    X = rng.normal(size=(9, 7))
    X[3] = value
    with pytest.raises(ValueError, match="correlation distance of row 3"):
        as_euclidean(X, "correlation")


def test_what_cannot_be_searched_for_is_said(rng):
    X = rng.normal(size=(9, 4))
    with pytest.raises(ValueError, match="not by 'cityblock'"):
        as_euclidean(X, "cityblock")
    with pytest.raises(ValueError, match="needs a dense X"):
        as_euclidean(sp.csr_array(X), "correlation")
