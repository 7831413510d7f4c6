"""Pairs whose nodes are split into parts: one for the own group of each node, and one for each other group."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from smoothgraph.pairs.in_memory import Pairs, TermsInMemory
from smoothgraph.pairs.pair_set import PairSet
from smoothgraph.pairs.seam import Triples
from smoothgraph.priors.prior import EdgePrior


class Parts(NamedTuple):
    """Nodes split by their groups: part p is that of ``node[p]`` for ``group[p]``, and p is ``of[node, group]``.

    The own parts come first, in the order of the nodes, and then the *links*, the parts for other groups, by node and
    group.
    """

    node: np.ndarray
    group: np.ndarray
    of: np.ndarray

    @classmethod
    def split(cls, groups: np.ndarray, used: np.ndarray | None = None) -> "Parts":
        """Split nodes with these ``groups``, numbers from 0 on; all links are there, or those ``used[node, group]``."""
        m, n_groups = len(groups), int(groups.max()) + 1
        links = np.ones((m, n_groups), dtype=bool) if used is None else used.copy()
        links[np.arange(m), groups] = False
        node, group = np.nonzero(links)
        node, group = np.concatenate([np.arange(m), node]), np.concatenate([groups, group])
        of = np.full((m, n_groups), -1, dtype=np.int32)
        of[node, group] = np.arange(len(node))
        return cls(node, group, of)

    @property
    def own_group(self) -> np.ndarray:
        """The group of each node."""
        return self.group[: len(self.of)]

    def ends(self, i: np.ndarray, j: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The parts that a pair of nodes joins."""
        groups = self.own_group
        return self.of[i, groups[j]], self.of[j, groups[i]]


@dataclass(frozen=True, eq=False, kw_only=True)
class SplitPairs(Pairs):
    """Pairs between parts of nodes: ``{i, j}`` joins the part of i for the group of j to that of j for the group of i.

    So the degree of a part is the weight from a node to a group.
    """

    parts: Parts

    @classmethod
    def between_groups(cls, pairs: Pairs, groups: np.ndarray) -> "SplitPairs":
        """Split the nodes of ``pairs`` by their ``groups``; a node has a link to each group that it has a pair with."""
        i, j = pairs.ends(np.arange(pairs.n_pairs))
        used = np.zeros((pairs.n_nodes, int(groups.max()) + 1), dtype=bool)
        used[i, groups[j]] = used[j, groups[i]] = True
        parts = Parts.split(groups, used)
        return cls.of_parts(parts, *parts.ends(i, j), pairs.z)

    @classmethod
    def of_parts(cls, parts: Parts, i: np.ndarray, j: np.ndarray, z: np.ndarray) -> "SplitPairs":
        """The pairs of parts ``i`` and ``j``, which may be repeated."""
        pattern, z = PairSet.with_values(i, j, z, len(parts.node))
        return cls(pattern=pattern, z=z, parts=parts)

    @property
    def part_of(self) -> np.ndarray:
        """The node of each part."""
        return self.parts.node

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
        return np.bincount(self.part_of, self.pattern.counts)

    def shortest_between(self, label: np.ndarray) -> Triples:
        """For whole nodes."""
        i, j, z = super().shortest_between(label[self.part_of])
        return self.part_of[i], self.part_of[j], z

    def evaluate(self, f: EdgePrior, u: np.ndarray, tail: np.ndarray) -> "SplitTerms":
        """What the pairs contribute to the dual at ``u + tail``, one multiplier per part."""
        return SplitTerms(self, f, u, tail)

    def drop_zeros(self, w: np.ndarray) -> tuple[Pairs, np.ndarray]:
        """The edges between whole nodes."""
        active = np.flatnonzero(w)
        i, j = (self.part_of[ends[active]] for ends in (self.pattern.rows, self.pattern.cols))
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
        v, node = super().largest(k), self.pairs.part_of
        order = np.lexsort((-v.ravel(), np.repeat(node, k)))
        first = k * np.searchsorted(np.sort(node), np.arange(self.pairs.n_joined))
        return v.ravel()[order[first[:, None] + np.arange(k)]]
