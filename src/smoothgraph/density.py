"""The graph with a given number of edges per node.

The number of edges grows with the one parameter ``p`` of a model family, so the density asked for is the root of a
one-dimensional search, and each solution starts from the one before.
"""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.optimize import brentq

from smoothgraph.pairs.seam import CandidatePairs
from smoothgraph.problem import Problem
from smoothgraph.solution import Solution, Status
from smoothgraph.solvers import Newton, Solver
from smoothgraph.solvers.certificate import is_met
from smoothgraph.solvers.coordinate_ascent import MANY_NODES
from smoothgraph.solvers.rough import Rough
from smoothgraph.solvers.solver import ROUGH
from smoothgraph.support.checks import check_number
from smoothgraph.support.input_error import InputError

if TYPE_CHECKING:
    from smoothgraph.models import Family

_CLOSE = 0.008  # a density this close, relatively, is the one asked for
_TOLERATED = 0.01  # one farther off than this is warned of
_SLOPE = 0.6  # of log(edges) in log(p^power), before two solutions tell it
_LEAST_SLOPE, _LARGEST_SLOPE = 0.2, 6.0  # of a power law that secants can follow
_ROUGHLY = 0.05  # how close rough solutions are brought where secants do not find the density
_ROUGH_STEPS, _STEPS = 8, 30  # of Brent's method
_SECANTS = 4  # steps before a bracket is looked for
_COUNTABLE = 1e-9  # relative gap below which hardly any edge is still on its way out
_UNRELATED = 1e4  # a nearby p^power that far from its guess belongs to other data
_SMALLEST, _LARGEST = 1e-30, 1e30  # distances whose squares and products stay in range
_TINY = float(np.finfo(float).tiny)  # below which a parameter would be rounded to zero
_WIDEST = 50.0  # how far from the first guess log(p^power) is looked for
_ASIDE = 1e-3  # so far from a jump, in log(p^power), an edge has a weight that is not rounding error


_NOTHING_FOUND = (True, np.inf)  # the rank of the best: whether it failed to converge, and how far off it is


class DensityWarning(UserWarning):
    """No learned graph has the number of edges per node that was asked for, bridges and identical rows aside."""


def tell_whole_density(warning: Warning, learned: float, whole: float) -> Warning:
    """A DensityWarning that also tells of the edges that bridges and identical rows add to those that are learned."""
    if not isinstance(warning, DensityWarning) or whole == learned:
        return warning
    return DensityWarning(f"{warning} With bridges and the edges of identical rows, edges_per_node_ is {whole:.4g}.")


class DensityResult(NamedTuple):
    """A solution, the family's parameter ``p``, and what to warn of, if no density fits."""

    solution: Solution
    p: float
    warning: DensityWarning | None = None


class Nearby(NamedTuple):
    """A solution of a similar problem, where a search can start."""

    p: float
    u: np.ndarray
    edges_per_node: float

    def scale(self, factor: float) -> "Nearby":
        """The same for distances that are ``factor`` times as large."""
        return self._replace(p=factor * self.p, u=factor * self.u)


def search_density(
    family: "Family",
    pairs: CandidatePairs,
    edges_per_node: float,
    solver: Solver | None = None,
    near: Nearby | None = None,
) -> DensityResult:
    """The family's graph whose nodes have ``edges_per_node`` neighbors on average.

    Where no graph has that density (ties make it jump, and a model may need some edges), return the nearest one
    that was found, and a warning for the caller to give.
    """
    check_number("edges_per_node", edges_per_node, above=0)
    family.problem(pairs, 1.0)  # or an InputError
    densest = 2 * pairs.n_pairs / pairs.n_joined
    if edges_per_node > densest:
        raise InputError(
            f"edges_per_node must be at most {densest:g}, what the candidate pairs allow, got {edges_per_node:g}."
        )
    unit, solver = _unit(pairs), solver or Newton()
    goal = _Goal(family, pairs.scale(1 / unit), edges_per_node)
    found = _search(goal, solver, None if near is None else near.scale(1 / unit))
    p = found.p * unit
    u = found.solution.u * unit
    problem = replace(family.problem(pairs, p), start=u)
    edges = found.solution.edges.scale(unit)
    # To count edges, the search asks for more accuracy than the solver was told to reach.
    met = is_met(problem, found.solution.certificate, solver.tol, getattr(solver, "weight_tol", np.inf))
    status = Status.CONVERGED if met else found.solution.status
    solution = replace(found.solution, problem=problem, edges=edges, u=u, status=status)
    return DensityResult(solution, p, found.warning)


