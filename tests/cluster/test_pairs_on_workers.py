"""Pairs on workers answer every question as the same pairs in memory do."""

from itertools import pairwise

import numpy as np
import pytest

from smoothgraph import Newton, Pairs, PairSet, Problem, models
from smoothgraph.cluster.futures import submit
from smoothgraph.cluster.pairs_on_workers import PairsOnWorkers
from smoothgraph.cluster.partitions import load_partition, make_partition, save_partition, take_pairs, take_triples
from smoothgraph.density import search_density
from smoothgraph.pairs.seam import Balance
from smoothgraph.priors import FixedDegrees, LogDegrees, QuadraticEdges, SquaredDegrees

M = 90
F = QuadraticEdges(0.7)


def some_pairs(share=0.3):
    rng = np.random.default_rng(0)
    mask = np.triu(rng.random((M, M)) < share, 1) | np.eye(M, k=1, dtype=bool)
    pattern = PairSet.from_mask(mask)
    return Pairs(pattern, rng.uniform(0.5, 2, pattern.n_pairs))


def on_workers(client, pairs, n_parts):
    """The pairs in partitions, whose nodes are numbered in another order."""
    order = np.random.default_rng(1).permutation(M)
    place = np.argsort(order)
    triples = place[pairs.pattern.rows], place[pairs.pattern.cols], pairs.z
    cuts = np.linspace(0, M, n_parts + 1).astype(int).tolist()
    bounds = list(pairwise(cuts))
    made = [submit(client, "partition", make_partition, bound, [take_triples(triples, bound)]) for bound in bounds]
    return PairsOnWorkers.of(client, order, bounds, made)


@pytest.fixture(scope="module", params=[1, 2, 5])
def both(request, cluster_client):
    pairs = some_pairs()
    return pairs, on_workers(cluster_client, pairs, request.param)


@pytest.fixture
def u():
    return np.random.default_rng(2).uniform(0.6, 1.4, M)


def same(found, expected):
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-13)


def same_pairs(found, expected):
    found = found.gather()
    np.testing.assert_array_equal(found.pattern.indptr, expected.pattern.indptr)
    np.testing.assert_array_equal(found.pattern.cols, expected.pattern.cols)
    same(found.z, expected.z)


def test_what_there_is(both, u):
    memory, remote = both
    assert (remote.n_nodes, remote.n_pairs) == (memory.n_nodes, memory.n_pairs)
    assert remote.distance_range == memory.distance_range
    assert remote.pairs_per_node == memory.pairs_per_node
    same(remote.nearest(4), memory.nearest(4))
    same(remote.largest_pair_sum(u), memory.largest_pair_sum(u))
    same_pairs(remote, memory)
    i, j = np.triu_indices(M, 1)
    np.testing.assert_array_equal(remote.contains(j, i), memory.contains(j, i))


def test_nodes_without_pairs_are_known(cluster_client):
    pattern = PairSet.from_pairs([3, 70], [5, 8], M)
    remote = on_workers(cluster_client, Pairs(pattern, np.ones(2)), 3)
    np.testing.assert_array_equal(remote.lone_nodes(), np.setdiff1d(np.arange(M), [3, 5, 8, 70]))
    assert remote.pairs_per_node == (0, 1)


def test_parts_and_relatives(both, u):
    memory, remote = both
    near = memory.nearest(3)[:, -1]
    part, expected = remote.select(F, u, near), memory.select(F, u, near)
    assert 0 < expected.n_pairs < memory.n_pairs
    same_pairs(part, expected)
    assert remote.count_below(F, u) == memory.count_below(F, u)
    same_pairs(remote.scale(3.0), memory.scale(3.0))
    w = part.evaluate(F, u, np.zeros(M)).weights
    same(
        remote.totals(F, remote.expand(part, w)).degrees,
        memory.totals(F, memory.expand(expected, expected.evaluate(F, u, 0 * u).weights)).degrees,
    )


