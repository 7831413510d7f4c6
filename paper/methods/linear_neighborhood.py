"""Wang and Zhang: every node as a weighted mean of its neighbors."""

import numpy as np
import scipy.sparse as sp

from paper.methods.simplex import reconstruct
from smoothgraph.estimators.graph_method import GraphMethod, MethodResult
from smoothgraph.pairs.pair_set import PairSet
from smoothgraph.search import TiledSearch
from smoothgraph.support.checks import check_count
from smoothgraph.support.threads import run_blocks

_ROWS = 1000  # in a block; a thread works on one block at a time


class LinearNeighborhoodGraph(GraphMethod):
    """``min sum_i |x_i - sum_j w_ij x_j|^2``, ``w >= 0``, ``sum_j w_ij = 1``, j of the k nearest.

    The graph of Wang and Zhang (2008), "Label propagation through linear neighborhoods": every
    node is a weighted mean of its nearest neighbors. Each node is an exactly solved problem of its
    own. Several optima are common if there are more neighbors than features; the weights are then
    close to those with the least sum of squares.

    Parameters
    ----------
    n_neighbors : int
        How many nearest nodes each node may be a mean of; all of them if there are fewer.
    nodes : {"rows", "columns"}
        Whether the rows of ``X`` are the nodes, or its columns.

    Attributes
    ----------
    weights_ : CSR array
        The weights ``w_ij``, which label propagation uses; row ``i`` sums to one and reconstructs
        node ``i``.
    adjacency_, laplacian_ : CSR arrays
        The undirected graph ``(weights_ + weights_.T) / 2``.
    objective_ : float
        The objective.
    dual_gap_ : float
        The sum of the nodes' duality gaps, relative to the sum of their mean squared distances to
        their neighbors.
    edges_per_node_ : float
        The mean number of neighbors in ``adjacency_``.
    node_names_ : array
        The labels of the nodes: a DataFrame's index or columns, or else numbers.
    n_features_in_, feature_names_in_
        As in all of scikit-learn.

    Examples
    --------
    >>> from paper.methods import LinearNeighborhoodGraph
    >>> graph = LinearNeighborhoodGraph(n_neighbors=2).fit([[0.0], [1.0], [3.0], [4.0]])
    >>> graph.weights_.toarray().round(3)[1]
    array([0.667, 0.   , 0.333, 0.   ])
    """

    def __init__(self, n_neighbors: int = 10, *, nodes: str = "rows") -> None:
        self.n_neighbors = n_neighbors
        self.nodes = nodes

    def _find(self, table: np.ndarray) -> MethodResult:
        wanted = check_count("n_neighbors", self.n_neighbors, minimum=1)
        table = np.array(table, order="C")  # so that the kernel compiles for one type only
        ids, squared = TiledSearch.of(table).exact_nearest(min(wanted, len(table) - 1))
        weights, measures = _solve_nodes(table, ids)
        units = squared.mean(axis=1)
        error, gap = units @ measures
        directed = _to_matrix(ids, weights)
        return MethodResult(
            *_symmetrize(directed),
            {"weights_": directed, "objective_": float(error), "dual_gap_": float(gap / (units.sum() or 1.0))},
        )


def _solve_nodes(X: np.ndarray, ids: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the weights ``(m, k)``, and objective and gap per mean squared distance ``(m, 2)``."""
    m = len(X)
    weights, measures = np.empty(ids.shape), np.empty((m, 2))
    run_blocks(
        [(first, min(first + _ROWS, m)) for first in range(0, m, _ROWS)],
        lambda first, last: reconstruct(X, first, ids[first:last], weights[first:last], measures[first:last]),
    )
    return weights, measures


def _to_matrix(ids: np.ndarray, weights: np.ndarray) -> sp.csr_array:
    """Return the weights as a matrix without stored zeros."""
    m, k = ids.shape
    indptr = np.arange(0, m * k + 1, k)
    matrix = sp.csr_array((weights.ravel(), ids.ravel(), indptr), shape=(m, m))
    matrix.eliminate_zeros()
    matrix.sort_indices()
    return matrix


def _symmetrize(directed: sp.csr_array) -> tuple[PairSet, np.ndarray]:
    """Return ``(W + W') / 2`` as weights on edges."""
    upper = sp.triu((directed + directed.T) / 2, k=1).tocoo()
    return PairSet.with_values(upper.row, upper.col, upper.data, directed.shape[0])
