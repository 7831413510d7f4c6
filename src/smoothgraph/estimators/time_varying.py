"""A graph for every window of a series, as an estimator."""

import warnings
from dataclasses import KW_ONLY, dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from smoothgraph.estimators.convergence_warning import convergence_warning
from smoothgraph.estimators.graph_method import GraphMethod, MethodResult
from smoothgraph.estimators.model import Model
from smoothgraph.models import TimeVarying, time_varying
from smoothgraph.pairs.distances import distances
from smoothgraph.pairs.in_memory import Pairs
from smoothgraph.pairs.local_scale import check_scale, local_scales, localize
from smoothgraph.pairs.over_time import PairsOverTime
from smoothgraph.pairs.pair_set import PairSet
from smoothgraph.pairs.seam import CandidatePairs
from smoothgraph.problem import Problem
from smoothgraph.solvers import Newton
from smoothgraph.support.checks import check_count
from smoothgraph.support.input_error import InputError

_MOST_NUMBERS = 50_000_000  # distances, of which several arrays must fit into memory


@dataclass(eq=False, repr=False)
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
    window : int, or sequence of int
        How many signals in a row make a graph. A shorter rest joins the last window. Or else the first signal of every
        window, such as those of calendar months. The distances of every window are scaled to those of ``window``
        signals, or of as many as windows have on average.
    scale : {"global", "local"}
        "local" makes the distances of all windows local, ``(z_t,ij / (s_i s_j))^2``,
        where ``s_i`` is the square root of the distance to the 15th nearest neighbor, by the mean distances over all
        windows. A node has the same scale in all windows, so that only its distances change over time.
    missing : {"error", "pairwise"}
        What to do with NaN: refuse, or take the distances in a window over the signals that both nodes have there. A
        pair that shares none in a window has its mean distance over the others there.
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
    weight_error_, relative_weight_error_ : float
        No weight in any window is farther from the optimum; the second is in units of the mean weight.
    dual_ : array
        The multiplier of every node, one row per window.
    edges_per_node_ : float
        The mean number of neighbors, over nodes and windows.
    scale_ : array
        With ``scale="local"``, the scale ``s_i`` of every node.
    n_components_ : int
        The number of connected components of ``adjacency_``.
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

    edges_per_node: float | None = None
    _: KW_ONLY
    alpha: float | None = None
    beta: float | None = None
    gamma: float = 1.0
    coupling: str = "l2"
    window: Any = 10
    scale: str = "global"
    missing: str = "error"
    nodes: str = "columns"
    tol: float = 1e-6
    max_iter: int = 500

    def _find(self, table: np.ndarray) -> MethodResult:
        check_scale(self.scale)
        solver = Newton(self.tol, self.max_iter)
        bounds = window_bounds(table.shape[1], self.window)
        model = self._model(len(bounds) - 1)
        usual = self.window if np.ndim(self.window) == 0 else table.shape[1] / (len(bounds) - 1)
        z = window_distances(table, bounds, usual, missing=self.missing)
        once, scales = PairSet.all_pairs(len(table)), {}
        if self.scale == "local":
            scales["scale_"] = local_scales(Pairs(once, np.mean(z, axis=0)))
            z = localize(z, *scales["scale_"][[once.rows, once.cols]])
        learned = model.solve(PairsOverTime.over_windows(once, z), solver)
        solution = learned.solution
        for warning in learned.warnings:
            warnings.warn(warning, stacklevel=3)
        if not solution.converged:
            warnings.warn(convergence_warning(self, solution, self.tol), stacklevel=3)
        weights = solution.w.reshape(z.shape)
        attributes = (
            learned.parameters
            | scales
            | {
                "adjacencies_": [once.adjacency(w) for w in weights],
                "laplacians_": [once.laplacian(w) for w in weights],
                "changes_": np.sum(np.abs(np.diff(weights, axis=0)), axis=1),
                "window_bounds_": bounds,
                "objective_": solution.primal,
                "dual_gap_": solution.gap,
                "weight_error_": solution.weight_error,
                "relative_weight_error_": solution.certificate.relative_error,
                "dual_": solution.u.reshape(len(z), -1),
                "edges_per_node_": solution.edges_per_node,
                "n_iter_": solution.n_iter,
            }
        )
        return MethodResult(once, np.mean(weights, axis=0), attributes)

    def _model(self, n_windows: int) -> Model:
        """The family over so many windows, or the problem with the given alpha and beta."""
        family = TimeVarying(n_windows, self.gamma, self.coupling)

        own = {"alpha": self.alpha, "beta": self.beta}

        def problem(pairs: CandidatePairs) -> tuple[Problem, dict[str, Any]]:
            given = time_varying(pairs, n_windows=n_windows, gamma=self.gamma, coupling=self.coupling, **own)
            alpha, beta = (1.0 if value is None else value for value in own.values())
            return given, {"theta_": float(1 / np.sqrt(alpha * beta))}

        return Model(problem, own, family, self.edges_per_node)


