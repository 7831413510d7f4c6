"""``min ||L(w) X||_F^2`` subject to ``|(1 - S w)_+| <= slack``, ``w >= 0``, on given edges.

``S w`` are the degrees of the nodes that need one, and ``p >= 0`` are their multipliers. If
``2 (y_i - y_j).(x_i - x_j) >= p_i + p_j`` on all edges for a matrix Y, then
``(sum(p) - slack |p|)^2 / (4 ||Y||^2)`` is a lower bound of the optimum.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from smoothgraph.pairs.pair_set import PairSet
from smoothgraph.support.factor import factorize

_RIDGE = 1e-14  # relative to the diagonal of the Hessian, so that a factor exists
_TO_THE_BOUNDARY = 0.99  # as a share of the step that would reach it
_VANISHING = 0.01  # curvature times weight, relative to the reduced cost
_SCALINGS = 50  # steps of Newton's method, far more than it needs


class Iterate(NamedTuple):
    """Weights, their reduced costs, surplus degrees and multipliers, all positive."""

    w: np.ndarray
    costs: np.ndarray
    surplus: np.ndarray
    p: np.ndarray

    def move(self, direction: "Iterate", step: float) -> "Iterate":
        """Return ``self + step * direction``."""
        return Iterate(*(a + step * b for a, b in zip(self, direction, strict=True)))

    def longest_step(self, direction: "Iterate") -> float:
        """Return the longest step, at most 1, that keeps all numbers positive."""
        here, there = np.concatenate(self), np.concatenate(direction)
        ratio = np.max(-there / here, initial=0.0)
        return float(min(1.0, _TO_THE_BOUNDARY / ratio)) if ratio > 0 else 1.0

    @property
    def complementarity(self) -> float:
        """The mean of the products that vanish at the optimum."""
        total = self.w @ self.costs + self.surplus @ self.p
        return float(total / (len(self.w) + len(self.p)))


@dataclass(frozen=True, eq=False)
class DegreeProgram:
    """Nodes at the rows of X, edges of positive length among them, and who needs a degree."""

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
        """The ``(m, edges)`` matrix with 1 where an edge begins and -1 where it ends."""
        e = np.arange(self.edges.n_pairs)
        ends = np.concatenate([self.edges.rows, self.edges.cols])
        signs = np.repeat([1.0, -1.0], len(e))
        shape = (self.edges.n_nodes, len(e))
        return sp.csr_array((signs, (ends, np.concatenate([e, e]))), shape=shape)

    @cached_property
    def degrees(self) -> sp.csr_array:
        """S, restricted to the nodes that need a degree."""
        return abs(self.incidence[np.flatnonzero(self.needy)]).tocsr()

    @cached_property
    def hessian(self) -> sp.csr_array:
        """The second derivatives of ``||L(w) X||^2``, nonzero only if two edges share a node."""
        pattern = (self.incidence.T @ self.incidence).tocoo()
        products = np.einsum("ef,ef->e", self.differences[pattern.row], self.differences[pattern.col])
        values = 2 * pattern.data * products
        return sp.csr_array((values, (pattern.row, pattern.col)), shape=pattern.shape)

    def smooth(self, w: np.ndarray) -> np.ndarray:
        """Return ``Y = L(w) X``."""
        return self.incidence @ (w[:, None] * self.differences)

    def slopes(self, Y: np.ndarray) -> np.ndarray:
        """Return ``2 (y_i - y_j).(x_i - x_j)`` on every edge."""
        between = Y[self.edges.rows] - Y[self.edges.cols]
        return 2 * np.einsum("ef,ef->e", between, self.differences)

    def feasible_weights(self, point: Iterate) -> np.ndarray:
        """Drop the weights that vanish, and scale the rest to just meet the degrees."""
        vanishing = point.w * self.hessian.diagonal() < _VANISHING * point.costs
        w = np.where(vanishing, 0.0, point.w)
        scale = _least_scale(self.degrees @ w, self.slack)
        if np.isfinite(scale):
            return w * scale
        return point.w * _least_scale(self.degrees @ point.w, self.slack)

    def lower_bound(self, Y: np.ndarray, p: np.ndarray, excess: float) -> float:
        """Return the bound from p and ``Y + excess X``; the excess makes up for violations."""
        return lower_bound(p, Y + excess * self.X, self.slack)

    def excess(self, Y: np.ndarray, p: np.ndarray) -> float:
        """Return the least multiple of X to add to Y for ``slopes >= S' p`` on every edge."""
        violation = self.degrees.T @ p - self.slopes(Y)
        return float(np.max(violation / (2 * self.lengths), initial=0.0))

    def gap(self, point: Iterate) -> float:
        """Return the duality gap, relative to the objective of the feasible weights."""
        value = float(np.sum(self.smooth(self.feasible_weights(point)) ** 2))
        Y = self.smooth(point.w)
        bound = self.lower_bound(Y, point.p, self.excess(Y, point.p))
        return 1 - bound / value

    def start(self) -> Iterate:
        """Return a central point: surplus degrees everywhere, costs of the size of the slopes."""
        w = np.full(self.edges.n_pairs, 2 / (self.degrees.sum(axis=1).min() + 1.0))
        surplus = np.maximum(self.degrees @ w - 1, 1.0)
        size = np.mean(np.abs(self.hessian @ w)) + np.mean(self.lengths)
        return Iterate(w, np.full(len(w), size), surplus, np.full(len(surplus), size))

    def direction(self, point: Iterate) -> Iterate:
        """Return Mehrotra's direction: toward the optimum, corrected toward the center."""
        system = _NewtonSystem(self, point)
        w_products, p_products = point.w * point.costs, point.surplus * point.p
        affine = system.solve(w_products, p_products)
        there = point.move(affine, point.longest_step(affine)).complementarity
        here = point.complementarity
        aim = here * (there / here) ** 3
        return system.solve(w_products + affine.w * affine.costs - aim, p_products + affine.surplus * affine.p - aim)


