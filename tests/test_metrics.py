import subprocess
import sys

import numpy as np
import pytest
import scipy.sparse as sp
import small_graphs
from hypothesis import given
from hypothesis import strategies as st

import smoothgraph
from smoothgraph import LogDegreeGraph, PairSet
from smoothgraph.generate import random_geometric
from smoothgraph.metrics import GraphScores, compare, compare_weights

PERFECT = (1, 0, 0, 0, 0)
EMPTY = (0, 1, 1, 1, 1)


def random_graph(m, seed, density=0.4):
    """Return a graph with at least one edge."""
    W = small_graphs.random_graph(m, seed, density)
    W[0, 1] = W[1, 0] = 1.0
    return W


def dense_scores(W, T):
    """Return the scores by their definitions on matrices, which count each edge twice."""
    predicted, true = W > 0, T > 0
    precision = np.sum(predicted & true) / np.sum(predicted)
    recall = np.sum(predicted & true) / np.sum(true)
    f = 2 / (1 / precision + 1 / recall) if precision > 0 else 0
    by_1 = W * T.sum() / W.sum()
    by_2 = W * np.linalg.norm(T) / np.linalg.norm(W)
    d = T.sum(axis=1)
    return GraphScores(
        f,
        np.abs(by_1 - T).sum() / T.sum(),
        np.linalg.norm(by_2 - T) / np.linalg.norm(T),
        np.abs(by_1.sum(axis=1) - d).sum() / d.sum(),
        np.linalg.norm(by_2.sum(axis=1) - d) / np.linalg.norm(d),
    )


def graph_and_truth(m, seed, density):
    return random_graph(m, seed, density), random_graph(m, seed + 1, 0.3)


both = st.builds(graph_and_truth, st.integers(2, 25), st.integers(0, 1000), st.sampled_from([0.0, 0.1, 0.5, 1.0]))


@given(both)
def test_against_the_definitions(both):
    W, T = both
    expected = dense_scores(W, T)
    np.testing.assert_allclose(compare(W, T), expected, atol=1e-12)
    edges = PairSet.all_pairs(len(W))
    scores = compare_weights(edges.weights_of(W), edges.weights_of(T), edges)
    np.testing.assert_allclose(scores, expected, atol=1e-12)
    assert all(type(score) is float for score in scores)


def test_by_hand():
    """Compare w = (2, 2, 0) with (3, 0, 4) on the pairs 01, 02, 12 of three nodes."""
    w, truth = np.array([2.0, 2.0, 0.0]), np.array([3.0, 0.0, 4.0])
    scores = compare_weights(w, truth, PairSet.all_pairs(3))
    assert scores.f_measure == 0.5
    # |w|_1 = 7: (3.5, 3.5, 0), degrees (7, 3.5, 3.5) against (3, 7, 4)
    np.testing.assert_allclose(scores.edge_l1, (0.5 + 3.5 + 4) / 7)
    np.testing.assert_allclose(scores.degree_l1, (4 + 3.5 + 0.5) / 14)
    # |w|_2 = 5: (a, a, 0), degrees (2a, a, a), a = 5 / sqrt(2)
    a = 5 / np.sqrt(2)
    np.testing.assert_allclose(scores.edge_l2, np.sqrt((a - 3) ** 2 + a**2 + 16) / 5)
    expected = np.sqrt(((2 * a - 3) ** 2 + (a - 7) ** 2 + (a - 4) ** 2) / (9 + 49 + 16))
    np.testing.assert_allclose(scores.degree_l2, expected)


def test_no_edge_in_common():
    edge, nothing = 1 - np.eye(2), np.zeros((2, 2))
    W, T = sp.block_diag([edge, nothing]), sp.block_diag([nothing, edge])
    np.testing.assert_allclose(compare(W, T), (0, 2, np.sqrt(2), 2, np.sqrt(2)))


@given(both, st.floats(1e-250, 1e250), st.floats(1e-250, 1e250))
def test_scales_do_not_count(both, scale, true_scale):
    edges = PairSet.all_pairs(len(both[0]))
    w, truth = map(edges.weights_of, both)
    scaled = compare_weights(scale * w, true_scale * truth, edges)
    np.testing.assert_allclose(scaled, compare_weights(w, truth, edges), atol=1e-12)


@given(both, st.integers(0, 1000))
def test_the_order_of_the_nodes_does_not_count(both, seed):
    W, T = both
    order = np.ix_(*2 * [np.random.default_rng(seed).permutation(len(W))])
    np.testing.assert_allclose(compare(W[order], T[order]), compare(W, T), atol=1e-12)


@given(both)
def test_the_truth_is_perfect(both):
    np.testing.assert_allclose(compare(3 * both[0], both[0]), PERFECT, atol=1e-12)


@given(both)
def test_scores_stay_in_their_ranges(both):
    scores = compare(*both)
    assert 0 < scores.f_measure <= 1  # they have edge 01 in common
    assert max(scores.edge_l1, scores.degree_l1) <= 2 + 1e-12
    assert scores.edge_l2 <= np.sqrt(2) + 1e-12
    assert scores.degree_l1 <= scores.edge_l1 + 1e-12


def test_f_measure_ignores_weights():
    T = random_graph(10, 0)
    assert compare((T > 0) * 1.0, T).f_measure == 1
    assert compare((T > 0) * 1.0, T).edge_l1 > 0.1


def test_an_empty_graph_and_an_empty_truth():
    T = random_graph(5, 0)
    assert compare(0 * T, T) == EMPTY
    for graph in (T, 0 * T):
        with pytest.raises(ValueError, match="true graph must have an edge"):
            compare(graph, 0 * T)
    edges = PairSet.all_pairs(3)
    assert compare_weights(np.zeros(3), np.ones(3), edges) == EMPTY
    with pytest.raises(ValueError, match="true graph must have an edge"):
        compare_weights(np.ones(3), np.zeros(3), edges)


def test_kinds_of_graphs():
    truth = random_geometric(40, random_state=0)
    np.testing.assert_allclose(compare(truth, truth), PERFECT, atol=1e-12)
    learner = LogDegreeGraph(8).fit(truth.positions)
    scores = compare(learner, truth)
    assert scores == compare(learner.adjacency_.toarray(), sp.coo_matrix(truth.adjacency))
    assert scores.f_measure > 0.5


def test_shapes_must_fit():
    with pytest.raises(ValueError, match="same nodes, got 4 and 5 nodes"):
        compare(random_graph(4, 0), random_graph(5, 0))
    edges = PairSet.all_pairs(3)
    with pytest.raises(ValueError, match=r"one weight per edge, \(3,\), got \(3,\) and \(2,\)"):
        compare_weights(np.ones(3), np.ones(2), edges)


def test_arguments_are_not_changed():
    edges = PairSet.all_pairs(3)
    w, truth = np.array([1.0, 2.0, 0.0]), np.array([0.0, 2.0, 5.0])
    compare_weights(w, truth, edges)
    np.testing.assert_array_equal(w, [1, 2, 0])
    np.testing.assert_array_equal(truth, [0, 2, 5])


def test_metrics_and_generate_are_loaded_when_used():
    assert smoothgraph.metrics.compare is compare
    code = (
        "import sys, smoothgraph as sg; assert 'smoothgraph.generate' not in sys.modules; "
        "sys.exit('networkx' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
