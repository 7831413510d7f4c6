"""Newton's method over the weights of as few candidate pairs as possible."""

import numpy as np
from scipy.sparse.csgraph import minimum_spanning_tree

from smoothgraph.methods.log_det.log_det_problem import LogDetProblem, Point, Unknowns
from smoothgraph.methods.log_det.newton_step import Step, newton_step

_NEAREST = 5  # neighbours of each node among the first candidates
_NEW_PER_NODE = 4  # candidates added at a time, unless the graph has more edges than that
_FORCING = 0.1  # the accuracy of a step, as a share of the gap
_ARMIJO = 1e-4  # the share of the predicted decrease that a step must achieve
_SHORTEST_STEP = 1e-12
_ROUNDING = 1e-13  # relative error of the objective
_WIDEST = 1e15  # the largest ratio of two costs
_PATIENCE = 4  # the number of steps without measurable decrease before Newton gives up


def solve_by_newton(problem: LogDetProblem, *, tol: float, max_iter: int) -> tuple[Point, int]:
    """Return the point with the smallest gap, optimal over all pairs, and the number of steps.

    The method stops at a relative gap of ``tol`` or after ``max_iter`` steps. A step minimizes the second-order
    model over the pairs of positive weight and those that violate ``a_e'Theta a_e <= c_e`` most, as in QUIC (Hsieh
    et al., 2011).
    """
    empty = problem.without_edges()
    if empty is not None:
        return empty, 0
    rng = np.random.default_rng(0)
    at = best = _start(problem)
    unmeasurable = 0
    for n_iter in range(max_iter):
        if best.gap <= tol or unmeasurable > _PATIENCE:
            return best, n_iter
        unknowns = _with_violators(at)
        step = newton_step(at, unknowns, max(min(_FORCING, at.gap) * at.gap, _FORCING * tol), rng)
        noise = _ROUNDING * (problem.total + abs(at.value))
        following = _line_search(at, unknowns, step, noise)
        if following is None:
            return best, n_iter
        unmeasurable = unmeasurable + 1 if abs(step.slope) <= noise else 0
        at = following
        best = at if at.gap < best.gap else best
    return best, max_iter


def _start(problem: LogDetProblem) -> Point:
    """Start with ``w ~ 1 / c``, optimal on a tree, on the cheapest tree and nearest neighbors."""
    c, m = problem.costs, problem.n_nodes
    k = min(_NEAREST, m - 1)
    chosen = minimum_spanning_tree(c).toarray() > 0
    np.put_along_axis(chosen, np.argpartition(c, k - 1, axis=1)[:, :k], values=True, axis=1)
    i, j = np.nonzero(np.triu(chosen | chosen.T))
    w = (m - 1) / len(i) / c[i, j]
    rho = 0.0 if problem.tau is None else 1 / problem.tau
    point = problem.at(Unknowns(i, j, w, rho))
    spread = np.max(c[i, j]) / np.min(c)
    if point is None or spread > _WIDEST:
        raise ValueError(
            f"The costs of the pairs differ by a factor of {spread:.1g}, too much "
            "for double precision; merge nodes that nearly coincide or raise l1."
        )
    return point


def _with_violators(at: Point) -> Unknowns:
    """Return the positive weights, and zeros on the pairs that violate their bound most."""
    i, j, w, rho = at.unknowns
    positive = w > 0
    i, j, w = i[positive], j[positive], w[positive]
    excess = np.triu(at.resistances / at.problem.costs, 1)
    excess[i, j] = 0
    new_i, new_j = np.nonzero(excess > 1)
    room = max(_NEW_PER_NODE * at.problem.n_nodes, len(w))
    if len(new_i) > room:
        largest = np.argpartition(-excess[new_i, new_j], room)[:room]
        new_i, new_j = new_i[largest], new_j[largest]
    zeros = np.zeros(len(new_i))
    return Unknowns(np.concatenate([i, new_i]), np.concatenate([j, new_j]), np.concatenate([w, zeros]), rho)


def _line_search(at: Point, x: Unknowns, step: Step, noise: float) -> Point | None:
    """Return the point after the largest share 1, 1/2, 1/4, ... that decreases the value enough.

    A full step whose decrease is too small to measure is taken on trust.
    """
    share = 1.0
    while share > _SHORTEST_STEP:
        moved = x._replace(w=x.w + share * step.w, rho=x.rho + share * step.rho)
        following = at.problem.at(moved)
        if following is not None and (
            abs(step.slope) <= noise or following.value <= at.value + _ARMIJO * share * step.slope + noise
        ):
            return following
        share /= 2
    return None
