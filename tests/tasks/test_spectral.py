import numpy as np
import pytest
import scipy.sparse as sp
import small_graphs
from scipy.sparse.csgraph import connected_components
from sklearn.cluster import KMeans
from sklearn.datasets import load_digits, make_blobs
from sklearn.exceptions import NotFittedError
from sklearn.metrics import adjusted_rand_score
from sklearn.pipeline import make_pipeline
from small_graphs import laplacian, ring

from smoothgraph import LogDegreeGraph
from smoothgraph.support.adjacency import adjacency_of
from smoothgraph.tasks import ComponentsWarning, SpectralGraphClustering, spectral
from smoothgraph.tasks.graph_task import laplacian_of
from smoothgraph.tasks.spectral import smallest_eigenpairs


def random_graph(m, rng, density=0.05):
    """Return a connected graph: a random tree and random edges."""
    tree, children = np.zeros((m, m)), np.arange(1, m)
    tree[children, rng.integers(0, children)] = rng.uniform(0.5, 1.5, m - 1)
    return tree + tree.T + small_graphs.random_graph(m, rng, density)


def complete(m):
    return np.ones((m, m)) - np.eye(m)


def star(m):
    W = np.zeros((m, m))
    W[0, 1:] = W[1:, 0] = 1
    return W


def blocks(*graphs, rng):
    """Return the graph with these components and the nodes in random order."""
    W = sp.csr_array(sp.block_diag([sp.csr_array(graph) for graph in graphs]))
    order = rng.permutation(W.shape[0])
    return W[order][:, order]


def assert_smallest_eigenpairs(W, k):
    """Check the values by a dense solver, orthonormality, and ``L v = lambda v``."""
    L = laplacian(W)
    scale = np.abs(L).max()
    values, vectors = smallest_eigenpairs(adjacency_of(W), k)
    np.testing.assert_allclose(values, np.linalg.eigvalsh(L)[:k], rtol=1e-7, atol=1e-9 * scale)
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(k), atol=1e-9)
    np.testing.assert_allclose(L @ vectors, vectors * values, atol=1e-7 * scale)


def same_partition(one, other):
    return adjusted_rand_score(one, other) == 1


@pytest.mark.parametrize("m", [2, 3, 30, 700])
@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
def test_eigenpairs_of_a_connected_graph(m, scale, rng):
    assert_smallest_eigenpairs(scale * random_graph(m, rng), min(m, 7))


@pytest.mark.slow
@pytest.mark.parametrize("k", [1, 2, 4, 5, 9])
@pytest.mark.parametrize("graph", [ring, complete, star])
def test_multiple_eigenvalues(graph, k):
    """Some k split a multiple eigenvalue; both the dense and the sparse solver are used."""
    assert_smallest_eigenpairs(graph(40), k)
    assert_smallest_eigenpairs(graph(400), k)


def test_copies_that_the_first_search_misses_are_found(monkeypatch):
    """Hide both eigenvectors of the smallest eigenvalue of a ring from the first search."""
    search, calls = spectral._top_of_inverse, []

    def forgetful(solve, found, k):
        calls.append(k)
        if len(calls) == 1:
            found = np.hstack([found, search(solve, found, 2)])
        return search(solve, found, k)

    monkeypatch.setattr(spectral, "_top_of_inverse", forgetful)
    assert_smallest_eigenpairs(ring(400), 6)
    assert len(calls) > 2


@pytest.mark.parametrize("k", [1, 3, 5, 6, 9])
def test_eigenpairs_with_several_components(k, rng):
    """Use a large component, two equal ones with double eigenvalues, a ring and a lone node."""
    small = random_graph(30, rng)
    W = blocks(random_graph(400, rng, 0.01), small, small, ring(3), np.zeros((1, 1)), rng=rng)
    assert_smallest_eigenpairs(W, k)


