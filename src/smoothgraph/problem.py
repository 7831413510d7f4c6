"""The problem: candidate pairs and priors, its primal, its dual and the gap between them.

The seam, :mod:`smoothgraph.pairs.seam`, defines the letters.
"""

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from smoothgraph.pairs.seam import (
    Balance,
    CandidatePairs,
    EdgeCurvature,
    EdgeTerms,
    Totals,
    Weights,
    check_against_priors,
)
from smoothgraph.priors.prior import DegreePrior, EdgePrior

_A_FEW_ULPS = 1e-15


@dataclass(frozen=True, eq=False)
class Problem:
    """``minimize 2 z'w + f(w) + g(S w) over w >= 0``.

    Its dual is ``maximize -g*(-u) - f*(v)``. A primal value minus a dual value bounds the distance of both from the
    optimum. ``start`` are multipliers near the optimum, if known.
    """

    pairs: CandidatePairs
    edge_prior: EdgePrior = field(kw_only=True)
    degree_prior: DegreePrior = field(kw_only=True)
    start: np.ndarray | None = field(kw_only=True, default=None)

    def __post_init__(self) -> None:
        check_against_priors(self.pairs, self.edge_prior, self.degree_prior)

    def evaluate(self, u: np.ndarray, tail: np.ndarray | None = None) -> "DualPoint":
        """The dual at ``u``; if rounding took ``tail`` from it, at ``u + tail``."""
        return DualPoint(self, u, np.zeros_like(u) if tail is None else tail)

    def totals(self, w: Weights) -> Totals:
        """Sums over the weights: degrees, ``z'w``, ``f(w)``, the number of edges."""
        return self.pairs.totals(self.edge_prior, w)

    def primal(self, w: Weights) -> float:
        """``2 z'w + f(w) + g(S w)``."""
        totals = self.totals(w)
        return 2 * totals.distance + totals.value + self.degree_prior.value(totals.degrees)

    def dual(self, u: np.ndarray) -> float:
        """``-g*(-u) - f*(S'u - 2z)``: never above the optimum."""
        return -self.evaluate(u).objective

    def gap(self, w: Weights, u: np.ndarray) -> float:
        """The relative duality gap: ``(primal - dual) / (|u'd| + |f*(v)|)`` plus any violation.

        It bounds how far the primal value is above the optimum. Under a hard constraint that is the optimum among all
        weights with the same degrees (or total), and the violation says how far these are from those asked for.
        The two terms of the scale are those that the dual balances (for log-degree the first is ``alpha m`` at the
        optimum). Unlike the objective, they do not shift with the scale of the distances. A degree prior may ask for
        less than that scale.
        """
        degrees = self.totals(w).degrees
        at = self.evaluate(u)
        return at.relative(at.lack(w, degrees), degrees)

    def feasible(self, w: Weights) -> Weights:
        """``w`` rescaled toward a hard constraint on the degrees, if there is one."""
        if not self.degree_prior.is_constrained:
            return w
        return self.pairs.multiply(w, self.degree_prior.rescale(self.totals(w).degrees))

    def on(self, part: CandidatePairs) -> "Problem":
        """The problem on a part of its pairs, as ``pairs.select`` returns it."""
        if part is self.pairs:
            return self
        prior = self.edge_prior
        if prior.n_pairs is not None:
            prior = prior.take(self.pairs.locate(part))
        return replace(self, pairs=part, edge_prior=prior)

    def curvature(self, edges: EdgeCurvature, u: np.ndarray) -> "Curvature":
        """The Hessian of minus the dual at ``u``, with the curvature of the edges."""
        prior = self.degree_prior
        return Curvature(edges, *prior.curvature(u), prior.coupling(u))

    def with_edge_prior(self, edge_prior: EdgePrior) -> "Problem":
        """The same problem with another edge prior."""
        return replace(self, edge_prior=edge_prior)


