"""Learn a sparse weighted graph from data that is smooth over it.

>>> from sklearn.datasets import load_iris
>>> from smoothgraph import LogDegreeGraph
>>> graph = LogDegreeGraph(edges_per_node=8).fit(load_iris().data)
>>> graph.adjacency_.shape, graph.is_exact_
((150, 150), True)

With distances ``z`` between pairs of nodes, edge weights ``w`` and weighted degrees ``S w``,
every model is a pair of priors ``(f, g)`` in one problem:

    minimize  2 z'w + f(w) + g(S w)   over w >= 0

It is solved through its dual, which has one variable per node. Every solution carries its
relative duality gap. The core underneath the estimators:

>>> import numpy as np
>>> import smoothgraph as sg
>>> X = np.random.default_rng(0).normal(size=(50, 3))
>>> problem = sg.models.log_degree(sg.Pairs.of(X), alpha=1.0, beta=0.5)
>>> solution = sg.Newton(tol=1e-8).solve(problem)
>>> solution.converged, solution.n_isolated, bool(solution.gap <= 1e-8)
(True, 0, True)
"""

from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from smoothgraph import models, priors
from smoothgraph.density import DensityWarning
from smoothgraph.pairs.distances import distances
from smoothgraph.pairs.in_memory import Pairs
from smoothgraph.pairs.pair_set import PairSet
from smoothgraph.problem import Problem
from smoothgraph.solution import Solution, Status
from smoothgraph.solvers import Newton, PrimalDual, Solver

if TYPE_CHECKING:
    from smoothgraph.estimators.density_path import density_path
    from smoothgraph.estimators.doubly_stochastic import DoublyStochasticGraph
    from smoothgraph.estimators.gaussian import GaussianGraph
    from smoothgraph.estimators.graph_learner import GraphLearner
    from smoothgraph.estimators.l2_degree import L2DegreeGraph
    from smoothgraph.estimators.log_degree import LogDegreeGraph
    from smoothgraph.estimators.stability import EdgeStability, edge_stability
    from smoothgraph.estimators.time_varying import TimeVaryingGraph
    from smoothgraph.methods.joint import JointGraph

__version__ = version("smoothgraph")

__all__ = [
    "DensityWarning",
    "DoublyStochasticGraph",
    "EdgeStability",
    "GaussianGraph",
    "GraphLearner",
    "JointGraph",
    "L2DegreeGraph",
    "LogDegreeGraph",
    "Newton",
    "PairSet",
    "Pairs",
    "PrimalDual",
    "Problem",
    "Solution",
    "Solver",
    "Status",
    "TimeVaryingGraph",
    "density_path",
    "distances",
    "edge_stability",
    "models",
    "priors",
]

# What needs scikit-learn, which takes longer to import than a graph to learn.
_LOADED_WHEN_USED = {
    "DoublyStochasticGraph": "estimators.doubly_stochastic",
    "EdgeStability": "estimators.stability",
    "GaussianGraph": "estimators.gaussian",
    "GraphLearner": "estimators.graph_learner",
    "JointGraph": "methods.joint",
    "L2DegreeGraph": "estimators.l2_degree",
    "LogDegreeGraph": "estimators.log_degree",
    "TimeVaryingGraph": "estimators.time_varying",
    "density_path": "estimators.density_path",
    "edge_stability": "estimators.stability",
}


_MODULES = {"convert", "generate", "io", "methods", "metrics", "tasks", "viz"}


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f"smoothgraph.{name}")
    if name not in _LOADED_WHEN_USED:
        raise AttributeError(f"module 'smoothgraph' has no attribute {name!r}")
    return getattr(import_module(f"smoothgraph.{_LOADED_WHEN_USED[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
