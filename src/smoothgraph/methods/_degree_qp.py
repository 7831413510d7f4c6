"""``min ||L(w) X||_F^2`` subject to ``|(1 - S w)_+| <= slack``, ``w >= 0``, on given edges.

``S w`` are the degrees of the nodes that need one. The multipliers p of these and any matrix
Y bound the optimum from below: if ``2 (y_i - y_j).(x_i - x_j) >= p_i + p_j`` on all edges, by
``(sum(p) - slack |p|)^2 / (4 ||Y||^2)``.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from smoothgraph.pairs.pair_set import PairSet
from smoothgraph.support.factor import factorize

_RIDGE = 1e-14  # relative to the diagonal of the Hessian, so that a factor exists
_TO_THE_BOUNDARY = 0.99  # of the step that would reach it
_VANISHING = 0.01  # curvature times weight, relative to the reduced cost
_SCALINGS = 50


class Iterate(NamedTuple):
    """Weights, their reduced costs, surplus degrees, multipliers: all positive."""

    w: np.ndarray
    costs: np.ndarray
    surplus: np.ndarray
    p: np.ndarray

    def moved(self, direction: "Iterate", step: float) -> "Iterate":
        """``self + step * direction``."""
        return Iterate(*(a + step * b for a, b in zip(self, direction, strict=True)))

    def longest_step(self, direction: "Iterate") -> float:
        """At most 1, and short of where a number would vanish."""
        here, there = np.concatenate(self), np.concatenate(direction)
        ratio = np.max(-there / here, initial=0.0)
        return float(min(1.0, _TO_THE_BOUNDARY / ratio)) if ratio > 0 else 1.0

    @property
    def complementarity(self) -> float:
        """The mean of the products that vanish at the optimum."""
        total = self.w @ self.costs + self.surplus @ self.p
        return float(total / (len(self.w) + len(self.p)))


@dataclass(frozen=True, eq=False)
class DegreeQP:
    """Nodes at the rows of X, edges among them of positive length, who needs a degree."""

    X: np.ndarray
    edges: PairSet
    needy: np.ndarray
    slack: float

    @cached_property
    def differences(self) -> np.ndarray:
        """``x_i - x_j`` on every edge."""
        return self.X[self.edges.rows] - self.X[self.edges.cols]

    @cached_property
    def lengths(self) -> np.ndarray:
        """``|x_i - x_j|^2`` on every edge."""
        return np.sum(self.differences**2, axis=1)

    @cached_property
    def incidence(self) -> sp.csr_array:
        """1 where an edge begins and -1 where it ends, ``(m, edges)``."""
        e = np.arange(self.edges.n_pairs)
        ends = np.concatenate([self.edges.rows, self.edges.cols])
        signs = np.repeat([1.0, -1.0], len(e))
        shape = (self.edges.n_nodes, len(e))
        return sp.csr_array((signs, (ends, np.concatenate([e, e]))), shape=shape)

    @cached_property
    def degrees(self) -> sp.csr_array:
        """S, of the nodes that need a degree."""
        return abs(self.incidence[np.flatnonzero(self.needy)]).tocsr()

    @cached_property
    def hessian(self) -> sp.csr_array:
        """The second derivatives of ``||L(w) X||^2``: zero unless two edges share a node."""
        pattern = (self.incidence.T @ self.incidence).tocoo()
        products = np.einsum(
            "ef,ef->e", self.differences[pattern.row], self.differences[pattern.col]
        )
        values = 2 * pattern.data * products
        return sp.csr_array((values, (pattern.row, pattern.col)), shape=pattern.shape)

    def smoothed(self, w: np.ndarray) -> np.ndarray:
        """``Y = L(w) X``."""
        return self.incidence @ (w[:, None] * self.differences)

    def slopes(self, Y: np.ndarray) -> np.ndarray:
        """``2 (y_i - y_j).(x_i - x_j)`` on every edge."""
        between = Y[self.edges.rows] - Y[self.edges.cols]
        return 2 * np.einsum("ef,ef->e", between, self.differences)

    # -- bounds --------------------------------------------------------------

    def feasible(self, point: Iterate) -> np.ndarray:
        """The weights without those that vanish, scaled so that they just have their degrees."""
        vanishing = point.w * self.hessian.diagonal() < _VANISHING * point.costs
        w = np.where(vanishing, 0.0, point.w)
        scale = _least_scale(self.degrees @ w, self.slack)
        if np.isfinite(scale):
            return w * scale
        return point.w * _least_scale(self.degrees @ point.w, self.slack)

    def lower_bound(self, Y: np.ndarray, p: np.ndarray, excess: float) -> float:
        """The bound by p and ``Y + excess X``, where the excess makes up for what p violates."""
        return lower_bound(p, Y + excess * self.X, self.slack)

    def excess(self, Y: np.ndarray, p: np.ndarray) -> float:
        """The least multiple of X to add to Y for ``slopes >= S' p`` on every edge."""
        violation = self.degrees.T @ p - self.slopes(Y)
        return float(np.max(violation / (2 * self.lengths), initial=0.0))

    def gap(self, point: Iterate) -> float:
        """The duality gap relative to the objective of the feasible weights."""
        value = float(np.sum(self.smoothed(self.feasible(point)) ** 2))
        Y = self.smoothed(point.w)
        bound = self.lower_bound(Y, point.p, self.excess(Y, point.p))
        return 1 - bound / value

    # -- Newton's direction --------------------------------------------------

    def start(self) -> Iterate:
        """A point in the midst: surplus degrees everywhere, costs of the size of the slopes."""
        w = np.full(self.edges.n_pairs, 2 / (self.degrees.sum(axis=1).min() + 1.0))
        surplus = np.maximum(self.degrees @ w - 1, 1.0)
        size = np.mean(np.abs(self.hessian @ w)) + np.mean(self.lengths)
        return Iterate(w, np.full(len(w), size), surplus, np.full(len(surplus), size))

    def direction(self, point: Iterate) -> Iterate:
        """Mehrotra's: towards the optimum, then corrected towards the middle."""
        system = _NewtonSystem(self, point)
        w_products, p_products = point.w * point.costs, point.surplus * point.p
        affine = system.solve(w_products, p_products)
        there = point.moved(affine, point.longest_step(affine)).complementarity
        here = point.complementarity
        aim = here * (there / here) ** 3
        return system.solve(
            w_products + affine.w * affine.costs - aim,
            p_products + affine.surplus * affine.p - aim,
        )


