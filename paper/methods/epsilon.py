"""The graph of all nodes within a radius."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.neighbors import NearestNeighbors

from smoothgraph.methods.baselines import NeighborGraph
from smoothgraph.pairs.pair_set import PairSet
from smoothgraph.support.checks import check_number


@dataclass(eq=False, repr=False)
class EpsilonGraph(NeighborGraph):
    """``w_ij > 0`` if ``|x_i - x_j| <= radius``: the graph that joins all nodes within a radius.

    Parameters
    ----------
    radius : float, optional
        The largest Euclidean (not squared) distance of two nodes to join. The default is the smallest radius that
        leaves no node isolated; a single outlier makes it large and the graph dense.
    weights, sigma, nodes
        As in :class:`KNeighborsGraph`.

    Attributes
    ----------
    radius_ : float
        The radius that was given or found.
    adjacency_, laplacian_, edges_per_node_, sigma_, node_names_
        As in :class:`KNeighborsGraph`.

    Examples
    --------
    >>> from paper.methods import EpsilonGraph
    >>> graph = EpsilonGraph().fit([[0.0], [1.0], [3.0]])
    >>> graph.radius_, graph.adjacency_.toarray().tolist()
    (2.0, [[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
    """

    radius: float | None = None

    def _edges(self, table: np.ndarray) -> tuple[PairSet, dict[str, Any]]:
        search = NearestNeighbors(n_neighbors=1).fit(table)
        if self.radius is None:
            radius = float(search.kneighbors()[0].max())
            # Add the nearest neighbors: rounding could exclude one at exactly this distance.
            near = search.radius_neighbors_graph(radius=radius) + search.kneighbors_graph()
        else:
            radius = check_number("radius", self.radius, above=0)
            near = search.radius_neighbors_graph(radius=radius)
        return PairSet.from_mask(near), {"radius_": radius}