@dataclass(frozen=True, eq=False)
class _Goal:
    """A family, the pairs in a unit that keeps products in range, and the density asked for."""

    family: "Family"
    pairs: CandidatePairs
    edges_per_node: float

    def is_nearest(self, n_edges: int) -> bool:
        """Whether no whole number of edges is nearer to the one asked for."""
        return abs(n_edges - self.edges_per_node * self.pairs.n_joined / 2) <= 0.5

    def is_close(self, near: Nearby | None) -> bool:
        """Whether a solution is known nearby that has the density asked for."""
        return near is not None and abs(np.log(near.edges_per_node / self.edges_per_node)) <= np.log1p(_CLOSE)

    def is_solved(self, near: Nearby | None) -> bool:
        """Whether a solution nearby, with the density asked for, is nearly one of these pairs, too."""
        if near is None or not self.is_close(near):
            return False
        return self.family.problem(self.pairs, near.p).evaluate(near.u).gap <= ROUGH

    def problem(self, log_s: float) -> tuple[float, Problem]:
        """``p`` and the problem at ``s = p^power``."""
        p = max(float(np.exp(log_s / self.family.power)), _TINY)
        return p, self.family.problem(self.pairs, p)

    def guess(self, *densities: float) -> list[float]:
        """The ``s`` at which a typical node alone would have so many neighbors, per density.

        A node whose neighbors are at ``z_1 <= z_2 <= ...`` has k of them for ``s = sum over j <= k of (z_k - z_j) /
        (curvature degree(z_k))`` at ``p = 1``; for log-degree that is ``theta = (k z_k^2 - b_k z_k)^(-1/2)`` with
        ``b_k = z_1 + ... + z_k`` (Kalofolias and Perraudin, 2019). The median over the nodes passes over ties.
        """
        most = self.pairs.pairs_per_node[1]
        part = self.pairs.n_joined / self.pairs.n_nodes
        counts = [min(int(np.ceil(part * density)) + 1, most) for density in densities]
        near = self.pairs.nearest(max(counts))
        return [self._guess_from(near[:, :k]) for k in counts]

    def _guess_from(self, near: np.ndarray) -> float:
        prior = self.family.problem(self.pairs, 1.0).degree_prior
        reach = near[:, -1]
        known = np.isfinite(reach) & (reach > 0)
        excess = np.sum(reach[known, None] - near[known], axis=1)
        with np.errstate(divide="ignore"):
            degree = prior.lone_degree(np.where(known, reach, 1.0))[known]
        for amount in (excess, reach[known]):  # the second where all distances are equal
            if np.any(amount > 0):
                typical = np.median((amount / degree)[amount > 0])
                return max(float(typical / self.family.curvature), _TINY)
        return 1.0


def _unit(pairs: CandidatePairs) -> float:
    """1, or the power of two that tames an extreme scale of the distances."""
    largest = pairs.distance_range[1] if pairs.n_pairs else 0.0
    if largest == 0 or _SMALLEST < largest < _LARGEST or not np.isfinite(largest):
        return 1.0
    return float(2.0 ** np.floor(np.log2(largest)))


def _search(goal: _Goal, solver: Solver, near: Nearby | None) -> DensityResult:
    """Search roughly first if there are many nodes, then exactly."""
    first = _Probe.first(goal, near)
    if not isinstance(solver, Rough):
        if goal.pairs.n_nodes < MANY_NODES:
            solver = replace(solver, tol=min(solver.tol, _COUNTABLE))  # type: ignore[type-var]
        elif not goal.is_solved(near):
            rough = _find_root(goal, Rough(solver), first)
            first = _Probe(rough.best.p, rough.best.solution.u, rough.slope)
    best, miss, stalled, _ = _find_root(goal, solver, first)
    if miss <= np.log1p(_TOLERATED) or goal.is_nearest(best.solution.n_edges):
        return best
    reason = (
        f"{stalled} of the solutions on the way did not reach the tolerance, so a nearer one may exist."
        if stalled
        else "A model has no sparser graph than its sparsest, and ties between distances make the density jump."
    )
    warning = DensityWarning(
        f"No graph with {goal.edges_per_node:g} edges per node was found; the nearest has "
        f"{best.solution.edges_per_node:.4g}. {reason}"
    )
    return best._replace(warning=warning)


class _Probe(NamedTuple):
    """A parameter to try, multipliers to start from, and how fast log(edges) grows with log(p^power) there."""

    p: float
    u: np.ndarray | None
    slope: float = _SLOPE

    @classmethod
    def first(cls, goal: _Goal, near: Nearby | None) -> "_Probe":
        """Where a search starts: a guess, corrected by how far off it was nearby."""
        power = goal.family.power
        if near is None:
            return cls(goal.guess(goal.edges_per_node)[0] ** (1 / power), None)
        s = near.p**power
        here, there = goal.guess(goal.edges_per_node, near.edges_per_node)
        if not 1 / _UNRELATED < s / there < _UNRELATED:
            return cls(here ** (1 / power), near.u)
        return cls((s if goal.is_close(near) else here * (s / there)) ** (1 / power), near.u)


