"""Pairs in memory: against plain NumPy, in another stored order, and in partitions."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pytest
from helpers import EDGE_PRIOR_NAMES, PAIR_SET_NAMES, make_problem, summation
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import squareform

from smoothgraph import Newton, Pairs, PairSet, PrimalDual, Problem, distances
from smoothgraph.pairs.seam import Balance
from smoothgraph.pairs.sweep_kernels import Wanted
from smoothgraph.priors import LogDegrees, QuadraticEdges

FREE = QuadraticEdges(1.0)  # a prior without parameters per pair: its costs are the distances


# -- against plain NumPy -----------------------------------------------------


@pytest.mark.parametrize("n_nodes", [12, 1500])  # the larger one is split over threads
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


@pytest.mark.parametrize("pair_set", PAIR_SET_NAMES)
def test_a_pull_toward_other_weights_moves_the_costs(pair_set, rng):
    problem = make_problem(pair_set, "quadratic with w0", "log")
    pairs, f, m = problem.pairs, problem.edge_prior, problem.pairs.n_nodes
    u = rng.uniform(0, 2, m)
    nothing = np.full(m, -np.inf)
    weights = problem.evaluate(u).weights
    np.testing.assert_array_equal(pairs.select(f, u, nothing).ids, np.flatnonzero(weights))
    assert pairs.count_below(f, u) == np.count_nonzero(weights)
    cost = np.full((m, m), np.inf)
    cost[pairs.pattern.rows, pairs.pattern.cols] = pairs.z - f.strength * f.w0
    nearest = np.sort(np.minimum(cost, cost.T), axis=1)[:, :3]
    np.testing.assert_allclose(pairs.nearest(3, f), nearest, rtol=1e-12)


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
    np.testing.assert_allclose(curvature.matrix().toarray(), matrix.toarray(), rtol=1e-9)
    np.testing.assert_allclose(curvature.product(x), matrix @ x, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(curvature.diagonal, matrix.diagonal(), rtol=1e-9)
    assert curvature.n_pairs == np.count_nonzero(c)
    totals = pairs.totals(f, w)
    np.testing.assert_allclose(totals.degrees, S @ w, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(totals.distance, pairs.z @ w, rtol=1e-12)
    np.testing.assert_allclose(totals.value, f.value(w), rtol=1e-12)
    assert totals.n_edges == np.count_nonzero(w)


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


# -- stored in another order -------------------------------------------------


class Reordered(NamedTuple):
    """A problem, the same problem with its nodes stored along ``order``, and where pairs went."""

    plain: Problem
    stored: Problem
    came_from: np.ndarray


def reorder(problem, order):
    place, pairs = np.argsort(order), problem.pairs
    pattern, came_from = PairSet.with_values(
        place[pairs.pattern.rows], place[pairs.pattern.cols], np.arange(pairs.n_pairs, dtype=float), pairs.n_nodes
    )
    came_from = came_from.astype(int)
    stored = Pairs(pattern, pairs.z[came_from], order)
    prior = problem.edge_prior.take(came_from)
    return Reordered(problem, Problem(stored, edge_prior=prior, degree_prior=problem.degree_prior), came_from)


def random_reordered(pair_set, edge_prior, seed):
    problem = make_problem(pair_set, edge_prior, "log", seed)
    rng = np.random.default_rng(seed)
    return reorder(problem, rng.permutation(problem.pairs.n_nodes)), rng


instances = given(st.sampled_from(PAIR_SET_NAMES), st.sampled_from(EDGE_PRIOR_NAMES), st.integers(0, 2**32 - 1))


def same(a, b):
    np.testing.assert_allclose(a, b, rtol=1e-10, atol=1e-11)


@instances
def test_another_order_changes_no_answer_about_the_pairs(pair_set, edge_prior, seed):
    (plain, stored, came_from), rng = random_reordered(pair_set, edge_prior, seed)
    one, other, m = plain.pairs, stored.pairs, plain.pairs.n_nodes
    f, g = plain.edge_prior, stored.edge_prior
    assert (other.n_nodes, other.n_pairs) == (one.n_nodes, one.n_pairs)
    assert other.distance_range == one.distance_range
    assert other.pairs_per_node == one.pairs_per_node
    for k in (1, 4):
        np.testing.assert_array_equal(other.nearest(k), one.nearest(k))
        np.testing.assert_array_equal(other.nearest(k, g), one.nearest(k, f))
    i, j = rng.integers(m, size=(2, 40))
    np.testing.assert_array_equal(other.contains(i, j), one.contains(i, j))
    u = rng.uniform(0, 3, m)
    assert other.largest_pair_sum(u) == one.largest_pair_sum(u)
    assert other.count_below(g, u) == one.count_below(f, u)
    near = one.nearest(2, f)[:, -1] if f.sparse else one.nearest(2)[:, -1]
    ours, theirs = one.select(f, u, near), other.select(g, u, near)
    assert theirs.n_pairs == ours.n_pairs
    chosen = other.locate(theirs) if theirs.ids is not None else np.arange(other.n_pairs)
    expected = ours.ids if ours.ids is not None else np.arange(one.n_pairs)
    np.testing.assert_array_equal(np.sort(came_from[chosen]), expected)
    gathered = other.gather()
    assert gathered.order is None
    np.testing.assert_array_equal(gathered.pattern.rows, one.pattern.rows)
    np.testing.assert_array_equal(gathered.pattern.cols, one.pattern.cols)
    np.testing.assert_array_equal(gathered.z, one.z)
    np.testing.assert_array_equal(other.scale(3.0).gather().z, one.scale(3.0).z)


@instances
def test_another_order_changes_no_answer_about_the_dual(pair_set, edge_prior, seed):
    (plain, stored, came_from), rng = random_reordered(pair_set, edge_prior, seed)
    m = plain.pairs.n_nodes
    u, tail, x = rng.uniform(0, 2, m), 0.1 * rng.normal(size=m), rng.normal(size=m)
    one = plain.pairs.evaluate(plain.edge_prior, u, tail)
    other = stored.pairs.evaluate(stored.edge_prior, u, tail)
    same(other.degrees, one.degrees)
    same(other.conjugate, one.conjugate)
    same(other.weights, one.weights[came_from])
    same(other.excess(), one.excess())
    if plain.edge_prior.sparse:
        same(other.rise(), one.rise())
        same(other.rise(x), one.rise(x))
        balance = Balance(*rng.uniform(0.5, 2, (2, m)), rng.random(m) < 0.3, one.rise())
        same(other.balance(balance), one.balance(balance)[came_from])
    ours, theirs = one.curvature(), other.curvature()
    assert theirs.n_pairs == ours.n_pairs
    same(theirs.diagonal, ours.diagonal)
    same(theirs.product(x), ours.product(x))
    same(theirs.matrix().toarray(), ours.matrix().toarray())
    points = plain.evaluate(u + 0.1), stored.evaluate(u + 0.1)
    same(points[1].objective, points[0].objective)
    same(points[1].gradient, points[0].gradient)
    same(points[1].gap, points[0].gap)
    same(points[1].below_all_costs(), points[0].below_all_costs())


@instances
def test_another_order_changes_no_answer_about_weights(pair_set, edge_prior, seed):
    (plain, stored, came_from), rng = random_reordered(pair_set, edge_prior, seed)
    one, other, f, g = plain.pairs, stored.pairs, plain.edge_prior, stored.edge_prior
    w = np.where(rng.random(one.n_pairs) < 0.5, 0, rng.random(one.n_pairs))
    ours, theirs = one.totals(f, w), other.totals(g, w[came_from])
    same(theirs.degrees, ours.degrees)
    same(theirs[1:], ours[1:])
    np.testing.assert_array_equal(other.adjacency(w[came_from]).toarray(), one.adjacency(w).toarray())
    graphs = one.fitted_attributes(w), other.fitted_attributes(w[came_from])
    same(graphs[1]["laplacian_"].toarray(), graphs[0]["laplacian_"].toarray())
    edges, weights = other.drop_zeros(w[came_from])
    np.testing.assert_array_equal(other.expand(edges, weights), w[came_from])
    np.testing.assert_array_equal(edges.adjacency(weights).toarray(), one.adjacency(w).toarray())


def settle(sweeper, wanted, u, calls=100):
    """Where sweeps end: each call makes a limited number of them."""
    for _ in range(calls):
        u = sweeper.sweep(wanted, u)
    return u


@pytest.mark.parametrize("seed", range(10))
def test_another_order_changes_no_sweep_that_ends(seed):
    """Sweeps run in stored order, so that only where they end is the same."""
    (plain, stored, _), rng = random_reordered("knn", "quadratic", seed)
    m = plain.pairs.n_nodes
    u = rng.uniform(0.5, 3, m)
    wanted = Wanted(rng.uniform(0.5, 2, m), np.full(m, 3.0), 0.0, np.full(m, 1e-13), u)
    sweepers = [p.pairs.sweeper(p.edge_prior) for p in (plain, stored)]
    ours, theirs = (settle(sweeper, wanted, u) for sweeper in sweepers)
    np.testing.assert_allclose(theirs, ours, rtol=1e-9)
    low = np.where(np.arange(m) == rng.integers(m), -50.0, u + plain.pairs.z.max())
    lifted = [sweeper.lift(wanted, low) for sweeper in sweepers]
    np.testing.assert_allclose(lifted[1], lifted[0], rtol=1e-12)


@pytest.mark.parametrize("pair_set", PAIR_SET_NAMES)
@pytest.mark.parametrize("edge_prior", EDGE_PRIOR_NAMES)
@pytest.mark.parametrize("solver", [Newton(tol=1e-11), PrimalDual(tol=1e-8, max_iter=100_000)])
def test_another_order_changes_no_solution(pair_set, edge_prior, solver):
    (plain, stored, came_from), _ = random_reordered(pair_set, edge_prior, 3)
    ours, theirs = solver.solve(plain), solver.solve(stored)
    scale = max(1, ours.w.max())
    np.testing.assert_allclose(theirs.adjacency.toarray(), ours.adjacency.toarray(), atol=1e-4 * scale)
    np.testing.assert_allclose(theirs.degrees, ours.degrees, rtol=1e-3)
    np.testing.assert_allclose(theirs.u, ours.u, rtol=1e-3, atol=1e-3)
    spread = stored.pairs.expand(theirs.edges, theirs.weights)
    np.testing.assert_allclose(spread, ours.w[came_from], atol=1e-4 * scale)


def test_more_pairs_are_stored_along_the_same_order(rng):
    X, order = rng.normal(size=(30, 3)), rng.permutation(30)
    every = Pairs.of(X)
    empty = PairSet(30, np.zeros(31, np.int64), np.zeros(0, np.int32))
    pairs = Pairs(empty, np.zeros(0), order)
    for part in np.array_split(rng.permutation(every.n_pairs), 4):
        both = np.concatenate([part, part[:10]])  # which repeats some
        i, j = every.pattern.rows[both], every.pattern.cols[both]
        pairs = pairs.extend(i, j, every.z[both])
    assert pairs.order is order
    assert pairs.n_pairs == every.n_pairs
    np.testing.assert_array_equal(pairs.gather().z, every.z)


# -- partitions --------------------------------------------------------------


class Partition(NamedTuple):
    """The pairs that touch the nodes ``first <= i < last``, in the numbering of ``nodes``."""

    pairs: Pairs
    prior: QuadraticEdges
    nodes: np.ndarray
    ids: np.ndarray  # of its pairs, in the whole

    @property
    def own(self):
        """The nodes it answers for, in the whole."""
        return self.nodes[slice(*self.pairs.own)]

    def answers(self, local):
        """What it says of its own nodes."""
        return local[slice(*self.pairs.own)]


def cut(problem, bounds):
    pattern, parts = problem.pairs.pattern, []
    for first, last in pairwise(bounds):
        at_rows = (pattern.rows >= first) & (pattern.rows < last)
        ids = np.flatnonzero(at_rows | ((pattern.cols >= first) & (pattern.cols < last)))
        i, j = pattern.rows[ids], pattern.cols[ids]
        nodes = np.unique(np.concatenate([i, j, np.arange(first, last)]))
        local = PairSet.from_pairs(np.searchsorted(nodes, i), np.searchsorted(nodes, j), len(nodes))
        own = tuple(int(x) for x in np.searchsorted(nodes, [first, last]))
        pairs = Pairs(local, problem.pairs.z[ids], own=own)
        parts.append(Partition(pairs, problem.edge_prior.take(ids), nodes, ids))
    return parts


def random_cut(pair_set, edge_prior, seed):
    problem = make_problem(pair_set, edge_prior, "log", seed)
    rng, m = np.random.default_rng(seed), problem.pairs.n_nodes
    inner = np.sort(rng.choice(np.arange(1, m), 3, replace=False))
    return problem, cut(problem, [0, *inner, m]), rng


@instances
def test_partitions_add_up_to_the_pairs(pair_set, edge_prior, seed):
    problem, parts, rng = random_cut(pair_set, edge_prior, seed)
    whole, f, m = problem.pairs, problem.edge_prior, problem.pairs.n_nodes
    u, reach = rng.uniform(0, 3, m), rng.uniform(0, 1, m)
    near = whole.nearest(2, f)[:, -1]
    chosen = whole.select(f, reach, near)
    assert sum(p.pairs.n_pairs for p in parts) == whole.n_pairs
    assert sum(p.pairs.count_below(p.prior, u[p.nodes]) for p in parts) == whole.count_below(f, u)
    selected = [p.pairs.select(p.prior, reach[p.nodes], near[p.nodes]) for p in parts]
    assert sum(pairs.n_pairs for pairs in selected) == chosen.n_pairs
    assert [pairs.own for pairs in selected] == [p.pairs.own for p in parts]
    ranges = np.array([p.pairs.distance_range for p in parts])
    assert (ranges[:, 0].min(), ranges[:, 1].max()) == whole.distance_range
    assert max(p.pairs.largest_pair_sum(u[p.nodes]) for p in parts) == whole.largest_pair_sum(u)
    for p in parts:
        counts = whole.pattern.counts[p.own]
        np.testing.assert_array_equal(p.answers(p.pairs.pattern.counts), counts)
        same(p.answers(p.pairs.nearest(3, p.prior)), whole.nearest(3, f)[p.own])


@instances
def test_partitions_add_up_to_the_dual(pair_set, edge_prior, seed):
    problem, parts, rng = random_cut(pair_set, edge_prior, seed)
    whole, f, m = problem.pairs, problem.edge_prior, problem.pairs.n_nodes
    u, tail, x = rng.uniform(0, 2, m), 0.1 * rng.normal(size=m), rng.normal(size=m)
    terms = whole.evaluate(f, u, tail)
    local = [p.pairs.evaluate(p.prior, u[p.nodes], tail[p.nodes]) for p in parts]
    same(sum(t.conjugate for t in local), terms.conjugate)
    curvature, curvatures = terms.curvature(), [t.curvature() for t in local]
    assert sum(c.n_pairs for c in curvatures) == curvature.n_pairs
    balance = Balance(*rng.uniform(0.5, 2, (2, m)), rng.random(m) < 0.3, rng.uniform(0, 1, m))
    for p, t, c in zip(parts, local, curvatures, strict=True):
        same(t.weights, terms.weights[p.ids])
        same(p.answers(t.degrees), terms.degrees[p.own])
        same(p.answers(t.excess()), terms.excess()[p.own])
        same(p.answers(c.diagonal), curvature.diagonal[p.own])
        same(p.answers(c.product(x[p.nodes])), curvature.product(x)[p.own])
        rows = c.matrix().toarray()[slice(*p.pairs.own)]
        same(rows, curvature.matrix().toarray()[np.ix_(p.own, p.nodes)])
        if f.sparse:
            same(p.answers(t.rise()), terms.rise()[p.own])
            same(p.answers(t.rise(x[p.nodes])), terms.rise(x)[p.own])
            there = Balance(*(values[p.nodes] for values in balance))
            same(t.balance(there), terms.balance(balance)[p.ids])


@instances
def test_partitions_add_up_to_the_totals(pair_set, edge_prior, seed):
    problem, parts, rng = random_cut(pair_set, edge_prior, seed)
    whole, f = problem.pairs, problem.edge_prior
    w = np.where(rng.random(whole.n_pairs) < 0.5, 0, rng.random(whole.n_pairs))
    expected = whole.totals(f, w)
    totals = [p.pairs.totals(p.prior, w[p.ids]) for p in parts]
    same(np.sum([t[1:] for t in totals], axis=0), expected[1:])
    for p, t in zip(parts, totals, strict=True):
        same(p.answers(t.degrees), expected.degrees[p.own])
        edges, weights = p.pairs.drop_zeros(w[p.ids])
        assert edges.own == p.pairs.own
        assert edges.n_pairs == t.n_edges
        np.testing.assert_array_equal(p.pairs.expand(edges, weights), w[p.ids])


@pytest.mark.parametrize("seed", range(5))
def test_a_partition_moves_its_own_nodes_alone(seed):
    """Each gets the degree it wants beside the others, which stay where they are."""
    problem, parts, rng = random_cut("mask", "quadratic", seed)
    m, slope = problem.pairs.n_nodes, problem.edge_prior.slope
    u = rng.uniform(0.5, 3, m)
    degree, curvature = np.full(m, 1.0), np.zeros(m)
    wanted = Wanted(degree, curvature, -np.inf, np.full(m, 1e-12), u)
    for p in parts:
        sweeper = p.pairs.sweeper(p.prior)
        there = Wanted(*(np.asarray(x)[p.nodes] if np.ndim(x) else x for x in wanted))
        moved = settle(sweeper, there, u[p.nodes])
        elsewhere = ~np.isin(p.nodes, p.own)
        np.testing.assert_array_equal(moved[elsewhere], u[p.nodes][elsewhere])
        after = u.copy()
        after[p.nodes] = moved
        np.testing.assert_allclose(problem.evaluate(after).degrees[p.own], 1.0, rtol=1e-6)
        low = np.where(np.arange(m) == p.own[0], -50.0, u)
        lifted = sweeper.lift(there, low[p.nodes])
        np.testing.assert_array_equal(lifted[elsewhere], low[p.nodes][elsewhere])
        first = problem.evaluate(low).rise()[p.own[0]]
        np.testing.assert_allclose(p.answers(lifted)[0], -50.0 + first + 1.0 / slope)
