"""Identical rows: one node for the mathematics, and as many as the user gave in the result."""

from dataclasses import dataclass
from functools import cached_property
from itertools import count
from typing import Any

import numpy as np
import scipy.sparse as sp

from smoothgraph.pairs.distances import read_distance_matrix
from smoothgraph.search.tiled_rows import canonical_rows
from smoothgraph.support.adjacency import add_edges

_BLOCK_BYTES = 64 * 2**20
_MIX = np.uint64(0x9E3779B97F4A7C15)  # 2^64 divided by the golden ratio, an odd number without a pattern


@dataclass(frozen=True, eq=False)
class Places:
    """Where the nodes are: nodes with identical rows are at the same place.

    ``place`` is the place of each node, and ``first`` the first node at each place.
    """

    place: np.ndarray
    first: np.ndarray

    @classmethod
    def of(cls, table: Any) -> "Places | None":
        """The places of the rows of a table, in the order of their first nodes; None if no two rows are identical."""
        for seed in count():  # until different rows have different hashes, as nearly always
            hashes = _hash_rows(table, seed)
            _, first, place = np.unique(hashes, return_index=True, return_inverse=True)
            if len(first) == len(hashes):
                return None
            if _all_equal(table, first[place]):
                order = np.argsort(first)
                return cls(np.argsort(order)[place], first[order])
        raise AssertionError("there are more seeds")

    @cached_property
    def sizes(self) -> np.ndarray:
        """The number of nodes at each place."""
        return np.bincount(self.place)

    @cached_property
    def _members(self) -> np.ndarray:
        """The nodes, place by place."""
        return np.argsort(self.place, kind="stable")

    @cached_property
    def _starts(self) -> np.ndarray:
        """Where the members of each place begin."""
        return np.cumsum(self.sizes) - self.sizes

    def members(self, places: np.ndarray, k: np.ndarray) -> np.ndarray:
        """The ``k``-th node at each of some places, counted in a circle."""
        return self._members[self._starts[places] + k % self.sizes[places]]

    def spread(self, adjacency: sp.csr_array) -> sp.csr_array:
        """The graph of all nodes, from the graph of the places.

        Every node has about the degree ``d`` of its place. Of n nodes at a place, each has the n-th part of ``d`` in
        common with the nodes that the place is joined to. The rest goes to the two nodes beside it in a ring of the
        n nodes. An edge between places of n and n' nodes is shared by max(n, n') edges between them.
        """
        edges = sp.triu(adjacency, format="coo")
        number = np.maximum(self.sizes[edges.row], self.sizes[edges.col])
        e, k = _count_up(number)
        i, j = self.members(edges.row[e], k), self.members(edges.col[e], k)
        n = len(self.place)
        upper = sp.coo_array((edges.data[e] / number[e], (i, j)), shape=(n, n)).tocsr()
        rings = self._rings(adjacency.sum(axis=1))
        return add_edges((upper + upper.T).tocsr(), rings)

    def _rings(self, degrees: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        sizes = self.sizes
        e, k = _count_up(np.where(sizes > 2, sizes, sizes - 1))  # two nodes have one edge
        per_edge = degrees * (1 - 1 / sizes) / np.where(sizes > 2, 2, 1)
        return self.members(e, k), self.members(e, k + 1), per_edge[e]

    def share(self, weights: sp.csr_array) -> sp.csr_array:
        """Weights to all nodes, from weights to places: the nodes at a place get equal parts."""
        parts = 1 / self.sizes[self.place]
        return (weights @ sp.coo_array((parts, (self.place, np.arange(len(self.place)))))).tocsr()

    def nodes_at(self, at_place: np.ndarray) -> np.ndarray:
        """Pairs (row, node), in order, from pairs (row, place)."""
        e, k = _count_up(self.sizes[at_place[:, 1]])
        return np.stack([at_place[e, 0], self.members(at_place[e, 1], k)], axis=1)


def _count_up(numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For each position as many entries as its number says: the position, and a count from 0."""
    position = np.repeat(np.arange(len(numbers)), numbers)
    return position, np.arange(len(position)) - np.repeat(np.cumsum(numbers) - numbers, numbers)


def _hash_rows(table: Any, seed: int) -> np.ndarray:
    """An integer for each row, the same for identical rows: a sum, modulo 2^64, of hashed entries times odd numbers."""
    rng = np.random.default_rng(seed)
    factors = rng.integers(0, 2**63, size=table.shape[1], dtype=np.uint64) * np.uint64(2) + np.uint64(1)
    if sp.issparse(table):
        table = canonical_rows(table)
        entries = _hash_numbers(table.data) * factors[table.indices]
        sums = np.concatenate([np.zeros(1, np.uint64), np.cumsum(entries, dtype=np.uint64)])
        return np.diff(sums[table.indptr])
    hashes = np.empty(table.shape[0], np.uint64)
    size = max(1, _BLOCK_BYTES // (8 * table.shape[1]))
    for start in range(0, len(hashes), size):
        entries = _hash_numbers(table[start : start + size]) * factors
        hashes[start : start + size] = np.sum(entries, axis=1, dtype=np.uint64)
    return hashes


def _hash_numbers(values: np.ndarray) -> np.ndarray:
    """An integer for each number, 0 for 0, in which all bits of the number matter for all bits."""
    bits = (np.ascontiguousarray(values, dtype=float) + 0.0).view(np.uint64)  # + 0 makes -0 a 0
    bits = (bits ^ (bits >> np.uint64(32))) * _MIX
    return bits ^ (bits >> np.uint64(29))


def _all_equal(table: Any, same: np.ndarray) -> bool:
    """Whether every row is identical to the row ``same`` of it, as equal hashes promise."""
    others = np.flatnonzero(same != np.arange(len(same)))
    if sp.issparse(table):
        ours, theirs = (_without_zeros(table[rows]) for rows in (others, same[others]))
        parts = ((ours.indptr, theirs.indptr), (ours.indices, theirs.indices), (ours.data, theirs.data))
        return all(np.array_equal(mine, other, equal_nan=True) for mine, other in parts)
    return np.array_equal(table[others], table[same[others]], equal_nan=True)


def _without_zeros(table: Any) -> Any:
    table = canonical_rows(table)
    table.eliminate_zeros()
    return table


def rows_of_distances(Z: Any) -> Any:
    """Rows that are identical if and only if nodes have the same distances, and are at distance zero.

    A sparse matrix may store either of ``Z_ij`` and ``Z_ji``, or both. A pair that is not stored is not at distance
    zero. So zeros that are stored, and the diagonal, become -1.
    """
    if not sp.issparse(Z):
        return Z
    pairs, z = read_distance_matrix(Z)
    values, nodes = np.where(z == 0, -1.0, z), np.arange(pairs.n_nodes)
    i, j = np.concatenate([pairs.rows, pairs.cols, nodes]), np.concatenate([pairs.cols, pairs.rows, nodes])
    return sp.coo_array((np.concatenate([values, values, -np.ones(len(nodes))]), (i, j)), shape=Z.shape).tocsr()
