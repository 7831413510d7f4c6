"""Edges in blocks give the sums, sets and moves of the same edges in one piece."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pytest
from dask_workers import ClientInProcess
from hypothesis import given
from hypothesis import strategies as st
from smoothgraph.solvers.sweeps import Wanted

from smoothgraph import PairSet, Problem
from smoothgraph.cluster import entries
from smoothgraph.cluster.edges import FoundPairs, RemoteDistances, RemoteEdges
from smoothgraph.cluster.saving import load_block
from smoothgraph.models import log_degree
from smoothgraph.priors import FixedDegrees, LogDegrees, QuadraticEdges, SquaredDegrees
from smoothgraph.search.between import Pairs
from smoothgraph.solvers import coordinate

same = np.testing.assert_array_equal


@pytest.fixture(scope="module", autouse=True)
def small_pieces():
    """So that blocks of few edges are computed in several."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(entries, "PIECE", 8)
        yield


class Graph(NamedTuple):
    """Candidate edges in one piece, and the bounds of blocks."""

    edges: PairSet
    z: np.ndarray
    bounds: list[tuple[int, int]]
    rng: np.random.Generator

    def in_blocks(self):
        """The same edges in blocks, of pairs in any order and twice."""
        i, j, z = self.edges.rows, self.edges.cols, self.z
        order = self.rng.permutation(len(z))
        parts = [Pairs(j[order], i[order], z[order]), Pairs(i[:3], j[:3], z[:3])]
        return remote(parts, self.bounds)

    def problems(self, scale=1.0):
        """One problem in one piece and in blocks, with small and large weights."""
        m = self.edges.n_nodes
        edge_prior = QuadraticEdges(10 ** self.rng.uniform(-1, 1))
        degree_prior = self.rng.choice(
            [LogDegrees(0.7), SquaredDegrees(0.3, float(m)), FixedDegrees(1.0)]
        )
        priors = {"edge_prior": edge_prior, "degree_prior": degree_prior}
        blocks = self.in_blocks()
        z = RemoteDistances(blocks, scale)
        return Problem(self.edges, scale * self.z, **priors), blocks.problem(z, **priors)

    def multipliers(self):
        """Some nodes have active edges, others none."""
        return self.rng.uniform(0.01, 2.5, self.edges.n_nodes)


def remote(parts, bounds):
    client = ClientInProcess()
    found = [FoundPairs(client.submit(Pairs, *part)) for part in parts]
    return RemoteEdges.of_pairs(client, found, bounds)


@st.composite
def graphs(draw, *, ties=True, complete=False):
    """A path through all nodes and more edges, in one to four blocks, which may be tiny."""
    m = draw(st.integers(27, 50) if complete else st.integers(2, 30))
    cuts = [0, *sorted(draw(st.sets(st.integers(1, m - 1), max_size=3))), m]
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    path = rng.permutation(m)
    more = rng.integers(m, size=(2, draw(st.integers(0, 4 * m))))
    more = more[:, more[0] != more[1]]
    i, j = np.hstack([[path[1:], path[:-1]], more])
    edges = PairSet.all_pairs(m) if complete else PairSet.from_pairs(i, j, m)
    z = rng.uniform(0, 2, edges.n_edges)
    if ties and draw(st.booleans()):
        z = np.round(2 * z)
    return Graph(edges, z, list(pairwise(cuts)), rng)


@given(graphs(), st.integers(1, 8), st.sampled_from([1.0, 0.3]))
def test_facts_and_nearest(graph, k, scale):
    edges, blocks = graph.edges, graph.in_blocks()
    assert (blocks.n_nodes, blocks.n_edges) == (edges.n_nodes, edges.n_edges)
    assert blocks.most_at_a_node == edges.most_at_a_node
    assert blocks.range == (graph.z.min(), graph.z.max())
    assert not blocks.has_lone_nodes
    same(blocks.nearest(k, scale), edges.nearest(scale * graph.z, k)[1])


@given(graphs())
def test_pairs_are_edges_or_not(graph):
    i, j = map(np.ravel, np.indices((graph.edges.n_nodes,) * 2))
    same(graph.in_blocks().contains(i, j), graph.edges.contains(i, j))


