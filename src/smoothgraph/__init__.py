"""Learn a sparse weighted graph from data that is smooth over it.

>>> from sklearn.datasets import load_iris
>>> from smoothgraph import LogDegreeGraph
>>> graph = LogDegreeGraph(edges_per_node=8).fit(load_iris().data)
>>> graph.adjacency_.shape, graph.is_exact_
((150, 150), True)

With squared distances ``z`` on candidate edges, edge weights ``w`` and weighted degrees
``S w``, every model here is a pair of priors ``(f, g)`` in one problem:

    minimise  2 z'w + f(w) + g(S w)   over w >= 0

It is solved through its dual, which has one variable per node; every solution carries its
relative duality gap. The core underneath the estimators:

>>> import numpy as np
>>> import smoothgraph as sg
>>> X = np.random.default_rng(0).normal(size=(50, 3))
>>> edges = sg.EdgeSet.all_pairs(50)
>>> problem = sg.models.log_degree(edges, sg.distances(X, edges), alpha=1.0, beta=0.5)
>>> solution = sg.Newton(tol=1e-8).solve(problem)
>>> solution.converged, solution.n_isolated, bool(solution.gap <= 1e-8)
(True, 0, True)
"""

from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from smoothgraph import models, priors
from smoothgraph.density import (
    DensityResult,
    DensityWarning,
    doubly_stochastic_with,
    l2_degree_with,
    log_degree_with,
)
from smoothgraph.pairs.distances import distances, precomputed
from smoothgraph.pairs.pattern import EdgeSet
from smoothgraph.problem import Problem
from smoothgraph.solution import Solution, Status
from smoothgraph.solvers import Newton, PrimalDual

if TYPE_CHECKING:
    from smoothgraph.estimators.base import GraphLearner
    from smoothgraph.estimators.joint import JointGraph
    from smoothgraph.estimators.models import (
        DoublyStochasticGraph,
        GaussianGraph,
        L2DegreeGraph,
        LogDegreeGraph,
        density_path,
    )
    from smoothgraph.estimators.stability import EdgeStability, edge_stability
    from smoothgraph.over_time import TimeVaryingGraph

__version__ = version("smoothgraph")

__all__ = [
    "DensityResult",
    "DensityWarning",
    "DoublyStochasticGraph",
    "EdgeSet",
    "EdgeStability",
    "GaussianGraph",
    "GraphLearner",
    "JointGraph",
    "L2DegreeGraph",
    "LogDegreeGraph",
    "Newton",
    "PrimalDual",
    "Problem",
    "Solution",
    "Status",
    "TimeVaryingGraph",
    "density_path",
    "distances",
    "doubly_stochastic_with",
    "edge_stability",
    "l2_degree_with",
    "log_degree_with",
    "models",
    "precomputed",
    "priors",
]

# What needs scikit-learn, which takes longer to import than a graph to learn.
_LOADED_WHEN_USED = {
    "DoublyStochasticGraph": "estimators.models",
    "EdgeStability": "estimators.stability",
    "GaussianGraph": "estimators.models",
    "GraphLearner": "estimators.base",
    "JointGraph": "estimators.joint",
    "L2DegreeGraph": "estimators.models",
    "LogDegreeGraph": "estimators.models",
    "TimeVaryingGraph": "over_time",
    "density_path": "estimators.models",
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
