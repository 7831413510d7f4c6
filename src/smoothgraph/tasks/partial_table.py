"""A table with unknown entries, and the graphs of its rows and columns."""

from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, clone

from smoothgraph.estimators.log_degree import LogDegreeGraph
from smoothgraph.support.adjacency import adjacency_of
from smoothgraph.support.input_error import InputError
from smoothgraph.tasks.graph_task import laplacian_of
from smoothgraph.tasks.smooth_fit import SmoothFit, solve_low_rank

# For the rough completion that graphs are learned from.
_RANK_STRENGTH, _TOL, _MAX_ITER = 0.03, 1e-3, 500


class PartialTable:
    """A table M with NaN where it is unknown, and its ``deviations``, ``P(M - mean)``; P keeps the known entries."""

    def __init__(self, values: np.ndarray) -> None:
        self.values, self.known = values, ~np.isnan(values)
        if not np.any(self.known):
            raise InputError(f"At least one entry must be known, but all {values.size} are NaN; check X.")
        self.mean = float(np.mean(values[self.known]))
        self.deviations = np.where(self.known, values - self.mean, 0.0)

    @cached_property
    def rough_completion(self) -> np.ndarray:
        """M with its unknown entries filled in by the nuclear norm alone."""
        no_graphs = (sp.csr_array((size, size)) for size in self.values.shape)
        fit = SmoothFit(self.known, self.deviations, *no_graphs)
        rough = solve_low_rank(fit, _RANK_STRENGTH, tol=_TOL, max_iter=_MAX_ITER).X
        return np.where(self.known, self.values, self.mean + rough)


def find_graph(side: str, graph: Any, table: PartialTable) -> sp.csr_array | None:
    """Return the adjacency of the "rows" or "columns": that of ``graph``, or a learned one."""
    if graph is None:
        return None
    if isinstance(graph, str):
        if graph != "learn":
            raise InputError(f"{side} must be 'learn', a graph learner, a graph or None, got {graph!r}.")
        graph = LogDegreeGraph()
    if isinstance(graph, BaseEstimator) and not hasattr(graph, "adjacency_"):
        return _learn_graph(side, clone(graph), table)
    adjacency, shape = adjacency_of(graph), table.values.shape
    expected = shape[0 if side == "rows" else 1]
    if adjacency.shape[0] != expected:
        got = f"{adjacency.shape[0]}; X has shape {shape}"
        raise InputError(f"The graph of the {side} must have {expected} nodes, one for each of them, got {got}.")
    return adjacency


def _learn_graph(side: str, learner: Any, table: PartialTable) -> sp.csr_array:
    options = learner.get_params(deep=False)
    takes_nan = options.get("missing") == "pairwise" or np.all(table.known)
    data = table.values if takes_nan else table.rough_completion
    nodes = data if side == "rows" else data.T
    if len(nodes) == 1:
        return sp.csr_array((1, 1))
    if "nodes" in options:
        learner.set_params(nodes="rows")
    return adjacency_of(learner.fit(nodes))


def scaled_laplacian(adjacency: sp.csr_array | None, n_nodes: int, strength: float) -> sp.csr_array:
    """``strength L / mean degree``; an empty matrix if that is zero."""
    if adjacency is None or adjacency.nnz == 0 or strength == 0:
        return sp.csr_array((n_nodes, n_nodes))
    L = laplacian_of(adjacency)
    return L * (strength / L.diagonal().mean())
