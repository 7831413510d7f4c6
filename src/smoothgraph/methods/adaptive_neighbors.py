"""Adaptive neighbors (CAN): every node's weights minimize distances plus a square penalty."""

from dataclasses import dataclass

import numpy as np

from smoothgraph.estimators.graph_method import MethodResult
from smoothgraph.methods.neighbor_lists import NeighborListGraph, Neighbors, mean


@dataclass(eq=False, repr=False)
class AdaptiveNeighborsGraph(NeighborListGraph):
    """``w = (s + s') / 2`` with ``s_i`` minimizing ``sum_j z_ij s_ij + gamma_i s_ij^2``, ``s_i >= 0``, ``sum s_i = 1``.

    ``gamma_i`` is such that k weights of node i are positive. Then ``s_ij = (z_i,k+1 - z_ij) / (k z_i,k+1 - sum_h
    z_ih)``, the sum over the k nearest. This is the initial graph of Nie, Wang and Huang (2014), "Clustering and
    projected clustering with adaptive neighbors", before it is changed to have a given number of components.

    Parameters
    ----------
    n_neighbors : int
        The number k. It is lowered to two less than the number of nodes if it is larger.
    nodes
        See :mod:`smoothgraph.methods`, also for the attributes.

    Examples
    --------
    >>> from smoothgraph.methods import AdaptiveNeighborsGraph
    >>> graph = AdaptiveNeighborsGraph(n_neighbors=1).fit([[0.0], [1.0], [3.0]])
    >>> graph.adjacency_.toarray().tolist()
    [[0.0, 1.0, 0.0], [1.0, 0.0, 0.5], [0.0, 0.5, 0.0]]
    """

    def list_length(self) -> int:
        """Return how many neighbors of each node :meth:`join` needs: one more than k."""
        return super().list_length() + 1

    def join(self, table: np.ndarray, neighbors: Neighbors) -> MethodResult:
        """Return the graph of the rows of ``table`` whose nearest neighbors are known."""
        k = max(1, neighbors.ids.shape[1] - 1)  # two nodes have one neighbor each
        nearest = neighbors.first(k)
        gain = neighbors.z[:, -1:] - nearest.z
        total = np.sum(gain, axis=1, keepdims=True)
        share = np.divide(gain, total, out=np.full(gain.shape, 1 / k), where=total > 0)
        return nearest.join(share, mean)
