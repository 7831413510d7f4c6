"""The paper's Algorithms 1 and 2: one forward-backward-forward primal-dual method."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from smoothgraph.problem import Problem
from smoothgraph.solution import Solution, Status
from smoothgraph.solvers.recorder import Recorder
from smoothgraph.support.checks import check_number
from smoothgraph.support.input_error import InputError

_CHECK_EVERY = 10  # iterations between two looks at the gap, which costs as much as one


@dataclass(frozen=True)
class PrimalDual:
    """Algorithm 1 (log-degree), Algorithm 2 (l2-degree), and the same for any two priors.

    ``minimize f1(w) + f2(K w) + f3(w)`` with a proximal step on ``f1`` and ``f2`` and a gradient step on ``f3``;
    ``K = S``, or ``2 * 1'`` for a prior on the total weight.

    ``stop="gap"`` ends at a relative duality gap of ``tol``; ``stop="change"`` is the paper's rule, a relative
    change of ``w`` and of the dual variable below ``tol``, and gives the algorithm's own iterate, however far from
    the optimum it is. ``step`` is the step size as a share of its upper limit ``1 / (1 + zeta + ||K||)``.
    """

    tol: float = 1e-4
    max_iter: int = 20_000
    stop: Literal["gap", "change"] = "gap"
    step: float = 0.9

    def __post_init__(self) -> None:
        check_number("tol", self.tol, above=0)
        check_number("max_iter", self.max_iter, minimum=1)
        check_number("step", self.step, above=0)
        if self.step >= 1:
            raise InputError(f"step is a share of the step limit, so below 1; got {self.step}.")
        if self.stop not in ("gap", "change"):
            raise InputError(f"stop must be 'gap' or 'change', got {self.stop!r}.")

    def solve(self, problem: Problem, *, start: np.ndarray | None = None) -> Solution:  # noqa: ARG002
        """The optimum over all candidate pairs; the algorithm starts from zero."""
        problem = problem.on(problem.pairs.gather())
        recorder = Recorder(self.max_iter, self.tol if self.stop == "gap" else None)
        split = _Splitting(problem)
        gamma = self.step / (1 + split.lipschitz + split.operator_norm)
        w = np.zeros(problem.pairs.n_pairs)
        c = np.zeros(split.n_dual)
        status = Status.MAX_ITER
        for iteration in range(1, self.max_iter + 1):
            y = w - gamma * (split.gradient(w) + split.adjoint(c))
            y_bar = c + gamma * split.apply(w)
            p = split.prox_edges(y, gamma)
            p_bar = split.prox_dual(y_bar, gamma)
            q = p - gamma * (split.gradient(p) + split.adjoint(p_bar))
            q_bar = p_bar + gamma * split.apply(p)
            w, w_before = w - y + q, w
            c, c_before = c - y_bar + q_bar, c
            if self.stop == "change":
                if max(_change(w, w_before), _change(c, c_before)) < self.tol:
                    status = Status.CONVERGED
                    break
            elif iteration % _CHECK_EVERY == 0:
                gap = problem.gap(problem.feasible(p), split.multipliers(p, p_bar))
                recorder.note(gap, iteration)
                if gap <= self.tol:
                    status = Status.CONVERGED
                    break
        u = split.multipliers(p, p_bar)
        recorder.note(np.nan, iteration)
        w = p if self.stop == "change" else _better(problem, p, u)
        return recorder.solution(problem, w, u, status)


class _Splitting:
    """``f1, f2, f3, K`` of a problem, as the method needs them."""

    def __init__(self, problem: Problem) -> None:
        self._pattern, self._z = problem.pairs.pattern, problem.pairs.z  # type: ignore[attr-defined]
        self._f, self._g = problem.edge_prior, problem.degree_prior
        self._f_is_smooth = np.isfinite(self._f.lipschitz)
        self.n_dual = 1 if self._g.on_total else self._pattern.n_nodes

    @property
    def lipschitz(self) -> float:
        """``zeta``, the Lipschitz constant of the gradient of ``f3``."""
        on_edges = self._f.lipschitz if self._f_is_smooth else 0.0
        return on_edges + self._g.smooth_lipschitz * self._pattern.norm**2

    @property
    def operator_norm(self) -> float:
        """``||K||``."""
        return 2 * np.sqrt(self._pattern.n_pairs) if self._g.on_total else self._pattern.norm

    def gradient(self, w: np.ndarray) -> np.ndarray:
        """The gradient of ``f3``: of the edge prior where smooth, and of ``g``'s smooth part."""
        total = self._f.gradient(w) if self._f_is_smooth else np.zeros_like(w)
        if self._g.smooth_lipschitz > 0:
            total = total + self._pattern.pair_sums(self._g.smooth_gradient(self._pattern.degree_sums(w)))
        return total

    def apply(self, w: np.ndarray) -> np.ndarray:
        """``K w``."""
        return np.array([2 * w.sum()]) if self._g.on_total else self._pattern.degree_sums(w)

    def adjoint(self, c: np.ndarray) -> np.ndarray:
        """``K' c``."""
        if self._g.on_total:
            return np.full(self._pattern.n_pairs, 2 * c[0])
        return self._pattern.pair_sums(c)

    def prox_edges(self, y: np.ndarray, gamma: float) -> np.ndarray:
        """The proximal map of ``gamma f1``, which holds ``2 z'w`` and ``w >= 0``."""
        y = y - 2 * gamma * self._z
        return np.maximum(y, 0) if self._f_is_smooth else self._f.prox(y, gamma)

    def prox_dual(self, y: np.ndarray, gamma: float) -> np.ndarray:
        """The proximal map of ``gamma f2*``, by Moreau's identity."""
        return y - gamma * self._g.prox(y / gamma, 1 / gamma)

    def multipliers(self, p: np.ndarray, p_bar: np.ndarray) -> np.ndarray:
        """``u``, one per node, from the dual variable of ``K w``."""
        u = -(self._g.smooth_gradient(self._pattern.degree_sums(p)) + p_bar)
        return np.clip(u, *self._g.domain)


def _change(new: np.ndarray, old: np.ndarray) -> float:
    norm = float(np.linalg.norm(old))
    return float(np.linalg.norm(new - old)) / norm if norm > 0 else np.inf


def _better(problem: Problem, p: np.ndarray, u: np.ndarray) -> np.ndarray:
    """The sparse, non-negative point: the proximal one, or the one that ``u`` defines."""
    if not problem.edge_prior.smooth_conjugate:
        return p
    other = problem.evaluate(u).weights
    gaps = [problem.gap(problem.feasible(w), u) for w in (p, other)]
    return p if gaps[0] <= gaps[1] else other
