"""The table of models: each family says its priors, its one density parameter and its units.

A model is a pair of priors ``(f, g)`` in ``min 2 z'w + f(w) + g(S w)``. The functions give a problem ready to
solve, with parameters of its own or with the number of edges per node asked for.

How many edges a graph has depends on one number per family. By Proposition 2, ``F(Z, alpha, beta) = delta F(theta
Z, 1, 1)`` with ``theta = 1 / sqrt(alpha beta)`` and ``delta = sqrt(alpha / beta)``, so the shape of a log-degree
graph depends on ``theta`` alone. By Proposition 3 that of an l2-degree graph with a given total weight depends on
``alpha`` alone. Here each family has a parameter ``p`` in the unit of the distances: with ``c`` times the distances
and ``c p``, the weights are the same, and the multipliers are ``c`` times as large.
"""

import warnings
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from smoothgraph.density import search_density
from smoothgraph.pairs.known_weights import known_weights
from smoothgraph.pairs.seam import CandidatePairs
from smoothgraph.priors import (
    DegreePrior,
    EdgePrior,
    EntropyEdges,
    FixedDegrees,
    FreeDegrees,
    LogDegrees,
    QuadraticEdges,
    SharedLogDegrees,
    SquaredDegrees,
)
from smoothgraph.priors.coupled_edges import COUPLINGS
from smoothgraph.problem import Problem
from smoothgraph.support.checks import check_number
from smoothgraph.support.input_error import InputError


class Family(ABC):
    """Priors with one density parameter ``p``, which has the unit of the distances."""

    #: The name of the fitted attribute that tells the parameter.
    attribute: ClassVar[str]
    #: The quadratic edge prior is ``curvature p |w|^2``.
    curvature: ClassVar[float] = 1.0
    #: ``p^power`` is in proportion to the curvature times the degree that a lone node wants.
    power: ClassVar[int] = 1

    @abstractmethod
    def priors(self, p: float, n_nodes: int) -> tuple[EdgePrior, DegreePrior]:
        """``f`` and ``g`` at the parameter ``p``."""

    def problem(self, pairs: CandidatePairs, p: float) -> Problem:
        """The problem at the parameter ``p``."""
        f, g = self.priors(p, pairs.n_nodes)
        return Problem(pairs, edge_prior=f, degree_prior=g)

    def report(self, p: float) -> float:
        """The parameter as users know it."""
        return p

    def read(self, reported: float) -> float:
        """``p`` from the parameter as users know it."""
        return reported


@dataclass(frozen=True, eq=False)
class LogDegree(Family):
    """``f = p |w|^2``, ``g = -p sum a_i log d_i``; users know ``theta = 1 / p``.

    The weights ``a_i`` of the nodes are 1 unless given. If the nodes are split by groups, every link to another group
    has more than ``group_share`` of the degree of its node.
    """

    node_weights: float | np.ndarray = field(default=1.0, kw_only=True)
    group_share: float = field(default=0.1, kw_only=True)

    attribute = "theta_"
    power = 2

    def priors(self, p: float, n_nodes: int) -> tuple[EdgePrior, DegreePrior]:  # noqa: ARG002
        """``alpha = beta = p``: the weights are those of ``alpha = beta = 1`` on ``z / p``."""
        return QuadraticEdges(p), LogDegrees(p * self.node_weights)

    def problem(self, pairs: CandidatePairs, p: float) -> Problem:
        """The problem at the parameter ``p``."""
        if pairs.part_of is None:
            return super().problem(pairs, p)
        barrier = SharedLogDegrees(p * self.node_weights, self.group_share, pairs.part_of)
        return Problem(pairs, edge_prior=QuadraticEdges(p), degree_prior=barrier)

    def report(self, p: float) -> float:
        """``theta = 1 / p``."""
        return 1 / p

    def read(self, reported: float) -> float:
        """``p = 1 / theta``."""
        return 1 / reported


@dataclass(frozen=True, eq=False)
class NearLogDegree(LogDegree):
    """``f = p |w - strength s w0|^2``, ``g = -p sum a_i log d_i``: near the ``known`` graph ``w0``.

    Up to a constant, ``f`` is ``beta |w|^2 + c |w - s w0|^2`` with ``p = beta + c`` and ``strength = c / p``; it may be
    above 1, too. Only the proportions of the known weights count. The factor ``s`` gives them the size of weights of
    the model: ``s w0`` would be the best such graph if its nodes were at the same place. It minimizes ``p s^2 |w0|^2 -
    p sum a_i log(s d0_i)``, where the sum is over the nodes that have known edges.
    """

    known: Any  # an adjacency matrix
    strength: float = 1.0

    def __post_init__(self) -> None:
        check_number("prior_strength", self.strength, minimum=0)

    def problem(self, pairs: CandidatePairs, p: float) -> Problem:
        """The problem at the parameter ``p``: ``alpha = beta = p``."""
        return self.general_problem(pairs, p, p)

    def general_problem(self, pairs: CandidatePairs, alpha: float, beta: float) -> Problem:
        """The problem for any alpha and beta."""
        check_number("beta", beta, above=0)
        barrier = LogDegrees(alpha * self.node_weights)
        w0 = known_weights(pairs, self.known)
        totals = pairs.totals(QuadraticEdges(beta), w0)
        if not totals.value:
            raise InputError(
                "Expected a prior graph with edges between the nodes of the data, got none; check that its nodes are "
                "in their order."
            )
        joined = float(np.sum(np.broadcast_to(barrier.alpha, totals.degrees.shape)[totals.degrees > 0]))
        scale = np.sqrt(joined / (2 * totals.value))
        near = QuadraticEdges(0.0, w0=self.strength * scale * w0, strength=beta)
        return Problem(pairs, edge_prior=near, degree_prior=barrier)


