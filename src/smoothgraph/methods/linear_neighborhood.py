"""Wang and Zhang: every node as a mean of its neighbours."""

import numpy as np
import scipy.sparse as sp

from smoothgraph.methods._simplex import reconstruct
from smoothgraph.methods.method import Found, GraphMethod
from smoothgraph.pairs.pair_set import PairSet
from smoothgraph.search import TiledSearch
from smoothgraph.support.checks import check_count
from smoothgraph.support.threads import run_blocks

_ROWS = 1000  # that a thread works on at a time


class LinearNeighborhoodGraph(GraphMethod):
    """``min sum_i |x_i - sum_j w_ij x_j|^2``, ``w >= 0``, ``sum_j w_ij = 1``, j of the k nearest.

    The graph of Wang and Zhang (2008), "Label propagation through linear neighborhoods": every
    node as a weighted mean of its nearest neighbours. Nodes are solved one by one, exactly. Of
    several optima, which are common if there are more neighbours than features, the weights
    are those of nearly the least sum of squares.

    Parameters
    ----------
    n_neighbors : int
        The nearest other nodes that each one may be a mean of; all of them if there are fewer.
    nodes : {"rows", "columns"}
        Whether the rows of ``X`` are the nodes, or its columns.

    Attributes
    ----------
    weights_ : CSR array
        The weights ``w_ij``: row ``i`` sums to one and reconstructs node ``i``. Label
        propagation uses these.
    adjacency_, laplacian_ : CSR arrays
        The undirected graph ``(weights_ + weights_.T) / 2``.
    objective_ : float
        The objective.
    dual_gap_ : float
        The sum of the nodes' duality gaps, relative to the sum of their mean squared distances
        to their neighbours.
    edges_per_node_ : float
        The mean number of neighbours in ``adjacency_``.
    node_names_ : array
        The labels of the nodes: of a DataFrame's index or columns, or else their numbers.
    n_features_in_, feature_names_in_
        As everywhere in scikit-learn.

    Examples
    --------
    >>> from smoothgraph.methods.linear_neighborhood import LinearNeighborhoodGraph
    >>> graph = LinearNeighborhoodGraph(n_neighbors=2).fit([[0.0], [1.0], [3.0], [4.0]])
    >>> graph.weights_.toarray().round(3)[1]
    array([0.667, 0.   , 0.333, 0.   ])
    """

    def __init__(self, n_neighbors: int = 10, *, nodes: str = "rows") -> None:
        self.n_neighbors = n_neighbors
        self.nodes = nodes

    def _find(self, table: np.ndarray) -> Found:
        wanted = check_count("n_neighbors", self.n_neighbors, minimum=1)
        table = np.array(table, order="C")  # one type of array for the compiler
        ids, squared = TiledSearch.of(table).exact_nearest(min(wanted, len(table) - 1))
        weights, measures = _means_of_neighbors(table, ids)
        units = squared.mean(axis=1)
        error, gap = units @ measures
        directed = _directed(ids, weights)
        return Found(
            *_undirected(directed),
            {
                "weights_": directed,
                "objective_": float(error),
                "dual_gap_": float(gap / (units.sum() or 1.0)),
            },
        )


def _means_of_neighbors(X: np.ndarray, ids: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The weights ``(m, k)``; objective and gap of each node per mean squared distance."""
    m = len(X)
    weights, measures = np.empty(ids.shape), np.empty((m, 2))
    run_blocks(
        [(first, min(first + _ROWS, m)) for first in range(0, m, _ROWS)],
        lambda first, last: reconstruct(
            X, first, ids[first:last], weights[first:last], measures[first:last]
        ),
    )
    return weights, measures


def _directed(ids: np.ndarray, weights: np.ndarray) -> sp.csr_array:
    """The weights as a matrix, without the zeros."""
    m, k = ids.shape
    indptr = np.arange(0, m * k + 1, k)
    matrix = sp.csr_array((weights.ravel(), ids.ravel(), indptr), shape=(m, m))
    matrix.eliminate_zeros()
    matrix.sort_indices()
    return matrix


def _undirected(directed: sp.csr_array) -> tuple[PairSet, np.ndarray]:
    """``(W + W') / 2`` as weights on edges."""
    upper = sp.triu((directed + directed.T) / 2, k=1).tocoo()
    return PairSet.with_values(upper.row, upper.col, upper.data, directed.shape[0])