def test_nodes_without_edges_are_noticed():
    blocks = remote([Pairs(np.array([0]), np.array([1]), np.array([1.0]))], [(0, 1), (1, 3)])
    assert blocks.has_lone_nodes
    same(blocks.contains(np.array([1, 2]), np.array([0, 1])), [True, False])
    with pytest.raises(ValueError, match="must have a candidate edge"):
        blocks.problem(
            RemoteDistances(blocks), edge_prior=QuadraticEdges(1.0), degree_prior=LogDegrees(1.0)
        )


@given(graphs(), st.sampled_from([1.0, 0.3]))
def test_the_dual_and_its_derivatives(graph, scale):
    one, blocks = graph.problems(scale)
    blocks = blocks.working_set().part  # all edges: which the blocks are told, and the scale
    u, tail = graph.multipliers(), 1e-17 * graph.rng.normal(size=graph.edges.n_nodes)
    here, there = one.evaluate(u, tail), blocks.evaluate(u, tail)
    same(there.degrees, here.degrees)
    same(there.gradient, here.gradient)
    np.testing.assert_allclose(there.conjugate, here.conjugate, rtol=1e-12)
    np.testing.assert_allclose(there.gap, here.gap, rtol=1e-9)
    x = graph.rng.normal(size=len(u))
    curved = here.curvature(), there.curvature()
    same(curved[1] @ x, curved[0] @ x)
    np.testing.assert_allclose(curved[1].jacobi, curved[0].jacobi, rtol=1e-14)
    assert curved[1].n_pairs == curved[0].n_pairs
    matrices = [matrix.sparse_part().toarray() for matrix in curved]
    np.testing.assert_allclose(matrices[1], matrices[0], rtol=1e-14)


@given(graphs())
def test_how_far_nodes_are_from_their_edges(graph):
    one, blocks = graph.problems()
    u = graph.multipliers()
    here, there = one.evaluate(u), blocks.evaluate(u)
    change = graph.rng.normal(size=len(u))
    same(there.distance_to_activity(), here.distance_to_activity())
    same(there.distance_to_activity(change), here.distance_to_activity(change))
    same(there.below_all_costs(), here.below_all_costs())
    assert blocks.edges.largest_pair_sum(u) == graph.edges.largest_pair_sum(u)


@pytest.mark.parametrize("balanced", [False, True])
@given(graph=graphs())
def test_weights_and_their_sums(balanced, graph):
    """Also where a node that must have an edge lost all of them."""
    one, blocks = graph.problems()
    u = graph.multipliers()
    w, apart = (
        at.balanced_weights() if balanced else at.weights
        for at in (one.evaluate(u), blocks.evaluate(u))
    )
    w, apart = 0.7 * w, apart * 0.7
    i, j, found = Pairs.joined(apart.pairs())
    edges, found = PairSet.with_values(i, j, found, graph.edges.n_nodes)
    active = graph.edges.select(np.flatnonzero(w))
    same(edges.indptr, active.indptr)
    same(edges.cols, active.cols)
    same(found, w[w > 0])
    degrees, product, value, count = apart.sums(one.edge_prior)
    same(degrees, graph.edges.degree_sums(w))
    assert count == np.count_nonzero(w)
    np.testing.assert_allclose(product, one.z @ w, rtol=1e-12)
    np.testing.assert_allclose(value, one.edge_prior.value(w), rtol=1e-12)
    np.testing.assert_allclose(blocks.primal(apart), one.primal(w), rtol=1e-11, atol=1e-11)
    np.testing.assert_allclose(blocks.gap(apart, u), one.gap(w, u), rtol=1e-9)


@given(graphs(ties=False, complete=True), st.sampled_from([1.0, 0.3]))
def test_the_working_set_grows_alike(graph, scale):
    """Of all pairs it begins with the cheapest; ``is_enough`` sees edges that are left out."""
    one, blocks = graph.problems(scale)
    here, there = one.working_set(), blocks.working_set()
    u = np.full(graph.edges.n_nodes, 0.05)
    for step in (0.0, 0.1, 0.6):
        assert (there.is_everything, there.is_enough(u + step)) == (
            here.is_everything,
            here.is_enough(u + step),
        )
        same(there.part.evaluate(u + 1).degrees, here.part.evaluate(u + 1).degrees)
        here.grow(u + step)
        there.grow(u + step)
        assert there.is_enough(u + step)
    here.take_everything()
    there.take_everything()
    assert there.is_everything
    same(there.part.evaluate(u + 1).degrees, one.evaluate(u + 1).degrees)


