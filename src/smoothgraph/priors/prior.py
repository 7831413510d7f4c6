"""What a prior must offer: a new model is one class.

The problem is ``min 2 z'w + f(w) + g(S w)`` over ``w >= 0``, its dual ``max -g*(-u) - f*(v)`` with ``v = S'u -
2z``. An edge prior is ``f``, a degree prior is ``g``. The abstract methods are what Newton needs; the others have
defaults that are right for most priors.
"""

from abc import ABC, abstractmethod
from typing import Any, Protocol

import numpy as np
import scipy.sparse as sp


class PairSums(Protocol):
    """What a degree prior may ask of the candidate pairs."""

    def largest_pair_sum(self, y: np.ndarray) -> float:
        """The largest ``y_i + y_j`` over the pairs."""


class EdgePrior(ABC):
    """``f``, a sum of convex functions of one edge weight each, on ``w >= 0``."""

    @property
    def n_pairs(self) -> int | None:
        """How many pairs its parameters are for; None if they fit any number."""
        return None

    @abstractmethod
    def value(self, w: np.ndarray) -> float:
        """``f(w)``."""

    @abstractmethod
    def conjugate(self, v: np.ndarray) -> float:
        """``f*(v) = max over w >= 0 of v'w - f(w)``."""

    @abstractmethod
    def maximizer(self, v: np.ndarray) -> np.ndarray:
        """The ``w >= 0`` that attains the conjugate: its gradient."""

    @abstractmethod
    def curvature(self, v: np.ndarray) -> np.ndarray:
        """The (generalized) second derivative of the conjugate, per edge."""

    def divergence(self, w: np.ndarray, v: np.ndarray) -> float:
        """``f(w) + f*(v) - v'w``: never negative, and 0 where ``w`` attains the conjugate.

        A prior that can compute it as a sum of terms that are not negative loses no digits.
        """
        return self.value(w) + self.conjugate(v) - float(v @ w)

    def weight_error(self, gap: float, largest: float) -> float:
        """The most that ``|w_e - y_e|`` can be for one edge, if ``f(y) - f(w) - f'(w)'(y - w)`` is at most ``gap``.

        The ``largest`` of the weights ``w`` or ``y`` is given. Infinity: where ``f`` is not strongly convex, a gap says
        nothing about single weights.
        """
        return np.inf

    def prox(self, y: np.ndarray, step: float) -> np.ndarray:
        """``argmin over w >= 0 of f(w) + |w - y|^2 / (2 step)``, for PrimalDual."""
        raise TypeError(
            f"PrimalDual needs the proximal map of {type(self).__name__}, which has no `prox`; "
            "write one, or use Newton."
        )

    def gradient(self, w: np.ndarray) -> np.ndarray:
        """``f'(w)``: PrimalDual steps along it where ``lipschitz`` is finite."""
        raise NotImplementedError

    @property
    def lipschitz(self) -> float:
        """The Lipschitz constant of ``gradient``; infinity: PrimalDual uses ``prox``."""
        return np.inf

    @property
    def smooth_conjugate(self) -> bool:
        """Whether the conjugate is differentiable, as Newton needs it."""
        return True

    @property
    def threshold(self) -> np.ndarray | float:
        """``w_e = 0`` whenever ``v_e <= threshold``; ``-inf``: weights never vanish."""
        return -np.inf

    @property
    def slope(self) -> float | None:
        """``w_e = slope * max(v_e - threshold, 0)``, if that is so for all edges."""
        return None

    @property
    def temperature(self) -> float | None:
        """``w_e = exp(v_e / temperature)``, if that is so for all edges."""
        return None

    def take(self, ids: Any) -> "EdgePrior":
        """The prior of the pairs ``ids``; itself unless it has parameters per pair."""
        return self

    @property
    def sparse(self) -> bool:
        """Whether the prior sets weights to zero."""
        return bool(np.all(np.isfinite(self.threshold)))

    def relax(self, beta: float) -> "EdgePrior":
        """A prior of the same family that curves at least like ``beta w^2``, for a first step."""
        return self

    def lone(self) -> "EdgePrior":
        """The prior of a single pair, given its cost instead of its distance."""
        return self