class _NewtonSystem:
    """The optimality conditions, linearized at a point and reduced to the weights.

    The multipliers enter through ``K = diag(surplus / p) + slack d^2|p|``, whose inverse is
    diagonal plus rank one.
    """

    def __init__(self, program: DegreeProgram, point: Iterate) -> None:
        self._program, self._point = program, point
        norm = float(np.linalg.norm(point.p))
        self._unit = point.p / norm
        self._curvature = program.slack / norm
        ratio = point.surplus / point.p
        self._inverse = 1 / (self._curvature + ratio)
        self._rest = float(np.sum(self._unit**2 * ratio * self._inverse))
        S = program.degrees
        H = program.hessian + S.T @ (self._inverse[:, None] * S)
        diagonal = point.costs / point.w + _RIDGE * program.hessian.diagonal()
        self._factor = factorize(H + sp.diags_array(diagonal))
        self._column = S.T @ (self._inverse * self._unit)
        self._solved_column = self._factor.solve(self._column)
        self._dual_residual = program.hessian @ point.w - S.T @ point.p - point.costs
        self._primal_residual = S @ point.w + program.slack * self._unit - point.surplus - 1

    def solve(self, w_products: np.ndarray, p_products: np.ndarray) -> Iterate:
        """Return the direction in which both residuals and the given products vanish."""
        point, S = self._point, self._program.degrees
        needed = -self._primal_residual - p_products / point.p
        dw = self._solve_reduced(-self._dual_residual - w_products / point.w + S.T @ (self._inverse * needed), needed)
        dp = self._inverse_times(needed - S @ dw)
        return Iterate(dw, (-w_products - point.costs * dw) / point.w, (-p_products - point.surplus * dp) / point.p, dp)

    def _solve_reduced(self, right: np.ndarray, needed: np.ndarray) -> np.ndarray:
        """Solve for the weights, with the rank-one part of ``K^-1`` on both sides."""
        plain = self._factor.solve(right)
        if self._curvature == 0:
            return plain
        pull = float(self._unit @ (self._inverse * needed)) - float(self._column @ plain)
        softness = self._rest / self._curvature + float(self._column @ self._solved_column)
        return plain + self._solved_column * (pull / softness)

    def _inverse_times(self, b: np.ndarray) -> np.ndarray:
        """Return ``K^-1 b``."""
        scaled = self._inverse * b
        along = float(self._unit @ scaled) * self._curvature / self._rest
        return scaled + along * self._inverse * self._unit


def lower_bound(p: np.ndarray, Y: np.ndarray, slack: float) -> float:
    """Return ``(sum(p) - slack |p|)_+^2 / (4 ||Y||^2)``."""
    gain = max(float(np.sum(p) - slack * np.linalg.norm(p)), 0.0)
    return gain**2 / float(4 * np.sum(Y**2))


def _least_scale(degrees: np.ndarray, slack: float) -> float:
    """Return the least f with ``|(1 - f degrees)_+| <= slack``; infinity if there is none."""
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
