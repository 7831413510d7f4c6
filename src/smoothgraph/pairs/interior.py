"""Weights and slacks that stay positive: what an interior-point method moves, over pairs in memory."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from smoothgraph.pairs import pair_kernels as kernels
from smoothgraph.pairs.curvature_in_memory import CurvatureInMemory
from smoothgraph.priors.prior import EdgePrior, steps_to_zero

if TYPE_CHECKING:
    from smoothgraph.pairs.in_memory import Pairs


@dataclass(frozen=True, eq=False)
class Interior:
    """Weights ``w > 0`` and slacks ``s > 0`` of pairs whose weights are linear above a threshold.

    The optimum has ``w / slope + threshold - v = s`` and ``w s = 0``. On the way to it ``w s`` is positive, and the
    same for all pairs where possible: so no pair is taken for an edge, or for none, too early.
    """

    pairs: "Pairs"
    slope: float
    threshold: np.ndarray | float
    w: np.ndarray
    s: np.ndarray

    @classmethod
    def around(cls, pairs: "Pairs", f: EdgePrior, u: np.ndarray, product: float) -> "Interior":
        """Weights and slacks that belong to ``u``, with ``w s = product`` for all pairs."""
        slope, threshold = f.slope, f.threshold
        assert slope is not None, "only weights that are linear above a threshold have an interior"
        v = _slacks(pairs, u, np.zeros_like(u)) - threshold
        larger = (np.abs(v) + np.hypot(v, 2 * np.sqrt(product / slope))) / 2
        lesser = product / slope / larger
        return cls(pairs, slope, threshold, slope * np.where(v > 0, larger, lesser), np.where(v > 0, lesser, larger))

    @property
    def mean_product(self) -> float:
        """The mean of ``w s``, which is to vanish."""
        return float(self.w @ self.s) / len(self.w)

    @cached_property
    def degrees(self) -> np.ndarray:
        """``S w``."""
        return self.pairs.to_given(self.pairs.pattern.degree_sums(self.w))

    def excess(self, u: np.ndarray, tail: np.ndarray) -> np.ndarray:
        """``w / slope + threshold - v - s``: zero where the slack is what it should be."""
        return self.w / self.slope + self.threshold - _slacks(self.pairs, u, tail) - self.s

    def aim(self, u: np.ndarray, tail: np.ndarray) -> "Aim":
        """Newton's equations for a change of the products ``w s``."""
        return Aim(self, u, tail)

    def edges(self, *, at_nodes: np.ndarray | bool) -> np.ndarray:
        """The weights, and zero where the slack says that there is no edge; ``at_nodes``, the best is kept."""
        pattern, kept = self.pairs.pattern, self.w > self.slope * self.s
        needed = self.pairs.to_stored(np.broadcast_to(at_nodes, pattern.n_nodes))
        alone = needed & (pattern.degree_sums(kept.astype(float)) == 0)
        if np.any(alone):
            largest = np.zeros(pattern.n_nodes)
            kernels.smallest_at_nodes(0, pattern.n_nodes, pattern.indptr, pattern.cols, -self.w, largest)
            for ends in (pattern.rows, pattern.cols):
                kept |= alone[ends] & (-self.w <= largest[ends])
        return np.where(kept, self.w, 0.0)


class Aim:
    """Newton's equations at a point, for any ``change`` of the products ``w s``, as functions of the step of ``u``."""

    def __init__(self, at: Interior, u: np.ndarray, tail: np.ndarray) -> None:
        self._at = at
        self._give = 1 / (1 / at.slope + at.s / at.w)
        self._excess = at.excess(u, tail)

    def curvature(self) -> CurvatureInMemory:
        """How fast the degrees change with ``u``."""
        return CurvatureInMemory(self._at.pairs, self._give)

    def degrees(self, change: np.ndarray) -> np.ndarray:
        """How much the degrees change if ``u`` does not."""
        return self._at.pairs.to_given(self._at.pairs.pattern.degree_sums(self._push(change)))

    def step(self, change: np.ndarray, du: np.ndarray) -> "Move":
        """The step of weights and slacks that belongs to a step of ``u``."""
        at = self._at
        dw = self._push(change) + self._give * at.pairs.pattern.pair_sums(at.pairs.to_stored(du))
        return Move(at, dw, (change - at.s * dw) / at.w)

    def _push(self, change: np.ndarray) -> np.ndarray:
        return self._give * (change / self._at.w - self._excess)


@dataclass(frozen=True, eq=False)
class Move:
    """A step of weights and slacks, which can be followed up to where one of them vanishes."""

    at: Interior
    dw: np.ndarray
    ds: np.ndarray

    @property
    def longest(self) -> float:
        """How far it can be followed."""
        return min(steps_to_zero(self.at.w, self.dw), steps_to_zero(self.at.s, self.ds))

    def follow(self, step: float) -> Interior:
        """Where it leads."""
        return replace(self.at, w=self.at.w + step * self.dw, s=self.at.s + step * self.ds)


def _slacks(pairs: "Pairs", u: np.ndarray, tail: np.ndarray) -> np.ndarray:
    """``v``."""
    return pairs.pattern.fill(kernels.slacks, pairs.to_stored(u), pairs.to_stored(tail), pairs.z)
