"""Tangles: a few nodes that coordinate ascent leaves far from their optimum are solved by themselves.

Their pairs are stiff, and their edges depend on each other, so that Newton's method shortens its steps, for all nodes,
until it has found out which edges they have. Here they are taken out with the nodes around them, the multipliers of all
other nodes are held, and an interior-point method solves for this part alone. So the dual never falls, and the cost is
that of the tangles. Newton then takes a few full steps.
"""

import numpy as np

from smoothgraph.pairs.around import Surroundings
from smoothgraph.priors.held import HeldNodes
from smoothgraph.problem import Problem
from smoothgraph.solvers.coordinate_ascent import unsettled
from smoothgraph.solvers.interior_point import solve_inside
from smoothgraph.solvers.neighborhood import Neighborhood
from smoothgraph.solvers.recorder import Recorder

_FAR_OFF = 0.1  # a degree that is off by so much, relatively, is in a tangle
_OFF = 0.01  # which is solved until no degree is off by more than this
_RIM = 0.001  # a node that is off by so much may be part of it
_ROUNDS = 6  # nodes at the rim of a tangle may become part of it
_HOPS = 4  # from one of its nodes to the rim
_MARGIN = 0.3  # in local scales: how far beyond its reach a pair may be an edge soon
_MOST = 0.3  # of all nodes, in all rounds, beyond which it is as well to solve for all of them
_TOL = 1e-9  # the relative gap of a tangle
_FAILED = 1e-4  # a gap that tells that the interior point has lost its way


def untangle(problem: Problem, near: Neighborhood, u: np.ndarray, recorder: Recorder) -> np.ndarray | None:
    """Multipliers at which no node is in a tangle, or nearly so; None if it is better to solve for all nodes.

    That is where tangles, with the nodes around them, are much of the graph, or do not converge.

    A prior of the total weight has none: there, a node may do without edges.
    """
    if problem.degree_prior.on_total:
        return u
    core, off, room = np.zeros(len(u), dtype=bool), _FAR_OFF, _MOST * len(u)
    for _ in range(_ROUNDS):
        at = problem.evaluate(u)
        if not np.any(unsettled(at, off)):
            break
        off = _OFF
        core |= unsettled(at, _RIM)
        around = problem.pairs.around(problem.edge_prior, core, u + _MARGIN * near.spread, _HOPS)
        room -= len(around.nodes)
        solved = _solve_around(problem, around, u, recorder) if room >= 0 else None
        if solved is None:
            return None if np.any(unsettled(at, _FAR_OFF)) else u
        u = solved
    return u


def _solve_around(problem: Problem, around: Surroundings, u: np.ndarray, recorder: Recorder) -> np.ndarray | None:
    """``u`` with the optimum of some nodes, if all others are held; None if it is not found."""
    here = u[around.nodes]
    held = HeldNodes(problem.degree_prior.take(around.nodes[around.free]), around.free, here)
    part = Problem(around.pairs, edge_prior=problem.edge_prior.take(around.ids), degree_prior=held)
    best = part.evaluate(here).weights, here
    _, w, there = solve_inside(part, Neighborhood(part), best, (_TOL, np.inf), recorder)
    if part.gap(part.feasible(w), there) > _FAILED:
        return None
    there = held.admit(there)
    better = u.copy()
    better[around.nodes] = there if part.dual(there) > part.dual(here) else here
    return better
