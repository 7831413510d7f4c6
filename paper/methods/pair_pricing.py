"""Solve a degree program over all pairs while only a few of them are held in memory."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from paper.methods.degree_program import DegreeProgram, Iterate
from smoothgraph.pairs.pair_set import PairSet
from smoothgraph.search import TiledSearch

_ADDED = 2  # pairs that may join, per node and pass
_FEW = 0.05  # share of the edges: once fewer pairs are missing, the rough passes end
_DROPPED = 0.1  # rough passes drop weights whose curvature is below this share of their cost
_ROUGH = 1e-2  # the gap at which the first passes look for missing pairs
_NEGLIGIBLE = 1e-6  # share of the requested gap: products this small are only rounding
_CLOSE = 1e-6  # pairs with a smaller share of their squared norms as distance need differences
_PRICED_AT_ONCE = 4_000_000  # pairs, which bounds the memory


class Optimum(NamedTuple):
    """Weights on edges, their objective, and its relative duality gap."""

    edges: PairSet
    w: np.ndarray
    value: float
    gap: float
    n_iter: int


class Prices(NamedTuple):
    """Pairs that may be missing, and by how much of X they violate the dual."""

    i: np.ndarray
    j: np.ndarray
    excess: np.ndarray


def solve_on(program: DegreeProgram, *, tol: float, max_iter: int) -> Optimum:
    """Return the optimum on the given edges."""
    point, n_iter, _ = _solve(program, program.start(), tol / 2, max_iter)
    return _optimum(program, point, program.excess(program.smooth(point.w), point.p), n_iter)


def solve_all_pairs(program: DegreeProgram, *, tol: float, max_iter: int) -> Optimum:
    """Solve on the given edges, add the pairs that the multipliers show to be missing, repeat.

    Every solve starts from scratch; it would take more steps from near the last solution.
    """
    goal, n_iter = max(_ROUGH, tol / 2), 0
    while True:
        point, used, stuck = _solve(program, program.start(), goal, max_iter - n_iter)
        n_iter += used
        Y, p = program.smooth(point.w), np.zeros(len(program.X))
        p[program.needy] = point.p
        prices = price(program.X, Y, p)
        missing = _missing(prices, program.edges, goal * np.sum(Y**2) / (8 * np.sum(program.X * Y)))
        is_rough = goal > tol / 2
        if stuck or n_iter >= max_iter or (not is_rough and len(missing.i) == 0):
            excess = max(program.excess(Y, point.p), float(np.max(prices.excess)))
            return _optimum(program, point, excess, n_iter)
        if len(missing.i) <= _FEW * program.edges.n_pairs:
            goal = tol / 2
        program = _exchange(program, point, missing, _DROPPED if is_rough else 0.0)


def price(X: np.ndarray, Y: np.ndarray, p: np.ndarray) -> Prices:
    """Return the pairs with the largest :func:`_excess` of each node, among all pairs."""
    m, kept = len(X), min(_ADDED, len(X) - 1)
    size = max(1, _PRICED_AT_ONCE // m)
    best = []
    for first in range(0, m, size):
        share = _excess_of_rows(X, Y, p, first, min(first + size, m))
        best.append(np.argpartition(share, m - kept, axis=1)[:, m - kept :])
    i, j = np.repeat(np.arange(m), kept), np.concatenate(best).ravel()
    return Prices(i, j, _excess(X, Y, p, i, j))


def _excess_of_rows(X: np.ndarray, Y: np.ndarray, p: np.ndarray, first: int, last: int) -> np.ndarray:
    """Return :func:`_excess` of some rows, by matrix products.

    Pairs so close that the products would cancel use differences.
    """
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


def _excess(X: np.ndarray, Y: np.ndarray, p: np.ndarray, i: np.ndarray, j: np.ndarray) -> np.ndarray:
    """Return ``(p_i + p_j - 2 (y_i - y_j).(x_i - x_j)) / 2 |x_i - x_j|^2``.

    It is minus infinity for nodes at the same place.
    """
    difference = X[i] - X[j]
    z = np.sum(difference**2, axis=1)
    lacking = p[i] + p[j] - 2 * np.sum((Y[i] - Y[j]) * difference, axis=1)
    return np.divide(lacking, 2 * z, out=np.full(len(z), -np.inf), where=z > 0)


def _missing(prices: Prices, edges: PairSet, limit: float) -> Prices:
    """Return the pairs beyond the limit that are not edges yet."""
    kept = (prices.excess > limit) & ~edges.contains(prices.i, prices.j)
    return Prices(*(part[kept] for part in prices))


def near_pairs(X: np.ndarray, needy: np.ndarray, k: int) -> PairSet:
    """Return each node that needs a degree with its nearest nodes.

    None of these is at the same place.
    """
    ids, _ = TiledSearch.of(X).exact_nearest(min(k, len(X) - 1))
    i = np.repeat(np.flatnonzero(needy), ids.shape[1])
    return PairSet.from_pairs(i, ids[needy].ravel().astype(np.int64), len(X))


def _solve(program: DegreeProgram, point: Iterate, goal: float, max_iter: int) -> tuple[Iterate, int, bool]:
    """Take Newton steps until the gap on these edges is small, or only rounding is left.

    The last value says whether the steps ended because nodes almost coincide.
    """
    for n_iter in range(max_iter):
        gap = program.gap(point)
        products = point.complementarity * (len(point.w) + len(point.p))
        value = float(np.sum(program.smooth(point.w) ** 2))
        if gap <= goal or products <= _NEGLIGIBLE * goal * value:
            return point, n_iter, False
        try:
            direction = program.direction(point)
        except RuntimeError:  # the matrix is singular
            return point, n_iter, True
        point = point.move(direction, point.longest_step(direction))
    return point, max_iter, False


def _exchange(program: DegreeProgram, point: Iterate, missing: Prices, dropped: float) -> DegreeProgram:
    """Add the missing edges, and drop those that are negligible at both of their ends."""
    heaviest = np.zeros(program.edges.n_nodes)
    for ends in (program.edges.rows, program.edges.cols):
        np.maximum.at(heaviest, ends, point.w)
    kept = point.w * program.hessian.diagonal() >= dropped * point.costs
    kept |= point.w >= np.minimum(heaviest[program.edges.rows], heaviest[program.edges.cols])
    i = np.concatenate([program.edges.rows[kept], missing.i])
    j = np.concatenate([program.edges.cols[kept], missing.j])
    return replace(program, edges=PairSet.from_pairs(i, j, program.edges.n_nodes))


def _optimum(program: DegreeProgram, point: Iterate, excess: float, n_iter: int) -> Optimum:
    w = program.feasible_weights(point)
    value = float(np.sum(program.smooth(w) ** 2))
    bound = program.lower_bound(program.smooth(point.w), point.p, max(excess, 0.0))
    return Optimum(program.edges, w, value, max(1 - bound / value, 0.0), n_iter)