def test_nearly_disconnected_parts_are_told_from_components(rng):
    """An eigenvalue of about 1e-11 of the largest is not zero, and its vector is right."""
    m = 400
    W = np.zeros((2 * m, 2 * m))
    W[:m, :m], W[m:, m:] = random_graph(m, rng), random_graph(m, rng)
    W[0, m] = W[m, 0] = 1e-9
    labels = SpectralGraphClustering(2, random_state=0).fit(W).labels_
    assert same_partition(labels, np.arange(2 * m) < m)


def test_embedding_is_the_row_normalized_dense_one(rng):
    """Compare inner products, as the rows are equal up to a rotation, which k-means ignores."""
    W = random_graph(80, rng)
    _, vectors = np.linalg.eigh(laplacian(W))
    rows = vectors[:, :4] / np.linalg.norm(vectors[:, :4], axis=1, keepdims=True)
    model = SpectralGraphClustering(4, random_state=0).fit(W)
    np.testing.assert_allclose(model.embedding_ @ model.embedding_.T, rows @ rows.T, atol=1e-8)
    assert same_partition(model.labels_, KMeans(4, n_init=10, random_state=0).fit_predict(model.embedding_))


def test_as_many_components_as_clusters_gives_the_components(rng):
    W = blocks(random_graph(200, rng, 0.02), random_graph(30, rng), ring(20), ring(16), rng=rng)
    labels = SpectralGraphClustering(4, random_state=0).fit(W).labels_
    assert same_partition(labels, connected_components(W)[1])


def test_more_components_than_clusters(rng):
    """The largest components keep their indicators; the rows of all other nodes are zero."""
    W = blocks(ring(50), ring(40), ring(30), ring(3), ring(3), np.zeros((4, 4)), rng=rng)
    with pytest.warns(ComponentsWarning, match="9 components, more than the 3 clusters"):
        model = SpectralGraphClustering(3, random_state=0).fit(W)
    component = connected_components(W)[1]
    size = np.bincount(component)[component]
    np.testing.assert_allclose(np.linalg.norm(model.embedding_, axis=1), size >= 30, atol=1e-12)
    assert same_partition(model.labels_[size >= 30], component[size >= 30])


def test_a_fragment_that_takes_up_a_cluster_is_warned_of(rng):
    W = blocks(random_graph(80, rng), ring(3), rng=rng)
    with pytest.warns(ComponentsWarning, match="1 of the 3 clusters is a component of fewer than 15 nodes"):
        SpectralGraphClustering(3, random_state=0).fit(W)


