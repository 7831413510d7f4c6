"""Coordinate ascent: one node at a time, as a start for other methods when there are many nodes.

With its neighbors held still, the multiplier that a node wants is the root of a convex, piecewise linear function.
Giving it to one node after the other never lowers the dual (up to the linearized degree), costs nothing where
nothing changes, and removes local tangles, for which Newton would have to shorten its step everywhere.
"""

import numpy as np

from smoothgraph.pairs.sweep_kernels import Wanted
from smoothgraph.pairs.sweeps import Sweeper
from smoothgraph.problem import DualPoint, Problem
from smoothgraph.solvers.recorder import Recorder

MANY_NODES = 5000  # from which on it pays
_ACCURACIES = (1e-1, 1e-2, 1e-3, 1e-4, 1e-5)  # of degrees; the gap is of their square
_BEYOND = 30.0  # some degrees are off by this many times the typical error
_PROGRESS = 0.8  # of the gap: if a finer step leaves more, nodes wait for each other
_REPEATS = 2  # for each accuracy: degrees are linearized and blocks exchanged anew
_NOTICEABLE = 0.1  # of a degree
_LEAST_DEGREE = 1e-3  # of the mean degree, below which accuracy is no longer relative


def sweeper_of(problem: Problem) -> Sweeper | None:
    """What sweeps over the nodes of a problem, or None if one node at a time is not possible."""
    return None if problem.degree_prior.is_coupled else problem.pairs.sweeper(problem.edge_prior)


def ascend(problem: Problem, sweeper: Sweeper, u: np.ndarray, gap: float, recorder: Recorder) -> DualPoint:
    """Ascend from ``u`` with ever finer steps, at least once, until the relative gap is at most ``gap``.

    A start within the gap is not returned as it is: the gap is an average, and the edges of few nodes, or of another
    ``beta``, may still be far from what they will be.
    """
    at = problem.evaluate(u)
    recorder.begin(at.gap)
    before = np.inf
    useful = _BEYOND * np.sqrt(at.gap)  # a start that is already good needs no coarse rounds
    for accuracy in (a for a in _ACCURACIES if a <= max(useful, _ACCURACIES[-1])):
        for _ in range(_REPEATS):
            wanted = _linearize(problem, u, accuracy)
            u = sweeper.sweep(wanted, u)
        u = sweeper.lift(wanted, u)
        at = problem.evaluate(u)
        recorder.note(at.gap)
        if at.gap <= gap or at.gap > _PROGRESS * before or recorder.exhausted:
            break
        before = at.gap
    return at


def unsettled(at: DualPoint, off: float) -> np.ndarray:
    """The nodes whose degrees are ``off``, relatively, from what they want to be."""
    wanted = np.abs(at.problem.degree_prior.maximizer(at.u))
    return ~(np.abs(at.gradient) <= off * np.maximum(wanted, _LEAST_DEGREE * np.mean(wanted)))


def count_unsettled(at: DualPoint) -> int:
    """How many nodes have degrees that are noticeably off."""
    return int(np.count_nonzero(unsettled(at, _NOTICEABLE)))


def _linearize(problem: Problem, u: np.ndarray, accuracy: float) -> Wanted:
    """The degrees that nodes want near ``u``, and the steps that count at this accuracy."""
    prior, slope = problem.degree_prior, problem.edge_prior.slope
    degree, curvature = np.array(prior.maximizer(u)), prior.curvature(u)[0]
    size = np.maximum(np.abs(degree), _LEAST_DEGREE * np.mean(np.abs(degree)))
    whole = size / (curvature + slope)  # makes up for a node's whole degree, on one edge
    return Wanted(degree, curvature, prior.domain[0], accuracy * whole, u)