@dataclass(frozen=True)
class L2Degree(Family):
    """``f = 2 p |w|^2``, ``g = p |d|^2``, ``sum d = total_weight``; users know ``alpha = p``."""

    total_weight: float | None = None

    attribute = "alpha_"
    curvature = 2.0

    def priors(self, p: float, n_nodes: int) -> tuple[EdgePrior, DegreePrior]:
        """``alpha = p``; the total weight is the number of nodes by default."""
        total = check_number("total_weight", n_nodes if self.total_weight is None else self.total_weight, above=0)
        return QuadraticEdges(2 * p), SquaredDegrees(p, total)


@dataclass(frozen=True, eq=False)
class DoublyStochastic(Family):
    """``f = p |w|^2`` with ``d = degree``; users know ``beta = p``."""

    degree: float | np.ndarray = 1.0

    attribute = "beta_"

    def priors(self, p: float, n_nodes: int) -> tuple[EdgePrior, DegreePrior]:  # noqa: ARG002
        """``beta = p``."""
        return QuadraticEdges(p), FixedDegrees(self.degree)


@dataclass(frozen=True, eq=False)
class TimeVarying(LogDegree):
    """``f = p |w|^2 + gamma p coupling(w_t+1 - w_t)``, ``g = -p sum log d``, over windows."""

    n_windows: int
    gamma: float = 1.0
    coupling: str = "l2"

    def __post_init__(self) -> None:
        if self.coupling not in COUPLINGS:
            raise InputError(f"coupling must be 'l2' or 'l1', got {self.coupling!r}.")
        check_number("gamma", self.gamma, minimum=0)

    def priors(self, p: float, n_nodes: int) -> tuple[EdgePrior, DegreePrior]:  # noqa: ARG002
        """``alpha = beta = p``."""
        return self.general_priors(p, p)

    def general_priors(self, alpha: float, beta: float) -> tuple[EdgePrior, DegreePrior]:
        """``f`` and ``g`` for any alpha and beta.

        The unit of the coupling makes ``F(Z, alpha, beta, gamma) = delta F(theta Z, 1, 1, gamma)`` hold as for one
        graph.
        """
        unit = beta if self.coupling == "l2" else float(np.sqrt(alpha * beta))
        prior = COUPLINGS[self.coupling](beta, self.gamma * unit, self.n_windows)
        return prior, LogDegrees(alpha)


def log_degree(
    pairs: CandidatePairs,
    *,
    alpha: float | np.ndarray | None = None,
    beta: float | None = None,
    edges_per_node: float | None = None,
    group_share: float = 0.1,
) -> Problem:
    """``min 2 z'w - alpha sum log(S w) + beta |w|^2``: the paper's model (eq. 12, f_3).

    In matrix form ``||W o Z||_11 - alpha 1'log(W1) + (beta / 2) ||W||_F^2``. A larger ``beta`` gives more edges.
    ``beta = 0`` gives the sparsest graph without isolated nodes, and needs distances above zero: coincident points
    would be joined without limit.

    With ``edges_per_node``, ``alpha = beta`` have the value that gives so many neighbors on average; otherwise both
    are 1 by default.

    If the ``pairs`` are :class:`~smoothgraph.pairs.split.SplitPairs`, every node has more than ``group_share`` of its
    degree for each group that it has a link to; see :class:`~smoothgraph.priors.shares.SharedLogDegrees`.
    """
    if edges_per_node is not None:
        return _at_density(LogDegree(group_share=group_share), pairs, edges_per_node, alpha=alpha, beta=beta)
    alpha, beta = _default(alpha), check_number("beta", _default(beta), minimum=0)
    if beta == 0 and pairs.n_pairs and pairs.distance_range[0] == 0:
        raise InputError(
            "beta = 0 has no solution when two nodes coincide (distance 0): their weight would "
            "be infinite. Take beta > 0, or merge the duplicates."
        )
    if pairs.part_of is None:
        return Problem(pairs, edge_prior=QuadraticEdges(beta), degree_prior=LogDegrees(alpha))
    barrier = SharedLogDegrees(alpha, group_share, pairs.part_of)
    return Problem(pairs, edge_prior=QuadraticEdges(check_number("beta", beta, above=0)), degree_prior=barrier)


