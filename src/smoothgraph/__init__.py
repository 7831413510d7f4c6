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
from smoothgraph.distances import distances, precomputed
from smoothgraph.edges import EdgeSet
from smoothgraph.problem import Problem
from smoothgraph.solution import Solution, Status
from smoothgraph.solvers import Newton, PrimalDual

if TYPE_CHECKING:
    from smoothgraph.estimators import (
        DoublyStochasticGraph,
        GaussianGraph,
        L2DegreeGraph,
        LogDegreeGraph,
        density_path,
    )
    from smoothgraph.joint import JointGraph
    from smoothgraph.learner import GraphLearner
    from smoothgraph.stability import EdgeStability, edge_stability
    from smoothgraph.time_varying import TimeVaryingGraph

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
    "DoublyStochasticGraph": "estimators",
    "EdgeStability": "stability",
    "GaussianGraph": "estimators",
    "GraphLearner": "learner",
    "JointGraph": "joint",
    "L2DegreeGraph": "estimators",
    "LogDegreeGraph": "estimators",
    "TimeVaryingGraph": "time_varying",
    "density_path": "estimators",
    "edge_stability": "stability",
}


_MODULES = {
    "convert",
    "generate",
    "io",
    "layout",
    "metrics",
    "plotting",
    "related",
    "report",
    "tasks",
    "time_varying",
}


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f"smoothgraph.{name}")
    if name not in _LOADED_WHEN_USED:
        raise AttributeError(f"module 'smoothgraph' has no attribute {name!r}")
    return getattr(import_module(f"smoothgraph.{_LOADED_WHEN_USED[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
