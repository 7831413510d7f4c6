"""The clock, the history and the finished solution, shared by all solvers."""

from dataclasses import replace
from time import perf_counter

import numpy as np

from smoothgraph.pairs.seam import Weights
from smoothgraph.problem import DualPoint, Problem
from smoothgraph.solution import Certificate, Solution, Status, Step
from smoothgraph.solvers.certificate import certify, is_met


class Recorder:
    """Counts iterations and notes the gap and the time of each.

    If the aim is a gap of ``tol``, the status of the solution says whether its gap is within ``tol``, and its weights
    within ``weight_tol`` of the mean weight.
    """

    def __init__(self, max_iter: int, tol: float | None = None, weight_tol: float = np.inf) -> None:
        self._started = perf_counter()
        self._max_iter, self._tol, self._weight_tol = max_iter, tol, weight_tol
        self._steps: list[Step] = []

    def begin(self, gap: float) -> None:
        """Record where a method, or a stage of it, starts; that is no iteration of its own."""
        self.note(gap, self._made)

    def note(self, gap: float, iteration: int | None = None) -> None:
        """Record the relative gap after one more iteration, or after the one named."""
        if iteration is None:
            iteration = self._made + 1
        self._steps.append(Step(iteration, perf_counter() - self._started, gap))

    @property
    def _made(self) -> int:
        return self._steps[-1].iteration if self._steps else 0

    @property
    def exhausted(self) -> bool:
        """Whether ``max_iter`` iterations were made."""
        return self._made >= self._max_iter

    def solution(
        self, problem: Problem, w: Weights, u: np.ndarray, status: Status, *, part: Problem | None = None
    ) -> Solution:
        """The solution of ``problem`` with the weights ``w`` on its pairs, or on a ``part`` of them and zero elsewhere.

        The history ends with the gap of what is returned. It is that on the part: the caller makes sure that this
        is also the gap on all pairs.
        """
        part = problem if part is None else part
        w = part.feasible(w)
        totals = part.totals(w)
        certificate = certify(part, w, totals, u)
        edges, weights = part.pairs.drop_zeros(w)
        if self._tol is not None:
            status = _agree(status, reached=is_met(part, certificate, self._tol, self._weight_tol))
        history = (*self._steps[:-1], replace(self._steps[-1], gap=certificate.gap))
        return Solution(problem, edges, weights, totals.n_edges, u, certificate, status, history)

    def rough_solution(self, problem: Problem, at: DualPoint) -> Solution:
        """The weights at a point of the dual of ``problem``, or of a part of it, without a bound on their errors."""
        part = at.problem
        n_edges = part.totals(at.weights).n_edges
        edges, weights = part.pairs.drop_zeros(at.weights)
        certificate = Certificate(at.gap, np.inf, float(np.sum(at.degrees)) / 2 / max(n_edges, 1))
        return Solution(problem, edges, weights, n_edges, at.u, certificate, Status.CONVERGED, tuple(self._steps))


def _agree(status: Status, *, reached: bool) -> Status:
    """The status in view of the gap of what is returned, which rounding may have moved across the tolerance."""
    if reached:
        return Status.CONVERGED
    return Status.STALLED if status is Status.CONVERGED else status
