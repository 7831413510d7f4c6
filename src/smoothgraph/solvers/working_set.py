"""The few candidate edges worth computing with, grown until they are proved enough."""

import numpy as np

from smoothgraph.problem import Problem
from smoothgraph.solvers.start import Neighborhood

_MANY = 12  # edges per node from which on a working set pays
_MARGIN = 0.5  # how far beyond the present multipliers it reaches, in local scales


class WorkingSet:
    """The edges with ``2 cost_e < reach_i + reach_j``, and the cheapest of every node.

    All others have weight zero for every ``u <= reach``: whatever is optimal on the working
    set at such a ``u`` is optimal on all edges.
    """

    def __init__(self, problem: Problem, near: Neighborhood) -> None:
        self._problem, self._near = problem, near
        self._reach = np.full(problem.edges.n_nodes, -np.inf)
        everything = not problem.sparse or problem.edges.n_edges <= _MANY * problem.edges.n_nodes
        self._mask = np.full(problem.edges.n_edges, everything)
        self._mask[near.ids[near.ids >= 0]] = True

    @property
    def is_everything(self) -> bool:
        """Whether no edge is left out."""
        return bool(np.all(self._mask))

    def take_everything(self) -> None:
        """Give up leaving edges out."""
        self._mask[:] = True

    def grow(self, u: np.ndarray) -> None:
        """Take in the edges that are active at ``u`` or would be if it grew a little."""
        self._reach = u + _MARGIN * self._near.spread
        self._mask[self._problem.edges.below(self._problem.cost, self._reach)] = True

    def is_enough(self, u: np.ndarray) -> bool:
        """Whether every edge left out is inactive at ``u``."""
        if np.all(u <= self._reach) or self.is_everything:
            return True
        return bool(np.all(self._mask[self._problem.edges.below(self._problem.cost, u)]))

    def ids(self) -> np.ndarray:
        """The positions of its edges."""
        return np.flatnonzero(self._mask)
