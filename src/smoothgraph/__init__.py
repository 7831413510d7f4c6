"""Learn a sparse weighted graph from data that is smooth over it.

>>> from sklearn.datasets import load_iris
>>> from smoothgraph import LogDegreeGraph
>>> graph = LogDegreeGraph(edges_per_node=8).fit(load_iris().data)
>>> graph.adjacency_.shape, graph.is_exact_
((150, 150), True)

With distances ``z`` between pairs of nodes, edge weights ``w`` and weighted degrees ``S w``, every model is a pair
of priors ``(f, g)`` in one problem:

    minimize  2 z'w + f(w) + g(S w)   over w >= 0

It is solved through its dual, which has one variable per node. Every solution carries its relative duality gap. The
core underneath the estimators:

>>> import numpy as np
>>> import smoothgraph as sg
>>> X = np.random.default_rng(0).normal(size=(50, 3))
>>> problem = sg.models.log_degree(sg.Pairs.of(X), alpha=1.0, beta=0.5)
>>> solution = sg.Newton(tol=1e-8).solve(problem)
>>> solution.converged, solution.n_isolated, bool(solution.gap <= 1e-8)
(True, 0, True)
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from smoothgraph import models as models
    from smoothgraph import priors as priors
    from smoothgraph import scanpy as scanpy
    from smoothgraph.density import DensityWarning as DensityWarning
    from smoothgraph.estimators.density_path import density_path as density_path
    from smoothgraph.estimators.doubly_stochastic import DoublyStochasticGraph as DoublyStochasticGraph
    from smoothgraph.estimators.floor import FewNeighborsWarning as FewNeighborsWarning
    from smoothgraph.estimators.gaussian import GaussianGraph as GaussianGraph
    from smoothgraph.estimators.graph_learner import GraphLearner as GraphLearner
    from smoothgraph.estimators.graph_neighbors import GraphNeighborsTransformer as GraphNeighborsTransformer
    from smoothgraph.estimators.groups import GroupWarning as GroupWarning
    from smoothgraph.estimators.l2_degree import L2DegreeGraph as L2DegreeGraph
    from smoothgraph.estimators.log_degree import LogDegreeGraph as LogDegreeGraph
    from smoothgraph.estimators.smooth import SmoothGraph as SmoothGraph
    from smoothgraph.estimators.stability import EdgeStability as EdgeStability
    from smoothgraph.estimators.stability import edge_stability as edge_stability
    from smoothgraph.estimators.time_varying import TimeVaryingGraph as TimeVaryingGraph
    from smoothgraph.methods.joint import JointGraph as JointGraph
    from smoothgraph.pairs.distances import distances as distances
    from smoothgraph.pairs.in_memory import Pairs as Pairs
    from smoothgraph.pairs.pair_set import PairSet as PairSet
    from smoothgraph.problem import Problem as Problem
    from smoothgraph.solution import Solution as Solution
    from smoothgraph.solution import Status as Status
    from smoothgraph.solvers import Newton as Newton
    from smoothgraph.solvers import PrimalDual as PrimalDual
    from smoothgraph.solvers import Solver as Solver
    from smoothgraph.tables.table_report import check_table as check_table

    __version__: str

# Names are imported on first use: Numba, SciPy and scikit-learn together take a second.
_HOMES = {
    "DensityWarning": "density",
    "DoublyStochasticGraph": "estimators.doubly_stochastic",
    "EdgeStability": "estimators.stability",
    "FewNeighborsWarning": "estimators.floor",
    "GaussianGraph": "estimators.gaussian",
    "GraphLearner": "estimators.graph_learner",
    "GraphNeighborsTransformer": "estimators.graph_neighbors",
    "GroupWarning": "estimators.groups",
    "JointGraph": "methods.joint",
    "L2DegreeGraph": "estimators.l2_degree",
    "LogDegreeGraph": "estimators.log_degree",
    "Newton": "solvers",
    "PairSet": "pairs.pair_set",
    "Pairs": "pairs.in_memory",
    "PrimalDual": "solvers",
    "Problem": "problem",
    "SmoothGraph": "estimators.smooth",
    "Solution": "solution",
    "Solver": "solvers",
    "Status": "solution",
    "TimeVaryingGraph": "estimators.time_varying",
    "check_table": "tables.table_report",
    "density_path": "estimators.density_path",
    "distances": "pairs.distances",
    "edge_stability": "estimators.stability",
}
_MODULES = ("convert", "generate", "io", "methods", "metrics", "models", "priors", "scanpy", "tables", "tasks", "viz")

__all__ = sorted((*_HOMES, *_MODULES))


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f"smoothgraph.{name}")
    if name == "__version__":
        value = import_module("importlib.metadata").version("smoothgraph")
    elif name in _HOMES:
        value = getattr(import_module(f"smoothgraph.{_HOMES[name]}"), name)
    else:
        raise AttributeError(f"module 'smoothgraph' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return list(__all__)
