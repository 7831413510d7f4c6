"""A solution that is good enough to count its edges and to see which pairs are missing."""

from dataclasses import dataclass

import numpy as np

from smoothgraph.problem import Problem
from smoothgraph.solution import Solution
from smoothgraph.solvers.coordinate_ascent import MANY_NODES, ascend, sweeper_of
from smoothgraph.solvers.recorder import Recorder
from smoothgraph.solvers.solver import ROUGH, Solver, content_with
from smoothgraph.solvers.working_set import WorkingSet

_FEW = 40  # pairs per node, up to which it is faster to sweep over all than to choose some for each solution
_GROWTHS = 3  # of the working set, at most


@dataclass(frozen=True)
class Rough:
    """Coordinate ascent alone where there are many nodes; else ``solver``, content with a gap of ``tol``.

    A few nodes may then be far from their optimum, and the gap, which is a sum, far larger than ``tol``. It counts as
    converged all the same, for the number of edges hardly depends on them.
    """

    solver: Solver
    tol: float = ROUGH

    def solve(self, problem: Problem, *, start: np.ndarray | None = None) -> Solution:
        """The rough solution; ``start`` is the ``u`` of a similar problem."""
        many = problem.pairs.n_nodes >= MANY_NODES
        if not many or sweeper_of(problem) is None:
            return content_with(self.solver, self.tol).solve(problem, start=start)
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            return self._sweep(problem, problem.start if start is None else start)

    def _sweep(self, problem: Problem, start: np.ndarray | None) -> Solution:
        working = WorkingSet.first(problem, _FEW)
        u = working.near.lone_multipliers(problem.edge_prior) if start is None else start
        recorder = Recorder(max_iter=2**31)
        for _ in range(_GROWTHS):
            working = working.grow(u)
            sweeper = sweeper_of(working.part)
            assert sweeper is not None, "parts of pairs are where the pairs are"
            at = ascend(working.part, sweeper, u, self.tol, recorder)
            u = at.u
            if working.is_enough(u):
                break
        return recorder.rough_solution(problem, at)
