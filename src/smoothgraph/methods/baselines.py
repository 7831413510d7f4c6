"""The standard baseline: the graph of nearest neighbors."""

from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np

from smoothgraph.estimators.graph_method import MethodResult
from smoothgraph.methods.neighbor_lists import NeighborListGraph, Neighbors
from smoothgraph.pairs.distances import distances
from smoothgraph.pairs.pair_set import PairSet
from smoothgraph.support.checks import check_width
from smoothgraph.support.input_error import InputError


@dataclass(eq=False, repr=False)
class KNeighborsGraph(NeighborListGraph):
    """``w_ij > 0`` if i is among the k nearest of j, or j among those of i: the k-NN graph.

    This is scikit-learn's ``kneighbors_graph`` A, made symmetric as ``max(A, A')``: a node has at least k edges,
    and a hub has more. Distances are Euclidean. A node is not its own neighbor, even among duplicates; scikit-learn
    chooses among nodes at the same distance.

    Parameters
    ----------
    n_neighbors : int
        The number k; if there are fewer other nodes, all of them count.
    weights : {"binary", "gaussian"}
        1 on every edge, or ``exp(-z / (2 sigma^2))`` of the squared distance z.
    sigma : float, optional
        The width of the Gaussian. By default, as in :class:`smoothgraph.GaussianGraph`, the edge of median length
        has the weight ``1 / e``; if that length is 0, the median is taken over the longer edges.
    nodes : {"rows", "columns"}
        Which side of ``X`` the nodes are.

    Attributes
    ----------
    sigma_ : float or None
        The width of the Gaussian; None if the weights are 1.
    adjacency_, laplacian_, edges_per_node_, n_components_, node_names_
        The graph, see :mod:`smoothgraph.methods`.

    Examples
    --------
    >>> from smoothgraph.methods import KNeighborsGraph
    >>> graph = KNeighborsGraph(n_neighbors=1).fit([[0.0], [1.0], [3.0]])
    >>> graph.adjacency_.toarray().tolist()
    [[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0]]
    """

    _: KW_ONLY
    weights: str = "binary"
    sigma: float | None = None

    def join(self, table: np.ndarray, neighbors: Neighbors) -> MethodResult:
        """Return the graph of the rows of ``table`` whose nearest neighbors are known."""
        return weigh(table, neighbors.pairs(), weights=self.weights, sigma=self.sigma)


def weigh(table: np.ndarray, edges: PairSet, *, weights: str, sigma: float | None, **attributes: Any) -> MethodResult:
    """Return the graph with these edges, whose weights are 1 or a Gaussian of the distance."""
    if weights not in ("binary", "gaussian"):
        raise InputError(f"weights must be 'binary' or 'gaussian', got {weights!r}.")
    if sigma is not None:
        check_width("sigma", sigma)
        if weights == "binary":
            raise InputError(f"sigma={sigma!r} goes with weights='gaussian', got 'binary'; leave one out.")
    if weights == "binary":
        return MethodResult(edges, np.ones(edges.n_pairs), {"sigma_": None} | attributes)
    z = distances(table - table[0], edges)
    width = 1.0 if sigma is None else float(sigma)
    if sigma is None and np.any(z):  # median(z) = 2 sigma^2, over positive z if that is 0
        width = float(np.sqrt((np.median(z) or np.median(z[z > 0])) / 2))
    return MethodResult(edges, np.exp(-z / (2 * width**2)), {"sigma_": width} | attributes)
