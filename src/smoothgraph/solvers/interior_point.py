"""An interior-point method: for what Newton's corners are too sharp.

A far-away node has a large multiplier and a tiny degree. Its edges come and go within a step of the multiplier that is
smaller by many orders of magnitude than the multiplier itself, so that Newton's method, which must guess the edges, may
never find them. Here every pair keeps a positive weight ``w`` and a positive slack ``s`` until both are known; what
goes to zero is their product.
"""

import numpy as np

from smoothgraph.pairs.seam import Weights
from smoothgraph.problem import Problem
from smoothgraph.solution import Status
from smoothgraph.solvers import linear_system
from smoothgraph.solvers.certificate import proves_weights
from smoothgraph.solvers.multipliers import add, round_down
from smoothgraph.solvers.neighborhood import Neighborhood
from smoothgraph.solvers.recorder import Recorder

_TO_BOUNDARY = 0.99  # of the way, at most
_CENTERING = (1e-3, 0.5)  # the part of the products that one step leaves, at least and at most
_SHORTEST_STEP = 1e-8
_MOST_STEPS = 150
_ACCURACY = 1e-10  # of the directions
_ROUGHER = 1.5  # the power of the tolerance that is enough, if that is more


def solve_inside(
    problem: Problem,
    near: Neighborhood,
    best: tuple[Weights, np.ndarray],
    tols: tuple[float, float],
    recorder: Recorder,
) -> tuple[Status, Weights, np.ndarray]:
    """The status, the weights and the multipliers: the ``best`` known so far, if nothing better is found.

    The tolerances are those of the relative gap and of the weights. A gap within its tolerance counts as converged.
    """
    tol, weight_tol = tols
    prior, start = problem.degree_prior, problem.pairs.interior(problem.edge_prior)
    if start is None:
        return Status.STALLED, *best
    # Half of a node's multiplier alone: nearly all pairs are far from being edges.
    u, tail = near.lone_multipliers(problem.edge_prior) / 2, np.zeros(problem.pairs.n_nodes)
    at = start(u, float(np.mean(np.abs(u * prior.lone_degree(u)))) * problem.pairs.n_nodes / problem.pairs.n_pairs)
    accuracy = max(_ACCURACY, tol**_ROUGHER)
    best_gap, step = problem.gap(problem.feasible(best[0]), best[1]), 0.5
    for _ in range(_MOST_STEPS):
        if recorder.exhausted:
            return Status.MAX_ITER, *best
        aim = at.aim(u, tail, at.mean_product * float(np.clip((1 - step) ** 2, *_CENTERING)))
        hessian = problem.curvature(aim.curvature(), u)
        change = linear_system.solve(hessian, prior.maximizer(u) - at.degrees - aim.degrees, accuracy)
        at, step = aim.move(change, prior.longest_step(u, change), _TO_BOUNDARY)
        if not step > _SHORTEST_STEP:
            break
        u, tail = add(u, tail, step * change)
        found = problem.feasible(at.edges(at_nodes=prior.needs_edges)), round_down(u, tail)
        gap = problem.gap(*found)
        recorder.note(gap)
        if gap < best_gap:
            best, best_gap = found, gap
        elif best_gap <= tol:  # rounding allows no proof of the weights
            break
        if gap <= tol and proves_weights(problem, *found, weight_tol):
            return Status.CONVERGED, *found
    return Status.CONVERGED if best_gap <= tol else Status.STALLED, *best
