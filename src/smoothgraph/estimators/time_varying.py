"""A graph for every window of a series, as an estimator."""

import warnings
from typing import Any

import numpy as np

from smoothgraph.estimators.graph_method import GraphMethod, MethodResult
from smoothgraph.estimators.learning import Model
from smoothgraph.estimators.windows import window_bounds, window_distances
from smoothgraph.models import TimeVarying, time_varying
from smoothgraph.pairs.over_time import PairsOverTime
from smoothgraph.pairs.pair_set import PairSet
from smoothgraph.pairs.seam import CandidatePairs
from smoothgraph.problem import Problem
from smoothgraph.solvers import Newton


class TimeVaryingGraph(GraphMethod):
    """``min sum_t [2 z_t'w_t - alpha sum log(degrees) + beta |w_t|^2] + coupling over time``.

    A log-degree graph for every window of a series, each drawn to those before and after it: Kalofolias, Loukas,
    Thanou and Frossard (2017), "Learning time varying graphs", solved for all windows at once, with one
    certificate. As in :class:`~smoothgraph.LogDegreeGraph` ask for ``edges_per_node`` or give ``alpha`` and
    ``beta``; with neither, 10 edges per node, or fewer if there are few nodes. With ``edges_per_node`` the weights
    are those of ``alpha = beta = 1`` on ``theta_ * Z``.

    Parameters
    ----------
    edges_per_node : float, optional
        The density asked for, as the mean over all windows, met within 1% or else warned of. Strong l2 coupling
        keeps small weights in the windows beside those where a pair is near, and they count: the same density is
        then reached at a larger theta.
    alpha, beta : float, optional
        The model's own parameters, above 0. A larger beta gives more edges.
    gamma : float
        How strong the coupling is, whatever the scale of the data: it is ``gamma beta sum_t |w_t+1 - w_t|^2`` or
        ``gamma sqrt(alpha beta) sum_t |w_t+1 - w_t|_1``. 0 is one graph for each window alone; as it grows, all
        become that of the mean distances.
    coupling : {"l2", "l1"}
        "l2" for graphs that change gradually, "l1" for weights that stay constant but for jumps.
    window : int
        How many signals in a row make a graph. A shorter rest joins the last window, whose distances are scaled
        down to those of ``window`` signals.
    nodes : {"columns", "rows"}
        Where in ``X`` the nodes are; the signals, in the order of time, are the other. In a table of readings time
        runs down the rows and a column is a sensor, hence the default.
    tol, max_iter : float, int
        The relative duality gap of all windows together to reach, and the Newton iterations allowed for it.

    Attributes
    ----------
    adjacencies_, laplacians_ : lists of CSR arrays
        The graph of every window.
    adjacency_, laplacian_ : CSR arrays
        Their mean.
    changes_ : array
        ``sum |w_t+1 - w_t|`` over the edges, for all windows but the last: when the graph changes.
    window_bounds_ : array
        The first signal of every window, and in the end the number of signals.
    objective_ : float
        The value reached of the objective above.
    dual_gap_ : float
        The relative duality gap: the proof of how close to the joint optimum the graphs are.
    dual_ : array
        The multiplier of every node, one row per window.
    edges_per_node_ : float
        The mean number of neighbors, over nodes and windows.
    theta_ : float
        ``1 / sqrt(alpha beta)``; with gamma it determines the shape.
    node_names_ : array
        The labels of the nodes: of a DataFrame's columns or index, or else their numbers.
    n_iter_, n_features_in_, feature_names_in_
        As everywhere in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> from smoothgraph import TimeVaryingGraph
    >>> X = np.random.default_rng(0).normal(size=(120, 8))  # 120 readings of 8 sensors
    >>> X[:60, 1] = X[:60, 0]  # two agree at first, then other two
    >>> X[60:, 3] = X[60:, 2]
    >>> graph = TimeVaryingGraph(edges_per_node=2, window=20, coupling="l1").fit(X)
    >>> len(graph.adjacencies_), graph.dual_gap_ <= 1e-6
    (6, True)
    >>> graph.changes_.argmax(), graph.window_bounds_[3]
    (np.int64(2), np.int64(60))
    """

    def __init__(
        self,
        edges_per_node: float | None = None,
        *,
        alpha: float | None = None,
        beta: float | None = None,
        gamma: float = 1.0,
        coupling: str = "l2",
        window: int = 10,
        nodes: str = "columns",
        tol: float = 1e-6,
        max_iter: int = 500,
    ) -> None:
        self.edges_per_node = edges_per_node
        self.alpha = alpha
        self.beta = beta
        self.gamma = gamma
        self.coupling = coupling
        self.window = window
        self.nodes = nodes
        self.tol = tol
        self.max_iter = max_iter

    def _find(self, table: np.ndarray) -> MethodResult:
        solver = Newton(self.tol, self.max_iter)
        bounds = window_bounds(table.shape[1], self.window)
        model = self._model(len(bounds) - 1)
        z = window_distances(table, bounds, self.window)
        once = PairSet.all_pairs(len(table))
        solution, parameters, _, warning = model.solve(PairsOverTime.over_windows(once, z), solver)
        if warning is not None:
            warnings.warn(warning, stacklevel=3)
        self._warn_unless_certified(solution.gap, tol=self.tol, n_iter=solution.n_iter)
        weights = solution.w.reshape(z.shape)
        attributes = parameters | {
            "adjacencies_": [once.adjacency(w) for w in weights],
            "laplacians_": [once.laplacian(w) for w in weights],
            "changes_": np.sum(np.abs(np.diff(weights, axis=0)), axis=1),
            "window_bounds_": bounds,
            "objective_": solution.primal,
            "dual_gap_": solution.gap,
            "dual_": solution.u.reshape(len(z), -1),
            "edges_per_node_": solution.edges_per_node,
            "n_iter_": solution.n_iter,
        }
        return MethodResult(once, np.mean(weights, axis=0), attributes)

    def _model(self, n_windows: int) -> Model:
        """The family over so many windows, or the problem with the given alpha and beta."""
        family = TimeVarying(n_windows, self.gamma, self.coupling)

        def problem(pairs: CandidatePairs) -> tuple[Problem, dict[str, Any]]:
            alpha = 1.0 if self.alpha is None else self.alpha
            beta = 1.0 if self.beta is None else self.beta
            given = time_varying(
                pairs, n_windows=n_windows, alpha=alpha, beta=beta, gamma=self.gamma, coupling=self.coupling
            )
            return given, {"theta_": float(1 / np.sqrt(alpha * beta))}

        own = {"alpha": self.alpha, "beta": self.beta}
        return Model(problem, own, family, self.edges_per_node)