@given(graphs(), graphs())
def test_edges_are_added_to_those_that_are_known(graph, other):
    blocks = graph.in_blocks()
    kept = other.edges.cols < graph.edges.n_nodes
    i, j = other.edges.rows[kept], other.edges.cols[kept]
    z = other.z[kept]
    known = graph.edges.contains(i, j)
    z[known] = graph.z[graph.edges.positions(i[known], j[known])]
    client = blocks.client
    more = [FoundPairs(client.submit(Pairs, i, j, z))]
    m = graph.edges.n_nodes
    others = [(m - last, m - first) for first, last in reversed(graph.bounds)]
    found = RemoteEdges.of_pairs(client, more, others, known=blocks)
    expected, values = PairSet.with_values(
        np.concatenate([graph.edges.rows, i]),
        np.concatenate([graph.edges.cols, j]),
        np.concatenate([graph.z, z]),
        graph.edges.n_nodes,
    )
    assert found.n_edges == expected.n_edges
    same(found.nearest(9, 1.0), expected.nearest(values, 9)[1])


@given(graph=graphs())
def test_what_is_saved_comes_back(graph, tmp_path_factory):
    folder = tmp_path_factory.mktemp("blocks")
    blocks = graph.in_blocks()
    paths = [str(folder / f"{first}.npz") for first, _ in graph.bounds]
    blocks.crew.call("save", [(path,) for path in paths])
    client = blocks.client
    again = RemoteEdges(client, [client.submit(load_block, path) for path in paths], graph.bounds)
    for ours, theirs in zip(blocks.crew.call("edges"), again.crew.call("edges"), strict=True):
        for before, after in zip(ours, theirs, strict=True):
            same(before, after)


def test_a_file_that_holds_no_edges_is_named(tmp_path):
    np.savez(tmp_path / "x.npz", first=0)
    for name in ("x.npz", "y.npz"):
        with pytest.raises(ValueError, match=rf"{name} does not hold the edges of a checkpoint"):
            load_block(str(tmp_path / name))


@given(graphs(), st.sampled_from([1e-1, 1e-4]))
def test_nodes_settle_where_they_do_in_one_piece(graph, accuracy):
    one, blocks = graph.problems()
    u, m = graph.multipliers(), graph.edges.n_nodes
    wanted = Wanted(
        degree=graph.rng.uniform(0.1, 3, m),
        curvature=graph.rng.uniform(0, 2, m),
        domain=0.0,
        far=np.full(m, accuracy),
        anchor=u,
    )
    here, there = one.sweeps(), blocks.sweeps()
    settled = here.settle(wanted, u)
    same(there.settle(wanted, u), settled)
    lowered = settled * graph.rng.choice([0.01, 1.0], m)  # so that some have no edge
    same(there.lift(wanted, lowered), here.lift(wanted, lowered))
    same(coordinate.settled(blocks, u, 1e-6).u, coordinate.settled(one, u, 1e-6).u)


def test_blocks_that_share_no_edge(rng):
    """What others tell is of no concern to a block that sees none of them."""
    i, j = np.triu_indices(12, 1)
    edges = PairSet.from_pairs(np.r_[i, i + 12, 24], np.r_[j, j + 12, 25], 26)
    z = rng.uniform(1, 2, edges.n_edges)
    client = ClientInProcess()
    found = [FoundPairs(client.submit(Pairs, edges.rows, edges.cols, z))]
    remote = RemoteEdges.of_pairs(client, found, [(0, 6), (6, 12), (12, 24), (24, 26)])
    here = log_degree(edges, z, alpha=1.0, beta=1.0)
    there = log_degree(remote, RemoteDistances(remote), alpha=1.0, beta=1.0)
    u = rng.uniform(1, 3, 26)
    wanted = Wanted(1 / u, 1 / u**2, 0.0, np.full(26, 1e-6), u)
    working = there.working_set()
    working.take_everything()
    for step in ("settle", "lift"):
        expected = getattr(here.sweeps(), step)(wanted, u)
        np.testing.assert_array_equal(getattr(there.sweeps(), step)(wanted, u), expected)