def window_bounds(n_signals: int, window: Any) -> np.ndarray:
    """Where windows of ``window`` signals begin, and the end; a shorter rest joins the last.

    If ``window`` is a sequence, it says where they begin.
    """
    if np.ndim(window) > 0:
        return _check_starts(n_signals, np.asarray(window))
    window = check_count("window", window, minimum=1)
    if window > n_signals:
        raise InputError(
            f"A window of {window} signals is longer than the series, n_samples={n_signals}; take a smaller window."
        )
    return np.append(window * np.arange(n_signals // window), n_signals)


def _check_starts(n_signals: int, starts: np.ndarray) -> np.ndarray:
    """The first signals of the windows, and the end, or an InputError."""
    bounds = np.append(starts, n_signals)
    if starts.ndim != 1 or starts.dtype.kind not in "iu" or bounds[0] != 0 or np.any(np.diff(bounds) < 1):
        raise InputError(
            "Expected the first signal of every window, as whole numbers that begin with 0 and grow up to below "
            f"n_samples={n_signals}, got {starts.tolist()}; correct window."
        )
    return bounds


def window_distances(table: np.ndarray, bounds: np.ndarray, window: float, *, missing: str = "error") -> np.ndarray:
    """``z_t`` between all pairs of rows, one row per window, each as if of ``window`` columns.

    With ``missing="pairwise"``, distances are those of :func:`smoothgraph.distances`. Where a pair shares no column in
    a window, it has its mean distance over the other windows.
    """
    m, n_windows = len(table), len(bounds) - 1
    n_distances = n_windows * (m * (m - 1) // 2)
    if n_distances > _MOST_NUMBERS:
        raise InputError(
            f"{n_windows} windows of all pairs of {m} nodes are {n_distances:,} distances, and at "
            f"most {_MOST_NUMBERS:,} are held in memory; take longer windows, or fewer nodes."
        )
    pairs = PairSet.all_pairs(m)
    z = np.empty((n_windows, pairs.n_pairs))
    for t, (first, last) in enumerate(pairwise(bounds)):
        z[t] = distances(table[:, first:last], pairs, missing=missing)
        z[t] *= window / (last - first)
    return z if missing == "error" else _fill_gaps(z, pairs)


def _fill_gaps(z: np.ndarray, pairs: PairSet) -> np.ndarray:
    """The distances, with the mean of a pair over other windows where it has none, or an InputError."""
    known = np.isfinite(z)
    counts = known.sum(axis=0)
    if not np.all(counts):
        e = int(np.argmin(counts))
        raise InputError(
            f"Nodes {pairs.rows[e]} and {pairs.cols[e]} share no signal in any window, so that they have no distance; "
            "leave one of them out."
        )
    means = np.where(known, z, 0.0).sum(axis=0) / counts
    return np.where(known, z, means)
