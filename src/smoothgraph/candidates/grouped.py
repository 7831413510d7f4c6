"""Candidate pairs between nodes that are split by groups: all pairs, or those that a search finds."""

from collections.abc import Iterator

import numpy as np

from smoothgraph.candidates.fixed import Candidates, FixedCandidates
from smoothgraph.candidates.source import EngineSource, FirstPairs, extend_by_hops, likely_share, load_pairs
from smoothgraph.pairs.in_memory import Pairs
from smoothgraph.pairs.seam import CandidatePairs, Triples
from smoothgraph.pairs.split import Parts, SplitPairs
from smoothgraph.search.engine import NearPairs
from smoothgraph.search.tiled_search import TiledSearch

_FEWEST_LINKS = 4  # nearest nodes of another group to begin with


class GroupedCandidates(FixedCandidates):
    """The pairs of other candidates, with every node split into parts by the ``groups`` of the nodes."""

    def __init__(self, whole: Candidates, groups: np.ndarray) -> None:
        assert isinstance(whole.pairs, Pairs), "nodes are split in memory"
        self._whole, self.name, self.scale = whole, whole.name, whole.scale
        self.complete = isinstance(whole, FixedCandidates) and whole.complete
        self.pairs = SplitPairs.between_groups(whole.pairs, groups)

    def join_components(self, component: np.ndarray) -> Triples:
        return self._whole.join_components(component)


class GroupedSource:
    """Finds pairs of parts of nodes: every two groups are searched with the reaches of the parts that they join."""

    most_pairs = EngineSource.most_pairs

    def __init__(self, search: TiledSearch, parts: Parts, scale: np.ndarray | None = None) -> None:
        self._search, self._parts = search, parts
        self._whole = EngineSource(search, scale)
        self._members = [np.flatnonzero(parts.own_group == group) for group in range(parts.of.shape[1])]
        self._tiles = [search.tile(nodes) for nodes in self._members]

    @property
    def scale(self) -> np.ndarray | None:
        return self._whole.scale

    def with_scale(self, scale: np.ndarray) -> "GroupedSource":
        return GroupedSource(self._search.scale(scale), self._parts, scale)

    def localize(self, k: int, share: float) -> FirstPairs:
        """Local scales are those of whole nodes."""
        scale = self._whole.localize(k, share).source.scale
        assert scale is not None, "a localized source has a scale"
        first = self.with_scale(scale).nearest(k, share)
        return first._replace(near=np.ones(len(first.near)))

    def nearest(self, k: int, share: float) -> FirstPairs:
        """The likely ``k`` nearest of each node in its own group, and a few in each other group."""
        near, found = np.zeros(len(self._parts.node)), []
        for group, members in enumerate(self._members):
            others = max(_FEWEST_LINKS, -(-k // len(self._members)))
            most = min(max(k, others), len(members))
            ids, z = self._search.nearest_in(self._tiles[group], most, likely_share(share))
            own = self._parts.own_group == group
            rank = np.argsort(np.argsort(z, axis=1, kind="stable"), axis=1, kind="stable")
            i, column = np.nonzero((ids >= 0) & (rank < np.where(own, k, others)[:, None]))
            found.append(NearPairs(i, ids[i, column], z[i, column]))
            np.maximum.at(near, self._parts.of[i, group], z[i, column])
        i, j, z = NearPairs.concatenate(found)
        pairs = SplitPairs.of_parts(self._parts, *self._parts.ends(i, j), z)
        return FirstPairs(self, pairs, near, np.full(len(near), -np.inf))

    def within(self, reach: np.ndarray, nodes: np.ndarray) -> Triples:
        return self._within(reach, nodes)

    def extend(self, pairs: CandidatePairs, reach: np.ndarray, nodes: np.ndarray | None, share: float) -> SplitPairs:
        assert isinstance(pairs, SplitPairs), "a search in groups extends the pairs that it found"
        if share == 1:
            return pairs.extend(*self._within(reach, nodes))  # type: ignore[return-value]
        whole = np.full(len(self._parts.of), -np.inf)
        np.maximum.at(whole, self._parts.node, reach)

        def search(known: Pairs, parts: np.ndarray | None) -> Triples:
            """Search for pairs of whole nodes, by the largest reach of their parts."""
            node = self._parts.node
            near = self._whole.store(node[known.pattern.rows], node[known.pattern.cols], known.z)
            nodes = None if parts is None else np.unique(node[parts])
            i, j, z = self._search.within_two_hops(whole, near.pattern, near.z, nodes)
            i, j = self._parts.ends(i, j)
            kept = 2 * z < reach[i] + reach[j]
            return i[kept], j[kept], z[kept]

        return extend_by_hops(pairs, nodes, search)  # type: ignore[return-value]

    def between(self, label: np.ndarray, level: np.ndarray, nodes: np.ndarray) -> Triples:
        """All pairs of whole nodes; see :meth:`PairSource.between`."""
        return self._whole.between(label, level, nodes)

    def save(self, pairs: CandidatePairs) -> dict[str, np.ndarray]:
        return self._whole.save(pairs)

    def load(self, state: dict[str, np.ndarray]) -> SplitPairs:
        pairs = load_pairs(state)
        return SplitPairs(pattern=pairs.pattern, z=pairs.z, parts=self._parts)

    def _within(self, reach: np.ndarray, parts: np.ndarray | None) -> NearPairs:
        """The pairs of parts within reach; the first of each are among ``parts``, if these are given."""
        found = [
            self._search.within_tiles(rows, self._tiles[other], self._reaches(reach, group, other), once=once)
            for rows, group, other, once in self._searches(parts)
        ]
        i, j, z = NearPairs.concatenate(found)
        return NearPairs(*self._parts.ends(i, j), z)

    def _searches(self, parts: np.ndarray | None) -> Iterator[tuple]:
        """The tiles to search from, their group, the group to search in, and whether each pair is to come once."""
        n_groups = len(self._members)
        if parts is None:
            for group in range(n_groups):
                for other in range(group, n_groups):
                    yield self._tiles[group], group, other, group == other
            return
        key = self._parts.own_group[self._parts.node[parts]] * n_groups + self._parts.group[parts]
        for pair in np.unique(key):
            group, other = divmod(int(pair), n_groups)
            yield self._search.tile(self._parts.node[parts[key == pair]]), group, other, False

    def _reaches(self, reach: np.ndarray, group: int, other: int) -> tuple[np.ndarray, np.ndarray]:
        """The reach of nodes of a group for the other group, and the reverse; none for all other nodes."""
        both = np.full((2, len(self._parts.of)), -np.inf)
        for row, (nodes, toward) in enumerate(((self._members[group], other), (self._members[other], group))):
            both[row, nodes] = reach[self._parts.of[nodes, toward]]
        return both[0], both[1]
