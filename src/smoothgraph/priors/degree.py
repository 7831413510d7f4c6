"""Degree priors: ``g`` in ``min 2 z'w + f(w) + g(S w)``."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from smoothgraph.priors.prior import DegreePrior, PairSums
from smoothgraph.support.checks import check_number
from smoothgraph.support.input_error import InputError

_TINY_RATIO = 1e-4  # below which the next term of the series is lost to rounding
LARGEST_SCALE = 1.5  # times alpha m: at the optimum 2 z'w + 2 beta |w|^2 = alpha m, and so f*(v) <= alpha m / 2


@dataclass(frozen=True, eq=False)
class LogDegrees(DegreePrior):
    """``g(d) = -sum alpha_i log d_i``: the paper's barrier, which leaves no node isolated.

    ``alpha`` is one number for all nodes, or one for each: a node with a larger one has more and heavier edges.
    """

    alpha: float | np.ndarray

    needs_edges = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "alpha", _positive_at_nodes("alpha", self.alpha))

    @property
    def n_nodes(self) -> int | None:
        """The length of ``alpha``, if it is one number per node."""
        return np.size(self.alpha) if np.ndim(self.alpha) else None

    def take(self, nodes: np.ndarray) -> "LogDegrees":
        """With the ``alpha`` of some nodes, if each has its own."""
        return LogDegrees(self.alpha[nodes]) if isinstance(self.alpha, np.ndarray) else self

    @property
    def domain(self) -> tuple[float, float]:
        """``u > 0``."""
        return (0.0, np.inf)

    def value(self, d: np.ndarray) -> float:
        """``-sum alpha_i log d_i``, infinite if a node is isolated."""
        if np.any(d <= 0):
            return np.inf
        return -float(np.sum(self.alpha * np.log(d)))

    def conjugate(self, u: np.ndarray) -> float:
        """``-sum alpha_i (1 + log(u_i / alpha_i))``."""
        if np.any(u <= 0):
            return np.inf
        return -float(np.sum(self.alpha * (1 + np.log(u / self.alpha))))

    def divergence(self, d: np.ndarray, u: np.ndarray) -> float:
        """``sum alpha_i (x_i - 1 - log x_i)`` with ``x = d u / alpha``."""
        if np.any(u <= 0) or np.any(d <= 0):
            return np.inf
        off = d * u / self.alpha - 1
        # x - 1 - log x, by its series where the terms would cancel
        small = off**2 * (1 / 2 - off / 3)
        return float(np.sum(self.alpha * np.where(np.abs(off) < _TINY_RATIO, small, off - np.log1p(off))))

    def multiplier_bounds(self, u: np.ndarray, gap: float) -> tuple[np.ndarray, np.ndarray]:
        """``[u / (1 + sqrt(2 a) + a), u / (1 - sqrt(2 a))]`` with ``a_i = gap / alpha_i``.

        For the dual lacks at least ``alpha_i (r - 1 - log r)`` with ``r = u_i / optimum_i``. That is at most ``gap``
        only if ``1 - sqrt(2 a) <= r <= 1 + sqrt(2 a) + a``.
        """
        a = np.broadcast_to(gap / np.asarray(self.alpha), np.shape(u))
        off = np.sqrt(2 * a)
        return u / (1 + off + a), np.divide(u, 1 - off, out=np.full(len(u), np.inf), where=off < 1)

    def maximizer(self, u: np.ndarray) -> np.ndarray:
        """``alpha / u``."""
        return self.alpha / u

    def curvature(self, u: np.ndarray) -> tuple[np.ndarray, None]:
        """``alpha / u^2``."""
        return self.alpha / u**2, None

    def gap_scale(self, u: np.ndarray, d: np.ndarray, conjugate: float) -> float:
        """``|u'd| + |f*(v)|``, but at most what it can be at the optimum if all nodes have the median ``alpha``.

        So a few nodes with a large ``alpha`` do not excuse errors at the others.
        """
        scale = super().gap_scale(u, d, conjugate)
        if np.ndim(self.alpha) == 0:
            return scale
        return min(scale, LARGEST_SCALE * float(np.median(self.alpha)) * len(u))

    def joining_degree(self, u: np.ndarray, fitted: np.ndarray) -> np.ndarray:
        """``alpha / u``, with the median of the fitted nodes if each has its own."""
        return np.median(self.alpha) / u

    def prox(self, y: np.ndarray, step: float) -> np.ndarray:
        """``(y + sqrt(y^2 + 4 alpha step)) / 2``."""
        return (y + np.sqrt(y**2 + 4 * self.alpha * step)) / 2


@dataclass(frozen=True)
class SquaredDegrees(DegreePrior):
    """``g(d) = alpha |d|^2`` with ``sum d = total``: the degrees of Dong et al."""

    alpha: float
    total: float

    on_total = True
    is_constrained = True

    def __post_init__(self) -> None:
        check_number("alpha", self.alpha, above=0)
        check_number("total", self.total, above=0)

    def value(self, d: np.ndarray) -> float:
        """``alpha |d|^2``."""
        return self.alpha * float(d @ d)

    def violation(self, d: np.ndarray) -> float:
        """``|sum d - total| / total``."""
        return abs(float(np.sum(d)) - self.total) / self.total

    def rescale(self, d: np.ndarray) -> float:
        """``total / sum d``."""
        return self.total / float(np.sum(d)) if np.any(d > 0) else 1.0

    def conjugate(self, u: np.ndarray) -> float:
        """``|u - mean u|^2 / (4 alpha) - total mean u - total^2 alpha / m``."""
        return self._conjugate(u, self.total)

    def conjugate_if_met(self, u: np.ndarray, d: np.ndarray) -> float:
        """The same with ``sum d`` as total."""
        return self._conjugate(u, float(np.sum(d)))

    def _conjugate(self, u: np.ndarray, total: float) -> float:
        off = u - np.mean(u)
        return float(off @ off / (4 * self.alpha) - total * np.mean(u) - self.alpha * total * total / len(u))

    def divergence(self, d: np.ndarray, u: np.ndarray) -> float:
        """``alpha |d - total / m + (u - mean u) / (2 alpha)|^2`` with ``sum d`` as total."""
        off = d - np.mean(d) + (u - np.mean(u)) / (2 * self.alpha)
        return self.alpha * float(off @ off)

    def maximizer(self, u: np.ndarray) -> np.ndarray:
        """``total / m - (u - mean u) / (2 alpha)``."""
        return self.total / len(u) - (u - np.mean(u)) / (2 * self.alpha)

    def curvature(self, u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """``(I - 11'/m) / (2 alpha)``."""
        m = len(u)
        return np.full(m, 0.5 / self.alpha), np.full(m, np.sqrt(0.5 / (self.alpha * m)))

    def lone_degree(self, u: np.ndarray) -> np.ndarray:
        """``total / m``: like all others."""
        return np.full(len(u), self.total / len(u))

    def joining_degree(self, u: np.ndarray, fitted: np.ndarray) -> np.ndarray:
        """``total / m - (u - mean fitted) / (2 alpha)``: the fitted nodes set the level."""
        return self.total / len(fitted) - (u - np.mean(fitted)) / (2 * self.alpha)

    def smooth_gradient(self, d: np.ndarray) -> np.ndarray:
        """``2 alpha d``."""
        return 2 * self.alpha * d

    @property
    def smooth_lipschitz(self) -> float:
        """``2 alpha``."""
        return 2 * self.alpha

    def prox(self, y: np.ndarray, step: float) -> np.ndarray:
        """``total``, whatever y: the projection onto the constraint."""
        return np.full_like(y, self.total)


@dataclass(frozen=True, eq=False)
class FixedDegrees(DegreePrior):
    """``d = degree``: one number for all nodes, or one for each (doubly stochastic: 1)."""

    degree: float | np.ndarray = 1.0

    needs_edges = True
    is_constrained = True
    fixes_degrees = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "degree", _positive_at_nodes("degree", self.degree))

    @property
    def n_nodes(self) -> int | None:
        """The length of ``degree``, if it is one number per node."""
        return np.size(self.degree) if np.ndim(self.degree) else None

    def take(self, nodes: np.ndarray) -> "FixedDegrees":
        """With the degrees of some nodes, if each has its own."""
        return FixedDegrees(self.degree[nodes]) if isinstance(self.degree, np.ndarray) else self

    def value(self, d: np.ndarray) -> float:
        """0 (see ``violation``)."""
        return 0.0

    def violation(self, d: np.ndarray) -> float:
        """``max |d - degree| / max degree``."""
        return float(np.max(np.abs(d - self.degree)) / np.max(self.degree))

    def rescale(self, d: np.ndarray) -> float:
        """``sum degree / sum d``."""
        return float(np.sum(self.maximizer(d)) / np.sum(d)) if np.any(d > 0) else 1.0

    def conjugate(self, u: np.ndarray) -> float:
        """``-u' degree``."""
        return -float(u @ self.maximizer(u))

    def conjugate_if_met(self, u: np.ndarray, d: np.ndarray) -> float:
        """``-u'd``."""
        return -float(u @ d)

    def maximizer(self, u: np.ndarray) -> np.ndarray:
        """``degree``, whatever u."""
        return np.broadcast_to(self.degree, np.shape(u))

    def joining_degree(self, u: np.ndarray, fitted: np.ndarray) -> np.ndarray:
        """``degree``, or its mean if every fitted node has its own."""
        return np.full(len(u), np.mean(self.degree))

    def curvature(self, u: np.ndarray) -> tuple[np.ndarray, None]:
        """0."""
        return np.zeros(len(u)), None

    def prox(self, y: np.ndarray, step: float) -> np.ndarray:
        """``degree``, whatever y."""
        return np.array(self.maximizer(y))

    def excluded_by(self, y: np.ndarray, pairs: PairSums) -> bool:
        """``degree'y > max(S'y, 0) * sum(degree) / 2``.

        Weights with these degrees would have ``degree'y = w'S'y``, at most that much.
        """
        degree = self.maximizer(y)
        reach = max(pairs.largest_pair_sum(y), 0.0) * float(np.sum(degree)) / 2
        rounding = 1e-12 * float(degree @ np.abs(y))
        return float(degree @ y) > reach + rounding


