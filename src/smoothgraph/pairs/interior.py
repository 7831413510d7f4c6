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

    def aim(self, u: np.ndarray, tail: np.ndarray, product: float) -> "Aim":
        """Newton's step toward products ``w s`` that all have the size ``product``."""
        return Aim(self, u, tail, product)

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
    """Newton's equations for all products ``w s`` to become ``product``, as functions of the change of ``u``."""

    def __init__(self, at: Interior, u: np.ndarray, tail: np.ndarray, product: float) -> None:
        self._at = at
        self._change = product - at.w * at.s
        self._give = 1 / (1 / at.slope + at.s / at.w)
        self._push = self._give * (self._change / at.w - at.excess(u, tail))

    @property
    def degrees(self) -> np.ndarray:
        """How much the degrees change if ``u`` does not."""
        return self._at.pairs.to_given(self._at.pairs.pattern.degree_sums(self._push))

    def curvature(self) -> CurvatureInMemory:
        """How much more they change with ``u``."""
        return CurvatureInMemory(self._at.pairs, self._give)

    def move(self, change: np.ndarray, longest: float, share: float) -> tuple[Interior, float]:
        """Where ``change`` leads, followed at most a ``share`` of the way to the boundary, and what part of it was."""
        at = self._at
        dw = self._push + self._give * at.pairs.pattern.pair_sums(at.pairs.to_stored(change))
        ds = (self._change - at.s * dw) / at.w
        step = min(1.0, share * min(longest, steps_to_zero(at.w, dw), steps_to_zero(at.s, ds)))
        return replace(at, w=at.w + step * dw, s=at.s + step * ds), step


def _slacks(pairs: "Pairs", u: np.ndarray, tail: np.ndarray) -> np.ndarray:
    """``v``."""
    return pairs.pattern.fill(kernels.slacks, pairs.to_stored(u), pairs.to_stored(tail), pairs.z)
