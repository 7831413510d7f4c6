"""The few edges worth computing with, among those on the workers."""

from typing import Any

import numpy as np

from smoothgraph.cluster.problem import RemoteProblem
from smoothgraph.solution import Solution, Status
from smoothgraph.solvers.recorder import Recorder
from smoothgraph.solvers.start import Neighborhood
from smoothgraph.solvers.working_set import MANY, MARGIN


class RemoteWorkingSet:
    """The edges with ``2 z_e < reach_i + reach_j``, and the cheapest of every node."""

    def __init__(self, problem: RemoteProblem) -> None:
        self.part = problem
        self.near = Neighborhood(problem)
        self._edges = problem.edges
        self._reach = np.full(self._edges.n_nodes, -np.inf)
        everything = not problem.sparse or self._edges.n_edges <= MANY * self._edges.n_nodes
        self._begin(None if everything else problem.cheapest[1][:, -1])

    @property
    def is_everything(self) -> bool:
        """Whether no edge is left out."""
        return self._n_edges == self._edges.n_edges

    def take_everything(self) -> None:
        """Give up leaving edges out."""
        self._begin(None)

    def grow(self, u: np.ndarray) -> None:
        """Take in the edges that are active at ``u`` or would be if it grew a little."""
        self._reach = u + MARGIN * self.near.spread
        reach = [(part,) for part in self._edges.local(self._reach)]
        self._n_edges = sum(self._edges.crew.set("grow", reach, anew=False)) // 2

    def is_enough(self, u: np.ndarray) -> bool:
        """Whether every edge left out is inactive at ``u``."""
        if np.all(u <= self._reach) or self.is_everything:
            return True
        return all(self._edges.crew.call("is_enough", [(x,) for x in self._edges.local(u)]))

    def solution(self, recorder: Recorder, w: Any, u: np.ndarray, status: Status) -> Solution:
        """The solution with the weights ``w``, which stay where they are."""
        w = self.part.feasible(w)
        sums = w.sums(self.part.edge_prior)
        if not self.is_enough(u):
            self.take_everything()
        gap = self.part.gap_of(sums, u)
        active: Any = range(sums[3])
        return Solution(
            problem=self.part,
            active=active,
            active_weights=w,
            u=u,
            gap=gap,
            status=status,
            history=recorder.history(gap),
        )

    def _begin(self, farthest: np.ndarray | None) -> None:
        scale, crew = self.part.z.scale, self._edges.crew
        parts = [None] * len(crew) if farthest is None else self._edges.local(farthest)
        begun = crew.set("begin", [(part, scale) for part in parts], anew=True)
        self._n_edges = sum(begun) // 2
