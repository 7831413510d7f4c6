"""Graphs on lists of nearest neighbors, each against its definition written down from all distances."""

import numpy as np
import pytest
from helpers import needs_umap
from scipy.optimize import brentq, nnls
from scipy.sparse.csgraph import minimum_spanning_tree
from scipy.spatial.distance import pdist, squareform
from sklearn.datasets import load_digits
from sklearn.neighbors import NearestNeighbors, kneighbors_graph

from smoothgraph.methods import (
    AdaptiveNeighborsGraph,
    ContinuousNeighborsGraph,
    GabrielGraph,
    LocalGaussianGraph,
    MutualNeighborsGraph,
    NNKGraph,
    PerplexityGraph,
    RelativeNeighborhoodGraph,
    SelfTunedGraph,
    UMAPGraph,
)


@pytest.fixture(scope="module")
def X():
    """Return 80 points of uneven density; no two distances are equal."""
    rng = np.random.default_rng(3)
    return np.vstack([rng.normal(size=(50, 5)), 4 + 0.2 * rng.normal(size=(30, 5))])


def nearest(X, k):
    distance, ids = NearestNeighbors(n_neighbors=k).fit(X).kneighbors()
    return ids, distance


def dense(ids, values):
    W = np.zeros((len(ids), len(ids)))
    np.put_along_axis(W, ids, values, axis=1)
    return W


def adjacency(method, X):
    return method.fit(X).adjacency_.toarray()


@pytest.mark.parametrize("k", [1, 5, 20])
def test_mutual_neighbors(k, X):
    A = kneighbors_graph(X, k).toarray()
    np.testing.assert_array_equal(adjacency(MutualNeighborsGraph(k), X), np.minimum(A, A.T))


@pytest.mark.parametrize("k", [1, 5])
def test_mutual_neighbors_and_the_spanning_tree(k, X):
    A = kneighbors_graph(X, k).toarray()
    tree = minimum_spanning_tree(squareform(pdist(X))).toarray() > 0
    graph = MutualNeighborsGraph(k, spanning_tree=True).fit(X)
    np.testing.assert_array_equal(graph.adjacency_.toarray(), np.maximum(np.minimum(A, A.T), tree | tree.T))
    assert graph.n_components_ == 1


@pytest.mark.parametrize(("k", "delta"), [(1, 1.5), (5, 1.0), (10, 0.8)])
def test_continuous_neighbors(k, delta, X):
    distance = squareform(pdist(X))
    scale = np.sort(distance, axis=1)[:, k]
    limit = delta * np.sqrt(np.outer(scale, scale))
    expected = (distance < (1 - 1e-13) * limit) & ~np.eye(len(X), dtype=bool)
    np.testing.assert_array_equal(adjacency(ContinuousNeighborsGraph(k, delta=delta), X), expected)


@pytest.mark.parametrize("k", [1, 6])
def test_the_gaussian_with_the_width_of_the_last_neighbor(k, X):
    ids, distance = nearest(X, k)
    A = dense(ids, np.exp(-4 * (distance / distance[:, -1:]) ** 2))
    np.testing.assert_allclose(adjacency(LocalGaussianGraph(k), X), (A + A.T) / 2)


def test_the_weights_are_those_of_graphlearning(X):
    graphlearning = pytest.importorskip("graphlearning")
    ids, distance = nearest(X, 6)
    own = np.arange(len(X))[:, None], np.zeros((len(X), 1))
    W = graphlearning.weightmatrix.knn(None, 6, knn_data=(np.hstack([own[0], ids]), np.hstack([own[1], distance])))
    np.testing.assert_allclose(adjacency(LocalGaussianGraph(6), X), W.toarray())


@pytest.mark.parametrize(("k", "scale_neighbor"), [(3, 7), (10, 7), (10, 2)])
def test_self_tuned_weights(k, scale_neighbor, X):
    z = squareform(pdist(X, "sqeuclidean"))
    scale = np.sqrt(np.sort(z, axis=1)[:, scale_neighbor])
    A = kneighbors_graph(X, k).toarray()
    expected = np.maximum(A, A.T) * np.exp(-z / np.outer(scale, scale))
    np.testing.assert_allclose(adjacency(SelfTunedGraph(k, scale_neighbor=scale_neighbor), X), expected)


