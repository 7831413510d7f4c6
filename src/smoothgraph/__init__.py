"""Learn a sparse weighted graph from data that is smooth over it.

>>> from sklearn.datasets import load_iris
>>> from smoothgraph import LogDegreeGraph
>>> graph = LogDegreeGraph(edges_per_node=8).fit(load_iris().data)
>>> graph.adjacency_.shape, graph.is_exact_
((150, 150), True)

Let ``z`` be the squared distances on the candidate pairs, ``w`` the edge weights and ``S w`` the
weighted degrees. Every model is a pair of priors ``(f, g)`` in one problem:

    minimize  2 z'w + f(w) + g(S w)   over w >= 0

It is solved through its dual, which has one variable per node. Every solution carries its
relative duality gap. The estimators are built on this core:

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
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from smoothgraph import models as models
    from smoothgraph import priors as priors
    from smoothgraph.density import DensityResult as DensityResult
    from smoothgraph.density import DensityWarning as DensityWarning
    from smoothgraph.density import doubly_stochastic_with as doubly_stochastic_with
    from smoothgraph.density import l2_degree_with as l2_degree_with
    from smoothgraph.density import log_degree_with as log_degree_with
    from smoothgraph.estimators.base import GraphLearner as GraphLearner
    from smoothgraph.estimators.joint import JointGraph as JointGraph
    from smoothgraph.estimators.models import DoublyStochasticGraph as DoublyStochasticGraph
    from smoothgraph.estimators.models import GaussianGraph as GaussianGraph
    from smoothgraph.estimators.models import L2DegreeGraph as L2DegreeGraph
    from smoothgraph.estimators.models import LogDegreeGraph as LogDegreeGraph
    from smoothgraph.estimators.models import density_path as density_path
    from smoothgraph.estimators.stability import EdgeStability as EdgeStability
    from smoothgraph.estimators.stability import edge_stability as edge_stability
    from smoothgraph.over_time import TimeVaryingGraph as TimeVaryingGraph
    from smoothgraph.pairs.distances import distances as distances
    from smoothgraph.pairs.distances import precomputed as precomputed
    from smoothgraph.pairs.pattern import EdgeSet as EdgeSet
    from smoothgraph.problem import Problem as Problem
    from smoothgraph.solution import Solution as Solution
    from smoothgraph.solution import Status as Status
    from smoothgraph.solvers import Newton as Newton
    from smoothgraph.solvers import PrimalDual as PrimalDual

    __version__: str

# Names are imported on first use: Numba, SciPy and scikit-learn together take a second.
_HOMES = {
    "density": (
        "DensityResult",
        "DensityWarning",
        "doubly_stochastic_with",
        "l2_degree_with",
        "log_degree_with",
    ),
    "estimators.base": ("GraphLearner",),
    "estimators.joint": ("JointGraph",),
    "estimators.models": (
        "DoublyStochasticGraph",
        "GaussianGraph",
        "L2DegreeGraph",
        "LogDegreeGraph",
        "density_path",
    ),
    "estimators.stability": ("EdgeStability", "edge_stability"),
    "over_time": ("TimeVaryingGraph",),
    "pairs.distances": ("distances", "precomputed"),
    "pairs.pattern": ("EdgeSet",),
    "problem": ("Problem",),
    "solution": ("Solution", "Status"),
    "solvers": ("Newton", "PrimalDual"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}
_MODULES = ("convert", "generate", "io", "methods", "metrics", "models", "priors", "tasks", "viz")

__all__ = sorted((*_HOME_OF, *_MODULES))


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f"smoothgraph.{name}")
    if name == "__version__":
        value = import_module("importlib.metadata").version("smoothgraph")
    elif name in _HOME_OF:
        value = getattr(import_module(f"smoothgraph.{_HOME_OF[name]}"), name)
    else:
        raise AttributeError(f"module 'smoothgraph' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return list(__all__)
