"""Graphs of one data set at several densities."""

import warnings
from collections.abc import Iterable
from typing import Any

from sklearn.base import clone

from smoothgraph.estimators.graph_learner import DensityLearner, GraphLearner
from smoothgraph.estimators.log_degree import LogDegreeGraph
from smoothgraph.estimators.node_data import open_nodes
from smoothgraph.support.checks import check_number
from smoothgraph.support.input_error import InputError
from smoothgraph.support.progress import track


def density_path(X: Any, densities: Iterable[float], *, learner: GraphLearner | None = None) -> list[GraphLearner]:
    """Graphs of one data set at several densities, each starting from the one before.

    Returns fitted copies of ``learner`` (a :class:`LogDegreeGraph` by default), one for each number of edges per
    node in ``densities``, in that order. The distances are computed once.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from smoothgraph import density_path
    >>> [round(g.edges_per_node_) for g in density_path(load_iris().data, [4, 16, 8])]
    [4, 16, 8]
    """
    template = LogDegreeGraph() if learner is None else learner
    if not isinstance(template, DensityLearner):
        raise InputError(
            "A density path needs a learner with edges_per_node, such as LogDegreeGraph or L2DegreeGraph, got "
            f"{type(template).__name__}."
        )
    if template.checkpoint is not None:
        raise InputError("A checkpoint is of one graph; a density path takes no checkpoint.")
    densities = [check_number("densities", density, above=0) for density in densities]
    graphs = {density: clone(template).set_params(edges_per_node=density) for density in set(densities)}
    data, start = None, None
    for density in track(sorted(graphs, reverse=True), "densities"):
        graph = graphs[density]
        nodes = open_nodes(graph, X)  # also for scikit-learn's record of it
        data = data or nodes.find_pairs(graph.choice())
        for warning in graph.learn(data, start):
            warnings.warn(warning, stacklevel=2)
        start = graph.last_fit()
    return [graphs[density] for density in densities]
