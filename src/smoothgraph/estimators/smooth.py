"""The graph to use where a k-nearest-neighbor graph was."""

from dataclasses import dataclass, field

from smoothgraph.estimators.log_degree import LogDegreeGraph


@dataclass(eq=False, repr=False)
class SmoothGraph(LogDegreeGraph):
    """The graph to use where a k-nearest-neighbor graph was: safe for every node, and connected.

    It is a :class:`LogDegreeGraph` with other defaults. Distances have local scales, so that sparse and dense
    regions get equally many edges. The components are joined by the shortest edges that do. Identical rows are
    one node while the graph is learned. The number of edges per node is chosen from the data unless you ask for one.
    Every node has at least a third of the mean number of neighbors; should that fail, a :class:`FewNeighborsWarning`
    names the nodes.

    Parameters
    ----------
    edges_per_node : "auto" or float
        The mean number of neighbors, before bridges join components and identical rows get their edges.
        "auto" learns denser and denser graphs until only outliers are in fragments (components of fewer than 15 nodes):
        at most 1% of the nodes, or at most 5% (or three nodes) that the next density leaves there, too. Then it takes
        1.5 times that density. ``density_choice_`` tells how.
    scale, connected, merge_identical, min_edges
        As in :class:`LogDegreeGraph`, with the defaults "local", True, True, and "auto".
    alpha, beta, group_share, prior_strength, metric, metric_params, nodes, missing, neighbors, solver, tol, max_iter
        As in :class:`LogDegreeGraph`, and so are warm_start, checkpoint and verbose.

    Attributes
    ----------
    density_choice_ : DensityChoice
        With ``edges_per_node="auto"``, how it was chosen. Print it.
    adjacency_, laplacian_, bridges_, n_components_, scale_, dual_gap_, is_exact_, edges_per_node_, ...
        As in :class:`LogDegreeGraph`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from smoothgraph import SmoothGraph
    >>> graph = SmoothGraph().fit(load_iris().data)
    >>> graph.n_components_, graph.is_exact_
    (1, True)
    """

    edges_per_node: float | str | None = "auto"
    scale: str = field(default="local", kw_only=True)
    connected: bool = field(default=True, kw_only=True)
    merge_identical: bool = field(default=True, kw_only=True)
    min_edges: int | str | None = field(default="auto", kw_only=True)
