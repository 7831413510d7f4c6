"""Proximity graphs of small data: two nodes are joined if no other node lies between them."""

from dataclasses import KW_ONLY, dataclass

import numpy as np
from scipy.spatial.distance import squareform

from smoothgraph.estimators.graph_method import GraphMethod, MethodResult
from smoothgraph.methods.neighbor_lists import in_range
from smoothgraph.methods.proximity_kernels import mark_free_pairs
from smoothgraph.pairs.distances import distances
from smoothgraph.pairs.pair_set import PairSet
from smoothgraph.support.threads import run_blocks

_ROWS = 100  # in a block; a thread works on one block at a time


@dataclass(eq=False, repr=False)
class _ProximityGraph(GraphMethod):
    """Two nodes are joined unless a third lies between them."""

    _: KW_ONLY
    nodes: str = "rows"

    adds = False

    def _find(self, table: np.ndarray) -> MethodResult:
        m = len(table)
        Z = squareform(distances(in_range(table)[0]), checks=False)
        nearest = np.argsort(Z, axis=1).astype(np.int32)
        free = np.zeros((m, m), dtype=bool)
        blocks = [(first, min(first + _ROWS, m)) for first in range(0, m, _ROWS)]
        run_blocks(blocks, lambda first, last: mark_free_pairs(first, last, Z, nearest, self.adds, free))
        edges = PairSet.from_mask(free)
        return MethodResult(edges, np.ones(edges.n_pairs), {})


class RelativeNeighborhoodGraph(_ProximityGraph):
    """``w_ij = 1`` unless some k has ``max(|x_i - x_k|, |x_j - x_k|) < |x_i - x_j|``: no node is nearer to both.

    The graph of Toussaint (1980), "The relative neighbourhood graph of a finite planar set". It is connected and
    sparse in any dimension. It holds all distances in memory: use it for a few thousand nodes.

    Parameters
    ----------
    nodes
        See :mod:`smoothgraph.methods`, also for the attributes.

    Examples
    --------
    >>> from smoothgraph.methods import RelativeNeighborhoodGraph
    >>> RelativeNeighborhoodGraph().fit([[0.0], [1.0], [3.0]]).adjacency_.toarray().tolist()
    [[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0]]
    """


class GabrielGraph(_ProximityGraph):
    """``w_ij = 1`` unless some k has ``|x_i - x_k|^2 + |x_j - x_k|^2 < |x_i - x_j|^2``: no node in the ball between.

    The graph of Gabriel and Sokal (1969), "A new statistical approach to geographic variation analysis". It contains
    the relative neighborhood graph, and gets dense in many dimensions. It holds all distances in memory: use it for
    a few thousand nodes.

    Parameters
    ----------
    nodes
        See :mod:`smoothgraph.methods`, also for the attributes.

    Examples
    --------
    >>> from smoothgraph.methods import GabrielGraph
    >>> GabrielGraph().fit([[0.0, 0.0], [2.0, 0.0], [1.0, 1.5]]).edges_per_node_
    2.0
    """

    adds = True
