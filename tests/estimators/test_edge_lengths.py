import pickle

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.spatial.distance import cdist
from sklearn.exceptions import NotFittedError

from smoothgraph import L2DegreeGraph, LogDegreeGraph, SmoothGraph


@pytest.fixture
def X(rng):
    return np.round(rng.normal(size=(60, 3)), 1)[np.append(np.arange(60), [0, 0])]  # the first row three times


@pytest.mark.parametrize(("metric", "scipy_name"), [("sqeuclidean", "euclidean"), ("cityblock", "cityblock")])
@pytest.mark.parametrize("learner", [SmoothGraph(6), LogDegreeGraph(6), L2DegreeGraph(6)])
def test_lengths_of_edges_without_local_scales(learner, metric, scipy_name, X):
    graph = learner.set_params(metric=metric).fit(X)
    lengths, W = graph.distances_, graph.adjacency_
    np.testing.assert_array_equal(lengths.indptr, W.indptr)
    np.testing.assert_array_equal(lengths.indices, W.indices)
    coo = lengths.tocoo()
    np.testing.assert_allclose(coo.data, cdist(X, X, scipy_name)[coo.row, coo.col], atol=1e-12)


@pytest.mark.parametrize("kind", [np.asarray, sp.csr_array, sp.triu])
def test_precomputed_distances_are_kept_on_the_edges(kind, X):
    Z = cdist(X[:40], X[:40])
    graph = LogDegreeGraph(6, metric="precomputed").fit(kind(Z))
    coo = graph.distances_.tocoo()
    np.testing.assert_array_equal(coo.data, Z[coo.row, coo.col])
    again = graph.fit(2 * Z).distances_.tocoo()  # nothing is left of the last fit
    np.testing.assert_array_equal(again.data, 2 * Z[again.row, again.col])


def test_a_new_fit_has_new_lengths(X):
    graph = SmoothGraph(6).fit(X)
    before = graph.distances_.sum()
    assert graph.fit(3 * X).distances_.sum() == pytest.approx(3 * before)
    copy = pickle.loads(pickle.dumps(graph))
    assert abs(copy.distances_ - graph.distances_).max() == 0


@pytest.mark.filterwarnings("ignore:.* constant:UserWarning")
def test_columns_as_nodes(X):
    graph = LogDegreeGraph(6, nodes="columns").fit(X.T)
    np.testing.assert_array_equal(graph.distances_.toarray(), LogDegreeGraph(6).fit(X).distances_.toarray())


@pytest.mark.filterwarnings("ignore:.* constant:UserWarning")
def test_there_are_no_lengths_before_a_fit_or_without_rows(X):
    with pytest.raises((NotFittedError, AttributeError)):
        LogDegreeGraph().distances_  # noqa: B018
    graph = LogDegreeGraph(6, nodes="columns").partial_fit(X.T[:2]).partial_fit(X.T[2:])
    with pytest.raises(ValueError, match="fit all of them in memory"):
        graph.distances_  # noqa: B018


@pytest.mark.parametrize("kind", [np.float64, np.uint8])
@pytest.mark.parametrize("metric", ["sqeuclidean", "cosine", "cityblock"])
def test_distances_from_new_rows(metric, kind, X, rng):
    X = np.clip(30 * X + 100, 0, 255).astype(kind)
    graph = LogDegreeGraph(6, metric=metric).fit(X)
    new = np.vstack([30 * rng.normal(size=(5, 3)) + 100, X[3]])
    lengths, W = graph.joining_distances(new), graph.transform(new)
    Z = cdist(new, X, "euclidean" if metric == "sqeuclidean" else metric)
    coo = lengths.tocoo()
    np.testing.assert_allclose(coo.data, Z[coo.row, coo.col], atol=1e-12)
    extra = {(5, 3)} - set(zip(*W.nonzero(), strict=True))
    assert set(zip(coo.row.tolist(), coo.col.tolist(), strict=True)) == set(zip(*W.nonzero(), strict=True)) | extra


@pytest.mark.parametrize("kind", [np.asarray, sp.csr_array])
def test_distances_from_new_rows_to_many(kind, rng):
    X = rng.integers(0, 9, size=(4200, 4)).astype(np.uint8)  # with many copies
    new = np.vstack([rng.uniform(0, 9, size=(20, 4)), X[:3]])
    graph = SmoothGraph(6).fit(kind(X))
    coo, W = graph.joining_distances(kind(new)).tocoo(), graph.transform(kind(new))
    Z = cdist(new, X)
    np.testing.assert_allclose(coo.data, Z[coo.row, coo.col], atol=1e-12)
    zeros = {(i, int(np.argmin(Z[i]))) for i in np.flatnonzero(Z.min(axis=1) == 0).tolist()}
    assert len(zeros) >= 3
    assert set(zip(coo.row.tolist(), coo.col.tolist(), strict=True)) == zeros | set(zip(*W.nonzero(), strict=True))
