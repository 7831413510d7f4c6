import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse.csgraph import dijkstra
from scipy.spatial.distance import cdist
from sklearn.base import clone
from sklearn.cluster import DBSCAN, HDBSCAN
from sklearn.datasets import load_digits, make_moons
from sklearn.manifold import TSNE, Isomap, trustworthiness
from sklearn.metrics import adjusted_rand_score
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from smoothgraph import GraphNeighborsTransformer, LogDegreeGraph, SmoothGraph
from smoothgraph.convert import to_knn
from smoothgraph.estimators.graph_neighbors import nearest_nodes


@pytest.fixture(scope="module")
def digits():
    X, y = load_digits(return_X_y=True)
    return X[:300], y[:300], X[300:400], y[300:400]


def ring(lengths):
    """Return a ring of edges with these lengths, and one longer edge across."""
    m = len(lengths)
    i, j = np.append(np.arange(m), 0), np.append(np.roll(np.arange(m), -1), m // 2)
    W = sp.coo_array((np.append(lengths, 5.5), (i, j)), shape=(m, m))
    return sp.csr_array(W + W.T)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.floats(0.1, 10), min_size=5, max_size=12), st.integers(1, 5))
def test_paths_against_scipy(lengths, k):
    edges = ring(lengths)
    every = dijkstra(edges, directed=False)
    found = nearest_nodes(edges, k)
    np.testing.assert_allclose(found.lengths, np.sort(every, axis=1)[:, :k], rtol=1e-12)
    np.testing.assert_allclose(np.take_along_axis(every, found.nodes, axis=1), found.lengths, rtol=1e-12)
    assert np.all(found.nodes[:, 0] == np.arange(len(lengths)))
    assert all(len(set(row)) == k for row in found.nodes.tolist())


def test_rows_hold_learned_edges_and_paths(digits):
    X, *_ = digits
    transformer = GraphNeighborsTransformer(n_neighbors=20)
    D = transformer.fit_transform(X)
    edges = transformer.learner_.distances_
    every = dijkstra(edges, directed=False)
    assert abs(D - D.T).max() == 0
    assert np.all(np.diff(D.indptr) >= 21)
    for i in range(len(X)):
        row = slice(D.indptr[i], D.indptr[i + 1])
        near, lengths = D.indices[row], D.data[row]
        assert np.all(np.diff(lengths) >= 0)
        assert near[0] == i
        assert set(np.argsort(every[i])[:21]) | set(edges[[i]].indices) <= set(near)
        np.testing.assert_allclose(lengths, every[i, near], rtol=1e-9)  # no edge is longer than a way around


def test_new_rows_reach_what_they_join_and_on_from_there(digits):
    X, _, new, _ = digits
    transformer = GraphNeighborsTransformer(LogDegreeGraph(8, connected=True), n_neighbors=30).fit(X)
    D, weights = transformer.transform(new), transformer.learner_.transform(new)
    joined = np.where(weights.toarray() > 0, cdist(new, X), np.inf)
    along = np.min(joined[:, :, None] + dijkstra(transformer.learner_.distances_, directed=False), axis=1)
    for i in range(len(new)):
        row = slice(D.indptr[i], D.indptr[i + 1])
        assert len(D.indices[row]) >= 30
        np.testing.assert_allclose(D.data[row], along[i, D.indices[row]], rtol=1e-9)
        assert set(np.argsort(along[i])[:30]) <= set(D.indices[row])


def test_a_fitted_row_given_again_is_at_distance_zero_from_itself(digits):
    X, *_ = digits
    D = GraphNeighborsTransformer(n_neighbors=5).fit(X).transform(X[7:9])
    assert D.indices[D.indptr[:-1]].tolist() == [7, 8]
    assert D.data[D.indptr[:-1]].tolist() == [0, 0]


def test_too_many_neighbors_of_a_component_are_refused(rng):
    X = np.vstack([rng.normal(size=(30, 2)), rng.normal(size=(8, 2)) + 1000])
    with pytest.raises(ValueError, match=r"10 neighbors of each row, but row 30 \(of 8\) reaches only 7.*connected"):
        GraphNeighborsTransformer(LogDegreeGraph(4), n_neighbors=10).fit_transform(X)
    assert GraphNeighborsTransformer(n_neighbors=10).fit_transform(X).shape == (38, 38)
    with pytest.raises(ValueError, match="n_neighbors must be a finite number >= 1"):
        GraphNeighborsTransformer(n_neighbors=0).fit(X)
    with pytest.raises(ValueError, match="needs a graph learner"):
        GraphNeighborsTransformer(DBSCAN()).fit(X)


