"""The graph with a given number of edges per node.

By Proposition 2 the shape of the log-degree graph depends on one number:
``F(Z, alpha, beta) = delta F(theta Z, 1, 1)`` with ``theta = 1 / sqrt(alpha beta)`` and
``delta = sqrt(alpha / beta)``; by Proposition 3 the l2-degree graph with a given total weight
depends on ``alpha`` alone. Either way the density asked for is the root of a
one-dimensional search, each solution starting from the one before.
"""

import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq

from smoothgraph.models import doubly_stochastic, l2_degree, log_degree
from smoothgraph.pairs.pattern import EdgeSet
from smoothgraph.priors import LogDegrees, QuadraticEdges, SquaredDegrees
from smoothgraph.problem import Problem
from smoothgraph.solution import Solution
from smoothgraph.solvers import Newton
from smoothgraph.support.checks import check_number

_CLOSE = 0.008  # a density this close, relatively, is the one asked for
_TOLERATED = 0.01  # one farther off than this is warned of
_SLOPE = 0.6  # of log(edges) in log(parameter), before two solutions tell it
_SECANTS = 4  # steps before a bracket is looked for
_COUNTABLE = 1e-9  # relative gap below which hardly any edge is still on its way out
_MANY_NODES = 5000  # of which a rough solution has nearly the right number of edges
_ROUGH = 1e-3  # the relative gap of such a solution
_UNRELATED = 50.0  # a nearby parameter that far from its guess belongs to other data
_SMALLEST, _LARGEST = 1e-30, 1e30  # distances whose squares and products stay in range
_WIDEST = 50.0  # how far from the first guess log(parameter) is looked for


class DensityWarning(UserWarning):
    """No graph of the model has the number of edges per node that was asked for."""


class DensityResult(NamedTuple):
    """A solution and the model's one parameter: theta, alpha or beta."""

    solution: Solution
    parameter: float


class Nearby(NamedTuple):
    """A solution of a similar problem, where a search can start."""

    parameter: float
    u: np.ndarray
    edges_per_node: float


def log_degree_with(
    edges: EdgeSet,
    z: np.ndarray,
    *,
    edges_per_node: float,
    solver: Newton | None = None,
    near: Nearby | None = None,
) -> DensityResult:
    """The log-degree graph whose nodes have ``edges_per_node`` neighbours on average.

    The solution is that of ``log_degree(edges, theta * z, alpha=1, beta=1)``. Where no graph
    has that density (ties make it jump, and every node keeps at least one edge), the
    nearest one that was found, with a warning.
    """
    tame, unit = in_units(z)
    base = log_degree(edges, tame, alpha=1.0, beta=1.0)

    def at(beta: float) -> Problem:
        return base.with_priors(QuadraticEdges(beta), LogDegrees(1.0))

    start = None
    if near is not None:
        theta = near.parameter * unit
        start = Nearby(1 / theta**2, near.u / theta, near.edges_per_node)
    beta, solution = search_density(at, base, edges_per_node, solver or Newton(), start)
    theta = float(1 / np.sqrt(beta))
    scaled = replace(
        solution,
        problem=log_degree(edges, theta * base.z),
        active_weights=solution.active_weights / theta,
        u=solution.u * theta,
    )
    return DensityResult(scaled, theta / unit)


def l2_degree_with(
    edges: EdgeSet,
    z: np.ndarray,
    *,
    edges_per_node: float,
    total_weight: float | None = None,
    solver: Newton | None = None,
    near: Nearby | None = None,
) -> DensityResult:
    """The l2-degree graph with that many neighbours per node on average, and its alpha."""
    tame, unit = in_units(z)
    base = l2_degree(edges, tame, alpha=1.0, total_weight=total_weight)
    total = float(edges.n_nodes if total_weight is None else total_weight)

    def at(beta: float) -> Problem:
        return base.with_priors(QuadraticEdges(beta), SquaredDegrees(beta / 2, total))

    start = None
    if near is not None:
        start = Nearby(2 * near.parameter / unit, near.u / unit, near.edges_per_node)
    beta, solution = search_density(at, base, edges_per_node, solver or Newton(), start)
    alpha = beta / 2 * unit
    problem = l2_degree(edges, z, alpha=alpha, total_weight=total)
    return DensityResult(replace(solution, problem=problem, u=solution.u * unit), alpha)


