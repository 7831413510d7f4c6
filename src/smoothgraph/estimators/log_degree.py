"""Graphs of the paper's model: a barrier keeps every degree above zero."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from smoothgraph.estimators.floor import Floor
from smoothgraph.estimators.graph_learner import DensityLearner
from smoothgraph.estimators.model import Model
from smoothgraph.models import LogDegree, NearLogDegree, log_degree
from smoothgraph.pairs.seam import CandidatePairs
from smoothgraph.problem import Problem
from smoothgraph.support.checks import check_number
from smoothgraph.support.stages import show_stages


@dataclass(eq=False, repr=False)
class LogDegreeGraph(DensityLearner):
    """``min 2 z'w - alpha sum log(degrees) + beta |w|^2``: sparse, and no node is isolated.

    The model of Kalofolias (2016). Ask for ``edges_per_node`` (the mean number of neighbors) or give ``alpha`` and
    ``beta`` (1 by default if only one is given); with neither, 10 edges per node, or fewer if there are few nodes.
    With ``edges_per_node`` the weights are those of ``alpha = beta = 1`` on ``theta_ * Z``.

    Parameters
    ----------
    edges_per_node : float or "auto", optional
        The mean number of neighbors asked for: with 10, a node has 10 neighbors on average, and 100 nodes have 500
        edges. It is met within 1% or else warned of, before bridges join components and identical rows get their
        edges. "auto" chooses it from the data, see :class:`SmoothGraph`.
    alpha, beta : float, optional
        The model's own parameters. A larger beta gives more edges.
    min_edges : int or "auto", optional
        The fewest neighbors of a node; "auto" is a third of the mean, rounded up. Where a node would have fewer, its
        term of the barrier is multiplied by a weight above 1, see ``node_weights_``. The graph is the optimum, with
        its certificate, of the model with these weights.
    group_share : float, 0.1 by default
        The share of its weight that every node has, at least, for each group but its own, if ``fit`` gets ``groups``.
        It is a constraint of the model, and part of its certificate. It must be below 1 divided by the number of the
        other groups.
    prior_strength : float, 1 by default
        How strongly the graph is pulled toward ``prior_graph``, if ``fit`` gets one: weights are drawn to
        ``prior_strength * s w0`` instead of 0, by ``beta |w - prior_strength * s w0|^2``. The factor ``s`` gives ``w0``
        the size of weights of the model, so that its unit does not matter. 0 gives the graph of the data alone. As it
        grows, only the edges of ``prior_graph`` are left.
    metric : str or function
        The distance of two rows. Its values are used as they are; only the default, "sqeuclidean", is squared. Graphs
        of any size are found by "sqeuclidean", "euclidean", "cosine", "correlation", "absolute_correlation" (1 -
        abs(r)), "seuclidean", "mahalanobis", "cityblock" (or "manhattan"), and "gower", which takes a DataFrame of
        numbers and categories. Any other metric of scikit-learn's ``pairwise_distances`` is for up to 30,000 nodes,
        and a symmetric function ``f(a, b)`` of two rows, which is slow, for up to 5000. With "precomputed", ``X`` is
        the matrix Z itself, squared if that is what you want; a sparse one holds the candidate edges.
    metric_params : dict, optional
        Parameters of the metric, as in SciPy: "p" of "minkowski", "V" of "seuclidean", "VI" of "mahalanobis", weights
        "w" of columns, or arguments of a function.
    nodes : {"rows", "columns"}
        Whether the rows of ``X`` are the nodes, or its columns, as in a table of sensor readings; or the name of the
        dimension of a DataArray of xarray.
    missing : {"error", "pairwise"}
        What to do with NaN: refuse, or take distances over the columns that both nodes have, by "sqeuclidean" or
        "gower". Nodes that share no column are never joined.
    neighbors : {"auto", "exact", "approximate"}, transformer, or function
        Which pairs may become edges. "exact" judges all pairs: all are held in memory if the nodes are few, else
        those that matter are searched for until none is missing. "approximate" looks at the likely nearest
        neighbors only, which is faster for millions of nodes. A neighbors transformer, such as scikit-learn's
        ``KNeighborsTransformer``, names the pairs; their distances are those of ``metric``. A function makes a
        :class:`~smoothgraph.search.NeighborEngine` of the table; the distances are then those of the engine, and
        the graph is exact. "auto" is exact up to 300,000 nodes.
    scale : {"global", "local"}
        "local" divides each distance by the local scales of its two nodes and squares it, ``(z_ij / (s_i s_j))^2``,
        where ``s_i`` is the square root of the distance to the 15th nearest neighbor. Then dense and sparse regions
        of the data get equally many edges. "global" is the paper's model.
    connected : bool
        Whether to add the fewest and shortest edges that make the graph one component: a minimum spanning forest
        between its components, in the (scaled) distances. Such a bridge has the weight of the weakest edge at its two
        ends. The certificate is that of the graph without bridges.
    merge_identical : bool
        Whether identical rows are one node while the graph is learned. Each of them then has about the degree of that
        node: of n identical rows, each has the n-th part of it in common with the neighbors, and the rest with the
        rows beside it in a ring of the n rows.
    solver : Solver, optional
        What solves the problem, by default ``Newton(tol, max_iter)``.
    tol, max_iter : float, int
        The relative duality gap to reach, and the Newton iterations allowed for it. Besides, every weight is to be
        proved within 1e-3 of the mean weight; ``solver=Newton(weight_tol=...)`` changes that. A ``solver`` has its own
        tolerances.
    warm_start : bool
        Whether ``fit`` starts from the last one, if that had as many nodes.
    checkpoint : path, optional
        A file that a fit with a search writes its state to, after every pass over the pairs. A fit of the same data
        with the same parameters goes on from there, to the same graph, and removes it in the end. On Dask workers
        the edges are in a folder beside it.
    verbose : bool
        Whether ``fit`` prints a line on what it found, with the seconds of each stage. In a log, it also prints a line
        for every stage that takes longer than two seconds. Terminals and notebooks show progress anyway.

    Attributes
    ----------
    adjacency_, laplacian_ : CSR arrays
        The learned graph; after a fit on Dask workers gathered when first asked for.
    graph_ : GraphOnWorkers
        After a fit on Dask workers, the graph there: to be written in parts, or gathered.
    dual_gap_ : float
        The relative duality gap: the proof of how close to the optimum the graph is.
    weight_error_ : float
        No weight is farther from the optimum, and no pair that is not an edge here has a larger one there. So the edges
        of ``adjacency_ > weight_error_`` are those of the optimum, too. It holds over all pairs if ``is_exact_``.
    relative_weight_error_ : float
        ``weight_error_`` in units of the mean weight: at most 1e-3, or there is a ``ConvergenceWarning``.
    dual_bounds_ : array with a row per node
        Between which two numbers the optimal multipliers are. A pair is no edge of the optimum if ``2 z_ij`` is at
        least the sum of the upper bounds of its nodes, and is one if it is below the sum of the lower bounds.
    n_open_pairs_ : int
        How many pairs are neither proved to be an edge of the optimum nor proved to be none.
    is_exact_ : bool
        Whether the graph is proved optimal, within ``tol``, and every weight within 1e-3 of the mean weight, over all
        pairs of nodes.
    neighbors_ : str
        How the pairs were found: "all pairs", "exact search", "approximate search", "precomputed", or the name of
        the transformer.
    violations_ : Violations or None
        An estimate, from a sample of nodes, of how many pairs that are not candidates would be edges, and with
        ``at_most`` the end of its confidence interval; 0 if ``is_exact_``, None if it cannot be known (precomputed
        distances).
    edges_per_node_ : float
        The mean number of neighbors in ``adjacency_``. Bridges, and edges between identical rows, come on top of
        what was asked for: few, unless you ask for so few edges that the graph falls apart, or many rows are identical.
    n_components_ : int
        The number of connected components, with bridges.
    bridges_ : (n, 2) array
        The edges that were added to connect the graph.
    scale_ : array
        With ``scale="local"``, the scale ``s_i`` of every node.
    node_weights_ : array
        With ``min_edges``, the weight of every node's term of the barrier: 1, or more for nodes that were raised.
    groups_ : array
        With groups, their labels, in the order of the columns of the next two.
    group_shares_ : (m, n_groups) array
        The share of each node's learned weight that goes to each group.
    group_dual_ : (m, n_groups) array
        The multiplier of each node toward each group, NaN where it has no candidate pair: a pair is an edge if and only
        if ``2 z`` is below the sum of those of its two nodes, each toward the group of the other. ``dual_`` is the
        multiplier of the whole degree.
    theta_ : float
        ``1 / sqrt(alpha beta)``, the one number on which the shape depends.
    dual_ : array
        The multiplier of every node: a pair is an edge if and only if ``2 z < dual_i + dual_j``, where ``z`` has
        local scales if they are asked for. A prior graph lowers the distances of its edges.
    node_names_ : array
        The labels of the nodes: of a DataFrame's index or columns, or else their numbers.
    n_iter_, n_features_in_, feature_names_in_
        As everywhere in scikit-learn.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from smoothgraph import LogDegreeGraph
    >>> graph = LogDegreeGraph(edges_per_node=8).fit(load_iris().data)
    >>> round(graph.edges_per_node_), graph.is_exact_, graph.dual_gap_ <= 1e-6
    (8, True, True)
    """

    alpha: float | None = field(default=None, kw_only=True)
    beta: float | None = field(default=None, kw_only=True)
    min_edges: int | str | None = field(default=None, kw_only=True)
    group_share: float = field(default=0.1, kw_only=True)
    prior_strength: float = field(default=1.0, kw_only=True)

    def fit(self, X: Any, y: Any = None, *, groups: Any = None, prior_graph: Any = None) -> "LogDegreeGraph":
        """Learn the graph of the rows of ``X``, or of its columns if ``nodes="columns"``.

        ``groups`` are labels of the nodes, of any kind: batches of cells, networks of sensors. There is one label per
        node, in the order of the nodes, whatever their names are. Every node then has more than ``group_share`` of its
        weight for each group but its own.

        ``prior_graph`` is a known graph of the same nodes, in their order: a fitted learner, an adjacency matrix, or a
        graph that was read from a file. The graph that is learned stays close to it, see ``prior_strength``.

        If ``X`` is a Dask array, or a path to Zarr, Parquet or NPY data, the workers of the active Dask client read
        it. They find the pairs of nodes that matter, and keep the graph.
        """
        with show_stages("Learning the graph", verbose=self.verbose):
            self._fit(X, groups, prior_graph)
        return self

    def model(self) -> Model:
        """The log-degree family, or the problem with the given alpha and beta."""
        return self._weigh(1.0)

    def floor(self, names: np.ndarray) -> Floor | None:
        """``min_edges``, if asked for."""
        return None if self.min_edges is None else Floor(self.min_edges, self._weigh, names)

    def _weigh(self, node_weights: float | np.ndarray) -> Model:
        """The model with these weights of the nodes."""
        own = {"alpha": self.alpha, "beta": self.beta}
        alpha, beta = (1.0 if value is None else value for value in own.values())
        near = None
        if self._known is not None:
            near = NearLogDegree(node_weights=node_weights, known=self._known, strength=self.prior_strength)

        def problem(pairs: CandidatePairs) -> tuple[Problem, dict[str, float]]:
            checked = check_number("alpha", alpha, above=0)
            if near is not None:
                weighed = near.general_problem(pairs, checked, beta)
            else:
                weighed = log_degree(pairs, alpha=checked * node_weights, beta=beta, group_share=self.group_share)
            return weighed, {"theta_": float(1 / np.sqrt(alpha * beta)) if beta > 0 else np.inf}

        family = LogDegree(node_weights=node_weights, group_share=self.group_share) if near is None else near
        return Model(problem, own, family, self.wanted_density)
