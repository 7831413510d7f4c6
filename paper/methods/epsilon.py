"""The graph of all nodes within a radius."""

from dataclasses import KW_ONLY, dataclass

import numpy as np
from sklearn.neighbors import NearestNeighbors

from smoothgraph.estimators.graph_method import GraphMethod, MethodResult
from smoothgraph.methods.baselines import weigh
from smoothgraph.pairs.pair_set import PairSet
from smoothgraph.support.checks import check_number


@dataclass(eq=False, repr=False)
class EpsilonGraph(GraphMethod):
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
    _: KW_ONLY
    weights: str = "binary"
    sigma: float | None = None
    nodes: str = "rows"

    def _find(self, table: np.ndarray) -> MethodResult:
        table = table - table[0]  # far from the origin scikit-learn's products would cancel
        search = NearestNeighbors(n_neighbors=1).fit(table)
        if self.radius is None:
            radius = float(search.kneighbors()[0].max())
            # Add the nearest neighbors: rounding could exclude one at exactly this distance.
            near = search.radius_neighbors_graph(radius=radius) + search.kneighbors_graph()
        else:
            radius = check_number("radius", self.radius, above=0)
            near = search.radius_neighbors_graph(radius=radius)
        return weigh(table, PairSet.from_mask(near), weights=self.weights, sigma=self.sigma, radius_=radius)
