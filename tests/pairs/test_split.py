"""Pairs between parts of nodes, against sums over the pairs of whole nodes."""

import numpy as np
import pytest

from smoothgraph import Pairs, PairSet
from smoothgraph.pairs.split import SplitPairs
from smoothgraph.priors import QuadraticEdges


@pytest.fixture(params=["all", "some", "in another order"])
def pairs(request, rng):
    X = rng.normal(size=(23, 2))
    if request.param == "all":
        return Pairs.of(X)
    chosen = rng.random((23, 23)) < 0.3
    if request.param == "some":
        return Pairs.of(X, PairSet.from_mask(chosen))
    order = rng.permutation(23)
    moved = Pairs.of(X[order], PairSet.from_mask(chosen))
    return Pairs(moved.pattern, moved.z, order)


@pytest.fixture
def groups(rng):
    return rng.integers(0, 3, size=23)


def test_a_part_has_the_pairs_of_its_node_with_its_group(pairs, groups):
    split = SplitPairs.between_groups(pairs, groups)
    Z = pairs.adjacency(pairs.z).toarray()
    np.testing.assert_array_equal(split.parts.node[:23], np.arange(23))
    np.testing.assert_array_equal(split.parts.group[:23], groups)
    sums = split.pattern.degree_sums(split.z)
    for part in range(split.n_nodes):
        row = Z[split.parts.node[part], groups == split.parts.group[part]]
        np.testing.assert_allclose(sums[part], row.sum(), rtol=1e-12)
        assert split.pattern.counts[part] == np.sum(row > 0)
    links = {(i, g) for i in range(23) for g in range(3) if g != groups[i] and np.any(Z[i, groups == g])}
    assert set(zip(split.parts.node[23:].tolist(), split.parts.group[23:].tolist(), strict=True)) == links
    assert split.n_joined == 23
    assert split.pairs_per_node == pairs.pairs_per_node


def test_edges_join_whole_nodes(pairs, groups, rng):
    split = SplitPairs.between_groups(pairs, groups)
    w = np.where(rng.random(split.n_pairs) < 0.4, split.z, 0.0)
    edges, weights = split.drop_zeros(w)
    assert edges.n_nodes == 23
    np.testing.assert_array_equal(weights, edges.z)
    np.testing.assert_array_equal(split.expand(edges, weights), w)
    part = split.select(QuadraticEdges(1.0), np.full(split.n_nodes, 2.0), np.full(split.n_nodes, -np.inf))
    assert 0 < part.n_pairs < split.n_pairs
    edges, weights = part.drop_zeros(part.z)
    np.testing.assert_array_equal(split.expand(edges, weights), np.where(split.z < 2, split.z, 0))


def test_the_largest_slacks_are_those_of_whole_nodes(pairs, groups, rng):
    split = SplitPairs.between_groups(pairs, groups)
    u = rng.uniform(0, 3, size=split.n_nodes)
    full = np.full((23, 23), -np.inf)
    of = dict(zip(zip(split.parts.node, split.parts.group, strict=True), u, strict=True))
    Z = pairs.adjacency(pairs.z).toarray()
    for i, j in zip(*np.nonzero(Z), strict=True):
        full[i, j] = of[i, groups[j]] + of[j, groups[i]] - 2 * Z[i, j]
    expected = -np.sort(-full, axis=1)[:, :4]
    np.testing.assert_allclose(split.evaluate(QuadraticEdges(1.0), u, 0 * u).largest(4), expected, rtol=1e-12)


def test_nodes_without_a_pair_are_found(rng):
    mask = np.zeros((4, 4), dtype=bool)
    mask[0, 1] = mask[1, 2] = True
    split = SplitPairs.between_groups(
        Pairs.of(rng.normal(size=(4, 2)), PairSet.from_mask(mask)), np.array([0, 1, 0, 1])
    )
    np.testing.assert_array_equal(split.lone_nodes(), [3])
    assert split.pairs_per_node == (0, 2)
