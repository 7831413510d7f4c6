"""Newton's method on the joint dual of all windows."""

from dataclasses import dataclass

import numpy as np

from smoothgraph.over_time.problem import CoupledProblem
from smoothgraph.solution import Solution, Status
from smoothgraph.solvers import Newton
from smoothgraph.solvers.newton import maximise
from smoothgraph.solvers.recorder import Recorder
from smoothgraph.solvers.start import Neighborhood
from smoothgraph.support.checks import check_number

_MARGIN = 0.5  # how far beyond the present multipliers the pairs reach, in local scales
_ROUGH = 1e-3  # the gap to which windows are solved apart, for a start
_WARM = 3.0  # a start with a larger relative gap is no better than our own


@dataclass(frozen=True)
class CoupledNewton:
    """Maximise the joint dual by semismooth Newton until its relative gap is at most ``tol``."""

    tol: float = 1e-6
    max_iter: int = 500

    def __post_init__(self) -> None:
        check_number("tol", self.tol, above=0)
        check_number("max_iter", self.max_iter, minimum=1)

    def solve(self, problem: CoupledProblem, *, start: np.ndarray | None = None) -> Solution:
        """The optimum over all pairs; ``start`` is the ``u`` of a similar problem.

        Solves on the pairs that may be joined in some window at multipliers like the present
        ones, adds those that are missing, and repeats until none is.
        """
        recorder = Recorder(self.max_iter)
        near = Neighborhood(problem)
        kept = np.zeros(problem.pairs.n_edges, dtype=bool)
        kept[near.ids[near.ids >= 0] % problem.pairs.n_edges] = True
        margin = _MARGIN * near.spread
        u = self._start(problem, kept, margin, start)
        while True:
            kept |= problem.pairs_below(u + margin)
            part = problem.on_pairs(np.flatnonzero(kept))
            status, w, u = maximise(part, u, self.tol, recorder)
            ids = np.flatnonzero(np.tile(kept, problem.edge_prior.n_windows))
            if not np.any(problem.pairs_below(u) & ~kept):
                return recorder.solution(problem, w, u, status, part=part, ids=ids)
            if status is Status.MAX_ITER:
                everywhere = np.zeros(problem.edges.n_edges)
                everywhere[ids] = w
                return recorder.solution(problem, everywhere, u, status)

    def _start(
        self,
        problem: CoupledProblem,
        kept: np.ndarray,
        margin: np.ndarray,
        given: np.ndarray | None,
    ) -> np.ndarray:
        """``given``, if it is any good; else the windows apart or all as one: the higher dual."""
        starts = [given] if given is not None else self._limits(problem)
        reached = kept.copy()
        for u in starts:
            reached |= problem.pairs_below(u + margin)
        part = problem.on_pairs(np.flatnonzero(reached))
        best = min((part.evaluate(u) for u in starts), key=lambda at: at.objective)
        if given is not None and best.gap > _WARM:
            return self._start(problem, kept, margin, None)
        return best.u

    def _limits(self, problem: CoupledProblem) -> list[np.ndarray]:
        """The multipliers for no coupling at all and for the strongest."""
        rough = Newton(tol=max(self.tol, _ROUGH), max_iter=self.max_iter)
        pooled = rough.solve(problem.pooled()).u
        return [
            rough.solve(problem.apart()).u,
            np.tile(pooled, problem.edge_prior.n_windows),
        ]
