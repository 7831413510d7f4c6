"""Pairs in memory, against plain NumPy."""

import numpy as np
import pytest
from helpers import EDGE_PRIOR_NAMES, PAIR_SET_NAMES, make_problem
from scipy.spatial.distance import squareform

from benchmarks.reference import summation
from smoothgraph import Newton, Pairs, PairSet, Problem, distances
from smoothgraph.priors import LogDegrees, QuadraticEdges

FREE = QuadraticEdges(1.0)  # a prior without parameters per pair: its costs are the distances


@pytest.mark.parametrize("n_nodes", [12, 2100])  # the larger one is split over threads
def test_nearest_select_and_count_below_against_brute_force(n_nodes, rng):
    pattern = PairSet.all_pairs(n_nodes)
    pairs = Pairs(pattern, rng.random(pattern.n_pairs))
    u, near = rng.random(n_nodes) * 0.2, rng.random(n_nodes) * 0.1
    Z = squareform(pairs.z) + np.diag(np.full(n_nodes, np.inf))
    np.testing.assert_array_equal(pairs.nearest(5), np.sort(Z, axis=1)[:, :5])
    below = 2 * pairs.z < u[pattern.rows] + u[pattern.cols]
    assert pairs.count_below(FREE, u) == np.sum(below)
    nothing = np.full(n_nodes, -np.inf)
    np.testing.assert_array_equal(pairs.select(FREE, u, nothing).ids, np.flatnonzero(below))
    close = pairs.z <= np.maximum(near[pattern.rows], near[pattern.cols])
    np.testing.assert_array_equal(pairs.select(FREE, u, near).ids, np.flatnonzero(below | close))


def test_nearest_fills_up_nodes_with_few_pairs():
    pairs = Pairs(PairSet.from_pairs([0, 0], [1, 2], 4), np.array([3.0, 2.0]))
    expected = [[2, 3], [3, np.inf], [2, np.inf], [np.inf, np.inf]]
    np.testing.assert_array_equal(pairs.nearest(2), expected)
    assert pairs.pairs_per_node == (0, 2)
    assert pairs.lone_nodes().tolist() == [3]


def test_the_smallest_weight_at_a_node_is_that_of_an_edge():
    pairs = Pairs(PairSet.from_pairs([0, 0, 1, 3], [1, 2, 2, 4], 5), np.ones(4))
    weights = np.array([2.0, 0.0, 3.0, 0.0])
    np.testing.assert_array_equal(pairs.smallest_weights(weights), [2, 2, 3, np.inf, np.inf])


@pytest.mark.parametrize("pair_set", PAIR_SET_NAMES)
def test_a_pull_toward_other_weights_moves_the_costs(pair_set, rng):
    problem = make_problem(pair_set, "quadratic with w0", "log")
    pairs, f, m = problem.pairs, problem.edge_prior, problem.pairs.n_nodes
    u = rng.uniform(0, 2, m)
    nothing = np.full(m, -np.inf)
    weights = problem.evaluate(u).weights
    np.testing.assert_array_equal(pairs.select(f, u, nothing).ids, np.flatnonzero(weights))
    assert pairs.count_below(f, u) == np.count_nonzero(weights)
    for prior, values in ((None, pairs.z), (f, pairs.z - f.strength * f.w0)):
        cost = np.full((m, m), np.inf)
        cost[pairs.pattern.rows, pairs.pattern.cols] = values
        nearest = np.sort(np.minimum(cost, cost.T), axis=1)[:, :3]
        np.testing.assert_allclose(pairs.nearest(3, prior), nearest, rtol=1e-12)


