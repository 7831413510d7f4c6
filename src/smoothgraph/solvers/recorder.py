"""The clock, the history and the finished solution, shared by all solvers."""

from dataclasses import replace
from time import perf_counter

import numpy as np

from smoothgraph.problem import Problem
from smoothgraph.solution import Solution, Status, Step


class Recorder:
    """Counts iterations and notes the gap and the time of each."""

    def __init__(self, max_iter: int) -> None:
        self._started = perf_counter()
        self._max_iter = max_iter
        self._steps: list[Step] = []

    def begin(self, gap: float) -> None:
        """Record where a method, or a stage of it, starts: no iteration of its own."""
        self.note(gap, self._steps[-1].iteration if self._steps else 0)

    def note(self, gap: float, iteration: int | None = None) -> None:
        """Record the relative gap after one more iteration, or after the one named."""
        if iteration is None:
            iteration = self._steps[-1].iteration + 1
        self._steps.append(Step(iteration, perf_counter() - self._started, gap))

    @property
    def exhausted(self) -> bool:
        """Whether ``max_iter`` iterations were made."""
        return self._steps[-1].iteration >= self._max_iter

    def solution(
        self,
        problem: Problem,
        w: np.ndarray,
        u: np.ndarray,
        status: Status,
        *,
        part: Problem | None = None,
        ids: np.ndarray | None = None,
    ) -> Solution:
        """The solution of ``problem``, where ``w`` may be given on its ``part`` ``ids`` alone.

        The last gap of the history becomes that of what is returned.
        """
        part = problem if part is None else part
        w = part.feasible(w)
        gap = part.gap(w, u)
        active = np.flatnonzero(w)
        return Solution(
            problem=problem,
            active=active if ids is None else ids[active],
            active_weights=w[active],
            u=u,
            gap=gap,
            status=status,
            history=self.history(gap),
        )

    def history(self, gap: float) -> tuple[Step, ...]:
        """All steps, the last with the gap of what is returned."""
        return (*self._steps[:-1], replace(self._steps[-1], gap=gap))
