"""``min -log det(Q) + linear``, where ``Q`` holds a graph Laplacian: its objective and its certificate."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.linalg.lapack import dpotrf, dpotri

_ROUNDING = 1e-9  # a gap may be negative by this much


class Unknowns(NamedTuple):
    """Weights ``w`` of the pairs ``i < j``, with all other weights zero, and ``rho``."""

    i: np.ndarray
    j: np.ndarray
    w: np.ndarray
    rho: float


@dataclass(frozen=True, eq=False)
class LogDetProblem:
    """``min -log det(L(w) + rho I) + c'w + tau rho`` over ``w >= 0`` and ``rho > 0``.

    Without ``tau`` the problem is ``min -log det(L(w) + J) + c'w``, where ``J = 11' / m``. In both problems the
    determinant is a product of two factors: one over the directions orthogonal to 1, and one along 1, which is
    ``rho`` or 1. Both are computed from ``Q = L(w) + rho (I - J) + J``, which stays well conditioned however large
    ``tau`` is.

    A dual point is a matrix ``Theta`` on the orthogonal directions and a number ``t`` along 1 with ``a_e'Theta a_e
    <= c_e`` on all pairs, where ``a_e = e_i - e_j``, and ``tr(Theta) + t <= tau``. Its value is ``log det(Theta) +
    log(t) + m`` or, without ``tau``, ``log det(Theta) + m - 1``.
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
        """Return ``w = 0``, ``rho = m / tau`` if ``Theta = I / rho`` is feasible, so optimal.

        The value and the gap are set here, as rounding would spoil them if ``tau`` is small.
        """
        m = self.n_nodes
        if self.tau is None or 2 * self.tau / m > float(np.min(self.costs)):
            return None
        rho, no_ends = m / self.tau, np.zeros(0, dtype=np.int64)
        point = Point(self, Unknowns(no_ends, no_ends, np.zeros(0), rho), np.sqrt(rho) * np.eye(m))
        vars(point).update(value=m - m * float(np.log(rho)), gap=0.0)
        return point

    def at(self, unknowns: Unknowns) -> "Point | None":
        """Return the point, scaled to ``c'w + tau rho = total``, or None if ``Q`` is singular."""
        linear = float(self.costs[unknowns.i, unknowns.j] @ unknowns.w)
        if self.tau is not None:
            linear += self.tau * unknowns.rho
        scale = self.total / linear
        rescaled = unknowns._replace(w=scale * unknowns.w, rho=scale * unknowns.rho)
        factor, info = dpotrf(self._matrix(rescaled), lower=1, overwrite_a=1)
        return Point(self, rescaled, factor) if info == 0 else None

    def _matrix(self, x: Unknowns) -> np.ndarray:
        """``Q = L(w) + rho (I - J) + J``, in LAPACK's memory order."""
        m = self.n_nodes
        Q = np.full((m, m), (1 - x.rho) / m, order="F")
        Q[x.j, x.i] -= x.w  # only below the diagonal, as LAPACK reads no more
        Q[np.diag_indices(m)] += x.rho + np.bincount(x.i, x.w, m) + np.bincount(x.j, x.w, m)
        return Q


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
        """``(primal - dual) / total``, where the dual point is the best feasible multiple of Theta.

        The multiple ``s`` must not exceed any ``c_e / a_e'Theta a_e``, and ``t = tau - s tr(Theta)``. The
        determinants of Q and Theta cancel. A gap that is NaN or too negative for rounding certifies nothing: it is
        infinite.
        """
        m, tau = self.problem.n_nodes, self.problem.tau
        trace, worst = float(np.trace(self.theta)), np.max(self.resistances / self.problem.costs)
        if not (trace > 0 and worst > 0):  # only rounding errors are left
            return np.inf
        if tau is None:
            gap = float(np.log(worst))
        else:
            s = min(1 / float(worst), (m - 1) / m * tau / trace)
            along_one = np.log(self.unknowns.rho) + np.log(tau - s * trace)
            gap = float(-(m - 1) * np.log(s) - along_one) / m
        return max(0.0, gap) if gap >= -_ROUNDING else np.inf
