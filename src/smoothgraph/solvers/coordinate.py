"""One node at a time: where Newton starts if there are many nodes.

With its neighbours held still, the multiplier that a node wants is the root of a convex
piecewise linear function. Giving it to one node after the other never lowers the dual (up to
the linearised degree), costs nothing where all is settled, and gets local tangles out of
the way, for which Newton would have to shorten its step everywhere.
"""

import numpy as np

from smoothgraph.problem import Evaluation, Problem
from smoothgraph.solvers.sweeps import Wanted

_ACCURACIES = (1e-1, 1e-2, 1e-3, 1e-4, 1e-5)  # of degrees; the gap is of their square
_BEYOND = 30.0  # times the typical error of the degrees, some are off
_REPEATS = 2  # for each accuracy: degrees are linearised and blocks exchanged anew


def settled(problem: Problem, u: np.ndarray, gap: float) -> Evaluation:
    """The dual after ever finer coordinate ascent from ``u``, until its gap is at most ``gap``."""
    sweeps = problem.sweeps()
    at = problem.evaluate(u)
    useful = _BEYOND * np.sqrt(at.gap)  # a start that is good already needs no coarse rounds
    for accuracy in (a for a in _ACCURACIES if a <= max(useful, _ACCURACIES[-1])):
        if at.gap <= gap:
            break
        for _ in range(_REPEATS):
            wanted = _wanted(problem, u, accuracy)
            u = sweeps.settle(wanted, u)
        u = sweeps.lift(wanted, u)
        at = problem.evaluate(u)
    return at


def _wanted(problem: Problem, u: np.ndarray, accuracy: float) -> Wanted:
    prior, slope = problem.degree_prior, problem.edge_prior.slope
    degree, curvature = np.array(prior.maximizer(u)), prior.curvature(u)[0]
    far = accuracy * _whole_degree(degree, curvature + slope)
    return Wanted(degree, curvature, prior.domain[0], far, u)


def _whole_degree(wanted: np.ndarray, steepness: np.ndarray) -> np.ndarray:
    """How far ``u`` must move to make up for a node's whole degree, on one edge."""
    return np.maximum(np.abs(wanted), 1e-3 * np.mean(np.abs(wanted))) / steepness