class DegreePrior(ABC):
    """``g``, convex in the weighted degrees ``d``; ``u`` is the multiplier of ``d = S w``."""

    #: Whether PrimalDual's operator is ``K = 2 * 1'`` (total weight) rather than ``K = S``.
    on_total: bool = False
    #: Whether ``g`` is infinite, or has slope minus infinity, at ``d = 0``: no node may be isolated.
    needs_edges: bool | np.ndarray = False
    #: Whether there is a hard constraint, of which ``violation`` and ``rescale`` know.
    is_constrained: bool = False
    #: Whether every degree is fixed, so that scaling all weights cannot meet the constraint.
    fixes_degrees: bool = False
    #: Whether the term of a node depends on other nodes, as ``coupling`` says.
    is_coupled: bool = False

    @property
    def n_nodes(self) -> int | None:
        """How many nodes its parameters are for; None if they fit any number."""
        return None

    def take(self, nodes: np.ndarray) -> "DegreePrior":
        """The prior of some of the nodes; itself unless it has parameters per node."""
        return self

    @abstractmethod
    def value(self, d: np.ndarray) -> float:
        """``g(d)``, infinite where undefined; a hard constraint counts in ``violation``."""

    @abstractmethod
    def conjugate(self, u: np.ndarray) -> float:
        """``g*(-u) = max over d of -u'd - g(d)``."""

    def conjugate_if_met(self, u: np.ndarray, d: np.ndarray) -> float:
        """``g*(-u)`` if a hard constraint asked for what ``d`` has."""
        return self.conjugate(u)

    def divergence(self, d: np.ndarray, u: np.ndarray) -> float:
        """``g(d) + g*(-u) + u'd``: never negative, and 0 where ``d`` attains the conjugate.

        Under a hard constraint ``g*`` is that of a constraint which ``d`` meets. A prior that can compute it as a sum
        of terms that are not negative loses no digits.
        """
        return self.value(d) + self.conjugate_if_met(u, d) + float(u @ d)

    def multiplier_bounds(self, u: np.ndarray, gap: float) -> tuple[np.ndarray, np.ndarray]:
        """Between which numbers the optimal multipliers are, if the dual at ``u`` is at most ``gap`` below the optimum.

        Infinite where the conjugate is not strictly convex, so that a gap says nothing about them.
        """
        return np.full(len(u), -np.inf), np.full(len(u), np.inf)

    @abstractmethod
    def maximizer(self, u: np.ndarray) -> np.ndarray:
        """The ``d`` that attains the conjugate."""

    @abstractmethod
    def curvature(self, u: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
        """``(c, r)``: the Hessian of ``g*(-u)`` is ``diag(c) - r r'``, and any coupling; r may be None."""

    def coupling(self, u: np.ndarray) -> sp.csr_array | None:
        """Entries of that Hessian off the diagonal, where nodes depend on each other; None if there are none."""
        return None

    def prox(self, y: np.ndarray, step: float) -> np.ndarray:
        """``argmin over k of h(k) + |k - y|^2 / (2 step)``, for PrimalDual.

        ``h`` is all of ``g`` but its smooth part (``smooth_gradient``), a function of the degrees or, if
        ``on_total``, of their sum.
        """
        raise TypeError(
            f"PrimalDual needs the proximal map of {type(self).__name__}, which has no `prox`; "
            "write one, or use Newton."
        )

    def smooth_gradient(self, d: np.ndarray) -> np.ndarray:
        """The gradient of the part of ``g`` that PrimalDual steps along; none by default."""
        return np.zeros_like(d)

    @property
    def smooth_lipschitz(self) -> float:
        """The Lipschitz constant of ``smooth_gradient``."""
        return 0.0

    @property
    def domain(self) -> tuple[float, float]:
        """The open interval in which every ``u_i`` must lie; one with equal ends is a point."""
        return (-np.inf, np.inf)

    def longest_step(self, u: np.ndarray, direction: np.ndarray) -> float:
        """How far ``direction`` can be followed before a multiplier leaves the domain."""
        low, _ = self.domain
        return steps_to_zero(u - low, direction) if np.isfinite(low) else np.inf

    def admit(self, u: np.ndarray) -> np.ndarray:
        """``u``, moved into the domain if that depends on several nodes at once."""
        return u

    def of_whole(self, u: np.ndarray) -> np.ndarray:
        """The multipliers of the degrees of whole nodes; ``u`` unless nodes are split into parts."""
        return u

    def lone_degree(self, u: np.ndarray) -> np.ndarray:
        """The degree that a node of multiplier ``u`` wants if all others are like it."""
        return self.maximizer(u)

    def joining_degree(self, u: np.ndarray, fitted: np.ndarray) -> np.ndarray:
        """The degree that a new node of multiplier ``u`` wants beside ``fitted`` ones."""
        return self.maximizer(u)

    def gap_scale(self, u: np.ndarray, d: np.ndarray, conjugate: float) -> float:
        """``|u'd| + |f*(v)|``, what a gap is relative to."""
        return abs(float(u @ d)) + abs(conjugate)

    def violation(self, d: np.ndarray) -> float:
        """How far ``d`` is, relatively, from meeting a hard constraint."""
        return 0.0

    def rescale(self, d: np.ndarray) -> float:
        """The factor on all weights that brings ``d`` closest to a hard constraint."""
        return 1.0

    def excluded_by(self, y: np.ndarray, pairs: PairSums) -> bool:
        """Whether ``y`` proves that no weights on the pairs meet a hard constraint (Farkas)."""
        return False


def steps_to_zero(x: np.ndarray, change: np.ndarray) -> float:
    """How many times ``change`` can be added to ``x > 0`` before an entry is zero."""
    falling = change < 0
    return float(np.min(-x[falling] / change[falling], initial=np.inf))
