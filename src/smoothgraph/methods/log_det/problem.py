"""The problem, its value and its certificate."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.linalg.lapack import dpotrf, dpotri

_ROUNDING = 1e-9


class Unknowns(NamedTuple):
    """Weights ``w`` of the pairs ``i < j``, all others being zero, and ``rho``."""

    i: np.ndarray
    j: np.ndarray
    w: np.ndarray
    rho: float

    def times(self, factor: float) -> "Unknowns":
        """All weights and ``rho``, multiplied."""
        return self._replace(w=factor * self.w, rho=factor * self.rho)


@dataclass(frozen=True, eq=False)
class LogDetProblem:
    """``min -log det(L(w) + rho I) + c'w + tau rho`` over ``w >= 0`` and ``rho > 0``.

    Without ``tau``: ``min -log det(L(w) + J) + c'w``, where ``J = 11' / m``. In both the
    determinant splits into that over the directions orthogonal to 1 and that along 1, which is
    ``rho`` or 1, so that both are computed from ``Q = L(w) + rho (I - J) + J``, which stays well
    conditioned however large ``tau`` is. Dual points are matrices ``Theta`` on the orthogonal
    directions and numbers ``t`` along 1 with ``a_e'Theta a_e <= c_e`` on all pairs, where
    ``a_e = e_i - e_j``, and ``tr(Theta) + t <= tau``; their value is
    ``log det(Theta) + log(t) + m`` or, without ``tau``, ``log det(Theta) + m - 1``.
    """

    costs: np.ndarray  # c of all pairs: symmetric, positive; infinite on the diagonal
    tau: float | None

    @property
    def n_nodes(self) -> int:
        """The number of nodes ``m``."""
        return len(self.costs)

    @property
    def total(self) -> int:
        """``c'w + tau rho`` at the optimum."""
        return self.n_nodes - (self.tau is None)

    def without_edges(self) -> "Point | None":
        """``w = 0``, ``rho = m / tau``, if that is optimal: if ``Theta = I / rho`` is feasible.

        Its inverse would be lost in rounding if ``tau`` is small, so that both values are given.
        """
        m = self.n_nodes
        if self.tau is None or 2 * self.tau / m > float(np.min(self.costs)):
            return None
        rho, nobody = m / self.tau, np.zeros(0, dtype=np.int64)
        point = Point(self, Unknowns(nobody, nobody, np.zeros(0), rho), np.sqrt(rho) * np.eye(m))
        vars(point).update(value=m - m * float(np.log(rho)), gap=0.0)
        return point

    def at(self, unknowns: Unknowns) -> "Point | None":
        """The point, rescaled so that ``c'w + tau rho = total``; None if ``Q`` is singular."""
        linear = float(self.costs[unknowns.i, unknowns.j] @ unknowns.w)
        if self.tau is not None:
            linear += self.tau * unknowns.rho
        rescaled = unknowns.times(self.total / linear)
        factor, info = dpotrf(_matrix(rescaled, self.n_nodes), lower=1, overwrite_a=1)
        return Point(self, rescaled, factor) if info == 0 else None


@dataclass(frozen=True, eq=False)
class Point:
    """A primal point with ``c'w + tau rho = total``, and the dual point that it suggests."""

    problem: LogDetProblem
    unknowns: Unknowns
    factor: np.ndarray  # the lower Cholesky factor of Q

    @cached_property
    def value(self) -> float:
        """The primal objective."""
        log_det = 2 * float(np.sum(np.log(np.diagonal(self.factor))))
        if self.problem.tau is not None:
            log_det += float(np.log(self.unknowns.rho))
        return self.problem.total - log_det

    @cached_property
    def theta(self) -> np.ndarray:
        """``Q^-1 - J``: the inverse over the directions orthogonal to 1."""
        lower, _ = dpotri(self.factor, lower=1)
        return np.ascontiguousarray(lower + np.tril(lower, -1).T - 1 / self.problem.n_nodes)

    @cached_property
    def resistances(self) -> np.ndarray:
        """``a_e'Theta a_e`` of all pairs."""
        diagonal = np.diagonal(self.theta)
        return diagonal[:, None] + diagonal - 2 * self.theta

    @cached_property
    def gap(self) -> float:
        """(primal - dual) / total, the dual value that of the best feasible multiple of Theta.

        The multiple ``s`` must not exceed any ``c_e / a_e'Theta a_e``; ``tau`` leaves
        ``t = tau - s tr(Theta)``. The determinants of Q and Theta cancel.
        """
        m, tau = self.problem.n_nodes, self.problem.tau
        trace, worst = float(np.trace(self.theta)), np.max(self.resistances / self.problem.costs)
        if not (trace > 0 and worst > 0):  # nothing is left but rounding
            return np.inf
        s = 1 / float(worst)
        if tau is None:
            return _valid(float(-np.log(s)))
        s = min(s, (m - 1) / m * tau / trace)
        along_one = np.log(self.unknowns.rho) + np.log(tau - s * trace)
        return _valid(float(-(m - 1) * np.log(s) - along_one) / m)

    @property
    def dual(self) -> float:
        """A lower bound of the optimal value."""
        return self.value - self.problem.total * self.gap


def _matrix(x: Unknowns, m: int) -> np.ndarray:
    """``Q = L(w) + rho (I - J) + J``, in LAPACK's order."""
    Q = np.full((m, m), (1 - x.rho) / m, order="F")
    Q[x.j, x.i] -= x.w  # below the diagonal, as no more is read
    Q[np.diag_indices(m)] += x.rho + np.bincount(x.i, x.w, m) + np.bincount(x.j, x.w, m)
    return Q


def _valid(gap: float) -> float:
    """A gap that is negative by more than rounding, or no number, certifies nothing."""
    return max(0.0, gap) if gap >= -_ROUNDING else np.inf
