"""The few candidate edges worth computing with, grown until they are proved enough."""

import numpy as np

from smoothgraph.problem import Problem
from smoothgraph.solution import Solution, Status
from smoothgraph.solvers.recorder import Recorder
from smoothgraph.solvers.start import Neighborhood

MANY = 12  # edges per node from which on a working set pays
MARGIN = 0.5  # how far beyond the present multipliers it reaches, in local scales


class WorkingSet:
    """The edges with ``2 cost_e < reach_i + reach_j``, and the cheapest of every node.

    All others have weight zero for every ``u <= reach``: whatever is optimal on the working
    set at such a ``u`` is optimal on all edges.
    """

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self.near = Neighborhood(problem)
        self._reach = np.full(problem.edges.n_nodes, -np.inf)
        everything = not problem.sparse or problem.edges.n_edges <= MANY * problem.edges.n_nodes
        self._mask = np.full(problem.edges.n_edges, everything)
        self._mask[self.near.ids[self.near.ids >= 0]] = True

    @property
    def is_everything(self) -> bool:
        """Whether no edge is left out."""
        return bool(np.all(self._mask))

    def take_everything(self) -> None:
        """Give up leaving edges out."""
        self._mask[:] = True

    def grow(self, u: np.ndarray) -> None:
        """Take in the edges that are active at ``u`` or would be if it grew a little."""
        self._reach = u + MARGIN * self.near.spread
        self._mask[self._problem.edges.below(self._problem.cost, self._reach)] = True

    def is_enough(self, u: np.ndarray) -> bool:
        """Whether every edge left out is inactive at ``u``."""
        if np.all(u <= self._reach) or self.is_everything:
            return True
        return bool(np.all(self._mask[self._problem.edges.below(self._problem.cost, u)]))

    @property
    def part(self) -> Problem:
        """The problem over its edges alone."""
        return self._problem.restrict(self._ids)

    def solution(
        self, recorder: Recorder, w: np.ndarray, u: np.ndarray, status: Status
    ) -> Solution:
        """The solution of the whole problem with the weights ``w`` on the working set."""
        if self.is_enough(u):
            return recorder.solution(self._problem, w, u, status, part=self.part, ids=self._ids)
        everywhere = np.zeros(self._problem.edges.n_edges)
        everywhere[self._ids] = w
        return recorder.solution(self._problem, everywhere, u, status)

    @property
    def _ids(self) -> np.ndarray:
        return np.flatnonzero(self._mask)
