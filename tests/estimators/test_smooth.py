"""SmoothGraph: safe where a k-nearest-neighbor graph, and the plain model, fall into pieces."""

import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components
from sklearn.base import clone
from sklearn.datasets import load_digits, load_iris, load_wine
from sklearn.neighbors import KNeighborsTransformer, kneighbors_graph
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from smoothgraph import DoublyStochasticGraph, FewNeighborsWarning, LogDegreeGraph, SmoothGraph
from smoothgraph.candidates import choice
from smoothgraph.tasks import HarmonicClassifier


@pytest.mark.filterwarnings("ignore::smoothgraph.DensityWarning", "ignore::smoothgraph.FewNeighborsWarning")
@parametrize_with_checks([SmoothGraph()])
def test_scikit_learn_conventions(estimator, check):
    check(estimator)


def neighbors(graph):
    return np.diff(graph.adjacency_.indptr)


def assert_safe(graph, fewest=3):
    """One component, enough neighbors for every node, a proof, and a symmetric matrix."""
    W = graph.adjacency_
    assert connected_components(W, directed=False)[0] == graph.n_components_ == 1
    assert neighbors(graph).min() >= fewest
    assert graph.is_exact_
    assert (W != W.T).nnz == 0
    assert np.all(W.data > 0)
    assert np.all(W.diagonal() == 0)


def accuracy(graph, labels, draws=5):
    """The mean share of correct labels where 10 % of the first nodes are known."""
    m, right = len(labels), []
    for seed in range(draws):
        rng = np.random.default_rng(seed)
        known = rng.random(m) < 0.1
        given = np.full(graph.adjacency_.shape[0], -1)
        given[:m][known] = labels[known]
        found = HarmonicClassifier().fit(graph.adjacency_, given).transduction_[:m]
        right.append(np.mean(found[~known] == labels[~known]))
    return np.mean(right)


@pytest.mark.slow
def test_150_identical_rows_among_digits():
    X, y = load_digits(return_X_y=True)
    before = SmoothGraph(10).fit(X)
    graph = SmoothGraph(10).fit(np.concatenate([X, np.repeat(X[:1], 150, axis=0)]))
    assert_safe(before)
    assert_safe(graph)
    assert accuracy(graph, y) >= accuracy(before, y) - 0.005


def test_a_clump_a_hundred_times_denser(rng):
    X = np.concatenate([rng.normal(size=(1800, 5)), 0.01 * rng.normal(size=(200, 5)) + 3])
    graph = SmoothGraph(10).fit(X)
    assert_safe(graph)
    means = neighbors(graph)[:1800].mean(), neighbors(graph)[1800:].mean()
    np.testing.assert_allclose(means, 10, atol=4)


def test_islands(rng):
    X = np.concatenate([100 * k + rng.normal(size=(60, 4)) for k in range(20)])
    graph = SmoothGraph(10).fit(X)
    assert_safe(graph)
    assert len(graph.bridges_) >= 19
    assert connected_components(kneighbors_graph(X, 10), directed=False)[0] == 20


def test_disasters_by_search(rng, monkeypatch):
    """A dense clump, copies, and an island at once; found by search as among all pairs."""
    X = np.concatenate(
        [
            rng.normal(size=(500, 3)),
            0.01 * rng.normal(size=(60, 3)) + 2,
            np.repeat([[0.3, 0.2, 0.1]], 40, axis=0),
            500 + rng.normal(size=(80, 3)),
        ]
    )
    everything = SmoothGraph(8, tol=1e-10).fit(X)
    monkeypatch.setattr(choice, "_ALL_PAIRS", 10)
    searched = SmoothGraph(8, tol=1e-10).fit(X)
    assert searched.neighbors_ == "exact search"
    for graph in (everything, searched):
        assert_safe(graph, fewest=2)
    assert sorted(map(tuple, searched.bridges_)) == sorted(map(tuple, everything.bridges_))
    np.testing.assert_allclose(searched.scale_, everything.scale_, rtol=1e-9)
    np.testing.assert_allclose(searched.edges_per_node_, everything.edges_per_node_, rtol=0.02)


def test_the_defaults_are_the_safe_ones():
    parameters = SmoothGraph().get_params()
    assert parameters == LogDegreeGraph().get_params() | {
        "edges_per_node": "auto",
        "scale": "local",
        "connected": True,
        "merge_identical": True,
        "min_edges": "auto",
    }
    assert clone(SmoothGraph(7, connected=False)).get_params() == SmoothGraph(7, connected=False).get_params()
    assert "connected=False" in repr(SmoothGraph(7, connected=False))


def test_it_is_the_log_degree_graph_with_these_options():
    X = load_iris().data
    options = {"scale": "local", "connected": True, "merge_identical": True}
    smooth, plain = SmoothGraph(8).fit(X), LogDegreeGraph(8, **options).fit(X)
    assert (smooth.adjacency_ != plain.adjacency_).nnz == 0


