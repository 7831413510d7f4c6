"""Graphs by metrics with parameters, by functions, by |r|, and by what the search can do at any size."""

import numpy as np
import pytest
import scipy.sparse as sp
from helpers import uneven
from scipy.spatial.distance import cdist
from sklearn.base import clone

from smoothgraph import (
    DoublyStochasticGraph,
    GaussianGraph,
    JointGraph,
    L2DegreeGraph,
    LogDegreeGraph,
    SmoothGraph,
    edge_stability,
)
from smoothgraph.candidates import choice
from smoothgraph.support.input_error import InputError

ALL = [LogDegreeGraph, SmoothGraph, L2DegreeGraph, DoublyStochasticGraph, GaussianGraph]
WEIGHTS = np.array([0.2, 1.0, 0.5, 2.0, 1.5])
INVERSE = np.linalg.inv(np.cov(uneven(200, 5).T))
SEARCHED = {
    "euclidean": None,
    "cosine": None,
    "correlation": None,
    "absolute_correlation": None,
    "cityblock": {"w": WEIGHTS},
    "minkowski": {"p": 2, "w": WEIGHTS},
    "seuclidean": {"V": WEIGHTS},
    "mahalanobis": {"VI": INVERSE},
    "gower": None,
}


def all_distances(A, B, metric):
    """By SciPy and NumPy alone."""
    if metric == "absolute_correlation":  # not as 1 - |r|, which has no digits left where that is small
        a, b = (rows - rows.mean(axis=1, keepdims=True) for rows in (A, B))
        a, b = (rows / np.linalg.norm(rows, axis=1, keepdims=True) for rows in (a, b))
        return np.minimum(cdist(a, b, "sqeuclidean"), cdist(a, -b, "sqeuclidean")) / 2
    if metric == "gower":
        extent = np.ptp(B, axis=0)
        return cdist(A / extent, B / extent, "cityblock") / B.shape[1]
    return cdist(A, B, metric, **(SEARCHED[metric] or {}))


def learner(metric, **options):
    options = {"alpha": 1.0, "beta": 1.0, "tol": 1e-13} | options
    return LogDegreeGraph(metric=metric, metric_params=SEARCHED.get(metric), **options)


def unit_of(X, metric):
    """A beta for which the graph has some edges, whatever the size of the distances."""
    return float(np.median(np.partition(all_distances(X, X, metric), 5, axis=1)[:, 5])) ** 2


def assert_same_weights(found, expected, rtol=2e-5):
    """Relative to the largest: a gap of 1e-13 per node leaves a weight uncertain by its root, times that of m."""
    found, expected = found.toarray(), expected.toarray()
    np.testing.assert_allclose(found, expected, atol=rtol * expected.max())


def from_matrix(Z, **options):
    """The learner of a matrix of distances, without its rounding on the diagonal."""
    Z = np.maximum((Z + Z.T) / 2, 0)
    np.fill_diagonal(Z, 0)
    return LogDegreeGraph(metric="precomputed", alpha=1.0, tol=1e-13, **options).fit(Z)


@pytest.mark.parametrize("scale", ["global", "local"])
@pytest.mark.parametrize("metric", SEARCHED)
def test_a_search_ends_at_the_graph_of_all_distances(metric, scale, monkeypatch):
    X = uneven(600, 5)
    beta = unit_of(X, metric) if scale == "global" else 1.0
    expected = from_matrix(all_distances(X, X, metric), beta=beta, scale=scale)
    in_full = learner(metric, beta=beta, scale=scale).fit(X)
    monkeypatch.setattr(choice, "_ALL_PAIRS", 10)
    searched = learner(metric, beta=beta, scale=scale).fit(X)
    assert (in_full.neighbors_, searched.neighbors_) == ("all pairs", "exact search")
    assert searched.is_exact_
    for graph in (in_full, searched):
        assert_same_weights(graph.adjacency_, expected.adjacency_)


@pytest.mark.parametrize("metric", SEARCHED)
def test_bridges_and_new_nodes_are_by_the_metric(metric, monkeypatch):
    X, new = uneven(300, 5), uneven(10, 5, seed=1)
    beta = unit_of(X, metric) / 20
    expected = from_matrix(all_distances(X, X, metric), beta=beta, connected=True)
    assert len(expected.bridges_) > 0
    monkeypatch.setattr(choice, "_ALL_PAIRS", 10)
    graph = learner(metric, beta=beta, connected=True).fit(X)
    assert set(map(tuple, graph.bridges_.tolist())) == set(map(tuple, expected.bridges_.tolist()))
    assert_same_weights(graph.transform(new), expected.transform(all_distances(new, X, metric)))
    np.testing.assert_array_equal(graph.transform(X[:9]).toarray(), graph.adjacency_[:9].toarray())


@pytest.mark.parametrize("metric", SEARCHED)
@pytest.mark.parametrize("most", [10, 4000])
def test_the_order_of_the_rows_does_not_matter(metric, most, monkeypatch, rng):
    monkeypatch.setattr(choice, "_ALL_PAIRS", most)
    X, order = uneven(300, 5), rng.permutation(300)
    one, other = (learner(metric, beta=unit_of(X, metric)).fit(table) for table in (X, X[order]))
    assert_same_weights(other.adjacency_, one.adjacency_[order][:, order])


