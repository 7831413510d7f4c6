"""Non-negative kernel regression (NNK): every node is best explained by a few of its neighbors."""

from dataclasses import KW_ONLY, dataclass

import numpy as np

from smoothgraph.estimators.graph_method import MethodResult
from smoothgraph.methods.neighbor_lists import NeighborListGraph, Neighbors
from smoothgraph.methods.nonnegative_kernels import regress_on_neighbors
from smoothgraph.support.checks import check_width
from smoothgraph.support.threads import one_blas_thread, run_blocks

_ROWS = 500  # in a block; a thread works on one block at a time
_DROPPED = 1e-6  # a smaller weight is no edge, as in the authors' experiments
_WIDTHS = 3  # that the k-th nearest neighbor is away on average


@dataclass(eq=False, repr=False)
class NNKGraph(NeighborListGraph):
    """``w_i`` minimizes ``|phi(x_i) - sum_j w_ij phi(x_j)|^2`` over ``w_i >= 0``, j of the k nearest of i: NNK.

    The ``phi`` are the features of the Gaussian kernel ``exp(-|x - y|^2 / (2 sigma^2))``. A neighbor gets no weight if
    a nearer one in the same direction explains the node already, so the graph stays sparse however large k is. If two
    nodes list each other, their edge has the weight given by the one that is explained better. See Shekkizhar and
    Ortega (2020), "Graph construction from data by non-negative kernel regression".

    Parameters
    ----------
    n_neighbors : int
        The number k; if there are fewer other nodes, all of them count.
    sigma : float, optional
        The width of the kernel; by default a third of the mean distance to the k-th nearest neighbor.
    nodes
        See :mod:`smoothgraph.methods`, also for the attributes.

    Attributes
    ----------
    sigma_ : float
        The width of the kernel.

    Examples
    --------
    >>> from smoothgraph.methods import NNKGraph
    >>> graph = NNKGraph(n_neighbors=3, sigma=2).fit([[0.0], [1.0], [2.0], [3.0]])
    >>> graph.adjacency_.toarray().astype(bool).astype(int).tolist()
    [[0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1], [0, 0, 1, 0]]
    """

    _: KW_ONLY
    sigma: float | None = None

    def join(self, table: np.ndarray, neighbors: Neighbors) -> MethodResult:
        """Return the graph of the rows of ``table`` whose nearest neighbors are known."""
        if self.sigma is None:
            sigma = float(np.mean(np.sqrt(neighbors.z[:, -1]))) / _WIDTHS or 1.0
        else:
            sigma = check_width("sigma", self.sigma)
        weights, errors = _regress((table - table[0]) / sigma, neighbors.ids)
        pairs, there, back = neighbors.both_ways(weights)
        _, listed, listed_back = neighbors.both_ways(np.ones(neighbors.ids.shape))
        i_decides = (listed > 0) & ((listed_back == 0) | (errors[pairs.rows] <= errors[pairs.cols]))
        chosen = np.where(i_decides, there, back)
        return MethodResult(pairs, np.where(chosen > _DROPPED, chosen, 0.0), {"sigma_": sigma})


def _regress(X: np.ndarray, ids: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the weights (m, k) that every node gives its neighbors, and the squared error of every node."""
    m = len(X)
    X, ids = np.ascontiguousarray(X), np.ascontiguousarray(ids, dtype=np.int64)
    weights, errors = np.empty(ids.shape), np.empty(m)
    blocks = [(first, min(first + _ROWS, m)) for first in range(0, m, _ROWS)]
    with one_blas_thread:
        run_blocks(blocks, lambda first, last: regress_on_neighbors(first, last, X, ids, weights, errors))
    return weights, errors
