"""New nodes join a learned graph by the root of a one-dimensional equation."""

import pickle

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import pdist, squareform
from sklearn.datasets import load_digits, load_iris

from smoothgraph import DoublyStochasticGraph, GaussianGraph, L2DegreeGraph, LogDegreeGraph
from smoothgraph.estimators import new_distances
from smoothgraph.estimators.new_distances import AllDistances, NearDistances
from smoothgraph.estimators.new_nodes import joining_weights
from smoothgraph.pairs.distances import distances_to
from smoothgraph.pairs.measure import Measure

ALL = [LogDegreeGraph, L2DegreeGraph, DoublyStochasticGraph, GaussianGraph]


@pytest.fixture(scope="module")
def X():
    return load_digits().data[:200]


def test_log_degree_solves_its_equation(X):
    graph = LogDegreeGraph(edges_per_node=6).fit(X[:150])
    w = graph.transform(X[150:]).toarray()
    z = np.sum((X[150:, None] - X[None, :150]) ** 2, axis=2)
    p = 1 / graph.theta_  # alpha and beta
    u = p / w.sum(axis=1)
    np.testing.assert_allclose(w, np.maximum(u[:, None] + graph.dual_ - 2 * z, 0) / (2 * p), atol=1e-7)


@pytest.mark.parametrize("learner", ALL)
def test_training_rows_give_the_learned_graph(learner, X):
    graph = learner().fit(X)
    assert (graph.transform(X) != graph.adjacency_).nnz == 0


@pytest.mark.parametrize("learner", ALL)
def test_the_learned_graph_solves_the_same_equation(learner, X):
    """A fitted node taken out and put back as a new one gets its own weights again."""
    graph = learner().fit(X)
    if learner is not GaussianGraph:
        graph.set_params(tol=1e-12).fit(X)
    z = distances_to(X, X, Measure())
    np.fill_diagonal(z, np.inf)
    np.testing.assert_allclose(
        joining_weights(*graph.priors_, graph.dual_, AllDistances.of(z, None)).toarray(),
        graph.adjacency_.toarray(),
        atol=1e-4 * graph.adjacency_.max(),
    )


def test_duplicates_stand_for_one_another(X):
    twice = np.concatenate([X[:60], X[:60]])
    graph = LogDegreeGraph(beta=1e4, tol=1e-12).fit(twice)
    assert (graph.transform(twice) != graph.adjacency_).nnz == 0
    only_second_copies = graph.transform(twice[60:])
    assert (only_second_copies != graph.adjacency_[:60]).nnz == 0


def test_the_strongest_neighbor_is_that_of_a_refit(X):
    """Joining moves nothing else, so that weights differ, but rarely the first choice."""
    graph = LogDegreeGraph(edges_per_node=10).fit(X[:150])
    joined = graph.transform(X[150:]).toarray().argmax(axis=1)
    refit = LogDegreeGraph(edges_per_node=10).fit(X).adjacency_[150:, :150].toarray()
    chosen = refit[np.arange(50), joined]
    assert np.mean(chosen > 0) > 0.8


def test_precomputed_distances_to_the_fitted_nodes(X):
    Z = squareform(pdist(X, "sqeuclidean"))
    graph = LogDegreeGraph(edges_per_node=6, metric="precomputed").fit(Z[:150, :150])
    data = LogDegreeGraph(edges_per_node=6).fit(X[:150])
    expected = data.transform(X[150:]).toarray()
    np.testing.assert_allclose(graph.transform(Z[150:, :150]).toarray(), expected, atol=1e-3 * expected.max())
    sparse = sp.csr_array(np.where(expected > 0, Z[150:, :150], 0))
    np.testing.assert_allclose(graph.transform(sparse).toarray(), expected, atol=1e-3 * expected.max())


def test_more_neighbors_than_first_thought(rng):
    """A new node in the midst of a dense cluster joins hundreds of others."""
    X = np.concatenate([1e-3 * rng.normal(size=(300, 3)), 5 + rng.normal(size=(100, 3))])
    graph = LogDegreeGraph(beta=1.0).fit(X)
    w = graph.transform(np.zeros((1, 3)) + 1e-5).toarray()[0]
    assert np.count_nonzero(w) >= 300
    z = np.sum((X - 1e-5) ** 2, axis=1)
    np.testing.assert_allclose(w, np.maximum(1 / w.sum() + graph.dual_ - 2 * z, 0) / 2, atol=1e-9)


def test_a_far_node_is_joined_though_hundreds_are_nearer(rng):
    """A new node on the way from a cluster to a lonely node, which wants an edge more than they do."""
    X = np.concatenate([rng.normal(size=(300, 2)), [[1000.0, 0.0]]])
    graph = LogDegreeGraph(beta=1.0).fit(X)
    new = np.array([[400.0, 0.0]])
    w = graph.transform(new).toarray()[0]
    z = np.sum((X - new) ** 2, axis=1)
    np.testing.assert_allclose(w, np.maximum(1 / w.sum() + graph.dual_ - 2 * z, 0) / 2, rtol=1e-6)
    assert w[300] > 0