@pytest.mark.parametrize(("k", "perplexity"), [(30, None), (20, 5.0), (60, 3.0)])
def test_every_node_has_the_perplexity(k, perplexity, X):
    ids, distance = nearest(X, k)
    P = np.zeros((len(X), len(X)))
    for i in range(len(X)):

        def distribution(width, z=distance[i] ** 2):
            kernel = np.exp(-(z - z[0]) / width)
            return kernel / kernel.sum()

        def excess(log_width, distribution=distribution):
            p = distribution(np.exp(log_width))
            return -np.sum(p * np.log(np.maximum(p, 1e-300))) - np.log(perplexity or k / 3)

        P[i, ids[i]] = distribution(np.exp(brentq(excess, -15, 15, xtol=1e-13)))
    np.testing.assert_allclose(adjacency(PerplexityGraph(k, perplexity=perplexity), X), (P + P.T) / 2, atol=1e-9)


def test_the_affinities_are_those_of_t_sne(X):
    affinity = pytest.importorskip("openTSNE.affinity")
    theirs = affinity.PerplexityBasedNN(X, perplexity=10, method="exact").P.toarray()
    ours = adjacency(PerplexityGraph(30), X) / len(X)
    np.testing.assert_allclose(ours, theirs, atol=1e-5 * theirs.max())


@pytest.mark.parametrize("k", [2, 4, 15])
def test_the_fuzzy_union(k, X):
    distance = squareform(pdist(X))
    A = np.zeros_like(distance)
    for i, row in enumerate(distance):
        near = np.argsort(row)[1:k]
        beyond = row[near] - row[near].min()
        if k > 2:  # with one neighbor, the weight is 1
            beyond /= brentq(lambda s, d=beyond: np.exp(-d / s).sum() - np.log2(k), 1e-3, 1e3)
        A[i, near] = np.exp(-beyond)
    np.testing.assert_allclose(adjacency(UMAPGraph(k), X), A + A.T - A * A.T, atol=1e-9)


@needs_umap
@pytest.mark.filterwarnings("ignore::ImportWarning")  # TensorFlow is missing, which this needs not
@pytest.mark.parametrize("duplicates", [False, True])
def test_the_weights_are_those_of_umap(duplicates, X):
    from umap.umap_ import fuzzy_simplicial_set

    X = np.repeat(X[::2], 2, axis=0) if duplicates else X
    W, *_ = fuzzy_simplicial_set(X.astype(np.float32), 12, np.random.RandomState(0), "euclidean")
    np.testing.assert_allclose(adjacency(UMAPGraph(12), X), W.toarray(), atol=1e-4)


@pytest.mark.parametrize("k", [1, 4, 10])
def test_adaptive_neighbors_solve_their_problem(k, X):
    """Over all nodes: ``s = max(0, (level - z) / (2 gamma))`` is optimal if it sums to 1."""
    z = squareform(pdist(X, "sqeuclidean"))
    S = np.zeros_like(z)
    for i in range(len(X)):
        others = np.delete(z[i], i)
        near = np.sort(others)
        gamma = k / 2 * near[k] - near[:k].sum() / 2

        def excess(level, z=others, gamma=gamma):
            return np.maximum(0, (level - z) / (2 * gamma)).sum() - 1

        level = brentq(excess, near[0], near[-1] + 2 * gamma, xtol=1e-14, rtol=1e-14)
        S[i, np.arange(len(X)) != i] = np.maximum(0, (level - others) / (2 * gamma))
    np.testing.assert_allclose(adjacency(AdaptiveNeighborsGraph(k), X), (S + S.T) / 2, atol=1e-9)


@pytest.mark.parametrize(("k", "sigma"), [(1, None), (8, None), (8, 1.0), (30, 2.0)])
def test_nonnegative_kernel_regression(k, sigma, X):
    """The least squares by SciPy: with ``K = C C'`` the objective is ``|C' w - C^-1 b|^2`` up to a constant."""
    ids, distance = nearest(X, k)
    width = sigma or distance[:, -1].mean() / 3
    K = np.exp(-squareform(pdist(X, "sqeuclidean")) / (2 * width**2))
    W, error = np.zeros_like(K), np.zeros(len(X))
    for i, near in enumerate(ids):
        C = np.linalg.cholesky(K[np.ix_(near, near)] + 1e-10 * np.eye(k))
        W[i, near] = w = nnls(C.T, np.linalg.solve(C, K[near, i]))[0]
        error[i] = 1 - 2 * w @ K[near, i] + w @ K[np.ix_(near, near)] @ w
    listed = dense(ids, np.ones(ids.shape)) > 0
    expected = np.zeros_like(K)
    for i in range(len(X)):
        for j in range(i):
            decides = (i, j) if listed[i, j] and (not listed[j, i] or error[i] <= error[j]) else (j, i)
            expected[i, j] = expected[j, i] = W[decides]
    expected[expected < 1e-6] = 0
    graph = NNKGraph(k, sigma=sigma).fit(X)
    np.testing.assert_allclose(graph.adjacency_.toarray(), expected, atol=1e-6)
    assert graph.sigma_ == pytest.approx(width)