def doubly_stochastic_with(
    edges: EdgeSet,
    z: np.ndarray,
    *,
    edges_per_node: float,
    degree: float = 1.0,
    solver: Newton | None = None,
    near: Nearby | None = None,
) -> DensityResult:
    """The sparse doubly stochastic graph with that many neighbours per node, and its beta."""
    tame, unit = in_units(z)
    base = doubly_stochastic(edges, tame, beta=1.0, degree=degree)

    def at(beta: float) -> Problem:
        return base.with_priors(QuadraticEdges(beta), base.degree_prior)

    start = None
    if near is not None:
        start = Nearby(near.parameter / unit, near.u / unit, near.edges_per_node)
    beta, solution = search_density(at, base, edges_per_node, solver or Newton(), start)
    problem = doubly_stochastic(edges, z, beta=beta * unit, degree=degree)
    return DensityResult(replace(solution, problem=problem, u=solution.u * unit), beta * unit)


def in_units(z: np.ndarray) -> tuple[np.ndarray, float]:
    """``z / unit`` and the unit: 1, or the power of two that tames an extreme scale."""
    if not getattr(z, "is_remote", False):
        z = np.asarray(z, dtype=float)
    largest = float(z.max(initial=0.0))
    if largest == 0 or _SMALLEST < largest < _LARGEST or not np.isfinite(largest):
        return z, 1.0
    unit = float(2.0 ** np.floor(np.log2(largest)))
    return z / unit, unit


def _first_beta(problem: Problem, edges_per_node: float, near: Nearby | None) -> float:
    """Where the search starts: a guess, in proportion to what it should have been nearby."""
    if near is None:
        return beta_guesses(problem, edges_per_node)[0]
    here, there = beta_guesses(problem, edges_per_node, near.edges_per_node)
    bias = near.parameter / there
    if not 1 / _UNRELATED < bias < _UNRELATED:
        return here
    close = abs(np.log(near.edges_per_node / edges_per_node)) <= np.log1p(_CLOSE)
    return near.parameter if close else here * bias


def beta_guesses(problem: Problem, *densities: float) -> list[float]:
    """The beta at which a typical node alone would have so many neighbours, per density.

    A node whose neighbours are at ``z_1 <= z_2 <= ...`` has k of them for
    ``beta = sum over j <= k of (z_k - z_j) / degree(z_k)``; for log-degree that is
    ``theta = (k z_k^2 - b_k z_k)^(-1/2)`` with ``b_k = z_1 + ... + z_k`` (Kalofolias and
    Perraudin, 2019). The median over the nodes passes over ties.
    """
    most = problem.edges.most_at_a_node
    counts = [min(int(np.ceil(density)) + 1, most) for density in densities]
    near = problem.nearest_distances(max(counts))
    return [_lone_beta(problem, near[:, :k]) for k in counts]


def _lone_beta(problem: Problem, near: np.ndarray) -> float:
    reach = near[:, -1]
    known = np.isfinite(reach) & (reach > 0)
    excess = np.sum(reach[known, None] - near[known], axis=1)
    with np.errstate(divide="ignore"):
        degree = problem.degree_prior.lone_degree(np.where(known, reach, 1.0))[known]
    for amount in (excess, reach[known]):  # the second where all distances are equal
        if np.any(amount > 0):
            return float(np.median((amount / degree)[amount > 0]))
    return 1.0


