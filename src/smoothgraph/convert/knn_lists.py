"""Arrays of nearest neighbors, for whatever takes those of a k-NN search."""

from typing import Any

from smoothgraph.estimators.graph_learner import check_learner
from smoothgraph.estimators.graph_neighbors import Nearest, nearest_nodes
from smoothgraph.support.checks import check_count


def to_knn(graph: Any, n_neighbors: int) -> Nearest:
    """Return the ``nodes`` nearest to each node along the edges, and the ``lengths`` of the paths: two arrays.

    Both have ``n_neighbors`` columns, and the first is the node itself, as in UMAP. A neighbor that is joined by an
    edge is at the length of that edge, unless there is a shorter path.

    Parameters
    ----------
    graph : fitted graph learner
        The graph, whose ``distances_`` are the lengths of its edges. It should be connected.
    n_neighbors : int
        How many nodes to return, with the node itself.

    Examples
    --------
    .. code-block:: python

        knn = to_knn(SmoothGraph().fit(X), 15)
        UMAP(n_neighbors=15, precomputed_knn=tuple(knn), force_approximation_algorithm=True).fit_transform(X)
    """
    check_learner(graph, "to_knn")
    return nearest_nodes(graph.distances_, check_count("n_neighbors", n_neighbors, minimum=2))