def test_an_outlier_has_a_third_of_the_neighbors(rng):
    X = rng.normal(size=(200, 2))
    X[17] = 60.0
    assert neighbors(LogDegreeGraph(20, scale="local", connected=True).fit(X))[17] < 7
    graph = SmoothGraph(20).fit(X)
    assert neighbors(graph).min() >= 7
    assert graph.node_weights_[17] > 1


def test_nodes_with_enough_neighbors_are_not_named(rng):
    SmoothGraph(8).fit(rng.normal(size=(200, 2)))  # a warning is an error


def test_plain_learners_do_not_name_nodes(rng):
    X = rng.normal(size=(200, 2))
    X[17] = 60
    LogDegreeGraph(20, scale="local").fit(X)


@pytest.mark.parametrize("model", [SmoothGraph, LogDegreeGraph, DoublyStochasticGraph])
def test_a_density_chosen_from_the_data(model):
    X = load_digits().data[:400]
    options = {} if model is SmoothGraph else {"scale": "local"}
    graph = model("auto", **options).fit(X)
    densities, fragments, chosen = graph.density_choice_
    assert len(densities) == len(fragments)
    assert list(densities) == sorted(densities)
    assert np.all(fragments[:-1] > 0.01)
    assert fragments[-1] <= 0.01
    np.testing.assert_allclose(chosen, 1.5 * densities[-1], rtol=0.01)
    np.testing.assert_allclose(graph.edges_per_node_, chosen + 2 * len(graph.bridges_) / 400, rtol=0.011)
    for density, share in zip(densities, fragments, strict=True):
        plain = model(density, scale="local", connected=False, merge_identical=False).fit(X)
        sizes = np.bincount(connected_components(plain.adjacency_, directed=False)[1])
        np.testing.assert_allclose(share, sizes[sizes < 15].sum() / 400, atol=0.02)


def test_a_density_is_chosen_and_met_without_a_proof_as_with_one(rng):
    """The pairs of one density are not those of the next."""
    islands = 20 * rng.normal(size=(25, 6))  # fragments of 12 nodes, until they are joined
    X = np.concatenate([rng.normal(size=(1700, 6)), np.repeat(islands, 12, axis=0) + rng.normal(size=(300, 6))])
    exact, approximate = (LogDegreeGraph("auto", neighbors=way).fit(X) for way in ("exact", "approximate"))
    assert len(exact.density_choice_.densities) >= 4
    np.testing.assert_array_equal(approximate.density_choice_.densities, exact.density_choice_.densities)
    missing = (exact.adjacency_ > 0) > (approximate.adjacency_ > 0)
    assert missing.nnz < 0.03 * exact.adjacency_.nnz


@pytest.mark.parametrize(("size", "share"), [(14, 1.0), (15, 0.0)])
def test_a_fragment_has_fewer_than_15_nodes(size, share, rng):
    islands = np.concatenate([1e3 * k + rng.normal(size=(size, 3)) for k in range(6)])
    densities, fragments, _ = LogDegreeGraph("auto").fit(islands).density_choice_
    assert fragments[densities < 13].min() == share


def test_a_few_outliers_do_not_make_the_graph_dense(rng):
    """Five points far away stay a fragment; a bridge joins them."""
    X = np.concatenate([rng.normal(size=(600, 3)), 1e3 + rng.normal(size=(5, 3))])
    graph = SmoothGraph().fit(X)
    assert 0 < graph.density_choice_.fragments[-1] <= 0.01
    assert graph.density_choice_.chosen < 15
    assert graph.n_components_ == 1


@pytest.mark.parametrize("m", [60, 180])
@pytest.mark.parametrize("together", [True, False])
def test_three_outliers_do_not_make_the_graph_of_few_nodes_dense(m, together, rng):
    X = rng.normal(size=(m, 4))
    assert SmoothGraph().fit(X).density_choice_.chosen < 10
    X[:3] = 1e3 + rng.normal(size=(3, 4)) if together else 1e3 * rng.normal(size=(3, 4))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FewNeighborsWarning)
        graph = SmoothGraph().fit(X)
    assert graph.density_choice_.chosen < 10
    assert graph.density_choice_.fragments[-1] == 3 / m
    assert graph.n_components_ == 1


def test_fragments_that_a_higher_density_joins_are_no_outliers():
    fragments = SmoothGraph().fit(StandardScaler().fit_transform(load_wine().data)).density_choice_.fragments
    assert 0.05 > fragments[0] > fragments[1] > 0.01
    assert fragments[-1] == 0


def test_the_choice_is_printed():
    graph = SmoothGraph().fit(load_iris().data)
    text = str(graph.density_choice_)
    assert text.startswith(f"{graph.density_choice_.chosen:.3g} edges per node")
    for density in graph.density_choice_.densities:
        assert f"{density:g}: " in text
    assert text.endswith(f"{graph.density_choice_.fragments[-1]:.1%}")


