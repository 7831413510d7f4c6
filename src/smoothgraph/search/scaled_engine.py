"""An engine that a user wrote, with a scale per node, of which it knows nothing."""

import numpy as np

from smoothgraph.pairs.local_scale import localize
from smoothgraph.pairs.pair_set import PairSet
from smoothgraph.search.engine import NearPairs, NeighborEngine

_ROUNDING = 1e-12  # of a reach


class ScaledEngine:
    """Distances ``(z_ij / (scale_i scale_j))^2`` of the pairs that an ``engine`` finds by ``z_ij``."""

    def __init__(self, engine: NeighborEngine, scale: np.ndarray | None = None) -> None:
        self._engine = engine
        self.n_nodes, self.order = engine.n_nodes, engine.order
        self._scale = scale

    def scale(self, scale: np.ndarray) -> "ScaledEngine":
        """Return the same engine with another scale."""
        return ScaledEngine(self._engine, scale)

    def nearest(self, k: int, share: float) -> tuple[np.ndarray, np.ndarray]:
        """Return the likely nearest before scaling, and their scaled distances."""
        ids, z = self._engine.nearest(k, share)
        return ids, self._localize(np.arange(self.n_nodes)[:, None], ids, z)

    def within(self, reach: np.ndarray, nodes: np.ndarray | None = None) -> NearPairs:
        """Return all pairs within reach: ``z_ij < s_i s_j sqrt(max(r)) <= sqrt(max(r)) (s_i^2 + s_j^2) / 2``."""
        farther = reach
        if self._scale is not None:
            farther = np.sqrt(max(float(np.max(reach)), 0.0)) * self._scale**2 * (1 + _ROUNDING)
        i, j, z = self._engine.within(farther, nodes)
        z = self._localize(i, j, z)
        kept = 2 * z < reach[i] + reach[j]
        return NearPairs(i[kept], j[kept], z[kept])

    def within_two_hops(
        self,
        reach: np.ndarray,
        pattern: PairSet,  # noqa: ARG002
        z: np.ndarray,  # noqa: ARG002
        nodes: np.ndarray | None = None,
    ) -> NearPairs:
        """Return all pairs within reach, as nothing is known of the coordinates."""
        return self.within(reach, nodes)

    def within_either(self, level: np.ndarray) -> NearPairs:
        """Return all pairs with ``z_ij <= level_i`` or ``z_ij <= level_j``, before any scaling."""
        i, j, z = self._engine.within(2 * np.nextafter(level, np.inf))
        kept = z <= np.maximum(level[i], level[j])
        return NearPairs(i[kept], j[kept], z[kept])

    def between(self, label: np.ndarray, level: np.ndarray, nodes: np.ndarray) -> NearPairs:
        """Return all pairs ``i, j`` of ``nodes`` with nodes of another label, with ``z_ij < level_i``."""
        reach = np.zeros(self.n_nodes)
        reach[nodes] = 2 * level[nodes]
        i, j, z = self.within(reach, nodes)
        kept = (label[i] != label[j]) & (z < level[i])
        return NearPairs(i[kept], j[kept], z[kept])

    def _localize(self, i: np.ndarray, j: np.ndarray, z: np.ndarray) -> np.ndarray:
        return z if self._scale is None else localize(z, self._scale[i], self._scale[j])