class _Found(NamedTuple):
    """The nearest density of those that converged, how far off it is, how many did not converge, and the slope."""

    best: DensityResult
    miss: float
    stalled: int
    slope: float


def _find_root(goal: _Goal, solver: Solver, first: _Probe) -> _Found:
    """Search by secants; where these fail, bracket the root for Brent's method. With rough solutions, stop near it."""
    density = _Density(goal, solver, first)
    low, high = _follow_secants(density, goal.family.power * float(np.log(first.p)), first.slope)
    is_rough = isinstance(solver, Rough)
    if is_rough:
        density.settle_for(_ROUGHLY)
    if density(low) == 0 or density(high) == 0:
        return density.found
    off, slope, reach = density(low), _SLOPE, 1.2
    while density(low) * density(high) > 0 and high - low < _WIDEST:
        # As far as a power law suggests and a little more, so that the root lies between.
        end = low if off > 0 else high
        beyond = end - reach * density(end) / slope
        low, high = (beyond, high) if off > 0 else (low, beyond)
        slope = max((density(high) - density(low)) / (high - low), _LEAST_SLOPE)
        reach *= 1.3
    if density(low) * density(high) < 0:
        most = _ROUGH_STEPS if is_rough else _STEPS
        root = brentq(density, low, high, xtol=1e-6, maxiter=most, disp=False)
        if density(root) != 0 and not is_rough:
            density.step_aside(root)
    return density.found


def _follow_secants(density: "_Density", x: float, slope: float) -> tuple[float, float]:
    """The last two of a few secant steps from ``x``, in order; the density is often a power law."""
    last = x
    for _ in range(_SECANTS):
        off = density(x)
        if off == 0:
            break
        if x != last:
            slope = (off - density(last)) / (x - last)
        if not _LEAST_SLOPE <= slope <= _LARGEST_SLOPE:
            break
        last, x = x, x - off / slope
    density(x)
    return min(last, x), max(last, x)


class _Density:
    """``log(edges per node / wanted)`` as a function of log(s), 0 once close enough."""

    def __init__(self, goal: _Goal, solver: Solver, first: _Probe) -> None:
        self._goal, self._solver, self._first = goal, solver, first
        self._start = first.u
        self._off: dict[float, float] = {}
        self._nearest: set[float] = set()  # where no whole number of edges is nearer to what is asked for
        self._enough = _CLOSE
        self._rank = _NOTHING_FOUND
        self._best: DensityResult | None = None
        self._best_at = np.nan
        self._stalled = 0

    def __call__(self, log_s: float) -> float:
        if log_s not in self._off:
            self._off[log_s] = self._evaluate(log_s)
        off = self._off[log_s]
        return 0.0 if abs(off) <= np.log1p(self._enough) or log_s in self._nearest else off

    def settle_for(self, share: float) -> None:
        """From now on, a density that is off by that share is close enough."""
        self._enough = share

    def _evaluate(self, log_s: float) -> float:
        p, problem = self._goal.problem(log_s)
        solution = self._solver.solve(problem, start=self._start)
        fewest = 1 / self._goal.pairs.n_joined  # half an edge stands for none, so that the next step is a small one
        off = float(np.log(max(solution.edges_per_node, fewest) / self._goal.edges_per_node))
        self._stalled += not solution.converged
        rank = (not solution.converged, abs(off))
        if rank < self._rank:
            self._rank, self._best, self._best_at = rank, DensityResult(solution, p), log_s
        self._start = solution.u
        if self._goal.is_nearest(solution.n_edges):
            self._nearest.add(log_s)
        return off

    def step_aside(self, jump: float) -> None:
        """Solve on both sides of a jump, and forget a solution at it.

        Tied pairs become edges together. At the jump itself, rounding decides which of them do.
        """
        if abs(self._best_at - jump) < _ASIDE:
            self._rank, self._best = _NOTHING_FOUND, None
        self(jump - _ASIDE)
        self(jump + _ASIDE)

    @property
    def found(self) -> _Found:
        """What the search has found so far."""
        assert self._best is not None, "a search starts with an evaluation"
        return _Found(self._best, self._rank[1], self._stalled, self._slope)

    @property
    def _slope(self) -> float:
        """Of the secant through the two densities that are nearest to the one asked for."""
        if len(self._off) == 1:
            return self._first.slope
        (x, off), (last, last_off) = sorted(self._off.items(), key=lambda seen: abs(seen[1]))[:2]
        return float(np.clip((off - last_off) / (x - last), _LEAST_SLOPE, _LARGEST_SLOPE))