@pytest.mark.parametrize("distance", [1e2, 1e5, 1e8, 1e12])
def test_far_away_nodes_keep_the_digits_of_their_weights(distance):
    """A degree is alpha / u, and u is all but twice the smallest distance."""
    X = load_iris().data
    graph = LogDegreeGraph(alpha=1.0, beta=1.0).fit(X)
    far = np.full((1, 4), distance)
    z = np.sum((X - far) ** 2, axis=1)
    degree = graph.transform(far).sum()
    np.testing.assert_allclose(degree, 1 / (2 * z.min()), rtol=1e-3)
    even = DoublyStochasticGraph(edges_per_node=8).fit(X)
    np.testing.assert_allclose(even.transform(far).sum(), 1.0, rtol=1e-9)


def test_many_new_rows_are_joined_in_blocks(X, monkeypatch):
    """New nodes and copies of fitted ones, each in its own row."""
    graph = LogDegreeGraph(4).fit(X[:100])
    new = np.concatenate([X[150:170], X[40:60], X[180:], X[:10]])
    whole = graph.transform(new)
    monkeypatch.setattr(new_distances, "_BLOCK_BYTES", 8 * 100 * 7)  # of seven rows
    assert (graph.transform(new) != whole).nnz == 0
    assert (whole[20:40] != graph.adjacency_[40:60]).nnz == 0
    assert (whole[60:] != graph.adjacency_[:10]).nnz == 0