@pytest.mark.filterwarnings("ignore::smoothgraph.DensityWarning", "ignore::smoothgraph.FewNeighborsWarning")
@parametrize_with_checks([GraphNeighborsTransformer(LogDegreeGraph(beta=1.0, connected=True), n_neighbors=1)])
def test_scikit_learn_conventions(estimator, check):
    check(estimator)


# -- what takes the distances ------------------------------------------------


def test_density_clustering_finds_moons():
    X, y = make_moons(400, noise=0.06, random_state=0)
    transformer = GraphNeighborsTransformer(n_neighbors=10)
    for model in (
        DBSCAN(eps=0.15, min_samples=8, metric="precomputed"),
        HDBSCAN(min_cluster_size=30, min_samples=5, metric="precomputed", copy=True),
    ):
        labels = make_pipeline(clone(transformer), model).fit_predict(X)
        assert adjusted_rand_score(y, labels) > 0.9


def test_embeddings_keep_neighborhoods(digits):
    X, *_ = digits
    for model, k, least in (
        (Isomap(n_neighbors=None, radius=np.inf, metric="precomputed"), 5, 0.85),
        (TSNE(perplexity=15, metric="precomputed", init="random", random_state=0), 46, 0.95),
    ):
        positions = make_pipeline(GraphNeighborsTransformer(n_neighbors=k), model).fit_transform(X)
        assert trustworthiness(X, positions, n_neighbors=5) > least


def test_isomap_measures_along_the_learned_graph():
    X, _ = load_digits(return_X_y=True)  # of whose five nearest neighbors, Isomap would make two components
    pipeline = make_pipeline(GraphNeighborsTransformer(), Isomap(n_neighbors=None, radius=np.inf, metric="precomputed"))
    lengths = dijkstra(pipeline.fit(X)[0].learner_.distances_, directed=False)
    np.testing.assert_allclose(pipeline[1].dist_matrix_, lengths, atol=1e-9)


def test_neighbors_classify_and_regress(digits):
    X, y, new, wanted = digits
    for model in (KNeighborsClassifier(metric="precomputed"), KNeighborsRegressor(metric="precomputed")):
        pipeline = make_pipeline(GraphNeighborsTransformer(), model).fit(X, y)
        assert pipeline.score(new, wanted) > 0.8
        assert pipeline.score(X, y) > 0.9


@pytest.mark.filterwarnings("ignore")  # Numba's and UMAP's own, and of random states without threads
def test_umap_takes_the_neighbors(digits):
    umap = pytest.importorskip("umap")
    X, *_ = digits
    knn = to_knn(SmoothGraph().fit(X), 15)
    options = {"n_neighbors": 15, "precomputed_knn": tuple(knn), "force_approximation_algorithm": True}
    model = umap.UMAP(**options, random_state=0, n_epochs=100).fit(X)
    used = model.graph_.tocoo()  # UMAP's own graph joins nothing else
    neighbors = {(i, j) for i, row in enumerate(knn.nodes.tolist()) for j in row}
    assert all((i, j) in neighbors or (j, i) in neighbors for i, j in zip(used.row, used.col, strict=True))
    assert trustworthiness(X, model.embedding_, n_neighbors=5) > 0.95


@pytest.mark.filterwarnings("ignore")
def test_open_tsne_takes_weights_and_neighbors(digits):
    open_tsne = pytest.importorskip("openTSNE")
    from openTSNE.affinity import PerplexityBasedNN, PrecomputedAffinities
    from openTSNE.nearest_neighbors import PrecomputedNeighbors

    X, *_ = digits
    graph = SmoothGraph().fit(X)
    knn = to_knn(graph, 47)
    neighbors = PrecomputedNeighbors(knn.nodes[:, 1:], knn.lengths[:, 1:])
    for affinities in (PrecomputedAffinities(graph.adjacency_), PerplexityBasedNN(knn_index=neighbors, perplexity=15)):
        start = open_tsne.initialization.spectral(affinities.P, random_state=0)
        positions = open_tsne.TSNE(random_state=0).fit(affinities=affinities, initialization=start)
        assert trustworthiness(X, np.asarray(positions), n_neighbors=5) > 0.95


def test_leiden_takes_the_weights(digits):
    leidenalg = pytest.importorskip("leidenalg")
    from smoothgraph.convert import to_igraph

    X, y, *_ = digits
    graph = to_igraph(SmoothGraph().fit(X))
    found = leidenalg.find_partition(graph, leidenalg.ModularityVertexPartition, weights="weight", seed=0)
    assert adjusted_rand_score(y, found.membership) > 0.6
    assert graph.modularity(found.membership, weights="weight") > 0.6
