"""Learning a graph and the signals that are smooth over it, together."""

from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, clone

from smoothgraph.candidates.choice import MOST_ALL_PAIRS
from smoothgraph.estimators.graph_learner import GraphLearner, check_learner
from smoothgraph.estimators.log_degree import LogDegreeGraph
from smoothgraph.pairs.in_memory import Pairs
from smoothgraph.pairs.pair_set import PairSet
from smoothgraph.problem import Problem
from smoothgraph.support.checks import check_number
from smoothgraph.tasks.denoising import tikhonov_denoise

_TOL = 1e-8  # of a graph: the objective must never increase by its error


class JointGraph(BaseEstimator):
    """``min |X - Y|^2 + strength (tr(X'LX) + priors(L) / 2)`` over signals X and graph L.

    Alternates the paper's problem (1), denoising the signals on the graph, and its problem (2), learning the graph
    of the signals; with an :class:`L2DegreeGraph` this is the GL-SigRep of Dong et al. (2015). Each step solves its
    half exactly, so that the objective never increases. The learner's parameters, or those that gave it the density
    asked for on the noisy data, stay fixed: as the signals get closer, the graph may get denser.

    Parameters
    ----------
    learner : GraphLearner, optional
        The graph model, by default ``LogDegreeGraph()``; its metric must be "sqeuclidean".
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

    def __init__(
        self, learner: GraphLearner | None = None, *, strength: float = 1.0, max_iter: int = 20, tol: float = 1e-4
    ) -> None:
        self.learner = learner
        self.strength = strength
        self.max_iter = max_iter
        self.tol = tol

    def fit(self, X: Any, y: Any = None) -> "JointGraph":
        """Denoise the rows of ``X`` on the graph that they define."""
        check_number("strength", self.strength, above=0)
        check_number("max_iter", self.max_iter, minimum=1)
        check_number("tol", self.tol, minimum=0)
        learner = clone(LogDegreeGraph() if self.learner is None else self.learner)
        check_learner(learner, "JointGraph")
        if learner.metric != "sqeuclidean" or learner.missing != "error":
            raise ValueError(
                "JointGraph needs a learner with metric='sqeuclidean' and missing='error'; got "
                f"metric={learner.metric!r} and missing={learner.missing!r}."
            )
        learner.fit(X)
        noisy = learner.signals_
        if len(noisy) > MOST_ALL_PAIRS:
            raise ValueError(f"JointGraph learns on all pairs, of at most {MOST_ALL_PAIRS} nodes; got {len(noisy)}.")
        alternation = _Alternation(noisy, learner, self.strength)
        for _ in range(self.max_iter):
            alternation.denoise()
            alternation.learn()
            before, after = alternation.objective[-2:]
            if before - after <= self.tol * abs(before):
                break
        self.signals_ = alternation.signals
        self.adjacency_ = alternation.pattern.adjacency(alternation.w)
        self.laplacian_ = alternation.pattern.laplacian(alternation.w)
        self.objective_ = alternation.objective
        self.dual_gap_ = alternation.gap
        self.n_iter_ = len(self.objective_) - 1
        self.n_features_in_ = learner.n_features_in_
        self.node_names_ = learner.node_names_
        return self


class _Alternation:
    """The present signals, weights and multipliers, and the objective so far."""

    def __init__(self, noisy: np.ndarray, learner: GraphLearner, strength: float) -> None:
        self._noisy, self._strength = noisy, strength
        self._priors = learner.priors_
        solver = learner.make_solver()
        self._solver = replace(solver, tol=min(solver.tol, _TOL))  # type: ignore[type-var]
        self.pattern = PairSet.all_pairs(noisy.shape[0])
        self.signals = noisy
        self.w, self._u = self.pattern.weights_of(learner.adjacency_), learner.dual_
        self.gap = learner.dual_gap_
        self.objective = [self._value(self._problem(), self.w)]

    def denoise(self) -> None:
        """Problem (1): the signals closest to the noisy ones and smooth over the graph."""
        graph = self.pattern.adjacency(self.w)
        self.signals = tikhonov_denoise(graph, self._noisy, strength=self._strength)

    def learn(self) -> None:
        """Problem (2): the graph of the signals; the old one if that is as good."""
        problem = self._problem()
        solution = self._solver.solve(problem, start=self._u)
        old, new = self._value(problem, self.w), self._value(problem, solution.w)
        if new < old:
            self.w, self._u, self.gap = solution.w, solution.u, solution.gap
        self.objective.append(min(old, new))

    def _problem(self) -> Problem:
        edge_prior, degree_prior = self._priors
        pairs = Pairs.of(self.signals, self.pattern)
        return Problem(pairs, edge_prior=edge_prior, degree_prior=degree_prior)

    def _value(self, problem: Problem, w: np.ndarray) -> float:
        """``problem`` is ``2 tr(X'LX) + priors``: halved, it joins the distance to the data."""
        fit = float(np.sum((self.signals - self._noisy) ** 2))
        return fit + self._strength * problem.primal(w) / 2
