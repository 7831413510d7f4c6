"""Local scales, ``(z_ij / (s_i s_j))^2``: the same graph as of the scaled matrix, exact over all pairs."""

import numpy as np
import pytest
import scipy.sparse as sp
from engines import BruteForce, Misled
from helpers import assert_matches, cvxpy_optimum, uneven
from scipy.spatial.distance import cdist
from sklearn.base import clone
from sklearn.neighbors import NearestNeighbors

from smoothgraph import (
    DoublyStochasticGraph,
    GaussianGraph,
    L2DegreeGraph,
    LogDegreeGraph,
    Newton,
    Pairs,
    density_path,
    models,
)
from smoothgraph.candidates import choice
from smoothgraph.support.input_error import InputError

MODELS = [
    LogDegreeGraph(alpha=1.0, beta=1.0, tol=1e-12),
    L2DegreeGraph(alpha=0.2, tol=1e-12),
    DoublyStochasticGraph(beta=2.0, tol=1e-10),
]
METRICS = ["sqeuclidean", "euclidean"]


def scales(Z):
    """The root of the distance to the 15th nearest other node."""
    others = Z + np.diag(np.full(len(Z), np.inf))
    return np.sqrt(np.sort(others, axis=1)[:, min(15, len(Z) - 1) - 1])


def scaled(X, metric="sqeuclidean"):
    Z = cdist(X, X, metric)
    return (Z / np.outer(scales(Z), scales(Z))) ** 2


def local(learner, **options):
    return clone(learner).set_params(scale="local", **options)


def assert_same_weights(found, expected, rtol=1e-5):
    found, expected = found.toarray(), expected.toarray()
    np.testing.assert_allclose(found, expected, atol=rtol * expected.max())


@pytest.mark.parametrize("learner", [*MODELS, GaussianGraph(sigma=0.7), DoublyStochasticGraph(sigma=0.7)])
@pytest.mark.parametrize("metric", [*METRICS, "cityblock"])
def test_weights_are_those_of_the_scaled_matrix(learner, metric):
    X = uneven(200)
    graph = local(learner, metric=metric).fit(X)
    expected = clone(learner).set_params(metric="precomputed").fit(scaled(X, metric))
    assert_same_weights(graph.adjacency_, expected.adjacency_)
    np.testing.assert_allclose(graph.scale_, scales(cdist(X, X, metric)), rtol=1e-9)


@pytest.mark.parametrize("metric", METRICS)
def test_the_weights_are_optimal_by_another_solver(metric):
    X = uneven(18, 2, seed=1)
    pairs = Pairs.from_distances(scaled(X, metric))
    problem = models.log_degree(pairs, alpha=1.0, beta=1.0)
    solution = Newton(tol=1e-10).solve(problem)
    assert_matches(solution, *cvxpy_optimum(problem))
    graph = local(MODELS[0], metric=metric).fit(X)
    assert_same_weights(graph.adjacency_, solution.adjacency)


def test_a_search_measures_the_scales_exactly():
    """Also where the likely nearest nodes, which are looked for among an eighth of the data, are not the nearest."""
    X = np.random.default_rng(0).normal(size=(6000, 12))
    graph = LogDegreeGraph(6, scale="local").fit(X)
    assert graph.neighbors_ == "exact search"
    expected = NearestNeighbors(n_neighbors=15).fit(X).kneighbors()[0][:, -1]
    np.testing.assert_allclose(graph.scale_, expected, rtol=1e-9)


@pytest.mark.parametrize("all_pairs", [4000, 10])
def test_where_nodes_coincide_the_scale_is_the_smallest_of_the_others(all_pairs, monkeypatch):
    monkeypatch.setattr(choice, "_ALL_PAIRS", all_pairs)
    X = uneven(340)
    X[300:320], X[320:] = 0.0, 1e-3
    Z = cdist(X, X, "sqeuclidean")
    scale = np.where(scales(Z) > 0, scales(Z), np.min(scales(Z)[:300]))
    graph = local(MODELS[0]).fit(X)
    np.testing.assert_allclose(graph.scale_, scale, rtol=1e-9)
    expected = clone(MODELS[0]).set_params(metric="precomputed").fit((Z / np.outer(scale, scale)) ** 2)
    assert_same_weights(graph.adjacency_, expected.adjacency_)


