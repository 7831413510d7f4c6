"""Pairs whose nodes are split into parts: one for the own group of each node, and one for each other group."""

from dataclasses import dataclass

import numpy as np

from smoothgraph.pairs.in_memory import Pairs, TermsInMemory
from smoothgraph.pairs.pair_set import PairSet
from smoothgraph.priors.prior import EdgePrior


@dataclass(frozen=True, eq=False, kw_only=True)
class SplitPairs(Pairs):
    """Pairs between parts of nodes: ``{i, j}`` joins the part of i for the group of j to that of j for the group of i.

    So the degree of a part is the weight from a node to a group. The own parts come first, in the order of the nodes
    ``own``, and then the links, the parts for other groups, by node and group. A node has a link to each group that it
    has a pair with. ``node`` and ``group`` are those of each part.
    """

    node: np.ndarray
    group: np.ndarray

    @classmethod
    def between_groups(cls, pairs: Pairs, groups: np.ndarray) -> "SplitPairs":
        """Split the nodes of ``pairs`` by their ``groups``, numbers from 0 on."""
        m, n_groups = pairs.n_nodes, int(groups.max()) + 1
        i, j = pairs.ends(np.arange(pairs.n_pairs))
        sides = i.astype(np.int64) * n_groups + groups[j], j.astype(np.int64) * n_groups + groups[i]
        own = np.arange(m) * n_groups + groups
        used = np.zeros(m * n_groups, dtype=bool)
        for side in sides:
            used[side] = True
        used[own] = False
        keys = np.concatenate([own, np.flatnonzero(used)])
        part = np.empty(m * n_groups, dtype=np.int32)
        part[keys] = np.arange(len(keys))
        pattern, z = PairSet.with_values(part[sides[0]], part[sides[1]], pairs.z, len(keys))
        return cls(pattern=pattern, z=z, node=keys // n_groups, group=keys % n_groups)

    @property
    def part_of(self) -> np.ndarray:
        """``node``."""
        return self.node

    @property
    def pairs_per_node(self) -> tuple[int, int]:
        """The smallest and the largest number of pairs at a whole node."""
        counts = self._pairs_of_whole
        return int(counts.min()), int(counts.max())

    def lone_nodes(self) -> np.ndarray:
        """The whole nodes without any pair."""
        return np.flatnonzero(self._pairs_of_whole == 0)

    @property
    def _pairs_of_whole(self) -> np.ndarray:
        return np.bincount(self.node, self.pattern.counts)

    def evaluate(self, f: EdgePrior, u: np.ndarray, tail: np.ndarray) -> "SplitTerms":
        """What the pairs contribute to the dual at ``u + tail``, one multiplier per part."""
        return SplitTerms(self, f, u, tail)

    def drop_zeros(self, w: np.ndarray) -> tuple[Pairs, np.ndarray]:
        """The edges between whole nodes."""
        active = np.flatnonzero(w)
        i, j = (self.node[ends[active]] for ends in (self.pattern.rows, self.pattern.cols))
        pattern, positions = PairSet.with_values(i, j, active.astype(float), self.n_joined)
        kept = positions.astype(np.int64)
        selected = kept if self.selected is None else self.selected[kept]
        return Pairs(pattern, self.z[kept], selected=selected), w[kept]


@dataclass(frozen=True, eq=False)
class SplitTerms(TermsInMemory):
    """What pairs between parts contribute to the dual at one ``u``."""

    pairs: SplitPairs

    def largest(self, k: int) -> np.ndarray:
        """The ``k`` largest ``v_e`` at each whole node."""
        v, node = super().largest(k), self.pairs.node
        order = np.lexsort((-v.ravel(), np.repeat(node, k)))
        first = k * np.searchsorted(np.sort(node), np.arange(self.pairs.n_joined))
        return v.ravel()[order[first[:, None] + np.arange(k)]]