@pytest.mark.parametrize("m", [40, 500])
def test_the_normalized_laplacian_against_dense_linear_algebra(m, rng):
    W = blocks(random_graph(m, rng), random_graph(m // 2, rng), np.zeros((1, 1)), rng=rng)
    degrees = W.sum(axis=1)
    roots = 1 / np.sqrt(np.where(degrees > 0, degrees, 1))
    L = roots[:, None] * laplacian(W) * roots
    values, vectors = smallest_eigenpairs(adjacency_of(W), 7, normalized=True)
    np.testing.assert_allclose(values, np.linalg.eigvalsh(L)[:7], atol=1e-9)
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(7), atol=1e-9)
    np.testing.assert_allclose(L @ vectors, vectors * values, atol=1e-7)


def test_the_normalized_laplacian_does_not_cut_off_a_node_that_hangs_by_a_weak_edge():
    halves = np.kron(np.eye(2), complete(10))
    halves[0, 10] = halves[10, 0] = 0.5
    W = np.zeros((21, 21))
    W[:20, :20] = halves
    W[5, 20] = W[20, 5] = 0.01
    half = np.append(np.arange(20) < 10, True)
    assert same_partition(SpectralGraphClustering(2, normalized=True, random_state=0).fit(W).labels_, half)
    assert not same_partition(SpectralGraphClustering(2, random_state=0).fit(W).labels_, half)


def test_normalized_is_yes_or_no():
    with pytest.raises(ValueError, match="True or False"):
        SpectralGraphClustering(2, normalized="symmetric").fit(ring(5))


def test_only_isolated_nodes():
    with pytest.warns(ComponentsWarning, match="5 components"):
        model = SpectralGraphClustering(2, random_state=0).fit(np.zeros((5, 5)))
    assert set(model.labels_) == {0, 1}


def test_blobs_are_found():
    X, y = make_blobs(400, centers=3, cluster_std=0.5, random_state=0)
    model = SpectralGraphClustering(3, learner=LogDegreeGraph(12, connected=True), random_state=0).fit(X)
    assert adjusted_rand_score(y, model.labels_) > 0.9


def test_learner_pipeline_and_graph_agree():
    X = load_digits().data[:200]
    with_learner = SpectralGraphClustering(3, learner=LogDegreeGraph(edges_per_node=10), random_state=0).fit(X)
    graph = LogDegreeGraph(edges_per_node=10).fit(X)
    for W in (graph.adjacency_, graph.adjacency_.toarray(), sp.coo_matrix(graph.adjacency_)):
        on_graph = SpectralGraphClustering(3, random_state=0).fit(W)
        np.testing.assert_array_equal(with_learner.labels_, on_graph.labels_)
        assert on_graph.n_features_in_ == 200
    pipeline = make_pipeline(LogDegreeGraph(edges_per_node=10), SpectralGraphClustering(3, random_state=0))
    np.testing.assert_array_equal(pipeline.fit_predict(X), with_learner.labels_)
    assert with_learner.n_features_in_ == 64
    assert with_learner.learner is not with_learner.learner_
    assert abs(with_learner.learner_.adjacency_ - graph.adjacency_).max() == 0


@pytest.mark.parametrize("m", [100, 500])
def test_deterministic_given_the_random_state(m, rng):
    W = random_graph(m, rng)
    models = [SpectralGraphClustering(6, n_init=1, random_state=3).fit(W) for _ in range(2)]
    np.testing.assert_array_equal(models[0].embedding_, models[1].embedding_)
    np.testing.assert_array_equal(models[0].labels_, models[1].labels_)


@pytest.mark.parametrize("n_clusters", [0, -1, 6, 2.5])
def test_impossible_numbers_of_clusters_are_refused(n_clusters):
    with pytest.raises(ValueError, match="n_clusters"):
        SpectralGraphClustering(n_clusters).fit(ring(5))


@pytest.mark.parametrize(
    ("graph", "message"),
    [
        (np.ones((3, 4)), "square"),
        (np.triu(np.ones((3, 3))), "symmetric"),
        (np.diag([1.0, -1, 1, 1])[::-1], "symmetric|>= 0"),
        (laplacian(ring(5)), ">= 0"),
        (np.where(np.eye(3, k=1) + np.eye(3, k=-1), np.nan, 0), "NaN"),
        (np.where(np.eye(3, k=1) + np.eye(3, k=-1), np.inf, 0), "infinity"),
        (np.ones(3), "1D array"),
        (1j * ring(4), "[Cc]omplex"),
    ],
)
def test_what_is_not_a_graph_is_refused(graph, message):
    with pytest.raises(ValueError, match=message):
        SpectralGraphClustering(2).fit(graph)
    with pytest.raises(ValueError, match=message):
        SpectralGraphClustering(2).fit(sp.coo_array(graph) if np.ndim(graph) == 2 else graph)


def test_graphs_of_learners_and_matrices():
    X = load_digits().data[:50]
    learner = LogDegreeGraph(5).fit(X)
    assert abs(adjacency_of(learner) - learner.adjacency_).max() == 0
    np.testing.assert_allclose(laplacian_of(learner).toarray(), laplacian(learner.adjacency_), atol=1e-12)
    with_loops = ring(5) + np.eye(5)
    np.testing.assert_array_equal(adjacency_of(with_loops).toarray(), ring(5))
    with pytest.raises(NotFittedError):
        adjacency_of(LogDegreeGraph())
