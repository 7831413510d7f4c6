"""The continuous k-NN graph."""

from dataclasses import KW_ONLY, dataclass

import numpy as np

from smoothgraph.estimators.graph_method import GraphMethod, MethodResult
from smoothgraph.methods.neighbor_lists import in_range
from smoothgraph.pairs.pair_set import PairSet
from smoothgraph.search import TiledSearch
from smoothgraph.support.checks import check_count, check_number

_ROUNDING = 1e-12  # two nodes that are each the k-th of the other are exactly at the limit if delta is 1


@dataclass(eq=False, repr=False)
class ContinuousNeighborsGraph(GraphMethod):
    """``w_ij = 1`` if ``|x_i - x_j| < delta sqrt(d_i d_j)``: the continuous k-NN graph.

    ``d_i`` is the distance from i to its k-th nearest neighbor. Unlike k, ``delta`` changes the number of edges
    continuously. See Berry and Sauer (2019), "Consistent manifold representation for topological data analysis": the
    Laplacian of this graph tends to the Laplace-Beltrami operator of the manifold, whatever the density of the data.

    Parameters
    ----------
    n_neighbors : int
        The number k; if there are fewer other nodes, all of them count.
    delta : float
        The factor; a larger one gives more edges.
    nodes
        See :mod:`smoothgraph.methods`, also for the attributes. A node with k duplicates has no edge.

    Examples
    --------
    >>> from smoothgraph.methods import ContinuousNeighborsGraph
    >>> graph = ContinuousNeighborsGraph(n_neighbors=1, delta=1.5).fit([[0.0], [1.0], [3.0]])
    >>> graph.adjacency_.toarray().tolist()
    [[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0]]
    """

    n_neighbors: int = 10
    _: KW_ONLY
    delta: float = 1.0
    nodes: str = "rows"

    def _find(self, table: np.ndarray) -> MethodResult:
        k = min(check_count("n_neighbors", self.n_neighbors, minimum=1), len(table) - 1)
        delta = check_number("delta", self.delta, above=0)
        search = TiledSearch.of(in_range(table)[0])
        scale = np.sqrt(search.exact_nearest(k)[1][:, -1])
        # The scaled distance is (|x_i - x_j|^2 / (d_i d_j))^2; the mean of the two reaches bounds it.
        reach = np.where(scale > 0, delta**4 * (1 - _ROUNDING), -np.inf)
        i, j, _ = search.scale(np.where(scale > 0, scale, 1.0)).within(reach)
        edges = PairSet.from_pairs(i, j, len(table))
        return MethodResult(edges, np.ones(edges.n_pairs), {})