def l2_degree(
    pairs: CandidatePairs,
    *,
    alpha: float | None = None,
    total_weight: float | None = None,
    edges_per_node: float | None = None,
) -> Problem:
    """``min 2 z'w + alpha (2 |w|^2 + |S w|^2)`` with ``sum S w = total_weight``: Dong et al.

    In matrix form ``||W o Z||_11 + alpha ||W||_F^2 + alpha ||W1||^2`` with ``||W||_11 = total_weight`` (eq. 14), by
    default the number of nodes. A larger ``alpha`` gives more edges; ``alpha -> 0`` puts all weight on the closest
    pair. Give ``alpha`` (1 by default) or ``edges_per_node``.
    """
    family = L2Degree(total_weight)
    if edges_per_node is not None:
        return _at_density(family, pairs, edges_per_node, alpha=alpha)
    return family.problem(pairs, check_number("alpha", _default(alpha), above=0))


def gaussian(pairs: CandidatePairs, *, sigma: float = 1.0) -> Problem:
    """``w = exp(-z / (2 sigma^2))``: Proposition 1, entropy on the edges, free degrees."""
    return Problem(pairs, edge_prior=EntropyEdges(sigma), degree_prior=FreeDegrees())


def doubly_stochastic(
    pairs: CandidatePairs,
    *,
    beta: float | None = None,
    sigma: float | None = None,
    degree: float | np.ndarray = 1.0,
    edges_per_node: float | None = None,
) -> Problem:
    """Every node has weighted degree ``degree``: sparse with ``beta``, dense with ``sigma``.

    ``min 2 z'w + beta |w|^2``, or ``min 2 z'w + 4 sigma^2 sum w (log w - 1)`` (Sinkhorn's problem without
    self-loops), with ``S w = degree``. With ``edges_per_node`` the problem is the sparse one, and beta has the
    value that gives so many neighbors on average.
    """
    family = DoublyStochastic(degree)
    if edges_per_node is not None:
        return _at_density(family, pairs, edges_per_node, beta=beta, sigma=sigma)
    if (beta is None) == (sigma is None):
        raise InputError(
            "Give either beta (sparse, quadratic prior) or sigma (dense, entropy prior), "
            f"got beta={beta!r} and sigma={sigma!r}."
        )
    if sigma is None:
        return family.problem(pairs, check_number("beta", beta, above=0))
    return Problem(pairs, edge_prior=EntropyEdges(sigma), degree_prior=FixedDegrees(degree))


def time_varying(
    pairs: CandidatePairs,
    *,
    n_windows: int,
    alpha: float | None = None,
    beta: float | None = None,
    gamma: float = 1.0,
    coupling: str = "l2",
    edges_per_node: float | None = None,
) -> Problem:
    """``min sum_t [2 z_t'w_t - alpha 1'log(S w_t) + beta |w_t|^2] + c sum_t |w_t+1 - w_t|``.

    The last term is ``gamma beta |.|^2`` (coupling "l2") or ``gamma sqrt(alpha beta) |.|_1`` ("l1"). ``pairs`` are
    :class:`~smoothgraph.pairs.over_time.PairsOverTime`. Give ``alpha`` and ``beta`` (1 by default) or
    ``edges_per_node``, the mean over nodes and windows.
    """
    family = TimeVarying(n_windows, gamma, coupling)
    if edges_per_node is not None:
        return _at_density(family, pairs, edges_per_node, alpha=alpha, beta=beta)
    alpha = check_number("alpha", _default(alpha), above=0)
    beta = check_number("beta", _default(beta), above=0)
    f, g = family.general_priors(alpha, beta)
    return Problem(pairs, edge_prior=f, degree_prior=g)


def _default(parameter: Any) -> Any:
    return 1.0 if parameter is None else parameter


def _at_density(family: Family, pairs: CandidatePairs, edges_per_node: float, **own: Any) -> Problem:
    """The family's problem with that many edges per node; it starts from its own solution."""
    refuse_both(edges_per_node, **own)
    found = search_density(family, pairs, edges_per_node)
    if found.warning is not None:
        warnings.warn(found.warning, stacklevel=3)
    return found.solution.problem


def refuse_both(edges_per_node: float, **own: float | None) -> None:
    """Raise an InputError if parameters of the model are given beside a density."""
    given = [name for name, value in own.items() if value is not None]
    if given:
        raise InputError(
            f"Give either edges_per_node or {' and '.join(own)}, not both; got "
            f"edges_per_node={edges_per_node!r} and {' and '.join(given)}."
        )
