"""The quadratic program of ``_degree_qp`` over all pairs, of which few are ever held."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from smoothgraph.methods._degree_qp import DegreeQP, Iterate
from smoothgraph.pairs.pair_set import PairSet
from smoothgraph.search import TiledSearch

_ADDED = 2  # pairs per node and pass
_FEW = 0.05  # of the edges: if no more are missing, the rough gap has done its work
_DROPPED = 0.1  # how far below what makes it count a weight is given up, while rough
_ROUGH = 1e-2  # the gap at which missing pairs are first looked for
_NEGLIGIBLE = 1e-6  # of the gap wanted: products this small leave only rounding
_CLOSE = 1e-6  # squared distance over squared norms below which differences are taken
_BLOCK = 4_000_000  # pairs looked at at a time


class Optimum(NamedTuple):
    """Weights on edges, their objective, its relative duality gap."""

    edges: PairSet
    w: np.ndarray
    value: float
    gap: float
    n_iter: int


class Priced(NamedTuple):
    """Per node the pairs that most want to be edges, and by how much of X in the dual."""

    i: np.ndarray
    j: np.ndarray
    excess: np.ndarray


def solve_on(qp: DegreeQP, *, tol: float, max_iter: int) -> Optimum:
    """The optimum on the given edges."""
    point, n_iter, _ = _solve(qp, qp.start(), tol / 2, max_iter)
    return _optimum(qp, point, qp.excess(qp.smoothed(point.w), point.p), n_iter)


def solve_all_pairs(qp: DegreeQP, *, tol: float, max_iter: int) -> Optimum:
    """Solve on the given edges, take in what the multipliers show to be missing, repeat.

    Every solution starts afresh: from near the last one it would take more steps.
    """
    goal, n_iter = max(_ROUGH, tol / 2), 0
    while True:
        point, used, stuck = _solve(qp, qp.start(), goal, max_iter - n_iter)
        n_iter += used
        Y, p = qp.smoothed(point.w), np.zeros(len(qp.X))
        p[qp.needy] = point.p
        priced = price(qp.X, Y, p)
        missing = _missing(priced, qp.edges, goal * np.sum(Y**2) / (8 * np.sum(qp.X * Y)))
        is_rough = goal > tol / 2
        if stuck or n_iter >= max_iter or (not is_rough and len(missing.i) == 0):
            excess = max(qp.excess(Y, point.p), float(np.max(priced.excess)))
            return _optimum(qp, point, excess, n_iter)
        if len(missing.i) <= _FEW * qp.edges.n_pairs:
            goal = tol / 2
        qp = _exchanged(qp, point, missing, _DROPPED if is_rough else 0.0)


def price(X: np.ndarray, Y: np.ndarray, p: np.ndarray) -> Priced:
    """Of each node the pairs with the largest :func:`_excess`, found in blocks of all pairs."""
    m, kept = len(X), min(_ADDED, len(X) - 1)
    size = max(1, _BLOCK // m)
    best = []
    for first in range(0, m, size):
        share = _excess_of_rows(X, Y, p, first, min(first + size, m))
        best.append(np.argpartition(share, m - kept, axis=1)[:, m - kept :])
    i, j = np.repeat(np.arange(m), kept), np.concatenate(best).ravel()
    return Priced(i, j, _excess(X, Y, p, i, j))


def _excess_of_rows(
    X: np.ndarray, Y: np.ndarray, p: np.ndarray, first: int, last: int
) -> np.ndarray:
    """By matrix products, but by differences for pairs so close that products would cancel."""
    rows = slice(first, last)
    own, squares = np.sum(X * Y, axis=1), np.sum(X**2, axis=1)
    sums = squares[rows, None] + squares
    z = sums - 2 * X[rows] @ X.T
    slopes = 2 * (own[rows, None] + own - Y[rows] @ X.T - X[rows] @ Y.T)
    close = z <= _CLOSE * sums
    share = np.divide(p[rows, None] + p - slopes, 2 * z, out=np.empty_like(z), where=~close)
    i, j = np.nonzero(close)
    share[i, j] = _excess(X, Y, p, i + first, j)
    return share


def _excess(
    X: np.ndarray, Y: np.ndarray, p: np.ndarray, i: np.ndarray, j: np.ndarray
) -> np.ndarray:
    """``(p_i + p_j - 2 (y_i - y_j).(x_i - x_j)) / 2 |x_i - x_j|^2``; of one place, -infinity."""
    difference = X[i] - X[j]
    z = np.sum(difference**2, axis=1)
    lacking = p[i] + p[j] - 2 * np.sum((Y[i] - Y[j]) * difference, axis=1)
    return np.divide(lacking, 2 * z, out=np.full(len(z), -np.inf), where=z > 0)


def _missing(priced: Priced, edges: PairSet, limit: float) -> Priced:
    """The pairs beyond the limit that are no edges yet."""
    kept = (priced.excess > limit) & ~edges.contains(priced.i, priced.j)
    return Priced(*(part[kept] for part in priced))


def near_pairs(X: np.ndarray, needy: np.ndarray, k: int) -> PairSet:
    """Each node that needs a degree with its nearest ones, none of which is at its place."""
    ids, _ = TiledSearch.of(X).exact_nearest(min(k, len(X) - 1))
    i = np.repeat(np.flatnonzero(needy), ids.shape[1])
    return PairSet.from_pairs(i, ids[needy].ravel().astype(np.int64), len(X))


def _solve(qp: DegreeQP, point: Iterate, goal: float, max_iter: int) -> tuple[Iterate, int, bool]:
    """Newton steps until the gap on these edges is the wanted one, or only rounding is left.

    The last value says whether they ended because nodes all but coincide.
    """
    for n_iter in range(max_iter):
        gap = qp.gap(point)
        products = point.complementarity * (len(point.w) + len(point.p))
        value = float(np.sum(qp.smoothed(point.w) ** 2))
        if gap <= goal or products <= _NEGLIGIBLE * goal * value:
            return point, n_iter, False
        try:
            direction = qp.direction(point)
        except RuntimeError:  # a factor is singular
            return point, n_iter, True
        point = point.moved(direction, point.longest_step(direction))
    return point, max_iter, False


def _exchanged(qp: DegreeQP, point: Iterate, missing: Priced, dropped: float) -> DegreeQP:
    """The program with more edges, without those of negligible weight at both their ends."""
    heaviest = np.zeros(qp.edges.n_nodes)
    for ends in (qp.edges.rows, qp.edges.cols):
        np.maximum.at(heaviest, ends, point.w)
    kept = point.w * qp.hessian.diagonal() >= dropped * point.costs
    kept |= point.w >= np.minimum(heaviest[qp.edges.rows], heaviest[qp.edges.cols])
    i = np.concatenate([qp.edges.rows[kept], missing.i])
    j = np.concatenate([qp.edges.cols[kept], missing.j])
    return replace(qp, edges=PairSet.from_pairs(i, j, qp.edges.n_nodes))


def _optimum(qp: DegreeQP, point: Iterate, excess: float, n_iter: int) -> Optimum:
    w = qp.feasible(point)
    value = float(np.sum(qp.smoothed(w) ** 2))
    bound = qp.lower_bound(qp.smoothed(point.w), point.p, max(excess, 0.0))
    return Optimum(qp.edges, w, value, max(1 - bound / value, 0.0), n_iter)
