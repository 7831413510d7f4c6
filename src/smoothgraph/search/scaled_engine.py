"""An engine that a user wrote, with distances divided by a scale per node, of which it knows nothing."""

import numpy as np

from smoothgraph.search.engine import NearPairs, NeighborEngine


class ScaledEngine:
    """Distances ``z_ij / (scale_i scale_j)`` of the pairs that an ``engine`` finds by ``z_ij``."""

    def __init__(self, engine: NeighborEngine, scale: np.ndarray | None = None) -> None:
        self._engine = engine
        self.n_nodes, self.order = engine.n_nodes, engine.order
        self._scale = np.ones(engine.n_nodes) if scale is None else scale

    def scale(self, scale: np.ndarray) -> "ScaledEngine":
        """Return the same engine with another scale."""
        return ScaledEngine(self._engine, scale)

    def nearest(self, k: int, share: float) -> tuple[np.ndarray, np.ndarray]:
        """Return the likely nearest before scaling, and their scaled distances."""
        ids, z = self._engine.nearest(k, share)
        return ids, z / (self._scale[:, None] * self._scale[ids])

    def within(self, reach: np.ndarray, nodes: np.ndarray | None = None, share: float = 1.0) -> NearPairs:
        """Return all pairs within reach, found by ``s_i s_j (r_i + r_j) <= max(r) (s_i^2 + s_j^2)``."""
        farther = reach
        if np.any(self._scale != 1):
            farther = np.nextafter(max(float(np.max(reach)), 0.0) * self._scale**2, np.inf)
        i, j, z = self._engine.within(farther, nodes, share)
        z = z / (self._scale[i] * self._scale[j])
        kept = 2 * z < reach[i] + reach[j]
        return NearPairs(i[kept], j[kept], z[kept])

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
