"""Search by ``1 - |r|``: rows near each other, or near each other's negatives."""

import numpy as np

from smoothgraph.pairs.pair_set import PairSet
from smoothgraph.search.engine import NearPairs
from smoothgraph.search.tiled_search import TiledSearch


class SignedSearch:
    """``z_ij = min(|x_i - x_j|^2, |x_i + x_j|^2)``, found among the rows and their negatives.

    Of centered rows with ``|x|^2 = 1/2``, that is ``1 - |r_ij|``. The negative of row ``i`` is node ``n_nodes + i`` of
    the search among both. So a pair is found up to four times, and kept once, with its smaller distance.
    """

    def __init__(self, both: TiledSearch) -> None:
        self._both = both
        self.n_nodes = both.n_nodes // 2
        self.order: np.ndarray = both.order[both.order < self.n_nodes]

    @classmethod
    def of(cls, rows: np.ndarray) -> "SignedSearch":
        """Index Euclidean rows."""
        return cls(TiledSearch.of(np.concatenate([rows, -rows])))

    def scale(self, scale: np.ndarray) -> "SignedSearch":
        """Return the same search with distances ``(z_ij / (scale_i scale_j))^2``."""
        return SignedSearch(self._both.scale(np.tile(scale, 2)))

    def nearest(self, k: int, share: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
        """Return the likely ``k`` nearest nodes; among twice as many neighbors, each is found once or twice."""
        most = min(2 * k + 1, 2 * self.n_nodes - 1)  # one of them may be the negative of the node itself
        ids, z = (found[: self.n_nodes] for found in self._both.nearest(most, share))
        i = np.repeat(np.arange(self.n_nodes), most)
        i, j, z = self._fold(NearPairs(i, ids.ravel(), z.ravel()))
        by_distance = np.lexsort((z, i))
        i, j, z = i[by_distance], j[by_distance], z[by_distance]
        kept = np.arange(len(i)) - np.searchsorted(i, i) < k
        return j[kept].reshape(-1, k), z[kept].reshape(-1, k)

    def within(self, reach: np.ndarray, nodes: np.ndarray | None = None) -> NearPairs:
        """Return all pairs with ``2 z_ij < reach_i + reach_j``; see :meth:`NeighborEngine.within`."""
        own = np.arange(self.n_nodes) if nodes is None else nodes
        i, j, z = self._fold(self._both.within(np.tile(reach, 2), own))
        kept = i < j if nodes is None else slice(None)
        return NearPairs(i[kept], j[kept], z[kept])

    def within_two_hops(
        self, reach: np.ndarray, pattern: PairSet, z: np.ndarray, nodes: np.ndarray | None = None
    ) -> NearPairs:
        """Return likely pairs within reach; see :meth:`ScalableEngine.within_two_hops`.

        A hop may lead to a node or to its negative, from either.
        """
        i, j = self.order[pattern.rows], self.order[pattern.cols]
        place = np.argsort(self._both.order)
        i, j = np.concatenate([i, i, i + self.n_nodes]), np.concatenate([j, j + self.n_nodes, j])
        both, distances = PairSet.with_values(place[i], place[j], np.tile(z, 3), len(place))
        own = np.arange(self.n_nodes) if nodes is None else nodes
        return self._fold(self._both.within_two_hops(np.tile(reach, 2), both, distances, own))

    def within_either(self, level: np.ndarray) -> NearPairs:
        """Return all pairs with ``z_ij <= level_i`` or ``z_ij <= level_j``, each once, before any scaling."""
        i, j, z = self._both.within_either(np.tile(level, 2))
        i, j = i % self.n_nodes, j % self.n_nodes
        return self._fold(NearPairs(np.minimum(i, j), np.maximum(i, j), z))

    def between(self, label: np.ndarray, level: np.ndarray, nodes: np.ndarray) -> NearPairs:
        """Return all pairs ``i, j`` of ``nodes`` with nodes of another label, with ``z_ij < level_i``."""
        return self._fold(self._both.between(np.tile(label, 2), np.tile(level, 2), nodes))

    def _fold(self, found: NearPairs) -> NearPairs:
        """Return each pair of different nodes once, with its smallest distance; rows ``i`` are no negatives."""
        i, j, z = found.i, found.j % self.n_nodes, found.z
        other = i != j
        i, j, z = i[other], j[other], z[other]
        order = np.lexsort((z, j, i))
        i, j, z = i[order], j[order], z[order]
        first = np.ones(len(i), dtype=bool)
        first[1:] = (i[1:] != i[:-1]) | (j[1:] != j[:-1])
        return NearPairs(i[first], j[first], z[first])