def test_a_neighbor_behind_another_gets_no_edge():
    X = np.column_stack([np.arange(30.0), np.zeros(30)])
    W = NNKGraph(8, sigma=3.0).fit(X).adjacency_.toarray()
    np.testing.assert_array_equal(W > 0, np.eye(30, k=1) + np.eye(30, k=-1))


@pytest.mark.parametrize("dimension", [1, 2, 6])
def test_no_node_lies_between_the_ends_of_an_edge(dimension):
    X = np.random.default_rng(1).normal(size=(50, dimension))
    z = squareform(pdist(X, "sqeuclidean"))
    distinct = ~np.eye(50, dtype=bool)
    for method, between in ((RelativeNeighborhoodGraph(), np.maximum), (GabrielGraph(), np.add)):
        nearest_between = between(z[:, None, :], z[None, :, :]) + np.where(distinct[:, None] & distinct, 0, np.inf)
        expected = (nearest_between.min(axis=2) >= z) & distinct
        np.testing.assert_array_equal(adjacency(method, X), expected)


def test_the_spanning_tree_is_in_the_relative_neighborhood_graph_and_that_in_the_gabriel_graph():
    X = load_digits().data[:400] + 1e-3 * np.random.default_rng(0).normal(size=(400, 64))
    tree = minimum_spanning_tree(squareform(pdist(X))).toarray() > 0
    relative, gabriel = adjacency(RelativeNeighborhoodGraph(), X) > 0, adjacency(GabrielGraph(), X) > 0
    assert np.all(relative[tree])
    assert np.all(gabriel[relative])


NEIGHBOR_GRAPHS = [
    AdaptiveNeighborsGraph(3),
    ContinuousNeighborsGraph(3),
    GabrielGraph(),
    LocalGaussianGraph(3),
    MutualNeighborsGraph(3, spanning_tree=True),
    NNKGraph(3),
    PerplexityGraph(3),
    RelativeNeighborhoodGraph(),
    SelfTunedGraph(3),
    UMAPGraph(4),
]
every_graph = pytest.mark.parametrize("method", NEIGHBOR_GRAPHS, ids=lambda method: type(method).__name__)


@every_graph
@pytest.mark.parametrize("m", [2, 3])
def test_few_nodes(method, m):
    X = np.array([[0.0], [1.0], [3.0]])[:m]
    W = adjacency(method, X)
    assert np.all(np.isfinite(W))
    if not isinstance(method, ContinuousNeighborsGraph):
        assert W[0, 1] > 0


@every_graph
def test_all_nodes_at_one_place(method):
    W = adjacency(method, np.ones((9, 2)))
    assert np.all(np.isfinite(W))
    assert np.all(W.diagonal() == 0)


@pytest.mark.parametrize(
    ("graph", "message"),
    [
        (UMAPGraph(1), "n_neighbors must be a finite number >= 2"),
        (NNKGraph(sigma=0), "sigma must be a finite number > 0"),
        (PerplexityGraph(6, perplexity=0.5), "perplexity must be a finite number >= 1"),
        (PerplexityGraph(6, perplexity=7), "perplexity must be at most n_neighbors=6, got 7"),
        (SelfTunedGraph(scale_neighbor=0), "scale_neighbor must be a finite number >= 1"),
        (ContinuousNeighborsGraph(delta=0), "delta must be a finite number > 0"),
        (MutualNeighborsGraph(0), "n_neighbors must be a finite number >= 1"),
    ],
)
def test_bad_settings_are_refused(graph, message, X):
    with pytest.raises(ValueError, match=message):
        graph.fit(X)