def assert_search_joins_alike(graph, new):
    """A graph joins new rows by a search as it does by all distances; return how many distances it needed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(new_distances, "_ALL_DISTANCES", 10**6)
        expected = graph.transform(new)
        patch.setattr(new_distances, "_ALL_DISTANCES", 0)
        (distances,) = graph._fitted.measure(new)
        found = graph.transform(new)
    np.testing.assert_allclose(found.toarray(), expected.toarray(), rtol=1e-9, atol=1e-10 * expected.max())
    return len(distances.near(graph.dual_).z)


@pytest.mark.parametrize("scale", ["global", "local"])
@pytest.mark.parametrize("metric", ["sqeuclidean", "euclidean"])
@pytest.mark.parametrize("learner", [LogDegreeGraph, L2DegreeGraph, DoublyStochasticGraph])
def test_a_search_joins_as_all_distances_do(learner, metric, scale):
    digits = load_digits().data
    graph = learner(6, metric=metric, scale=scale).fit(digits[:1000])
    new = np.concatenate([digits[1000:1200], digits[5:8], digits[1200:1203] + 300, digits[1000:1200] / 3, digits[6:7]])
    assert assert_search_joins_alike(graph, new) < len(new) * 1000 / 10


@settings(max_examples=20, deadline=None)
@given(st.sampled_from([LogDegreeGraph, L2DegreeGraph, DoublyStochasticGraph]), st.booleans(), st.integers(0, 2**32))
def test_a_search_joins_as_all_distances_do_where_density_varies(learner, local, seed):
    """Clusters of all widths, rows at the same place, and new nodes anywhere between and around them."""
    rng = np.random.default_rng(seed)
    d = rng.integers(1, 6)
    centers, width = 5 * rng.normal(size=(6, d)), np.exp(2 * rng.normal(size=6))
    member = rng.integers(6, size=200)
    X = centers[member] + width[member, None] * rng.normal(size=(200, d))
    X[:20] = X[rng.integers(20, 200, size=20)]
    graph = learner(5, scale="local" if local else "global", merge_identical=True).fit(X)
    new = np.concatenate([X[:30], X[30:60] + 1e-3, 30 * rng.normal(size=(30, d)), centers])
    assert_search_joins_alike(graph, new)


def test_a_search_finds_more_neighbors_than_first_thought(rng):
    """A new node in the midst of a dense cluster, and one on the way from there to a lonely node."""
    cluster = 1e-3 * rng.normal(size=(300, 3))
    graph = LogDegreeGraph(beta=1.0).fit(np.concatenate([cluster, 5 + rng.normal(size=(100, 3)), [[1e3, 0, 0]]]))
    new = np.array([[1e-5, 0, 0], [400.0, 0, 0]])
    assert_search_joins_alike(graph, new)
    assert np.count_nonzero(graph.transform(new[:1]).toarray()) >= 300


@pytest.mark.parametrize("scale", ["global", "local"])
def test_many_nodes_are_searched(scale, rng):
    """The likely nearest, in a part of the data, are not all the nearest."""
    X = rng.normal(size=(4600, 10))
    graph = LogDegreeGraph(8, scale=scale).fit(X[:4500])
    (distances,) = graph._fitted.measure(X[4500:])
    assert isinstance(distances, NearDistances)
    assert len(distances.near(graph.dual_).z) > 15 * 100
    assert_search_joins_alike(graph, X[4500:])
    assert (graph.transform(sp.csr_array(X[4500:])) != graph.transform(X[4500:])).nnz == 0


def test_many_rows_at_few_places_are_few_nodes(rng):
    places = rng.normal(size=(6, 3))
    graph = LogDegreeGraph(2, merge_identical=True).fit(np.repeat(places, 700, axis=0))
    apart = LogDegreeGraph(2).fit(places)
    joined, expected = graph.transform(places + 0.1), apart.transform(places + 0.1)
    np.testing.assert_allclose(joined.toarray().reshape(6, 6, 700).sum(axis=2), expected.toarray(), rtol=1e-9)


def test_what_is_kept_for_the_next_rows_is_no_part_of_a_copy(X, monkeypatch):
    monkeypatch.setattr(new_distances, "_ALL_DISTANCES", 0)
    graph = LogDegreeGraph(4).fit(X[:150])
    before = len(pickle.dumps(graph))
    joined = graph.transform(X[150:])
    assert len(pickle.dumps(graph)) == before
    assert (pickle.loads(pickle.dumps(graph)).transform(X[150:]) != joined).nnz == 0
    other = graph.fit(X[50:])
    assert (other.transform(X[:50]) != LogDegreeGraph(4).fit(X[50:]).transform(X[:50])).nnz == 0


@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.float32, np.bool_])
@pytest.mark.parametrize("container", [np.array, sp.csr_array, pd.DataFrame])
@pytest.mark.parametrize("search", [False, True])
def test_rows_keep_their_type_and_give_the_same_graph(container, dtype, search, X, monkeypatch):
    if search:
        monkeypatch.setattr(new_distances, "_ALL_DISTANCES", 0)
    rows = (X > 4 if dtype == np.bool_ else 15 * X if dtype == np.uint8 else X - 2).astype(dtype)
    graph = LogDegreeGraph(beta=10.0).fit(container(rows[:150]))
    same = LogDegreeGraph(beta=10.0).fit(container(rows[:150].astype(float)))
    assert graph.signals_.dtype == dtype
    assert (graph.adjacency_ != same.adjacency_).nnz == 0
    new = np.concatenate([rows[140:170], rows[:20]])
    assert (graph.transform(container(new)) != same.transform(container(new.astype(float)))).nnz == 0
    grown, same = (g.partial_fit(container(rows[150:].astype(g.signals_.dtype))) for g in (graph, same))
    assert grown.signals_.dtype == dtype
    assert (grown.adjacency_ != same.adjacency_).nnz == 0


def test_types_without_a_use_become_numbers_in_double_precision(X):
    for dtype in (np.float16, np.int64, object):
        assert LogDegreeGraph(5).fit(X.astype(dtype)).signals_.dtype == np.float64


def test_of_two_nodes_equally_far_the_one_that_wants_more_is_joined(rng):
    """Their multipliers tell them apart, though beside the distance these are nothing."""
    others = rng.normal(size=(20, 2)) - [5, 0]
    graph = LogDegreeGraph(alpha=1.0, beta=1.0).fit(np.concatenate([[[0, 1], [0, -1]], others]))
    joined = graph.transform(np.array([[1e9, 0.0]])).toarray()[0]
    np.testing.assert_array_equal(np.flatnonzero(joined), [np.argmax(graph.dual_[:2])])


def test_a_row_without_candidates(X):
    Z = squareform(pdist(X[:30], "sqeuclidean"))
    nothing = sp.csr_array((2, 30))
    with pytest.raises(ValueError, match="New row 0 has no candidate edge"):
        LogDegreeGraph(4, metric="precomputed").fit(Z).transform(nothing)
    alone = L2DegreeGraph(4, metric="precomputed").fit(Z).transform(nothing)
    assert alone.shape == (2, 30)
    assert alone.nnz == 0


def test_the_fit_does_not_change_with_the_callers_array(X):
    own = X.copy()
    graph = LogDegreeGraph(4).fit(own)
    before = graph.transform(X[:3] + 0.1).toarray()
    own[:] = 0
    np.testing.assert_array_equal(graph.transform(X[:3] + 0.1).toarray(), before)


def test_where_every_node_has_its_own_degree_a_new_one_has_their_mean(X, rng):
    degree = rng.uniform(0.5, 2, 100)
    graph = DoublyStochasticGraph(edges_per_node=8, degree=degree).fit(X[:100])
    np.testing.assert_allclose(graph.transform(X[100:]).sum(axis=1), degree.mean(), rtol=1e-9)


def test_no_new_node_stays_alone(X):
    graph = LogDegreeGraph(edges_per_node=3).fit(X[:100])
    assert np.all(graph.transform(1e3 + X[100:]).sum(axis=1) > 0)
