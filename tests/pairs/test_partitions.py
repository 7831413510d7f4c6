"""Partitions of a set of pairs add up to the whole."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from helpers import assert_same, make_problem, random_pairs

from smoothgraph import Pairs, PairSet
from smoothgraph.pairs.seam import Balance
from smoothgraph.priors import QuadraticEdges


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


@random_pairs
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
    per_node = np.array([p.pairs.pairs_per_node for p in parts])
    assert (per_node[:, 0].min(), per_node[:, 1].max()) == whole.pairs_per_node
    assert max(p.pairs.largest_pair_sum(u[p.nodes]) for p in parts) == whole.largest_pair_sum(u)
    for p in parts:
        counts = whole.pattern.counts[p.own]
        np.testing.assert_array_equal(p.answers(p.pairs.pattern.counts), counts)
        assert_same(p.answers(p.pairs.nearest(3, p.prior)), whole.nearest(3, f)[p.own])


@random_pairs
def test_partitions_add_up_to_the_dual(pair_set, edge_prior, seed):
    problem, parts, rng = random_cut(pair_set, edge_prior, seed)
    whole, f, m = problem.pairs, problem.edge_prior, problem.pairs.n_nodes
    u, tail, x = rng.uniform(0, 2, m), 0.1 * rng.normal(size=m), rng.normal(size=m)
    terms = whole.evaluate(f, u, tail)
    local = [p.pairs.evaluate(p.prior, u[p.nodes], tail[p.nodes]) for p in parts]
    assert_same(sum(t.conjugate for t in local), terms.conjugate)
    curvature, curvatures = terms.curvature(), [t.curvature() for t in local]
    assert sum(c.n_pairs for c in curvatures) == curvature.n_pairs
    balance = Balance(*rng.uniform(0.5, 2, (2, m)), rng.random(m) < 0.3, rng.uniform(0, 1, m))
    for p, t, c in zip(parts, local, curvatures, strict=True):
        assert_same(t.weights, terms.weights[p.ids])
        assert_same(p.answers(t.degrees), terms.degrees[p.own])
        assert_same(p.answers(t.excess()), terms.excess()[p.own])
        assert_same(p.answers(c.diagonal), curvature.diagonal[p.own])
        assert_same(p.answers(c.product(x[p.nodes])), curvature.product(x)[p.own])
        rows = c.matrix(0 * c.diagonal).toarray()[slice(*p.pairs.own)]
        assert_same(rows, curvature.matrix(0 * curvature.diagonal).toarray()[np.ix_(p.own, p.nodes)])
        if f.sparse:
            assert_same(p.answers(t.rise()), terms.rise()[p.own])
            assert_same(p.answers(t.rise(x[p.nodes])), terms.rise(x)[p.own])
            there = Balance(*(values[p.nodes] for values in balance))
            assert_same(t.balance(there), terms.balance(balance)[p.ids])


@random_pairs
def test_partitions_add_up_to_the_totals(pair_set, edge_prior, seed):
    problem, parts, rng = random_cut(pair_set, edge_prior, seed)
    whole, f = problem.pairs, problem.edge_prior
    w = np.where(rng.random(whole.n_pairs) < 0.5, 0, rng.random(whole.n_pairs))
    expected = whole.totals(f, w)
    totals = [p.pairs.totals(p.prior, w[p.ids]) for p in parts]
    assert_same(np.sum([t[1:] for t in totals], axis=0), expected[1:])
    for p, t in zip(parts, totals, strict=True):
        assert_same(p.answers(t.degrees), expected.degrees[p.own])
        edges, weights = p.pairs.drop_zeros(w[p.ids])
        assert edges.own == p.pairs.own
        assert edges.n_pairs == t.n_edges
        np.testing.assert_array_equal(p.pairs.expand(edges, weights), w[p.ids])