def search_density(
    at: Callable[[float], Problem],
    base: Problem,
    edges_per_node: float,
    solver: Newton,
    start: Nearby | None,
) -> tuple[float, Solution]:
    """The beta whose solution has the density asked for; of many nodes roughly at first."""
    check_number("edges_per_node", edges_per_node, above=0)
    densest = 2 * base.edges.n_edges / base.edges.n_nodes
    if edges_per_node > densest:
        raise ValueError(
            f"edges_per_node must be at most {densest:g}, what the candidate edges allow, "
            f"got {edges_per_node:g}."
        )
    if base.edges.n_nodes >= _MANY_NODES:
        rough = replace(solver, tol=max(solver.tol, _ROUGH))
        _, beta, solution = _root(at, base, edges_per_node, rough, start)
        start = Nearby(beta, solution.u, edges_per_node)
    else:
        solver = replace(solver, tol=min(solver.tol, _COUNTABLE))
    miss, beta, solution = _root(at, base, edges_per_node, solver, start)
    exact_count = round(edges_per_node * base.edges.n_nodes / 2)
    if miss > np.log1p(_TOLERATED) and solution.n_edges != exact_count:
        warnings.warn(
            f"No graph with {edges_per_node:g} edges per node was found; the nearest has "
            f"{solution.edges_per_node:.4g}. A model has no sparser graph than its sparsest, and "
            "ties between distances make the density jump.",
            DensityWarning,
            stacklevel=3,
        )
    return beta, solution


def _root(
    at: Callable[[float], Problem],
    base: Problem,
    edges_per_node: float,
    solver: Newton,
    start: Nearby | None,
) -> tuple[float, float, Solution]:
    """How far off, beta and solution: by secants, else bracketed for Brent's method."""
    density = _Density(at, edges_per_node, solver, None if start is None else start.u)
    first = float(np.log(_first_beta(base, edges_per_node, start)))
    low, high = _secants(density, first)
    if density(low) == 0 or density(high) == 0:
        return density.best
    off, slope, reach = density(low), _SLOPE, 1.2
    while density(low) * density(high) > 0 and high - low < _WIDEST:
        # As far as a power law suggests and a little more, so that the root lies between.
        end = low if off > 0 else high
        beyond = end - reach * density(end) / slope
        low, high = (beyond, high) if off > 0 else (low, beyond)
        slope = max((density(high) - density(low)) / (high - low), _SLOPE / 3)
        reach *= 1.3
    if density(low) * density(high) < 0:
        brentq(density, low, high, xtol=1e-6, maxiter=30, disp=False)
    return density.best


def _secants(density: "_Density", x: float) -> tuple[float, float]:
    """The last two of a few secant steps from ``x``, in order; the density is often a power law."""
    last, slope = x, _SLOPE
    for _ in range(_SECANTS):
        off = density(x)
        if off == 0:
            break
        if x != last:
            slope = (off - density(last)) / (x - last)
        if not _SLOPE / 3 <= slope <= 10 * _SLOPE:
            break
        last, x = x, x - off / slope
    density(x)
    return min(last, x), max(last, x)


class _Density:
    """``log(edges per node / wanted)`` as a function of log(beta), 0 once close enough."""

    def __init__(
        self,
        at: Callable[[float], Problem],
        wanted: float,
        solver: Newton,
        start: np.ndarray | None,
    ) -> None:
        self._at, self._wanted, self._start = at, wanted, start
        self._solver = solver
        self._seen: dict[float, float] = {}
        self._best: tuple[tuple[bool, float], float, Solution] | None = None

    def __call__(self, log_beta: float) -> float:
        if log_beta not in self._seen:
            self._seen[log_beta] = self._evaluate(float(np.exp(log_beta)))
        return self._seen[log_beta]

    def _evaluate(self, beta: float) -> float:
        problem = self._at(beta)
        self._n_nodes = problem.edges.n_nodes
        solution = self._solver.solve(problem, start=self._start)
        off = float(np.log(max(solution.edges_per_node, 1e-300) / self._wanted))
        rank = (not solution.converged, abs(off))
        if self._best is None or rank < self._best[0]:
            self._best = (rank, beta, solution)
        self._start = solution.u
        nearest_whole = abs(solution.n_edges - round(self._wanted * self._n_nodes / 2)) == 0
        return 0.0 if abs(off) <= np.log1p(_CLOSE) or nearest_whole else off

    @property
    def best(self) -> tuple[float, float, Solution]:
        """How far off, beta and solution: the nearest density, of those that converged."""
        assert self._best is not None, "a search starts with an evaluation"
        (_, miss), beta, solution = self._best
        return miss, beta, solution
