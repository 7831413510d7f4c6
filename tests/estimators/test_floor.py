"""A floor for every node: no node has fewer neighbors, and the graph is the optimum with the weights of the nodes."""

import warnings

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from helpers import reference_optimum
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import pdist, squareform
from sklearn.datasets import load_digits
from sklearn.neighbors import KNeighborsTransformer

from smoothgraph import (
    FewNeighborsWarning,
    L2DegreeGraph,
    LogDegreeGraph,
    Newton,
    Pairs,
    Problem,
    SmoothGraph,
    density_path,
)
from smoothgraph.priors import LogDegrees, QuadraticEdges


def neighbors(graph):
    return np.diff(graph.adjacency_.indptr)


def uneven(m, seed=0, far=3):
    """Points whose density differs by orders of magnitude, of which some are far from all others."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(m, 3)) * np.exp(rng.normal(size=(m, 1)) / 2)
    X[: m // 50] *= far
    return X


@pytest.mark.parametrize(("k", "fewest"), [(10, 6), (10, 8), (4, 2), (4, 3)])
@pytest.mark.parametrize("scale", ["local", "global"])
def test_no_node_has_fewer_neighbors(k, fewest, scale):
    X = load_digits().data[:500]
    graph = LogDegreeGraph(k, min_edges=fewest, scale=scale).fit(X)
    assert np.any(neighbors(LogDegreeGraph(k, scale=scale).fit(X)) < fewest)
    assert neighbors(graph).min() >= fewest
    np.testing.assert_allclose(graph.edges_per_node_, k, rtol=0.01)
    assert graph.is_exact_
    assert np.all(graph.node_weights_ >= 1)


def test_the_graph_is_the_optimum_with_the_weights_of_the_nodes():
    X = uneven(40)
    graph = LogDegreeGraph(8, min_edges=5, tol=1e-10).fit(X)
    assert np.any(graph.node_weights_ > 1)
    pairs, p = Pairs.of(X), 1 / graph.theta_
    problem = Problem(pairs, edge_prior=QuadraticEdges(p), degree_prior=LogDegrees(p * graph.node_weights_))
    optimum, _ = reference_optimum(problem)
    value = problem.primal(pairs.pattern.weights_of(graph.adjacency_))
    np.testing.assert_allclose(value, optimum, rtol=1e-6)


@given(seed=st.integers(0, 2**32 - 1), m=st.integers(8, 30), k=st.integers(2, 6))
def test_the_floor_holds_or_is_warned_of(seed, m, k):
    rng = np.random.default_rng(seed)
    X, fewest = uneven(m, seed), int(rng.integers(1, k + 1))
    graph = LogDegreeGraph(k, min_edges=fewest, scale=str(rng.choice(["local", "global"])))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        graph.fit(X)
    told = any(issubclass(warning.category, FewNeighborsWarning) for warning in caught)
    assert told or neighbors(graph).min() >= fewest


def test_nodes_with_enough_neighbors_stay_as_they_are():
    X = load_digits().data[:400]
    plain = LogDegreeGraph(10, scale="local").fit(X)
    floored = LogDegreeGraph(10, scale="local", min_edges=int(neighbors(plain).min())).fit(X)
    np.testing.assert_array_equal(floored.node_weights_, 1.0)
    np.testing.assert_array_equal(floored.adjacency_.toarray(), plain.adjacency_.toarray())


def test_neither_the_unit_nor_the_order_of_the_nodes_matters(rng):
    X, order = uneven(150, far=20), rng.permutation(150)
    options = {"edges_per_node": 8, "min_edges": 5, "scale": "local", "tol": 1e-10}
    graph = LogDegreeGraph(**options).fit(X)
    assert graph.node_weights_.max() > 1
    larger = LogDegreeGraph(**options).fit(1024 * X)
    np.testing.assert_allclose(larger.adjacency_.toarray(), graph.adjacency_.toarray(), atol=1e-8)
    permuted = LogDegreeGraph(**options).fit(X[order])
    np.testing.assert_allclose(permuted.node_weights_, graph.node_weights_[order], rtol=1e-4)
    np.testing.assert_allclose(
        permuted.adjacency_.toarray(), graph.adjacency_.toarray()[np.ix_(order, order)], atol=1e-5
    )


@pytest.mark.parametrize("scale", ["local", "global"])
def test_a_search_proves_it_over_all_pairs(scale):
    X = uneven(6000, far=100 if scale == "local" else 1)
    graph = LogDegreeGraph(8, min_edges=4, scale=scale).fit(X)
    assert graph.neighbors_ == "exact search"
    assert graph.is_exact_
    assert neighbors(graph).min() >= 4
    pairs = Pairs.of(X)
    z = pairs.z
    if scale == "local":
        z = (z / (graph.scale_[pairs.pattern.rows] * graph.scale_[pairs.pattern.cols])) ** 2
    inside = 2 * z < graph.dual_[pairs.pattern.rows] + graph.dual_[pairs.pattern.cols]
    assert np.sum(inside) == graph.adjacency_.nnz / 2


def test_with_parameters_of_its_own():
    X = uneven(200)
    plain = LogDegreeGraph(alpha=2.0, beta=0.5, tol=1e-10).fit(X)
    graph = LogDegreeGraph(alpha=2.0, beta=0.5, min_edges=4, tol=1e-10).fit(X)
    assert neighbors(plain).min() < 4 <= neighbors(graph).min()
    problem = Problem(Pairs.of(X), edge_prior=QuadraticEdges(0.5), degree_prior=LogDegrees(2.0 * graph.node_weights_))
    expected = Newton(tol=1e-12).solve(problem)
    # The objective is strongly convex: |w - w*|^2 <= (P - D) / beta, and the gap is relative to 1.5 alpha m at most.
    error = np.sqrt(1e-10 * 1.5 * 2.0 * np.median(graph.node_weights_) * 200 / 0.5)
    np.testing.assert_allclose(
        expected.edges.adjacency(expected.weights).toarray(), graph.adjacency_.toarray(), atol=error
    )


def test_a_third_of_the_mean_is_not_asked_of_a_node_with_fewer_candidates(rng):
    X = rng.normal(size=(60, 3))
    Z = squareform(pdist(X, "sqeuclidean"))
    Z[0, 2:] = Z[2:, 0] = 0  # no pairs
    graph = LogDegreeGraph(9, min_edges="auto", metric="precomputed").fit(sp.csr_array(Z))  # a warning is an error
    assert neighbors(graph)[0] == 1
    assert np.all(np.isfinite(graph.adjacency_.data))
    with pytest.raises(ValueError, match="at most 1, the fewest candidate pairs of a node, got 2"):
        graph.set_params(min_edges=2).fit(sp.csr_array(Z))


def test_a_floor_above_the_densities_that_are_tried(rng):
    """The density is chosen without the floor, which may be higher than those that are too sparse."""
    islands = np.concatenate([1e3 * k + rng.normal(size=(14, 3)) for k in range(6)])
    graph = LogDegreeGraph("auto", min_edges=5).fit(islands)
    assert graph.density_choice_.densities[0] < 5 < graph.density_choice_.chosen
    assert neighbors(graph).min() >= 5


def test_a_floor_that_is_a_third_of_the_mean():
    X = uneven(300)
    graph = LogDegreeGraph(10, min_edges="auto").fit(X)
    assert neighbors(LogDegreeGraph(10).fit(X)).min() < 4 <= neighbors(graph).min()


def test_new_nodes_and_another_fit():
    X = uneven(320)
    graph = LogDegreeGraph(8, min_edges=4, warm_start=True).fit(X[:300])
    new = graph.transform(X[300:])
    assert np.all(np.diff(new.indptr) > 0)
    np.testing.assert_allclose(graph.transform(X[:5]).toarray(), graph.adjacency_[:5].toarray())
    graph.partial_fit(X[300:])
    assert len(graph.node_weights_) == 320
    assert neighbors(graph).min() >= 4
    assert not hasattr(graph.set_params(min_edges=None).fit(X), "node_weights_")


def test_identical_rows(rng):
    X = np.repeat(uneven(150), 2, axis=0)
    graph = LogDegreeGraph(8, min_edges=4, merge_identical=True).fit(X)
    assert neighbors(graph).min() >= 4
    assert graph.node_weights_.shape == (300,)
    np.testing.assert_array_equal(graph.node_weights_[::2], graph.node_weights_[1::2])


def test_a_path_of_densities():
    graphs = density_path(uneven(200), [4, 8], learner=SmoothGraph())
    assert [neighbors(graph).min() >= fewest for graph, fewest in zip(graphs, (2, 3), strict=True)] == [True, True]


def test_nodes_too_far_away_for_the_floor_are_named():
    """With one scale, the outliers would need edges that outweigh all others."""
    X = pd.DataFrame(uneven(300, far=1e4), index=[f"node {k}" for k in range(300)])
    with pytest.warns(FewNeighborsWarning, match=r"[1-6] of 300 nodes have fewer than 4 neighbors: node [0-5]") as told:
        graph = LogDegreeGraph(8, min_edges=4).fit(X)
    assert "They are outliers, too far away" in str(told[0].message)
    assert graph.is_exact_
    assert neighbors(graph)[6:].min() >= 4
    assert neighbors(LogDegreeGraph(8, min_edges=4, scale="local").fit(X)).min() >= 4


def test_a_floor_that_no_graph_has_names_the_nodes(rng):
    """With edges between few nodes only, nobody can have more."""
    X = pd.DataFrame(rng.normal(size=(60, 2)), index=[f"node {k}" for k in range(60)])
    with pytest.warns(FewNeighborsWarning, match=r"of 60 nodes have fewer than 5 neighbors: node \d+") as told:
        LogDegreeGraph(5, min_edges=5).fit(X)
    assert "outlier" not in str(told[0].message)
    assert "more edges per node" in str(told[0].message)


def test_a_single_outlier_is_spoken_of_in_the_singular(rng):
    X = rng.normal(size=(80, 2))
    X[17] = 1e6
    with pytest.warns(FewNeighborsWarning, match=r"^1 of 80 nodes has fewer than 4 neighbors: 17\. It is an outlier"):
        SmoothGraph(10).fit(X)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"min_edges": 0}, "min_edges must be"),
        ({"min_edges": 2.5}, "min_edges must be"),
        ({"min_edges": "many"}, "min_edges must be"),
        ({"min_edges": 6}, "at most the mean number of neighbors, 5"),
        ({"min_edges": 5, "neighbors": KNeighborsTransformer(n_neighbors=3)}, "at most 5|at most 4|at most 3"),
    ],
)
def test_impossible_floors(options, message, rng):
    with pytest.raises(ValueError, match=message):
        LogDegreeGraph(5, **options).fit(rng.normal(size=(50, 2)))


def test_only_the_barrier_has_a_floor():
    with pytest.raises(TypeError, match="min_edges"):
        L2DegreeGraph(5, min_edges=3)