@dataclass(frozen=True, eq=False)
class DualPoint:
    """The dual of a problem at one ``u``, and the weights ``w = f*'(v)`` there."""

    problem: Problem
    u: np.ndarray
    tail: np.ndarray

    @cached_property
    def _terms(self) -> EdgeTerms:
        return self.problem.pairs.evaluate(self.problem.edge_prior, self.u, self.tail)

    @property
    def weights(self) -> Weights:
        """``w = f*'(v)``."""
        return self._terms.weights

    @property
    def conjugate(self) -> float:
        """``f*(v)``."""
        return self._terms.conjugate

    @property
    def degrees(self) -> np.ndarray:
        """``S w``."""
        return self._terms.degrees

    def log_degrees(self) -> np.ndarray:
        """``log d``, even where the weights of an edge prior with a temperature vanish."""
        return self._terms.log_degrees()

    @cached_property
    def objective(self) -> float:
        """Minus the dual, which Newton minimizes."""
        at_nodes = self.problem.degree_prior.conjugate(self.u)
        return at_nodes + self.conjugate if np.isfinite(at_nodes) else np.inf

    @cached_property
    def gradient(self) -> np.ndarray:
        """The gradient of the dual: wanted minus present degrees."""
        return self.problem.degree_prior.maximizer(self.u) - self.degrees

    @cached_property
    def gap(self) -> float:
        """The relative gap between the weights ``f*'(v)`` and ``u``, where ``f(w) + f*(v) = v'w``."""
        return self.relative(abs(self.problem.degree_prior.divergence(self.degrees, self.u)), self.degrees)

    def lack(self, w: Weights, degrees: np.ndarray) -> float:
        """``primal - dual`` for the weights ``w``, whose degrees are given, if these meet any hard constraint.

        As ``u'd = v'w + 2 z'w``, it is ``f(w) + f*(v) - v'w`` plus ``g(d) + g*(-u) + u'd``, which are not negative.
        """
        return abs(self._terms.divergence(w) + self.problem.degree_prior.divergence(degrees, self.u))

    @property
    def lesser_squares(self) -> float:
        """The sum of ``min(|u_i|, |u_j|)^2`` over the edges."""
        return self._terms.lesser_squares()

    def weights_beside(self, change: np.ndarray) -> Weights:
        """The weights to first order, if ``u`` changes, or 0 where they would be negative."""
        return self._terms.weights_beside(change)

    def relative(self, lack: float, degrees: np.ndarray) -> float:
        """The relative gap of weights with these degrees, which ``lack`` so much."""
        if not np.isfinite(lack):
            return np.inf
        prior = self.problem.degree_prior
        scale = prior.gap_scale(self.u, degrees, self.conjugate)
        return (lack / scale if scale > 0 else lack) + prior.violation(degrees)

    @property
    def scale(self) -> float:
        """What the gap is relative to."""
        return self.problem.degree_prior.gap_scale(self.u, self.degrees, self.conjugate)

    def curvature(self) -> "Curvature":
        """The generalized Hessian of minus the dual."""
        return self.problem.curvature(self._terms.curvature(), self.u)

    @property
    def stranded(self) -> np.ndarray:
        """The nodes that must have an edge and have none."""
        return (self.degrees == 0) & self.problem.degree_prior.needs_edges

    def rise(self, change: np.ndarray | None = None) -> np.ndarray:
        """How far each node's ``u`` must rise until it has an edge; 0 if it has one.

        With ``change``, the multipliers are first changed by that much; this counts at nodes without an edge.
        """
        return self._terms.rise(change)

    def largest_slacks(self, k: int) -> np.ndarray:
        """The ``k`` largest ``v_e``, less what an edge needs, at each node, decreasing, ``(m, k)``.

        They are minus infinity where pairs are fewer.
        """
        return self._terms.largest(k)

    def balanced_weights(self) -> Weights:
        """The weights, each scaled so that the lesser of its nodes has the degree it wants.

        The weights of a far-away node are differences of large numbers and the first to lose their digits. Its
        neighbors, whose degrees are larger by far, do not notice the correction. A node that lost all its edges to
        rounding gets its best one back.
        """
        wanted = np.maximum(self.problem.degree_prior.maximizer(self.u), 0)  # no weight is negative
        ratio = np.divide(wanted, self.degrees, out=np.ones_like(self.u), where=self.degrees > 0)
        lost = self.stranded
        rise = self.rise() if np.any(lost) else np.zeros_like(self.u)
        return self._terms.balance(Balance(wanted, ratio, lost, rise))

    def limited_weights(self) -> Weights:
        """The weights where they overflow, each scaled down so that no node has more than the degree it wants."""
        return self._terms.limit(np.maximum(self.problem.degree_prior.maximizer(self.u), 0))

    def below_all_costs(self) -> np.ndarray:
        """Multipliers with ``u_i + u_j <= 2 z_e`` on every pair, as the limit beta = 0 wants."""
        return self.u - self._terms.excess() - _A_FEW_ULPS * np.abs(self.u)


@dataclass(frozen=True, eq=False)
class Curvature:
    """``diag(diagonal) + coupling + S diag(c) S' - r r'``: Newton's matrix."""

    edges: EdgeCurvature
    diagonal: np.ndarray
    r: np.ndarray | None
    coupling: sp.csr_array | None = None

    def __matmul__(self, x: np.ndarray) -> np.ndarray:
        """The product with a vector, in time proportional to the edges."""
        product = self.edges.product(x)
        product += self.diagonal * x
        if self.coupling is not None:
            product += self.coupling @ x
        if self.r is not None:
            product -= self.r * (self.r @ x)
        return product

    @cached_property
    def jacobi(self) -> np.ndarray:
        """The diagonal of the whole matrix."""
        jacobi = self.diagonal + self.edges.diagonal
        return jacobi if self.r is None else jacobi - self.r**2

    @property
    def n_pairs(self) -> int:
        """How many pairs of nodes the matrix couples."""
        return self.edges.n_pairs

    def sparse_part(self) -> sp.csc_array:
        """The matrix without its rank-one part; very stiff pairs stand in rows of their own."""
        matrix = self.edges.matrix(self.diagonal)
        if self.coupling is None:
            return matrix
        coupling = self.coupling.copy()
        coupling.resize(matrix.shape)
        return (matrix + coupling).tocsc()

    def damp(self, share: float) -> "Curvature":
        """Add ``share`` of the matrix's own diagonal, and of the largest entry where it is zero."""
        jacobi = self.jacobi
        ridge = np.where(jacobi > 0, share * jacobi, np.max(jacobi, initial=0.0) or 1.0)
        return replace(self, diagonal=self.diagonal + ridge)
