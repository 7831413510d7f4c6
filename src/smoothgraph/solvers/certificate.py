"""What is proved of single weights: a small gap, where ``f`` is strongly convex.

With the optimum ``w*`` and any ``w`` and ``u``, ``P(w) - D(u)`` is at least the Bregman divergence of ``f`` between
``w`` and ``w*``. For ``beta |w|^2`` that is ``beta |w - w*|^2``, so that every weight is known within ``sqrt((P - D) /
beta)``.
"""

import numpy as np

from smoothgraph.pairs.seam import Totals, Weights
from smoothgraph.problem import DualPoint, Problem
from smoothgraph.solution import Certificate
from smoothgraph.solvers.linear_system import LinearSystem

_ULPS = 1e-15  # the relative error of a sum of two or three numbers, generously
_UNMET = 1e-12  # more than rounding leaves of a constraint on the total weight, if the weights can meet it
_MUCH = 1e-6  # of a degree: more than one step leaves if the degrees were nearly met before
_ACCURACY = 1e-8  # of the step that meets fixed degrees, which are nearly met before


def certify(problem: Problem, w: Weights, totals: Totals, u: np.ndarray) -> Certificate:
    """The certificate of ``w``, whose sums are given, and ``u``."""
    at = problem.evaluate(u)
    return _certify_at(at, at.lack(w, totals.degrees), totals)


def is_met(problem: Problem, certificate: Certificate, tol: float, weight_tol: float) -> bool:
    """Whether the gap is within ``tol``, and, if a gap tells that, every weight within ``weight_tol`` of the mean."""
    proved = weight_tol == np.inf or not bounds_weights(problem) or certificate.relative_error <= weight_tol
    return certificate.gap <= tol and proved


def gap_and_proof(problem: Problem, w: Weights, u: np.ndarray, tols: tuple[float, float]) -> tuple[float, bool]:
    """The relative gap, and whether it and every weight, as far as a gap tells that, are within the tolerances."""
    w, at = problem.feasible(w), problem.evaluate(u)
    totals = problem.totals(w)
    lack = at.lack(w, totals.degrees)
    gap = at.relative(lack, totals.degrees)
    if tols[1] == np.inf or not gap <= tols[0]:
        return gap, gap <= tols[0]
    return gap, is_met(problem, _certify_at(at, lack, totals), *tols)


def bounds_weights(problem: Problem) -> bool:
    """Whether a gap says anything about single weights."""
    return problem.edge_prior.weight_error(0.0, 1.0) < np.inf


def _certify_at(at: DualPoint, lack: float, totals: Totals) -> Certificate:
    mean = float(np.sum(totals.degrees)) / 2 / max(totals.n_edges, 1)
    return Certificate(at.relative(lack, totals.degrees), _weight_error(at, lack, totals.degrees), mean)


def _weight_error(at: DualPoint, lack: float, degrees: np.ndarray) -> float:
    prior = at.problem.degree_prior
    unmet = not prior.fixes_degrees and prior.violation(degrees) > _UNMET
    if not bounds_weights(at.problem) or unmet:
        return np.inf
    error, largest = at.problem.edge_prior.weight_error, float(np.max(degrees))
    if not prior.fixes_degrees:
        return error(_add_rounding(at, lack), largest)
    # The first is from w to the weights that u defines.
    return error(lack, largest) + error(_add_rounding(at, _lack_if_met(at)), largest)


def _lack_if_met(at: DualPoint) -> float:
    """``P(w) - D(u)`` for weights that meet fixed degrees: those that ``u`` defines, after a step to first order.

    What is left of the degrees would take another step ``x``, to which ``off'x / 2`` is due. That is true to first
    order again, so nothing is proved if much is left. In a bipartite component some steps move no weight, and the
    matrix is singular; it is damped.
    """
    system, step = LinearSystem(at.curvature().damp(_ACCURACY)), np.zeros_like(at.u)
    if np.any(at.gradient):
        step = system.solve(at.gradient, _ACCURACY)
    w = at.weights_beside(step)
    degrees = at.problem.totals(w).degrees
    wanted = at.problem.degree_prior.maximizer(at.u)
    off = wanted - degrees
    if np.any(np.abs(off) > _MUCH * wanted):
        return np.inf
    rest = off @ system.solve(off, _ACCURACY) / 2 if np.any(off) else 0.0
    return float(np.sqrt(at.lack(w, degrees)) + np.sqrt(max(rest, 0.0))) ** 2


def _add_rounding(at: DualPoint, lack: float) -> float:
    """A ``lack``, enlarged by what rounding can hide: all its terms are squares of differences of rounded numbers.

    At a node of curvature ``c`` the square is up to ``c (ulps u_i)^2``. At an edge it is ``(ulps min(u_i, u_j))^2``
    times half the slope, for the larger multiplier meets ``2 z`` first, and that difference is exact. With a
    temperature ``t``, where weights are exponentials, it is ``(ulps u_i)^2 w / (2 t)``.
    """
    curvature, _ = at.problem.degree_prior.curvature(at.u)
    moved = at.u != 0  # a node that cannot move has an infinite curvature
    at_nodes = float(curvature[moved] @ at.u[moved] ** 2)
    edge_prior = at.problem.edge_prior
    if edge_prior.temperature is None:
        at_edges = (edge_prior.slope or 0.0) / 2 * at.lesser_squares
    else:
        at_edges = float(at.degrees @ at.u**2) / (2 * edge_prior.temperature)
    return float(np.sqrt(lack) + _ULPS * np.sqrt(at_nodes + at_edges)) ** 2
