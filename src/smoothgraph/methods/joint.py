"""Learning a graph and the signals that are smooth over it, together."""

from dataclasses import KW_ONLY, dataclass, replace
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, clone

from smoothgraph.candidates.choice import MOST_ALL_PAIRS
from smoothgraph.estimators.graph_learner import GraphLearner, check_learner
from smoothgraph.estimators.log_degree import LogDegreeGraph
from smoothgraph.pairs.in_memory import Pairs
from smoothgraph.pairs.pair_set import PairSet
from smoothgraph.problem import Problem
from smoothgraph.support.checks import check_count, check_number
from smoothgraph.support.connectivity import n_components
from smoothgraph.support.input_error import InputError
from smoothgraph.tasks.denoising import tikhonov_denoise

# The objective is that of squared differences, and of a graph that is the optimum.
_NEEDED = {
    "metric": "sqeuclidean",
    "metric_params": None,
    "missing": "error",
    "scale": "global",
    "connected": False,
    "merge_identical": False,
}
_TOL = 1e-8  # of a graph: the objective must never increase by its error


@dataclass(eq=False, repr=False)
class JointGraph(BaseEstimator):
    """``min |X - Y|^2 + strength (tr(X'LX) + priors(L) / 2)`` over signals X and graph L.

    Alternates the paper's problem (1), denoising the signals on the graph, and its problem (2), learning the graph
    of the signals; with an :class:`L2DegreeGraph` this is the GL-SigRep of Dong et al. (2015). Each step solves its
    half exactly, so that the objective never increases. The learner's parameters, or those that gave it the density
    asked for on the noisy data, stay fixed: as the signals get closer, the graph may get denser.

    Parameters
    ----------
    learner : GraphLearner, optional
        The graph model, by default ``LogDegreeGraph()``; its metric must be "sqeuclidean", its scale
        "global", and its nodes neither connected nor merged.
    strength : float
        How much to smooth: a signal's graph frequency lambda is damped by ``1 / (1 + strength * lambda)``.
    max_iter, tol : int, float
        Stop after so many rounds, or once a round improves the objective by less than the share ``tol``.

    Attributes
    ----------
    signals_ : array
        The denoised data, one row per node.
    adjacency_, laplacian_ : CSR arrays
        The graph.
    n_components_ : int
        The number of its connected components.
    objective_ : list of float
        The objective after the first graph and after every round.
    dual_gap_ : float
        The relative duality gap of the last graph given the last signals but one.

    Examples
    --------
    >>> import numpy as np
    >>> from smoothgraph import JointGraph, LogDegreeGraph
    >>> rng = np.random.default_rng(0)
    >>> Y = np.cumsum(rng.normal(size=(30, 50)), axis=0) + rng.normal(size=(30, 50))
    >>> joint = JointGraph(LogDegreeGraph(edges_per_node=4), strength=0.5).fit(Y)
    >>> all(b <= a for a, b in zip(joint.objective_, joint.objective_[1:]))
    True
    """

    learner: GraphLearner | None = None
    _: KW_ONLY
    strength: float = 1.0
    max_iter: int = 20
    tol: float = 1e-4

    def fit(self, X: Any, y: Any = None) -> "JointGraph":
        """Denoise the rows of ``X`` on the graph that they define."""
        check_number("strength", self.strength, above=0)
        check_count("max_iter", self.max_iter, minimum=1)
        check_number("tol", self.tol, minimum=0)
        learner = LogDegreeGraph() if self.learner is None else self.learner
        check_learner(learner, "JointGraph")
        learner = clone(learner)
        wrong = {name: value for name, value in learner.get_params().items() if _NEEDED.get(name, value) != value}
        if wrong:
            needed = " and ".join(f"{name}={_NEEDED[name]!r}" for name in wrong)
            got = " and ".join(f"{name}={value!r}" for name, value in wrong.items())
            raise InputError(f"JointGraph needs a learner with {needed}; got {got}.")
        learner.fit(X)
        noisy = (learner.signals_.toarray() if sp.issparse(learner.signals_) else learner.signals_).astype(float)
        if len(noisy) > MOST_ALL_PAIRS:
            raise InputError(f"JointGraph learns on all pairs, of at most {MOST_ALL_PAIRS} nodes; got {len(noisy)}.")
        solver = learner.make_solver()
        solver = replace(solver, tol=min(solver.tol, _TOL))
        pattern = PairSet.all_pairs(len(noisy))
        signals, w, u, gap = noisy, pattern.weights_of(learner.adjacency_), learner.dual_, learner.dual_gap_

        def pose(signals: np.ndarray) -> Problem:
            edge_prior, degree_prior = learner.priors_
            return Problem(Pairs.of(signals, pattern), edge_prior=edge_prior, degree_prior=degree_prior)

        def value(problem: Problem, signals: np.ndarray, w: np.ndarray) -> float:
            """The problem is ``2 tr(X'LX) + priors``: halved, it joins the distance to the data."""
            return float(np.sum((signals - noisy) ** 2)) + self.strength * problem.primal(w) / 2

        self.objective_ = [value(pose(noisy), noisy, w)]
        for _ in range(self.max_iter):
            signals = tikhonov_denoise(pattern.adjacency(w), noisy, strength=self.strength)  # problem (1)
            problem = pose(signals)
            solution = solver.solve(problem, start=u)  # problem (2)
            old, new = value(problem, signals, w), value(problem, signals, solution.w)
            if new < old:
                w, u, gap = solution.w, solution.u, solution.gap
            before, after = self.objective_[-1], min(old, new)
            self.objective_.append(after)
            if before - after <= self.tol * abs(before):
                break
        self.signals_, self.dual_gap_ = signals, gap
        self.adjacency_, self.laplacian_ = pattern.adjacency(w), pattern.laplacian(w)
        self.n_components_ = n_components(self.adjacency_)
        self.n_iter_ = len(self.objective_) - 1
        self.n_features_in_, self.node_names_ = learner.n_features_in_, learner.node_names_
        return self
