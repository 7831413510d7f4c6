"""The clock and the judge: no solver grades itself.

The benchmark computes the objective, its lower bound, and the relative gap in a few lines of NumPy.
Neither the library nor another package takes part in the verdict.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from statistics import median
from time import perf_counter
from typing import TypeVar

import numpy as np

ALPHA = BETA = 1.0
TARGETS = (1e-3, 1e-6, 1e-9)

_REPEATS = 7
_REPEAT_SECONDS = 1.0
_CHUNK = 4_000_000  # pairs at a time, to save memory
_REFINEMENTS = 2
_NO_PROGRESS = 0.9  # a solver fails if two more rungs leave more than this share of the gap

T = TypeVar("T")
# A function of an effort (a tolerance or a number of iterations) that returns the seconds taken
# and the weights found.
Solve = Callable[[float], tuple[float, np.ndarray]]


def clocked(call: Callable[[], T]) -> tuple[float, T]:
    """Return the seconds that one call took, and its result."""
    started = perf_counter()
    result = call()
    return perf_counter() - started, result


def repeated(seconds: Callable[[], float]) -> float:
    """Return the median of 7 measurements, or of as many as fit into a second."""
    taken = [seconds()]
    while len(taken) < _REPEATS and sum(taken) < _REPEAT_SECONDS:
        taken.append(seconds())
    return median(taken)


def median_seconds(call: Callable[[], object]) -> float:
    """Return the median seconds of a call."""
    return repeated(lambda: clocked(call)[0])


def paired_ratio(one: Callable[[], float], other: Callable[[], float]) -> float:
    """Return the median of ``one / other``, measured in turns so that a busy machine slows both."""
    return median(one() / other() for _ in range(_REPEATS))


@dataclass(frozen=True, eq=False)
class Judge:
    """``P(w) = 2 z'w - alpha sum(log(S w)) + beta |w|^2`` on the pairs ``(i, j)``.

    ``bound`` is a dual value ``D(u)``. It is below the optimum for any ``u > 0``.
    """

    i: np.ndarray
    j: np.ndarray
    z: np.ndarray
    n_nodes: int
    bound: float

    @classmethod
    def from_multipliers(cls, pairs: tuple[np.ndarray, np.ndarray], z: np.ndarray, u: np.ndarray) -> "Judge":
        """Return the judge whose bound is ``D(u)``."""
        return cls(*pairs, z, len(u), dual_value(pairs, z, u))

    def gap(self, w: np.ndarray, bound: float | None = None) -> float:
        """Return ``(P(t w) - D(u)) / (alpha m)`` with negative weights clipped and the best ``t``.

        The gap is infinite if a node has degree zero or a weight is not finite. ``bound``
        replaces the judge's own bound.
        """
        if not np.all(np.isfinite(w)):
            return math.inf
        on = np.flatnonzero(w > 0)
        value = self._rescaled_objective(self.i[on], self.j[on], self.z[on], w[on])
        bound = self.bound if bound is None else bound
        return (value - bound) / (ALPHA * self.n_nodes) if np.isfinite(value) else math.inf

    def _rescaled_objective(self, i: np.ndarray, j: np.ndarray, z: np.ndarray, w: np.ndarray) -> float:
        m = self.n_nodes
        degrees = np.bincount(i, w, m) + np.bincount(j, w, m)
        with np.errstate(all="ignore"):
            a, b = 2 * float(z @ w), BETA * float(w @ w)
            t = 2 * ALPHA * m / (a + np.sqrt(a**2 + 8 * b * ALPHA * m))
            return a * t + b * t**2 - ALPHA * float(np.sum(np.log(t * degrees)))


def all_pairs(n_nodes: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the pairs ``i < j``, row by row."""
    nodes = np.arange(n_nodes, dtype=np.int32)
    return np.repeat(nodes, nodes[::-1]), np.concatenate([nodes[k + 1 :] for k in nodes])


def dual_value(pairs: tuple[np.ndarray, np.ndarray], z: np.ndarray, u: np.ndarray) -> float:
    """``sum(alpha + alpha log(u / alpha)) - sum(max(u_i + u_j - 2 z, 0)^2) / (4 beta)``."""
    i, j = pairs
    value = ALPHA * float(np.sum(1 + np.log(u / ALPHA)))
    for first in range(0, len(z), _CHUNK):
        part = slice(first, first + _CHUNK)
        v = np.maximum(u[i[part]] + u[j[part]] - 2 * z[part], 0)
        value -= float(v @ v) / (4 * BETA)
    return value