@pytest.mark.parametrize("pair_set", PAIR_SET_NAMES)
@pytest.mark.parametrize("edge_prior", EDGE_PRIOR_NAMES)
def test_terms_of_the_dual_against_the_formulas(pair_set, edge_prior, rng):
    problem = make_problem(pair_set, edge_prior, "log")
    pairs, f, m = problem.pairs, problem.edge_prior, problem.pairs.n_nodes
    u, x, S = rng.uniform(0.5, 3, m), rng.normal(size=m), summation(problem.pairs.pattern)
    v = S.T @ u - 2 * pairs.z
    terms, w, c = pairs.evaluate(f, u, np.zeros(m)), f.maximizer(v), f.curvature(v)
    np.testing.assert_allclose(terms.weights, w, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(terms.degrees, S @ w, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(terms.conjugate, f.conjugate(v), rtol=1e-9)
    curvature = terms.curvature()
    matrix = (S * c) @ S.T
    np.testing.assert_allclose(
        curvature.matrix(np.arange(m)).toarray(), matrix.toarray() + np.diag(np.arange(m)), rtol=1e-9
    )
    np.testing.assert_allclose(curvature.product(x), matrix @ x, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(curvature.diagonal, matrix.diagonal(), rtol=1e-9)
    assert curvature.n_pairs == np.count_nonzero(c)
    totals = pairs.totals(f, w)
    np.testing.assert_allclose(totals.degrees, S @ w, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(totals.distance, pairs.z @ w, rtol=1e-12)
    np.testing.assert_allclose(totals.value, f.value(w), rtol=1e-12)
    assert totals.n_edges == np.count_nonzero(w)


def test_terms_of_many_pairs_are_computed_in_threads(rng):
    m = 2100
    pattern = PairSet.all_pairs(m)
    pairs, f = (
        Pairs(pattern, rng.random(pattern.n_pairs)),
        QuadraticEdges(0.5, w0=rng.random(pattern.n_pairs), strength=1.0),
    )
    u = rng.uniform(0, 1, m)
    v = u[pattern.rows] + u[pattern.cols] - 2 * pairs.z
    w = np.maximum(v + 2 * f.w0, 0) / 3
    terms = pairs.evaluate(f, u, np.zeros(m))
    np.testing.assert_allclose(terms.weights, w, atol=1e-14)
    np.testing.assert_allclose(terms.degrees, squareform(w).sum(axis=1), rtol=1e-12)
    np.testing.assert_allclose(terms.conjugate, v @ w - f.value(w), rtol=1e-9)


@pytest.mark.parametrize("edge_prior", ["quadratic", "quadratic with w0"])
def test_rise_is_how_far_to_the_first_edge(edge_prior, rng):
    problem = make_problem("mask", edge_prior, "log")
    pairs, f, m = problem.pairs, problem.edge_prior, problem.pairs.n_nodes
    u = np.where(rng.random(m) < 0.5, -9.0, rng.uniform(0, 2, m))
    terms = pairs.evaluate(f, u, np.zeros(m))
    alone = terms.degrees == 0
    change = np.where(alone, 0.0, rng.normal(size=m))  # the others move first
    np.testing.assert_array_equal(terms.rise() > 0, alone)
    assert 0 < np.sum(alone) < m
    for rise, base in ((terms.rise(), u), (terms.rise(change), u + change)):
        for i in np.flatnonzero(alone):
            for share, joined in ((0.999, False), (1.001, True)):
                moved = base.copy()
                moved[i] += share * rise[i]
                assert (problem.evaluate(moved).degrees[i] > 0) == (joined or rise[i] == 0)


def test_wrong_numbers_of_distances_are_refused():
    with pytest.raises(ValueError, match=r"one distance per candidate pair, \(3,\), got \(2,\)"):
        Pairs(PairSet.all_pairs(3), np.ones(2))


def test_pairs_of_a_table_and_of_a_matrix(rng):
    X = rng.normal(size=(20, 3))
    pattern = PairSet.from_pairs([3, 1, 0], [4, 2, 9], 20)
    np.testing.assert_array_equal(Pairs.of(X).z, distances(X))
    np.testing.assert_array_equal(Pairs.of(X, pattern).z, distances(X, pattern))
    cosine = distances(X, metric="cosine")
    np.testing.assert_array_equal(Pairs.of(X, metric="cosine").z, cosine)
    np.testing.assert_array_equal(Pairs.from_distances(squareform(cosine)).z, cosine)
    np.testing.assert_array_equal(Pairs.of(X.tolist()).z, distances(X))


def test_a_part_of_a_part_knows_its_place(rng):
    """Edges of one graph as the candidate pairs of another, with weights to stay close to."""
    first = Newton().solve(make_problem("all", "quadratic", "log", seed=5))
    prior = QuadraticEdges(1e-3, w0=first.weights, strength=0.1)
    problem = Problem(first.edges, edge_prior=prior, degree_prior=LogDegrees(1.0))
    solution = Newton(tol=1e-10).solve(problem)
    fresh = Pairs(first.edges.pattern, first.edges.z)
    expected = Newton(tol=1e-10).solve(Problem(fresh, edge_prior=prior, degree_prior=LogDegrees(1.0)))
    assert solution.n_edges < first.n_edges
    np.testing.assert_array_equal(solution.w, expected.w)
    np.testing.assert_allclose(problem.gap(solution.w, solution.u), solution.gap, atol=1e-12)
    np.testing.assert_allclose(solution.degrees, solution.adjacency.sum(axis=1), rtol=1e-12)