@pytest.mark.parametrize("factor", [1e-12, 3.0, 1e9])
@pytest.mark.parametrize("metric", ["cityblock", "absolute_correlation", "gower"])
@pytest.mark.parametrize("most", [10, 4000])
def test_the_size_of_the_data_does_not_matter(factor, metric, most, monkeypatch):
    monkeypatch.setattr(choice, "_ALL_PAIRS", most)
    X = uneven(300, 5)
    one, other = (learner(metric, scale="local").fit(table) for table in (X, factor * X))
    assert_same_weights(other.adjacency_, one.adjacency_)


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["cityblock", "absolute_correlation"])
def test_exact_over_all_pairs_of_6000_nodes(metric):
    """By brute force: no pair that is left out would be an edge, and the gap over all pairs is as promised."""
    X = uneven(6000, 5)
    graph = LogDegreeGraph(8, metric=metric, metric_params=SEARCHED[metric], tol=1e-9).fit(X)
    assert graph.neighbors_ == "exact search"
    assert graph.is_exact_
    i, j = np.triu_indices(6000, 1)
    z, u = all_distances(X, X, metric)[i, j], graph.dual_
    W = graph.adjacency_.toarray()
    assert np.all(W[i, j][2 * z < (u[i] + u[j]) * (1 - 1e-6)] > 0)
    # The model with alpha = beta = p has the same graph; its gap is recomputed from the formulas.
    p, w, degrees = 1 / graph.theta_, W[i, j], W.sum(axis=1)
    primal = 2 * z @ w - p * np.sum(np.log(degrees)) + p * np.sum(w**2)
    slack = np.maximum(u[i] + u[j] - 2 * z, 0)
    dual = 6000 * p + p * np.sum(np.log(u / p)) - np.sum(slack**2) / (4 * p)
    assert abs(primal - dual) <= 1e-8 * 6000 * p


def test_nodes_that_move_in_opposite_directions_are_near(rng):
    series = rng.normal(size=(3, 200))
    X = np.repeat(series, 2, axis=0) * np.tile([[1.0], [-1.0]], (3, 1)) + 0.1 * rng.normal(size=(6, 200))
    graph = LogDegreeGraph(1, metric="absolute_correlation").fit(X)
    assert set(zip(*np.nonzero(np.triu(graph.adjacency_.toarray())), strict=True)) == {(0, 1), (2, 3), (4, 5)}


# -- parameters --------------------------------------------------------------


@pytest.mark.parametrize("kind", ALL)
def test_every_learner_takes_parameters_of_the_metric(kind):
    X = uneven(60, 5)
    by_params = kind(metric="minkowski", metric_params={"p": 3})
    assert by_params.get_params()["metric_params"] == {"p": 3}
    graph = clone(by_params).fit(X)
    Z = cdist(X, X, "minkowski", p=3)
    expected = kind(metric="precomputed").fit(Z)
    assert_same_weights(graph.adjacency_, expected.adjacency_, rtol=1e-3)
    other = clone(by_params).set_params(metric_params={"p": 1.1}).fit(X)
    assert abs(other.adjacency_ - graph.adjacency_).max() > 0


@pytest.mark.parametrize("metric", ["minkowski", "mahalanobis", "cityblock"])
def test_more_nodes_join_by_the_same_metric(metric):
    X = uneven(120, 5)
    params = {"p": 3} if metric == "minkowski" else SEARCHED[metric]
    options = {"metric": metric, "metric_params": params, "alpha": 1.0, "beta": 1.0, "tol": 1e-12}
    grown = LogDegreeGraph(**options).fit(X[:100]).partial_fit(X[100:])
    assert_same_weights(grown.adjacency_, LogDegreeGraph(**options).fit(X).adjacency_)


def test_a_checkpoint_belongs_to_the_parameters_of_the_metric(tmp_path, monkeypatch):
    X, options = uneven(300, 5), {"metric": "seuclidean", "checkpoint": tmp_path / "state.npz"}
    monkeypatch.setattr(choice, "_ALL_PAIRS", 10)
    variances = np.ones(5)
    first = LogDegreeGraph(5, metric_params={"V": variances}, **options)
    with monkeypatch.context() as patched:
        patched.setattr("smoothgraph.estimators.checkpoint.Checkpoint.remove", lambda _: None)
        first.fit(X)
    with pytest.raises(ValueError, match="other parameters"):
        LogDegreeGraph(5, metric_params={"V": variances + 1e-12}, **options).fit(X)  # which is printed as before
    again = clone(first).fit(X)
    assert_same_weights(again.adjacency_, first.adjacency_, rtol=1e-3)