def test_the_dual(both, u):
    memory, remote = both
    ours, theirs = (pairs.evaluate(F, u, np.full(M, 1e-12)) for pairs in (remote, memory))
    same(ours.degrees, theirs.degrees)
    same(ours.conjugate, theirs.conjugate)
    low = 0.3 * u
    ours_low, theirs_low = (pairs.evaluate(F, low, np.zeros(M)) for pairs in (remote, memory))
    same(ours_low.rise(), theirs_low.rise())
    same(ours_low.rise(0.1 * u), theirs_low.rise(0.1 * u))
    same(ours.excess(), theirs.excess())
    rng = np.random.default_rng(3)
    lost = rng.random(M) < 0.2
    balance = Balance(rng.random(M), rng.random(M), lost, theirs.rise())
    same(remote.adjacency(ours.balance(balance)).toarray(), memory.adjacency(theirs.balance(balance)).toarray())


def test_curvature(both, u):
    memory, remote = both
    ours, theirs = (pairs.evaluate(F, u, np.zeros(M)).curvature() for pairs in (remote, memory))
    assert ours.n_pairs == theirs.n_pairs
    same(ours.diagonal, theirs.diagonal)
    same(ours.product(u), theirs.product(u))
    same(ours.matrix(u).toarray(), theirs.matrix(u).toarray())


def test_weights(both, u):
    memory, remote = both
    ours, theirs = (pairs.evaluate(F, u, np.zeros(M)).weights for pairs in (remote, memory))
    for w, v in ((ours, theirs), (remote.multiply(ours, 2.5), 2.5 * theirs)):
        found, expected = remote.totals(F, w), memory.totals(F, v)
        same(found.degrees, expected.degrees)
        same(found[1:], expected[1:])
        same(remote.adjacency(w).toarray(), memory.adjacency(v).toarray())


@pytest.mark.parametrize("prior", [LogDegrees(1.0), SquaredDegrees(0.5, M), FixedDegrees(1.0)])
def test_a_solution(both, prior):
    memory, remote = both
    ours, theirs = (
        Newton(tol=1e-10).solve(Problem(pairs, edge_prior=F, degree_prior=prior)) for pairs in (remote, memory)
    )
    assert ours.converged
    assert ours.gap <= 1e-10
    assert abs(ours.n_edges - theirs.n_edges) <= 2
    np.testing.assert_allclose(ours.adjacency.toarray(), theirs.adjacency.toarray(), atol=1e-5)
    np.testing.assert_allclose(ours.primal, theirs.primal, rtol=1e-8)


@pytest.mark.parametrize("family", [models.LogDegree(), models.L2Degree(), models.DoublyStochastic()])
def test_the_bounds_of_a_density_that_was_searched(cluster_client, family):
    """The dual is below the optimum and the primal above, in the unit of the distances as they were given."""
    memory = some_pairs().scale(1e40)
    found = search_density(family, on_workers(cluster_client, memory, 2), 6)
    best = Newton(tol=1e-12).solve(family.problem(memory, found.p)).primal
    assert found.solution.dual <= best + 1e-9 * abs(best)
    np.testing.assert_allclose([found.solution.primal, found.solution.dual], best, rtol=1e-5)


def test_a_partition_is_saved_and_loaded(tmp_path):
    pairs = some_pairs()
    triples = pairs.pattern.rows, pairs.pattern.cols, pairs.z
    made = make_partition((20, 50), [take_triples(triples, (20, 50))])
    save_partition(*made, str(tmp_path / "p.npz"))
    found = load_partition(str(tmp_path / "p.npz"))
    assert found.pairs.own == made.pairs.own
    np.testing.assert_array_equal(found.nodes, made.nodes)
    same(found.pairs.z, made.pairs.z)
    for ours, theirs in zip(take_pairs(*found, (25, 30)), take_triples(triples, (25, 30)), strict=True):
        np.testing.assert_array_equal(np.sort(ours), np.sort(theirs))