class Verdict(Enum):
    """The result for one target; the value is the message, with the time and the gap."""

    REACHED = "{seconds}"
    TOO_SLOW = "> {seconds} (gap {gap:.0e})"
    FAILS = "fails (gap {gap:.2g})"


@dataclass(frozen=True)
class Outcome:
    """The time of the cheapest run that met a target, or else of the longest run."""

    target: float
    verdict: Verdict
    seconds: float
    gap: float
    effort: float


@dataclass(frozen=True)
class Attempt:
    """One run of a solver."""

    effort: float
    seconds: float
    gap: float


@dataclass(frozen=True)
class Trial:
    """A solver on one problem, and the function that judges its weights."""

    solve: Solve
    gap_of: Callable[[np.ndarray], float]
    time_limit: float

    def by_tolerance(self, tolerances: Sequence[float]) -> list[Outcome]:
        """Solve once per target, cold, with a solver that stops at the gap by itself."""
        outcomes: list[Outcome] = []
        for target, tol in zip(TARGETS, tolerances, strict=True):
            missed = outcomes and outcomes[-1].verdict is not Verdict.REACHED
            run = _as_attempt(outcomes[-1]) if missed else self._attempt(tol)
            slow = run.seconds > self.time_limit / 2
            outcomes.append(self._outcome(target, [run], Verdict.TOO_SLOW if slow else Verdict.FAILS))
        return outcomes

    def by_effort(self, ladder: Sequence[float]) -> list[Outcome]:
        """Increase the effort until all targets are met, for a solver that does not know the gap.

        The outcome for a target is the cheapest run that met it. Up to two more runs are made
        between the last miss and the first hit, beyond the time limit if necessary.
        """
        runs, verdict = self._climb(ladder)
        for target in TARGETS:
            self._refine(runs, target)
        return [self._outcome(target, runs, verdict) for target in TARGETS]

    def _refine(self, runs: list[Attempt], target: float) -> None:
        """Add runs with the effort that the target seems to need, until one meets it."""
        for _ in range(_REFINEMENTS):
            effort = _effort_between(runs, target)
            if effort is None:
                return
            runs.append(self._attempt(effort))
            if runs[-1].gap <= target:
                return

    def _climb(self, ladder: Sequence[float]) -> tuple[list[Attempt], Verdict]:
        """Return the runs up the ladder, and the verdict on the targets that they miss."""
        runs: list[Attempt] = []
        for effort in ladder:
            if runs and self._would_overrun(runs, effort):
                return runs, Verdict.TOO_SLOW
            runs.append(self._attempt(effort))
            if runs[-1].gap <= min(TARGETS):
                break
            if len(runs) > 2 and not runs[-1].gap < _NO_PROGRESS * runs[-3].gap:
                return runs, Verdict.FAILS
        return runs, Verdict.TOO_SLOW

    def _would_overrun(self, runs: list[Attempt], effort: float) -> bool:
        expected = runs[-1].seconds * effort / runs[-1].effort
        return sum(run.seconds for run in runs) + expected > self.time_limit

    def _attempt(self, effort: float) -> Attempt:
        seconds, w = self.solve(effort)
        return Attempt(effort, seconds, self.gap_of(w))

    def _outcome(self, target: float, runs: list[Attempt], otherwise: Verdict) -> Outcome:
        hits = [run for run in runs if run.gap <= target]
        if not hits:
            longest = max(runs, key=lambda run: run.seconds)
            best = min(run.gap for run in runs)
            return Outcome(target, otherwise, longest.seconds, best, longest.effort)
        best_run = min(hits, key=lambda run: run.seconds)
        seconds = best_run.seconds
        if seconds < _REPEAT_SECONDS:
            seconds = repeated(lambda: self.solve(best_run.effort)[0])
        return Outcome(target, Verdict.REACHED, seconds, best_run.gap, best_run.effort)


def _as_attempt(outcome: Outcome) -> Attempt:
    return Attempt(outcome.effort, outcome.seconds, outcome.gap)


def _effort_between(runs: list[Attempt], target: float) -> int | None:
    """Return the effort at which a line through ``log(gap)`` meets the target, if it is new."""
    hits = [run for run in runs if run.gap <= target]
    if not hits:
        return None
    hit = min(hits, key=lambda run: run.effort)
    misses = [run for run in runs if run.effort < hit.effort and math.isfinite(run.gap)]
    if not misses:
        return None
    miss = max(misses, key=lambda run: run.effort)
    reached = max(hit.gap, 1e-3 * target)  # a gap of zero or below has no logarithm
    share = math.log(miss.gap / target) / math.log(miss.gap / reached)
    effort = math.ceil(miss.effort + share * (hit.effort - miss.effort))
    return effort if miss.effort < effort < hit.effort else None