@pytest.mark.parametrize("m", [2, 3, 4, 5, 7, 9, 10, 16])
def test_a_chosen_density_of_few_nodes(m):
    X = np.random.default_rng(m).normal(size=(m, 3))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FewNeighborsWarning)
        graph = SmoothGraph().fit(X)
    assert graph.n_components_ == 1
    assert graph.density_choice_.chosen <= max(1, m / 2)
    np.testing.assert_allclose(graph.density_choice_.chosen * m / 2, round(graph.density_choice_.chosen * m / 2))


def test_outliers_do_not_decide_the_density(rng):
    X = rng.normal(size=(400, 4))
    undisturbed = SmoothGraph().fit(X).density_choice_.chosen
    X[:3] *= 1e5
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FewNeighborsWarning)
        assert SmoothGraph().fit(X).density_choice_.chosen == undisturbed


@pytest.mark.parametrize("seed", [1, 3, 5])
def test_islands_whose_widths_differ_by_forty_orders_of_magnitude(seed):
    X = np.random.default_rng(seed).normal(size=(300, 5))
    X[:100] *= 1e-20
    X[100:200] *= 1e20
    graph = SmoothGraph().fit(X)  # a warning is an error
    assert graph.is_exact_
    assert graph.n_components_ == 1


def test_own_parameters_leave_nothing_to_choose():
    X = load_iris().data
    graph = SmoothGraph(alpha=1.0, beta=2.0).fit(X)
    assert not hasattr(graph, "density_choice_")
    np.testing.assert_allclose(graph.theta_, 1 / np.sqrt(2))
    options = {"scale": "local", "connected": True, "merge_identical": True}
    plain = LogDegreeGraph(alpha=1.0, beta=2.0, **options).fit(X)
    assert (graph.adjacency_ != plain.adjacency_).nnz == 0


def test_an_earlier_choice_is_forgotten():
    X = load_iris().data
    graph = SmoothGraph().fit(X)
    assert hasattr(graph, "density_choice_")
    assert not hasattr(graph.set_params(edges_per_node=6).fit(X), "density_choice_")


@pytest.mark.parametrize("k", [4, 5, 30])
def test_a_chosen_density_is_one_that_the_candidates_allow(k, rng):
    """Sparse distances, and pairs named by a transformer, may be fewer than the densities that are tried."""
    X = rng.normal(size=(300, 3))
    Z = kneighbors_graph(X, k, mode="distance")
    Z = sp.csr_array(Z.maximum(Z.T))
    by_distances = SmoothGraph(metric="precomputed").fit(Z)
    by_name = SmoothGraph(metric="euclidean", neighbors=KNeighborsTransformer(n_neighbors=k - 1)).fit(X)
    for graph in (by_distances, by_name):
        assert graph.density_choice_.chosen <= 2 * Z.nnz / 600 + 1e-9
    assert np.all(Z[by_distances.adjacency_.nonzero()] > 0)


def test_a_chosen_density_beyond_the_first_pairs_of_a_search(rng, monkeypatch):
    """Fragments do not go away: the search has to find more pairs than it began with."""
    monkeypatch.setattr(choice, "_ALL_PAIRS", 10)
    centers = 1e3 * rng.normal(size=(60, 3))
    X = np.repeat(centers, 12, axis=0) + rng.normal(size=(720, 3))
    graph = SmoothGraph().fit(X)
    assert graph.density_choice_.fragments[-1] > 0
    np.testing.assert_allclose(graph.density_choice_.chosen, 30)
    np.testing.assert_allclose(graph.edges_per_node_, 30, rtol=0.02)
    assert graph.is_exact_
    assert graph.n_components_ == 1


def test_new_nodes_join_and_copies_stand_for_fitted_ones(rng):
    X = np.concatenate([rng.normal(size=(150, 3)), np.zeros((4, 3))])
    graph = SmoothGraph(8).fit(X)
    assert (graph.transform(X) != graph.adjacency_).nnz == 0
    joined = graph.transform(rng.normal(size=(10, 3)))
    assert joined.shape == (10, 154)
    assert np.all(np.diff(joined.indptr) >= 1)


def test_more_nodes_give_the_graph_of_all(rng):
    X = rng.normal(size=(120, 3))
    grown = SmoothGraph(alpha=1.0, beta=1.0, tol=1e-12).fit(X[:80]).partial_fit(X[80:])
    whole = SmoothGraph(alpha=1.0, beta=1.0, tol=1e-12).fit(X)
    np.testing.assert_allclose(grown.adjacency_.toarray(), whole.adjacency_.toarray(), atol=1e-5)
    np.testing.assert_array_equal(grown.bridges_, whole.bridges_)
