"""The mutual k-NN graph, and with a spanning tree."""

from dataclasses import KW_ONLY, dataclass

import numpy as np

from smoothgraph.candidates.choice import NeighborChoice
from smoothgraph.estimators.graph_method import MethodResult
from smoothgraph.methods.neighbor_lists import NeighborListGraph, Neighbors, in_range
from smoothgraph.pairs.measure import Measure
from smoothgraph.pairs.pair_set import PairSet


@dataclass(eq=False, repr=False)
class MutualNeighborsGraph(NeighborListGraph):
    """``w_ij = 1`` if i is among the k nearest of j *and* j among those of i.

    The mutual graph has no hubs, but isolated nodes. With a spanning tree, it also has the edges of the minimum
    spanning tree of all nodes, as in Ozaki, Shimbo, Komachi and Matsumoto (2011), "Using the mutual k-nearest neighbor
    graphs for semi-supervised classification of natural language data".

    Parameters
    ----------
    n_neighbors : int
        The number k; if there are fewer other nodes, all of them count.
    spanning_tree : bool
        Whether to add the edges of the minimum spanning tree. Of edges of equal length, any may be in the tree.
    nodes
        See :mod:`smoothgraph.methods`, also for the attributes.

    Examples
    --------
    >>> from smoothgraph.methods import MutualNeighborsGraph
    >>> X = [[0.0], [1.0], [3.0]]
    >>> MutualNeighborsGraph(n_neighbors=1).fit(X).adjacency_.toarray().tolist()
    [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    >>> MutualNeighborsGraph(n_neighbors=1, spanning_tree=True).fit(X).adjacency_.toarray().tolist()
    [[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0]]
    """

    _: KW_ONLY
    spanning_tree: bool = False

    def join(self, table: np.ndarray, neighbors: Neighbors) -> MethodResult:
        """Return the graph of the rows of ``table`` whose nearest neighbors are known."""
        pairs, there, back = neighbors.both_ways(np.ones(neighbors.ids.shape))
        mutual = np.flatnonzero(there * back)
        i, j = pairs.rows[mutual], pairs.cols[mutual]
        if self.spanning_tree:
            more_i, more_j = minimum_spanning_tree(table)
            i, j = np.concatenate([i, more_i]), np.concatenate([j, more_j])
        edges = PairSet.from_pairs(i, j, len(table))
        return MethodResult(edges, np.ones(edges.n_pairs), {})


def minimum_spanning_tree(table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the edges of a minimum spanning tree of the rows, over all pairs."""
    choice = NeighborChoice("exact", Measure.of("sqeuclidean", None, "error"), 4.0, exact_zeros=True)
    i, j, _ = choice.candidates(in_range(table)[0]).join_components(np.arange(len(table)))
    return i, j
