"""Edge priors: ``f`` in ``min 2 z'w + f(w) + g(S w)``."""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from scipy.special import wrightomega, xlogy

from smoothgraph.priors.prior import EdgePrior
from smoothgraph.support.checks import check_number, check_width
from smoothgraph.support.input_error import InputError

_TINY_RATIO = 1e-4  # below which the next term of the series is lost to rounding


@dataclass(frozen=True, eq=False)
class QuadraticEdges(EdgePrior):
    """``f(w) = beta |w|^2 + strength |w - w0|^2``: exact zeros, denser for larger beta.

    ``w0``, one weight per candidate edge, is a graph that the answer should stay close to. With ``beta = strength =
    0`` nothing but the distances shapes the edges.
    """

    beta: float
    w0: np.ndarray | None = field(default=None, kw_only=True)
    strength: float = field(default=0.0, kw_only=True)

    def __post_init__(self) -> None:
        check_number("beta", self.beta, minimum=0)
        check_number("strength", self.strength, minimum=0)
        if self.w0 is None:
            if self.strength > 0:
                raise InputError("strength > 0 pulls towards w0, but no w0 was given.")
            return
        w0 = np.asarray(self.w0, dtype=float)
        if not np.all(np.isfinite(w0)) or np.any(w0 < 0):
            raise InputError("w0 must hold finite weights >= 0, one per candidate edge.")
        object.__setattr__(self, "w0", w0)

    @property
    def n_pairs(self) -> int | None:
        """The length of ``w0``, if given."""
        return None if self.w0 is None else len(self.w0)

    @property
    def _pull(self) -> np.ndarray | float:
        return 0.0 if self.w0 is None else 2 * self.strength * self.w0

    @property
    def _total(self) -> float:
        return self.beta + self.strength

    def value(self, w: np.ndarray) -> float:
        """``beta |w|^2 + strength |w - w0|^2``."""
        off = 0.0 if self.w0 is None else self.strength * float(np.sum((w - self.w0) ** 2))
        return self.beta * float(w @ w) + off

    def conjugate(self, v: np.ndarray) -> float:
        """``max(v, 0)^2 / (4 beta)`` for ``w0 = 0``; the indicator of v <= 0 for beta = 0."""
        positive = v + self._pull
        np.maximum(positive, 0, out=positive)
        if self._total == 0:
            return float(np.inf if np.any(positive > 0) else 0.0)
        off = 0.0 if self.w0 is None else self.strength * float(self.w0 @ self.w0)
        return float(positive @ positive) / (4 * self._total) - off

    def divergence(self, w: np.ndarray, v: np.ndarray) -> float:
        """``beta |w - max(v, 0) / (2 beta)|^2 + w' max(-v, 0)`` for ``w0 = 0``."""
        pulled = v + self._pull
        idle = float(w @ np.maximum(-pulled, 0))
        if self._total == 0:
            return np.inf if np.any(pulled > 0) else idle
        off = w - self.maximizer(v)
        return self._total * float(off @ off) + idle

    def weight_error(self, gap: float, largest: float) -> float:
        """``sqrt(gap / (beta + strength))``."""
        return float(np.sqrt(gap / self._total)) if self._total > 0 else np.inf

    def maximizer(self, v: np.ndarray) -> np.ndarray:
        """``max(v, 0) / (2 beta)`` for ``w0 = 0``."""
        w = v + self._pull
        np.maximum(w, 0, out=w)
        w /= 2 * self._total
        return w

    def curvature(self, v: np.ndarray) -> np.ndarray:
        """``[v > 0] / (2 beta)`` for ``w0 = 0``."""
        return (v + self._pull > 0) / (2 * self._total)

    def prox(self, y: np.ndarray, step: float) -> np.ndarray:
        """``max(0, (y + step pull) / (1 + 2 step (beta + strength)))``."""
        return np.maximum(y + step * self._pull, 0) / (1 + 2 * step * self._total)

    def gradient(self, w: np.ndarray) -> np.ndarray:
        """``2 beta w + 2 strength (w - w0)``."""
        return 2 * self._total * w - self._pull

    @property
    def lipschitz(self) -> float:
        """``2 (beta + strength)``."""
        return 2 * self._total

    @property
    def smooth_conjugate(self) -> bool:
        """False only for ``beta = strength = 0``."""
        return self._total > 0

    @property
    def threshold(self) -> np.ndarray | float:
        """``-2 strength w0``."""
        return -self._pull

    @property
    def slope(self) -> float | None:
        """``1 / (2 (beta + strength))``."""
        return 0.5 / self._total if self._total > 0 else None

    def take(self, ids: Any) -> "QuadraticEdges":
        """The same with ``w0[ids]``."""
        return self if self.w0 is None else replace(self, w0=self.w0[ids])

    def lone(self) -> "QuadraticEdges":
        """``beta + strength`` alone: the pull toward ``w0`` is in the cost."""
        return self if self.w0 is None else QuadraticEdges(self._total)

    def relax(self, beta: float) -> "QuadraticEdges":
        """The same with a larger beta."""
        return self if self._total >= beta else replace(self, beta=beta - self.strength)


