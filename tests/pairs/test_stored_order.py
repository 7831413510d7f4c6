"""Pairs whose nodes are stored in another order give the same answers."""

from typing import NamedTuple

import numpy as np
import pytest
from helpers import EDGE_PRIOR_NAMES, PAIR_SET_NAMES, assert_same, make_problem, random_pairs, settle

from smoothgraph import Newton, Pairs, PairSet, PrimalDual, Problem
from smoothgraph.pairs.seam import Balance
from smoothgraph.pairs.sweep_kernels import Wanted


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


@random_pairs
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
    if theirs.ids is not None:
        np.testing.assert_array_equal(other.z[other.locate(theirs.gather())], theirs.gather().z)
    gathered = other.gather()
    assert gathered.order is None
    np.testing.assert_array_equal(gathered.pattern.rows, one.pattern.rows)
    np.testing.assert_array_equal(gathered.pattern.cols, one.pattern.cols)
    np.testing.assert_array_equal(gathered.z, one.z)
    np.testing.assert_array_equal(other.scale(3.0).gather().z, one.scale(3.0).z)


@random_pairs
def test_another_order_changes_no_answer_about_the_dual(pair_set, edge_prior, seed):
    (plain, stored, came_from), rng = random_reordered(pair_set, edge_prior, seed)
    m = plain.pairs.n_nodes
    u, tail, x = rng.uniform(0, 2, m), 0.1 * rng.normal(size=m), rng.normal(size=m)
    one = plain.pairs.evaluate(plain.edge_prior, u, tail)
    other = stored.pairs.evaluate(stored.edge_prior, u, tail)
    assert_same(other.degrees, one.degrees)
    assert_same(other.conjugate, one.conjugate)
    assert_same(other.weights, one.weights[came_from])
    assert_same(other.excess(), one.excess())
    if plain.edge_prior.sparse:
        assert_same(other.rise(), one.rise())
        assert_same(other.rise(x), one.rise(x))
        balance = Balance(*rng.uniform(0.5, 2, (2, m)), rng.random(m) < 0.3, one.rise())
        assert_same(other.balance(balance), one.balance(balance)[came_from])
    ours, theirs = one.curvature(), other.curvature()
    assert theirs.n_pairs == ours.n_pairs
    assert_same(theirs.diagonal, ours.diagonal)
    assert_same(theirs.product(x), ours.product(x))
    assert_same(theirs.matrix(u).toarray(), ours.matrix(u).toarray())
    points = plain.evaluate(u + 0.1), stored.evaluate(u + 0.1)
    assert_same(points[1].objective, points[0].objective)
    assert_same(points[1].gradient, points[0].gradient)
    assert_same(points[1].gap, points[0].gap)
    assert_same(points[1].below_all_costs(), points[0].below_all_costs())


@random_pairs
def test_another_order_changes_no_answer_about_weights(pair_set, edge_prior, seed):
    (plain, stored, came_from), rng = random_reordered(pair_set, edge_prior, seed)
    one, other, f, g = plain.pairs, stored.pairs, plain.edge_prior, stored.edge_prior
    w = np.where(rng.random(one.n_pairs) < 0.5, 0, rng.random(one.n_pairs))
    ours, theirs = one.totals(f, w), other.totals(g, w[came_from])
    assert_same(theirs.degrees, ours.degrees)
    assert_same(theirs[1:], ours[1:])
    np.testing.assert_array_equal(other.adjacency(w[came_from]).toarray(), one.adjacency(w).toarray())
    nothing = np.zeros(0, int), np.zeros(0, int), np.zeros(0)
    graphs = one.fitted_attributes(w, nothing), other.fitted_attributes(w[came_from], nothing)
    assert_same(graphs[1]["laplacian_"].toarray(), graphs[0]["laplacian_"].toarray())
    edges, weights = other.drop_zeros(w[came_from])
    np.testing.assert_array_equal(other.expand(edges, weights), w[came_from])
    np.testing.assert_array_equal(edges.adjacency(weights).toarray(), one.adjacency(w).toarray())


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


def test_nodes_without_pairs_have_their_own_numbers():
    pairs = Pairs(PairSet.from_pairs([0, 1], [1, 3], 4), np.ones(2), np.array([3, 0, 1, 2]))
    assert pairs.lone_nodes().tolist() == [1]  # which is stored at position 2


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