@dataclass(frozen=True)
class FreeDegrees(DegreePrior):
    """``g(d) = 0``: the edges do not see each other, and the solution is in closed form."""

    @property
    def domain(self) -> tuple[float, float]:
        """``u = 0``."""
        return (0.0, 0.0)

    def value(self, d: np.ndarray) -> float:
        """0."""
        return 0.0

    def conjugate(self, u: np.ndarray) -> float:
        """The indicator of ``u = 0``."""
        return np.inf if np.any(u != 0) else 0.0

    def maximizer(self, u: np.ndarray) -> np.ndarray:
        """Any degree; 0 stands for it."""
        return np.zeros_like(u)

    def curvature(self, u: np.ndarray) -> tuple[np.ndarray, None]:
        """Infinite: ``u`` does not move."""
        return np.full(len(u), np.inf), None

    def prox(self, y: np.ndarray, step: float) -> np.ndarray:
        """``y``."""
        return y


def _positive_at_nodes(name: str, value: Any) -> float | np.ndarray:
    """One number > 0, or one per node; else an InputError."""
    if np.ndim(value) == 0:
        return check_number(name, value, above=0)
    try:
        values = np.asarray(value, dtype=float)
    except (TypeError, ValueError, OverflowError):
        values = np.asarray(np.nan)
    if values.ndim != 1 or not np.all(np.isfinite(values)) or np.any(values <= 0):
        raise InputError(f"{name} must be one number > 0 or one per node; to leave a node out, drop its row.")
    return values