def test_what_needs_plain_columns_refuses_parameters_of_them(rng):
    X = rng.normal(size=(20, 5))
    weighted = LogDegreeGraph(3, metric="sqeuclidean", metric_params={"w": WEIGHTS})
    with pytest.raises(ValueError, match="edge_stability draws the columns of X anew"):
        edge_stability(X, weighted, n_resamples=2)
    with pytest.raises(ValueError, match="metric_params=None"):
        JointGraph(weighted).fit(X)
    with pytest.raises(ValueError, match="without metric_params"):
        clone(weighted).set_params(nodes="columns").fit(X.T).partial_fit(X.T)


def test_metrics_that_cannot_be_searched_by_are_limited_to_all_pairs(monkeypatch):
    X = uneven(200, 5)
    monkeypatch.setattr(choice, "_ALL_PAIRS", 10)
    assert LogDegreeGraph(5, metric="canberra").fit(X).neighbors_ == "all pairs"
    rows = sp.csr_array(np.maximum(X, 0))
    assert LogDegreeGraph(5, metric="cityblock").fit(rows).neighbors_ == "all pairs"
    monkeypatch.setattr(choice, "MOST_ALL_PAIRS", 100)
    for metric, table in (("canberra", X), ("cityblock", rows)):
        with pytest.raises(ValueError, match=r"one of the metrics .*cityblock.* not on sparse rows"):
            LogDegreeGraph(5, metric=metric).fit(table)


# -- functions ----------------------------------------------------------------


def farthest(a, b, power=1.0):
    return np.max(np.abs(a - b)) ** power


def test_a_function_is_a_metric_like_any_other():
    X, new = uneven(60, 5), uneven(5, 5, seed=1)
    graph = LogDegreeGraph(6, metric=farthest, metric_params={"power": 2.0}, tol=1e-10).fit(X)
    expected = LogDegreeGraph(6, metric="precomputed", tol=1e-10).fit(cdist(X, X, "chebyshev") ** 2)
    assert graph.is_exact_
    assert_same_weights(graph.adjacency_, expected.adjacency_)
    assert_same_weights(graph.transform(new), expected.transform(cdist(new, X, "chebyshev") ** 2))


def test_a_function_is_for_few_nodes_or_few_pairs(monkeypatch):
    from sklearn.neighbors import KNeighborsTransformer

    X = uneven(60, 5)
    monkeypatch.setattr(choice, "_MOST_CALLED", 50)
    with pytest.raises(ValueError, match=r"'farthest' is a Python function.* at most 50 nodes, got 60.*transformer"):
        LogDegreeGraph(6, metric=farthest).fit(X)
    few = LogDegreeGraph(6, metric=farthest, neighbors=KNeighborsTransformer(n_neighbors=9)).fit(X)
    assert few.neighbors_ == "KNeighborsTransformer"


# -- pairs without a distance --------------------------------------------------


@pytest.mark.parametrize("metric", ["sqeuclidean", "gower"])
def test_rows_that_share_no_column_are_no_candidates(metric, rng):
    X = rng.normal(size=(30, 4))
    X[:10, :2] = X[10:20, 2:] = np.nan  # the first ten share nothing with the next ten
    graph = LogDegreeGraph(6, metric=metric, missing="pairwise", tol=1e-10).fit(X)
    assert graph.is_exact_
    assert graph.adjacency_[:10][:, 10:20].nnz == 0
    assert graph.adjacency_[:10][:, :10].nnz > 0
    low, high = np.nanmin(X, axis=0), np.nanmax(X, axis=0)
    Z = np.zeros((30, 30))
    for i in range(30):
        for j in range(30):
            apart = X[i] - X[j]
            size = apart**2 * 4 if metric == "sqeuclidean" else np.abs(apart) / (high - low)
            shared = size[~np.isnan(size)]
            Z[i, j] = np.mean(shared) if shared.size else np.inf
    i, j = np.nonzero(np.isfinite(Z) & ~np.eye(30, dtype=bool))
    known = sp.coo_array((Z[i, j], (i, j)), shape=Z.shape)
    assert_same_weights(graph.adjacency_, LogDegreeGraph(6, metric="precomputed", tol=1e-10).fit(known).adjacency_)
    new = np.array([[np.nan, np.nan, 0.1, 0.2]])
    joined = graph.transform(new)
    assert joined[:, 10:20].nnz == 0
    assert joined.nnz > 0


@pytest.mark.parametrize("kind", [LogDegreeGraph, L2DegreeGraph])
def test_rows_without_any_candidate_are_named(kind, rng):
    X = rng.normal(size=(30, 4))
    X[[4, 7]] = np.nan
    with pytest.raises(ValueError, match="rows 4, 7 have no value where another row has one"):
        kind(5, missing="pairwise").fit(X)


def test_an_unknown_metric_is_answered_with_all_names(rng):
    with pytest.raises(InputError, match=r"^metric='gowr'.*'braycurtis'.*'absolute_correlation' and 'gower'"):
        LogDegreeGraph(4, metric="gowr").fit(rng.normal(size=(30, 3)))


def test_a_table_is_no_matrix_of_distances(rng):
    with pytest.raises(InputError, match=r"got shape \(30, 3\); if it is a table of data, leave out metric"):
        LogDegreeGraph(4, metric="precomputed").fit(rng.uniform(size=(30, 3)))