@pytest.mark.parametrize("learner", MODELS)
@pytest.mark.parametrize("metric", METRICS)
def test_a_search_ends_at_the_graph_of_all_pairs(learner, metric, monkeypatch):
    X = uneven(700, 4)
    expected = local(learner, metric=metric).fit(X)
    monkeypatch.setattr(choice, "_ALL_PAIRS", 10)
    found = local(learner, metric=metric).fit(X)
    assert (expected.neighbors_, found.neighbors_) == ("all pairs", "exact search")
    assert found.is_exact_
    np.testing.assert_allclose(found.scale_, expected.scale_, rtol=1e-9)
    assert_same_weights(found.adjacency_, expected.adjacency_)


def near_copies(rng):
    return rng.normal(size=(20, 3))[rng.integers(20, size=500)] + 1e-8 * rng.normal(size=(500, 3))


def with_outliers(rng):
    X = rng.normal(size=(500, 3))
    X[:5] *= 1e6
    return X


def copies(rng):
    """More than 15 at one place, whose own scale would be zero."""
    return np.concatenate([rng.normal(size=(300, 3)), np.repeat([[0.5, 0.5, 0.5]], 40, axis=0)])


@pytest.mark.parametrize("make", [near_copies, with_outliers, copies])
@pytest.mark.parametrize("metric", METRICS)
def test_a_search_in_odd_data(make, metric, rng, monkeypatch):
    X = make(rng)
    expected = LogDegreeGraph(alpha=1.0, beta=1.0, scale="local", metric=metric, tol=1e-12).fit(X)
    monkeypatch.setattr(choice, "_ALL_PAIRS", 10)
    found = clone(expected).fit(X)
    assert found.is_exact_
    np.testing.assert_allclose(found.scale_, expected.scale_, rtol=1e-6)
    assert_same_weights(found.adjacency_, expected.adjacency_, rtol=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("metric", METRICS)
def test_exact_over_all_pairs_of_6000_nodes(metric):
    """By brute force: no pair that is left out would be an edge, and the gap over all pairs is as small as promised."""
    X = uneven(6000, 5)
    graph = LogDegreeGraph(8, scale="local", metric=metric, tol=1e-9).fit(X)
    assert graph.neighbors_ == "exact search"
    assert graph.is_exact_
    Z = cdist(X, X, metric)
    s = np.sqrt(np.partition(Z, 15, axis=1)[:, 15])  # the 0th is the node itself
    np.testing.assert_allclose(graph.scale_, s, rtol=1e-6)
    Z /= s[:, None]
    Z /= s
    Z **= 2
    i, j = np.triu_indices(6000, 1)
    z, u = Z[i, j], graph.dual_
    wanted = 2 * z < (u[i] + u[j]) * (1 - 1e-9)
    W = graph.adjacency_.toarray()
    assert np.all(W[i[wanted], j[wanted]] > 0)
    # The model with alpha = beta = p has the same graph; its gap is recomputed from the formulas.
    p, w, degrees = 1 / graph.theta_, W[i, j], W.sum(axis=1)
    primal = 2 * z @ w - p * np.sum(np.log(degrees)) + p * np.sum(w**2)
    slack = np.maximum(u[i] + u[j] - 2 * z, 0)
    dual = 6000 * p + p * np.sum(np.log(u / p)) - np.sum(slack**2) / (4 * p)
    rounding = 1e-14 * abs(primal)
    assert -rounding <= primal - dual <= 1e-8 * 6000 * p


@pytest.mark.parametrize("factor", [1e-20, 0.3, 1e6])
@pytest.mark.parametrize("metric", METRICS)
def test_the_size_of_the_data_does_not_matter(factor, metric, monkeypatch):
    X = uneven(300, 4)
    for most in (4000, 10):
        monkeypatch.setattr(choice, "_ALL_PAIRS", most)
        one, other = (local(MODELS[0], metric=metric).fit(table) for table in (X, factor * X))
        assert_same_weights(other.adjacency_, one.adjacency_)
        power = 1.0 if metric == "sqeuclidean" else 0.5
        np.testing.assert_allclose(other.scale_, factor**power * one.scale_, rtol=1e-6)


def test_the_order_of_the_rows_does_not_matter(rng, monkeypatch):
    X, order = uneven(400), rng.permutation(400)
    for most in (4000, 10):
        monkeypatch.setattr(choice, "_ALL_PAIRS", most)
        one, other = (local(MODELS[0]).fit(table) for table in (X, X[order]))
        assert_same_weights(other.adjacency_, one.adjacency_[order][:, order])
        np.testing.assert_allclose(other.scale_, one.scale_[order], rtol=1e-9)


def test_few_nodes_have_the_scale_of_the_farthest(rng):
    X = rng.normal(size=(8, 2))
    graph = local(MODELS[0]).fit(X)
    np.testing.assert_allclose(graph.scale_**2, cdist(X, X, "sqeuclidean").max(axis=1), rtol=1e-9)


def test_sparse_distances_have_the_scales_of_their_candidates(rng):
    X = uneven(120)
    Z = cdist(X, X, "sqeuclidean")
    kept = np.triu(rng.random((120, 120)) < 0.2, 1)
    kept |= np.eye(120, k=1, dtype=bool)
    kept = kept | kept.T
    known = np.where(kept, Z, np.inf)
    ranked = np.sort(known, axis=1)
    number = np.minimum(kept.sum(axis=1), 15)
    s = np.sqrt(ranked[np.arange(120), number - 1])
    graph = local(MODELS[0], metric="precomputed").fit(sp.csr_array(np.where(kept, Z, 0)))
    np.testing.assert_allclose(graph.scale_, s, rtol=1e-12)
    localized = sp.csr_array((np.where(kept, Z, 0) / np.outer(s, s)) ** 2)
    expected = clone(MODELS[0]).set_params(metric="precomputed").fit(localized)
    assert_same_weights(graph.adjacency_, expected.adjacency_)


def test_missing_values(rng):
    X = uneven(100)
    X[rng.random(X.shape) < 0.1] = np.nan
    present = ~np.isnan(X)
    both = present[:, None] & present
    squares = np.where(both, (np.nan_to_num(X)[:, None] - np.nan_to_num(X)) ** 2, 0)
    Z = squares.sum(axis=2) * X.shape[1] / both.sum(axis=2)
    graph = local(MODELS[0], missing="pairwise").fit(X)
    expected = local(MODELS[0], metric="precomputed").fit(Z)
    assert_same_weights(graph.adjacency_, expected.adjacency_)


@pytest.mark.parametrize(("engine", "m"), [(BruteForce, 10), (BruteForce, 300), (Misled, 300)])
def test_an_engine_of_a_user(engine, m):
    X = uneven(m)
    found = local(MODELS[0], neighbors=engine).fit(X)
    assert found.neighbors_ == "exact search"
    assert found.is_exact_
    assert_same_weights(found.adjacency_, local(MODELS[0]).fit(X).adjacency_)


def test_scales_are_exact_whatever_nodes_an_engine_takes_for_near(rng):
    X = np.concatenate([0.01 * rng.normal(size=(290, 3)), 10 * rng.normal(size=(10, 3))])
    graph = local(MODELS[0], neighbors=Misled).fit(X)
    np.testing.assert_allclose(graph.scale_, scales(cdist(X, X, "sqeuclidean")), rtol=1e-9)


@pytest.mark.parametrize("learner", [*MODELS, GaussianGraph(sigma=0.7)])
@pytest.mark.parametrize("metric", METRICS)
def test_a_fitted_row_gets_its_own_weights(learner, metric):
    X = uneven(150)
    graph = local(learner, metric=metric).fit(X)
    assert (graph.transform(X) != graph.adjacency_).nnz == 0


@pytest.mark.parametrize("metric", METRICS)
def test_new_rows_solve_their_equation(metric):
    X = uneven(260, 4)
    graph = LogDegreeGraph(6, scale="local", metric=metric).fit(X[:230])
    z = cdist(X[230:], X[:230], metric)
    own = np.sqrt(np.sort(z, axis=1)[:, 14])
    z = (z / np.outer(own, graph.scale_)) ** 2
    w = graph.transform(X[230:]).toarray()
    p = 1 / graph.theta_  # alpha and beta
    u = p / w.sum(axis=1)
    expected = np.maximum(u[:, None] + graph.dual_ - 2 * z, 0) / (2 * p)
    np.testing.assert_allclose(w, expected, atol=1e-7 * w.max())
    assert np.all(np.count_nonzero(w, axis=1) >= 1)


def test_new_precomputed_rows_join_as_data_do():
    X = uneven(200)
    Z = cdist(X, X, "sqeuclidean")
    by_data = local(MODELS[0]).fit(X[:180]).transform(X[180:])
    by_distances = local(MODELS[0], metric="precomputed").fit(Z[:180, :180]).transform(Z[180:, :180])
    assert_same_weights(by_distances, by_data)


def test_nodes_that_come_later_give_the_graph_of_all():
    X = uneven(200)
    graph = local(MODELS[0]).fit(X[:140]).partial_fit(X[140:])
    expected = local(MODELS[0]).fit(X)
    np.testing.assert_allclose(graph.scale_, expected.scale_, rtol=1e-9)
    assert_same_weights(graph.adjacency_, expected.adjacency_)


def test_signals_that_come_later_give_the_graph_of_all(rng):
    X = rng.normal(size=(60, 40))
    graph = local(MODELS[0], nodes="columns").fit(X[:25]).partial_fit(X[25:])
    expected = local(MODELS[0], nodes="columns").fit(X)
    np.testing.assert_allclose(graph.scale_, expected.scale_, rtol=1e-9)
    assert_same_weights(graph.adjacency_, expected.adjacency_)


@pytest.mark.parametrize("model", [LogDegreeGraph, L2DegreeGraph, DoublyStochasticGraph])
def test_a_density_is_met(model):
    graph = model(6, scale="local").fit(uneven(300))
    assert abs(graph.edges_per_node_ - 6) <= 0.06


def test_a_density_path_has_local_scales():
    X = uneven(300)
    graphs = density_path(X, [4, 8], learner=LogDegreeGraph(scale="local"))
    for graph in graphs:
        np.testing.assert_allclose(graph.scale_, scales(cdist(X, X, "sqeuclidean")), rtol=1e-9)


def test_a_dense_clump_no_longer_takes_all_edges(rng):
    X = np.concatenate([rng.normal(size=(300, 3)), 1e-3 * rng.normal(size=(60, 3)) + 1])
    clump = np.arange(360) >= 300
    neighbors = {
        scale: np.diff(LogDegreeGraph(8, scale=scale).fit(X).adjacency_.indptr) for scale in ("global", "local")
    }
    assert neighbors["global"][clump].mean() > 4 * neighbors["global"][~clump].mean()
    np.testing.assert_allclose(neighbors["local"][clump].mean(), neighbors["local"][~clump].mean(), rtol=0.5)


def test_a_later_global_fit_has_no_scales():
    graph = local(MODELS[0]).fit(uneven(60))
    assert not hasattr(graph.set_params(scale="global").fit(uneven(60)), "scale_")


def test_another_scale_is_refused():
    with pytest.raises(InputError, match="'global' or 'local'"):
        LogDegreeGraph(scale="nearby").fit(uneven(30))
