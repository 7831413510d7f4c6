"""k-NN graphs whose weights are Gaussians of distances relative to those of the neighbors."""

from dataclasses import KW_ONLY, dataclass

import numpy as np

from smoothgraph.estimators.graph_method import MethodResult
from smoothgraph.methods.neighbor_lists import NeighborListGraph, Neighbors, mean, positive_scales
from smoothgraph.support.checks import check_count


@dataclass(eq=False, repr=False)
class LocalGaussianGraph(NeighborListGraph):
    """``w_ij = (a_ij + a_ji) / 2`` with ``a_ij = exp(-4 |x_i - x_j|^2 / d_i^2)``, j of the k nearest of i.

    ``d_i`` is the distance from i to its k-th nearest neighbor. These are the weights of Calder, Cook, Thorpe and
    Slepcev (2020), "Poisson learning: graph based semi-supervised learning at very low label rates", and the default
    of their package graphlearning.

    Parameters
    ----------
    n_neighbors : int
        The number k; if there are fewer other nodes, all of them count.
    nodes
        See :mod:`smoothgraph.methods`, also for the attributes.

    Examples
    --------
    >>> from smoothgraph.methods import LocalGaussianGraph
    >>> graph = LocalGaussianGraph(n_neighbors=1).fit([[0.0], [1.0], [3.0]])
    >>> graph.adjacency_.toarray().round(4).tolist()
    [[0.0, 0.0183, 0.0], [0.0183, 0.0, 0.0092], [0.0, 0.0092, 0.0]]
    """

    def join(self, table: np.ndarray, neighbors: Neighbors) -> MethodResult:
        """Return the graph of the rows of ``table`` whose nearest neighbors are known."""
        farthest = neighbors.z[:, -1:]
        return neighbors.join(np.exp(-4 * neighbors.z / np.where(farthest > 0, farthest, 1.0)), mean)


@dataclass(eq=False, repr=False)
class SelfTunedGraph(NeighborListGraph):
    """``w_ij = exp(-|x_i - x_j|^2 / (s_i s_j))`` if i is among the k nearest of j, or j among those of i.

    ``s_i`` is the distance from i to its 7th nearest neighbor. See Zelnik-Manor and Perona (2004), "Self-tuning
    spectral clustering".

    Parameters
    ----------
    n_neighbors : int
        The number k; if there are fewer other nodes, all of them count.
    scale_neighbor : int
        Which nearest neighbor sets the scale of a node.
    nodes
        See :mod:`smoothgraph.methods`, also for the attributes.

    Examples
    --------
    >>> from smoothgraph.methods import SelfTunedGraph
    >>> graph = SelfTunedGraph(n_neighbors=1, scale_neighbor=1).fit([[0.0], [1.0], [3.0]])
    >>> graph.adjacency_.toarray().round(4).tolist()
    [[0.0, 0.3679, 0.0], [0.3679, 0.0, 0.1353], [0.0, 0.1353, 0.0]]
    """

    _: KW_ONLY
    scale_neighbor: int = 7

    def list_length(self) -> int:
        """Return how many neighbors of each node :meth:`join` needs."""
        return max(super().list_length(), check_count("scale_neighbor", self.scale_neighbor, minimum=1))

    def join(self, table: np.ndarray, neighbors: Neighbors) -> MethodResult:
        """Return the graph of the rows of ``table`` whose nearest neighbors are known."""
        nearest = neighbors.first(self.n_neighbors)
        scale = positive_scales(np.sqrt(neighbors.z[:, min(self.scale_neighbor, neighbors.z.shape[1]) - 1]))
        return nearest.join(np.exp(-nearest.z / (scale[:, None] * scale[nearest.ids])), np.maximum)
