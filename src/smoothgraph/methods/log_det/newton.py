"""Newton's method over the weights, on as few candidate pairs as there need be."""

from typing import NamedTuple

import numpy as np
from scipy.sparse.csgraph import minimum_spanning_tree

from smoothgraph.methods.log_det.problem import LogDetProblem, Point, Unknowns
from smoothgraph.methods.log_det.step import Step, newton_step

_NEAREST = 5  # neighbours of each node among the first candidates
_NEW_PER_NODE = 4  # candidates added at a time, unless the graph has more edges than that
_FORCING = 0.1  # a step is found to this share of the gap, or better
_ARMIJO = 1e-4
_SHORTEST_STEP = 1e-12
_ROUNDING = 1e-13
_WIDEST = 1e15  # factor between costs
_PATIENCE = 4  # steps too small to measure before Newton gives up


class Found(NamedTuple):
    """The point of the smallest gap, and the Newton steps made."""

    point: Point
    n_iter: int


def newton(problem: LogDetProblem, *, tol: float, max_iter: int) -> Found:
    """The optimum over all pairs to a relative gap of ``tol``, or the best of ``max_iter`` steps.

    A step minimises the second-order model over the pairs of positive weight and those that
    violate ``a_e'Theta a_e <= c_e`` most, as in QUIC (Hsieh et al., 2011).
    """
    empty = problem.without_edges()
    if empty is not None:
        return Found(empty, 0)
    rng = np.random.default_rng(0)
    at = best = _start(problem)
    unmeasurable = 0
    for n_iter in range(max_iter):
        if best.gap <= tol or unmeasurable > _PATIENCE:
            return Found(best, n_iter)
        unknowns = _with_violators(at)
        step = newton_step(at, unknowns, max(min(_FORCING, at.gap) * at.gap, _FORCING * tol), rng)
        noise = _ROUNDING * (problem.total + abs(at.value))
        following = _line_search(at, unknowns, step, noise)
        if following is None:
            return Found(best, n_iter)
        unmeasurable = unmeasurable + 1 if abs(step.slope) <= noise else 0
        at = following
        best = at if at.gap < best.gap else best
    return Found(best, max_iter)


def _start(problem: LogDetProblem) -> Point:
    """``w = 1 / c``, the optimum on a tree, on the cheapest tree and the nearest neighbours."""
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
            f"The pairs' costs differ by a factor of {spread:.1g}, too much "
            "for double precision; merge nodes that nearly coincide, or raise l1."
        )
    return point


def _with_violators(at: Point) -> Unknowns:
    """The positive weights, and zeros on the pairs that violate their bound most."""
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
    return Unknowns(
        np.concatenate([i, new_i]), np.concatenate([j, new_j]), np.concatenate([w, zeros]), rho
    )


def _line_search(at: Point, x: Unknowns, step: Step, noise: float) -> Point | None:
    """The point after the largest of 1, 1/2, 1/4, ... that decreases the objective enough.

    Where the decrease is too small to be seen, the full step is taken on trust.
    """
    share = 1.0
    while share > _SHORTEST_STEP:
        moved = x._replace(w=x.w + share * step.w, rho=x.rho + share * step.rho)
        following = at.problem.at(moved)
        if following is not None and (
            abs(step.slope) <= noise
            or following.value <= at.value + _ARMIJO * share * step.slope + noise
        ):
            return following
        share /= 2
    return None
