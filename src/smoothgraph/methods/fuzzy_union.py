"""The fuzzy graph of UMAP."""

from dataclasses import dataclass

import numpy as np

from smoothgraph.estimators.graph_method import MethodResult
from smoothgraph.methods.calibrated_widths import find_widths
from smoothgraph.methods.neighbor_lists import NeighborListGraph, Neighbors, positive_scales

_FLOOR = 1e-3  # of the mean distance: the smallest width, as in umap-learn


@dataclass(eq=False, repr=False)
class UMAPGraph(NeighborListGraph):
    """``w = a + b - a b`` with ``a = min(1, exp((rho_i - |x_i - x_j|) / sigma_i))``: UMAP's graph.

    The weight is the fuzzy union of a and b, one for each end of the edge: a is 0 unless j is among the nearest
    neighbors of i, and b is a with i and j exchanged. ``rho_i`` is the distance to the nearest node that does not
    coincide with i, and ``sigma_i`` makes the a of a node sum to ``log2(n_neighbors)``. See McInnes, Healy and
    Melville (2018), "UMAP: uniform manifold approximation and projection for dimension reduction".

    Parameters
    ----------
    n_neighbors : int
        The number of nearest neighbors, at least 2. As in UMAP, a node is one of its own.
    nodes
        See :mod:`smoothgraph.methods`, also for the attributes.

    Examples
    --------
    >>> from smoothgraph.methods import UMAPGraph
    >>> graph = UMAPGraph(n_neighbors=2).fit([[0.0], [1.0], [3.0]])
    >>> graph.adjacency_.toarray().tolist()
    [[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0]]
    """

    n_neighbors: int = 15

    fewest = 2

    def list_length(self) -> int:
        """Return how many neighbors of each node :meth:`join` needs."""
        return super().list_length() - 1

    def join(self, table: np.ndarray, neighbors: Neighbors) -> MethodResult:
        """Return the graph of the rows of ``table`` whose nearest neighbors are known."""
        distance = np.sqrt(neighbors.z)
        n_with_self = distance.shape[1] + 1
        nearest = np.min(distance, axis=1, where=distance > 0, initial=np.inf)
        nearest = np.where(np.isinf(nearest), 0.0, nearest)
        beyond = np.maximum(distance - nearest[:, None], 0.0)
        own = np.sum(distance, axis=1) / n_with_self
        floor = _FLOOR * np.where(nearest > 0, own, np.mean(own))
        widths = find_widths(
            lambda width: np.sum(np.exp(-beyond / width), axis=1), np.log2(n_with_self), positive_scales(own)
        )
        widths = np.maximum(widths, floor[:, None])
        return neighbors.join(np.exp(-beyond / widths), lambda a, b: a + b - a * b)