class _NewtonSystem:
    """The optimality conditions linearised at a point, reduced to the weights.

    The multipliers enter by ``K = diag(surplus / p) + slack d^2|p|``, whose inverse is
    diagonal plus rank one.
    """

    def __init__(self, qp: DegreeQP, point: Iterate) -> None:
        self._qp, self._point = qp, point
        norm = float(np.linalg.norm(point.p))
        self._unit = point.p / norm
        self._curvature = qp.slack / norm
        ratio = point.surplus / point.p
        self._inverse = 1 / (self._curvature + ratio)
        self._rest = float(np.sum(self._unit**2 * ratio * self._inverse))
        S = qp.degrees
        H = qp.hessian + S.T @ (self._inverse[:, None] * S)
        diagonal = point.costs / point.w + _RIDGE * qp.hessian.diagonal()
        self._factor = factorize(H + sp.diags_array(diagonal))
        self._column = S.T @ (self._inverse * self._unit)
        self._solved_column = self._factor.solve(self._column)
        self._dual_residual = qp.hessian @ point.w - S.T @ point.p - point.costs
        self._primal_residual = S @ point.w + qp.slack * self._unit - point.surplus - 1

    def solve(self, w_products: np.ndarray, p_products: np.ndarray) -> Iterate:
        """The direction in which both residuals and the given products vanish."""
        point, S = self._point, self._qp.degrees
        needed = -self._primal_residual - p_products / point.p
        dw = self._solve_reduced(
            -self._dual_residual - w_products / point.w + S.T @ (self._inverse * needed), needed
        )
        dp = self._inverse_times(needed - S @ dw)
        return Iterate(
            dw,
            (-w_products - point.costs * dw) / point.w,
            (-p_products - point.surplus * dp) / point.p,
            dp,
        )

    def _solve_reduced(self, right: np.ndarray, needed: np.ndarray) -> np.ndarray:
        """The weights, with the rank one part of ``K^-1`` on both sides of the equation."""
        plain = self._factor.solve(right)
        if self._curvature == 0:
            return plain
        pull = float(self._unit @ (self._inverse * needed)) - float(self._column @ plain)
        softness = self._rest / self._curvature + float(self._column @ self._solved_column)
        return plain + self._solved_column * (pull / softness)

    def _inverse_times(self, b: np.ndarray) -> np.ndarray:
        """``K^-1 b``."""
        scaled = self._inverse * b
        along = float(self._unit @ scaled) * self._curvature / self._rest
        return scaled + along * self._inverse * self._unit


def lower_bound(p: np.ndarray, Y: np.ndarray, slack: float) -> float:
    """``(sum(p) - slack |p|)_+^2 / (4 ||Y||^2)``."""
    gain = max(float(np.sum(p) - slack * np.linalg.norm(p)), 0.0)
    return gain**2 / float(4 * np.sum(Y**2))


def _least_scale(degrees: np.ndarray, slack: float) -> float:
    """The least factor f with ``|(1 - f degrees)_+| <= slack``; infinite if there is none."""
    if slack == 0:
        return float(1 / degrees.min()) if degrees.min() > 0 else np.inf
    factor = 0.0
    for _ in range(_SCALINGS):  # Newton's method on a convex function, from below
        missing = np.maximum(1 - factor * degrees, 0)
        slope = 2 * float(missing @ degrees)
        value = float(missing @ missing) - slack**2
        if value <= 0 or slope == 0:
            break
        factor += value / slope
    return factor if value <= 1e-9 * slack**2 else np.inf
