"""An interior-point method: for what Newton's corners are too sharp.

Where density varies, some nodes have large multipliers and tiny degrees. Their edges come and go within a step of the
multiplier that is smaller by orders of magnitude than the multiplier itself, so that Newton's method, which must guess
the edges, may take very long to find them. Here every pair keeps a positive weight ``w`` and a positive slack ``s``
until both are known; what goes to zero is their product.
"""

import numpy as np

from smoothgraph.pairs.interior import Interior, Move
from smoothgraph.pairs.seam import Weights
from smoothgraph.problem import Problem
from smoothgraph.solution import Status
from smoothgraph.solvers.certificate import gap_and_proof
from smoothgraph.solvers.linear_system import LinearSystem
from smoothgraph.solvers.multipliers import add, round_down
from smoothgraph.solvers.neighborhood import Neighborhood
from smoothgraph.solvers.recorder import Recorder

_TO_BOUNDARY = 0.99  # of the way, at most
_CENTERING = (1e-3, 0.9)  # the part of the products that one step leaves, at least and at most
_RECENTERING = 0.5  # the same after a short step
_SHORTEST_STEP = 1e-8
_MOST_STEPS = 150
_PATIENCE = 3  # steps without a smaller gap before it ends, if the gap is within the tolerance
_MOST_WORSE = 20  # and if it is not
_ACCURACIES = (1e-3, 1e-6, 1e-10)  # of the directions: a finer one where the one before leads into a corner
_SHORT_STEP = 0.1  # which tells that it does
_WARM_PRODUCTS = (1e-3, 1e-2, 1e-1)  # of the products that a start from nothing has
_FARTHEST = 8.0  # the degrees of a good start are off by this factor at most


def solve_inside(
    problem: Problem,
    near: Neighborhood,
    best: tuple[Weights, np.ndarray],
    tols: tuple[float, float],
    recorder: Recorder,
) -> tuple[Status, Weights, np.ndarray]:
    """The status, the weights and the multipliers: the ``best`` known so far, if nothing better is found.

    The tolerances are those of the relative gap and of the weights.
    """
    start = _start(problem, near, best[1])
    if start is None:
        return Status.STALLED, *best
    at, u, tail = *start, np.zeros(problem.pairs.n_nodes)
    best_gap, least, worse = problem.gap(problem.feasible(best[0]), best[1]), np.inf, 0
    n_short = 0  # short steps in a row
    for _ in range(_MOST_STEPS):
        if recorder.exhausted:
            return Status.MAX_ITER, *best
        du, move = _direct(problem, at, (u, tail), n_short)
        step = min(1.0, _TO_BOUNDARY * min(problem.degree_prior.longest_step(u, du), move.longest))
        if not step > _SHORTEST_STEP or not np.all(np.isfinite(du)):
            break
        n_short = n_short + 1 if step < _SHORT_STEP else 0
        at, (u, tail) = move.follow(step), add(u, tail, step * du)
        found = problem.feasible(at.edges(at_nodes=problem.degree_prior.needs_edges)), round_down(u, tail)
        gap, proved = gap_and_proof(problem, *found, tols)
        recorder.note(gap)
        least, worse = (gap, 0) if gap < least else (least, worse + bool(np.isfinite(least)))
        if gap < best_gap:
            best, best_gap = found, gap
        if proved:
            return Status.CONVERGED, *found
        if worse > (_PATIENCE if best_gap <= tols[0] else _MOST_WORSE):  # rounding allows no more
            break
    return Status.STALLED, *best


def _start(problem: Problem, near: Neighborhood, u: np.ndarray) -> tuple[Interior, np.ndarray] | None:
    """Where to start: at ``u``, with the smallest products that leave its degrees what they should be, or from nothing.

    From nothing, that is half of a node's multiplier alone, so that nearly all pairs are far from being edges. None if
    the pairs have no interior.
    """
    around, prior = problem.pairs.interior(problem.edge_prior), problem.degree_prior
    if around is None:
        return None
    nothing = prior.admit(near.lone_multipliers(problem.edge_prior) / 2)
    typical = float(np.mean(np.abs(nothing * prior.lone_degree(nothing))))
    product = typical * problem.pairs.n_nodes / problem.pairs.n_pairs
    wanted = prior.maximizer(u)
    if np.all(np.isfinite(wanted) & (wanted > 0)):
        for share in _WARM_PRODUCTS:
            at = around(u, share * product)
            if np.all((at.degrees < _FARTHEST * wanted) & (wanted < _FARTHEST * at.degrees)):
                return at, u
    return around(nothing, product), nothing


def _direct(
    problem: Problem, at: Interior, multipliers: tuple[np.ndarray, np.ndarray], n_short: int
) -> tuple[np.ndarray, Move]:
    """Mehrotra's step: how far the products could be brought down tells how far they should be.

    The second direction makes up for what the first one, which is linear, does to them. Where the last steps were
    short, the linear model does not reach far: the products are then brought closer to each other instead.
    """
    (u, tail), prior = multipliers, problem.degree_prior
    aim, accuracy = at.aim(u, tail), _ACCURACIES[min(n_short, len(_ACCURACIES) - 1)]
    system, missing = LinearSystem(problem.curvature(aim.curvature(), u)), prior.maximizer(u) - at.degrees

    def toward(change: np.ndarray) -> tuple[np.ndarray, Move]:
        du = system.solve(missing - aim.degrees(change), accuracy)
        return du, aim.step(change, du)

    products = at.w * at.s
    du, move = toward(-products)
    after = move.follow(_TO_BOUNDARY * min(1.0, prior.longest_step(u, du), move.longest)).mean_product
    share = float(np.clip((after / at.mean_product) ** 3, *_CENTERING))
    if n_short:
        return toward(max(share, _RECENTERING) * at.mean_product - products)
    return toward(share * at.mean_product - products - move.dw * move.ds)
