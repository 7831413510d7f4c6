"""A Newton step: the minimum of the second-order model over ``w >= 0``."""

from typing import NamedTuple

import numba
import numpy as np
import scipy.sparse as sp
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from smoothgraph.methods.log_det.log_det_problem import Point, Unknowns

_ROUNDS = 5  # the most rounds of sweeps and one linear system per step
_SWEEPS = 20  # the most sweeps per round
_MOST_FREE = 3000  # the most weights in a linear system; for more, sweeps are cheaper
_RIDGE = 1e-13  # relative to the diagonal: keeps a nearly singular matrix positive definite
_SHARES = (1.0, 0.5, 0.25, 0.1, 0.01)  # of a move; the first one that descends is taken
_KEPT = 0.1  # the smallest share of rho that a step leaves


class Step(NamedTuple):
    """The change of the unknowns, and the slope of the objective along it."""

    w: np.ndarray
    rho: float
    slope: float


def newton_step(at: Point, x: Unknowns, goal: float, rng: np.random.Generator) -> Step:
    """Return a step by coordinate descent, until a sweep changes resistances by at most ``goal``.

    Descent is slow among nodes that nearly coincide. There, the linear system of the positive weights takes it
    further.
    """
    model = _Model(at, x)
    for _ in range(_ROUNDS):
        for _ in range(_SWEEPS):
            if model.sweep(rng) <= goal:
                return model.step()
        model.solve()
    return model.step()


class _Model:
    """The second-order model at a point over the candidates ``x``, and the step so far."""

    def __init__(self, at: Point, x: Unknowns) -> None:
        self.x, self.theta, self.tau = x, at.theta, at.problem.tau
        self.ends = np.stack([x.i, x.j], axis=1)
        self.resistances = at.resistances[x.i, x.j]
        self.gradient = at.problem.costs[x.i, x.j] - self.resistances
        self.w, self.rho = np.zeros(len(x.w)), 0.0
        self.product = np.zeros_like(self.theta)  # Theta times the step's change of Q
        self.slope_rho = self.curvature_rho = 0.0
        if self.tau is not None:
            self.slope_rho = self.tau - float(np.trace(self.theta)) - 1 / x.rho
            self.curvature_rho = float(np.vdot(self.theta, self.theta)) + 1 / x.rho**2

    def step(self) -> Step:
        slope = float(self.gradient @ self.w) + self.slope_rho * self.rho
        return Step(self.w, self.rho, slope)

    def sweep(self, rng: np.random.Generator) -> float:
        """Optimize every coordinate once; return the largest relative change of a resistance.

        The order of the nodes is random, as cyclic descent is slow where all weights are coupled.
        """
        rank = rng.permutation(len(self.theta))
        order = np.argsort(np.min(rank[self.ends], axis=1))
        change = _sweep(order, self.ends, self.x.w, self.gradient, self.theta, self.w, self.product)
        if self.tau is None:
            return change
        slope = self.slope_rho + float(np.vdot(self.product, self.theta))
        slope += self.rho / self.x.rho**2
        lowest = (_KEPT - 1) * self.x.rho
        move = max(self.rho - slope / self.curvature_rho, lowest) - self.rho
        self.rho += move
        self.product += move * self.theta
        return max(change, abs(move) * self.curvature_rho / self.tau)

    def solve(self) -> None:
        """Move toward the minimum over the positive weights and rho, clipped at zero."""
        free = np.flatnonzero(self.x.w + self.w > 0)
        if len(free) > _MOST_FREE:
            return
        try:
            move = self._minimum_over(free)
        except LinAlgError:  # numerically singular
            return
        w, rho = move[: len(free)], float(np.sum(move[len(free) :]))
        before = self._value(self.product, self.w, self.rho)
        for share in _SHARES:
            moved = self.w.copy()
            moved[free] = np.maximum(moved[free] + share * w, -self.x.w[free])
            moved_rho = max(self.rho + share * rho, (_KEPT - 1) * self.x.rho)
            product = self._product(moved, moved_rho)
            if self._value(product, moved, moved_rho) < before:
                self.w, self.rho, self.product = moved, moved_rho, product
                return

    def _minimum_over(self, free: np.ndarray) -> np.ndarray:
        """Return the move of the free weights and, if learned, rho to where their slopes vanish."""
        i, j = self.x.i[free], self.x.j[free]
        M = self.product @ self.theta
        slopes = self.gradient[free] + M[i, i] + M[j, j] - 2 * M[i, j]
        scale = self.resistances[free]  # the square roots of the curvatures
        across = self.theta[i] - self.theta[j]
        hessian = (across[:, i] - across[:, j]) ** 2
        if self.tau is not None:
            slope = self.slope_rho + np.trace(M) + self.rho / self.x.rho**2
            slopes, scale = np.append(slopes, slope), np.append(scale, self.curvature_rho**0.5)
            with_rho = np.sum(across**2, axis=1)[:, None]
            hessian = np.block([[hessian, with_rho], [with_rho.T, self.curvature_rho]])
        hessian /= scale[:, None] * scale
        hessian[np.diag_indices(len(scale))] += _RIDGE
        return cho_solve(cho_factor(hessian), -slopes / scale) / scale

    def _value(self, product: np.ndarray, w: np.ndarray, rho: float) -> float:
        """Return the change of the objective that the model predicts for a step."""
        linear = float(self.gradient @ w) + self.slope_rho * rho
        curved = float(np.vdot(product, product.T))
        if self.tau is not None:
            curved += (rho / self.x.rho) ** 2
        return linear + curved / 2

    def _product(self, w: np.ndarray, rho: float) -> np.ndarray:
        """``Theta (L(w) + rho I)``."""
        i, j, m = self.x.i, self.x.j, len(self.theta)
        W = sp.coo_array((w, (i, j)), shape=(m, m)).tocsr()
        degrees = np.bincount(i, w, m) + np.bincount(j, w, m) + rho
        return np.ascontiguousarray((degrees[:, None] * self.theta - (W + W.T) @ self.theta).T)


@numba.njit(cache=True, nogil=True, error_model="numpy", fastmath={"reassoc", "contract", "nsz"})
def _sweep(  # noqa: PLR0917  (arrays, as in all kernels)
    order: np.ndarray,
    ends: np.ndarray,
    w: np.ndarray,
    gradient: np.ndarray,
    theta: np.ndarray,
    step: np.ndarray,
    product: np.ndarray,
) -> float:
    """Optimize each coordinate of ``step``; return the largest relative change of a resistance.

    The curvature of an edge is its squared resistance, and ``product`` is ``Theta L(step)``.
    """
    m = theta.shape[0]
    largest = 0.0
    for e in order:
        i, j = ends[e, 0], ends[e, 1]
        resistance = theta[i, i] + theta[j, j] - 2.0 * theta[i, j]
        slope = gradient[e]
        for k in range(m):
            slope += (theta[i, k] - theta[j, k]) * (product[i, k] - product[j, k])
        moved = max(step[e] - slope / (resistance * resistance), -w[e])
        change = moved - step[e]
        if change != 0.0:
            step[e] = moved
            largest = max(largest, abs(change) * resistance)
            for k in range(m):
                added = change * (theta[i, k] - theta[j, k])
                product[k, i] += added
                product[k, j] -= added
    return largest
