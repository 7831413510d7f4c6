"""A table with holes, and the graphs of its rows and of its columns."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, clone

from smoothgraph import LogDegreeGraph
from smoothgraph.support.adjacency import adjacency_of
from smoothgraph.tasks._graph import laplacian_of
from smoothgraph.tasks._nuclear import low_rank
from smoothgraph.tasks._smooth_fit import SmoothFit

# Of the rough completion that graphs are learned from.
_RANK_STRENGTH, _TOL, _MAX_ITER = 0.03, 1e-3, 500


@dataclass(frozen=True, eq=False)
class Table:
    """A table with NaN where it is unknown."""

    values: np.ndarray

    @cached_property
    def known(self) -> np.ndarray:
        """Where the entries are numbers."""
        return ~np.isnan(self.values)

    @cached_property
    def mean(self) -> float:
        """Of the known entries."""
        return float(np.mean(self.values[self.known]))

    @cached_property
    def centred(self) -> np.ndarray:
        """``P(M - mean)``."""
        return np.where(self.known, self.values - self.mean, 0.0)

    @cached_property
    def filled(self) -> np.ndarray:
        """The known entries, and the others by the nuclear norm alone, roughly."""
        m, n = self.values.shape
        no_graphs = SmoothFit(self.known, self.centred, sp.csr_array((m, m)), sp.csr_array((n, n)))
        rough = low_rank(no_graphs, _RANK_STRENGTH, tol=_TOL, max_iter=_MAX_ITER).X
        return np.where(self.known, self.values, self.mean + rough)


def graph_of(side: str, graph: Any, table: Table) -> sp.csr_array | None:
    """The adjacency of the rows or of the columns."""
    if graph is None:
        return None
    if isinstance(graph, str):
        if graph != "learn":
            raise ValueError(
                f"{side} must be 'learn', a graph learner, a graph or None, got {graph!r}."
            )
        graph = LogDegreeGraph()
    if isinstance(graph, BaseEstimator) and not hasattr(graph, "adjacency_"):
        return _learned(side, clone(graph), table)
    adjacency = adjacency_of(graph)
    expected = table.values.shape[0 if side == "rows" else 1]
    if adjacency.shape[0] != expected:
        raise ValueError(
            f"The graph of the {side} must have {expected} nodes, one for each of them, got "
            f"{adjacency.shape[0]}; X has shape {table.values.shape}."
        )
    return adjacency


def _learned(side: str, learner: Any, table: Table) -> sp.csr_array:
    options = learner.get_params(deep=False)
    takes_holes = options.get("missing") == "pairwise" or np.all(table.known)
    data = table.values if takes_holes else table.filled
    nodes = data if side == "rows" else data.T
    if len(nodes) == 1:
        return sp.csr_array((1, 1))
    if "nodes" in options:
        learner.set_params(nodes="rows")
    return adjacency_of(learner.fit(nodes))


def scaled_laplacian(adjacency: sp.csr_array | None, n_nodes: int, strength: float) -> sp.csr_array:
    """``strength L / mean degree``; nothing stored if it is zero."""
    if adjacency is None or adjacency.nnz == 0 or strength == 0:
        return sp.csr_array((n_nodes, n_nodes))
    L = laplacian_of(adjacency)
    return L * (strength / L.diagonal().mean())