@dataclass(frozen=True)
class EntropyEdges(EdgePrior):
    """``f(w) = 4 sigma^2 sum w (log w - 1)``: the Gaussian kernel's prior, never a zero."""

    sigma: float

    def __post_init__(self) -> None:
        check_width("sigma", self.sigma)

    @property
    def temperature(self) -> float:
        """``4 sigma^2``."""
        return 4 * self.sigma**2

    def value(self, w: np.ndarray) -> float:
        """``4 sigma^2 sum w (log w - 1)`` with ``0 log 0 = 0``."""
        return self.temperature * float(np.sum(xlogy(w, w) - w))

    def conjugate(self, v: np.ndarray) -> float:
        """``4 sigma^2 sum exp(v / (4 sigma^2))``."""
        return self.temperature * float(np.sum(self.maximizer(v)))

    def divergence(self, w: np.ndarray, v: np.ndarray) -> float:
        """``4 sigma^2 sum w log(w / w') - w + w'`` with ``w' = exp(v / (4 sigma^2))``."""
        w_of_v = self.maximizer(v)
        ratio = np.log(w, out=np.zeros_like(w), where=w > 0) - v / self.temperature
        terms = w * ratio - w + w_of_v
        near = np.abs(ratio) < _TINY_RATIO  # where these would cancel, by its series
        terms[near] = w[near] * ratio[near] ** 2 * (1 / 2 - ratio[near] / 6)
        return self.temperature * float(np.sum(terms))

    def weight_error(self, gap: float, largest: float) -> float:
        """``sqrt(2 a largest) + a`` with ``a = gap / (4 sigma^2)``.

        For ``w log(w / y) - w + y <= a`` implies ``|w - y| <= sqrt(2 a w) + a`` and ``sqrt(2 a y) + a``.
        """
        a = gap / self.temperature
        return float(np.sqrt(2 * a * largest) + a)

    def maximizer(self, v: np.ndarray) -> np.ndarray:
        """``exp(v / (4 sigma^2))``."""
        with np.errstate(over="ignore"):  # an overflow is a step that the line search refuses
            return np.exp(v / self.temperature)

    def curvature(self, v: np.ndarray) -> np.ndarray:
        """``exp(v / (4 sigma^2)) / (4 sigma^2)``."""
        return self.maximizer(v) / self.temperature

    def prox(self, y: np.ndarray, step: float) -> np.ndarray:
        """``t omega(y / t - log t)``, ``t = 4 sigma^2 step``, omega the Wright function."""
        t = self.temperature * step
        return t * wrightomega(y / t - np.log(t))

    def relax(self, beta: float) -> "EntropyEdges":
        """The same with a larger sigma, so that six weights that sum to 1 curve like beta w^2."""
        temperature = beta / 3  # 2 beta w at w = 1/6
        return self if self.temperature >= temperature else EntropyEdges(np.sqrt(temperature) / 2)
