"""The engine of search/, until it speaks the user's numbers itself."""

from typing import Any

import numpy as np

from smoothgraph.search.euclidean import as_euclidean
from smoothgraph.search.exact import NeighborSearch


class TiledEngine:
    """NeighborSearch by metric, in the user's numbers."""

    def __init__(self, X: Any, metric: str) -> None:
        rows, self._factor = as_euclidean(X, metric)
        self.order, self._search = NeighborSearch.in_order(rows)
        self.n_nodes = len(self.order)
        self._place = np.argsort(self.order)

    def nearest(self, k: int, share: float) -> tuple[np.ndarray, np.ndarray]:
        """The likely k nearest."""
        ids, z = self._search.likely_nearest(k, share)
        return self.order[ids][self._place], (z * self._factor)[self._place]

    def within(self, reach, nodes=None, share=1.0):  # type: ignore[no-untyped-def]
        """All pairs within reach."""
        nodes = None if nodes is None else self._place[nodes]
        i, j, z = self._search.within(reach[self.order] / self._factor, nodes, share)
        return self.order[i], self.order[j], z * self._factor
