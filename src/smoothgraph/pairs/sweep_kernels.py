"""Compiled coordinate ascent: sweeps over the nodes, one multiplier at a time."""

from typing import NamedTuple

import numba
import numpy as np

_jit = numba.njit(cache=True, nogil=True, error_model="numpy")
# For sums whose order does not matter: they are then computed at vector speed.
_jit_sums = numba.njit(cache=True, nogil=True, error_model="numpy", fastmath={"reassoc", "contract", "nsz"})
_at = np.uintp  # see pair_kernels

ROUNDS = 50  # sweeps over the nodes that still move
_PLAIN_ROUNDS = 4  # sweeps before steps are made longer
_RELAXATION = 1.8  # how much longer: chosen by benchmark, like any over-relaxation below 2


class Rows(NamedTuple):
    """Every pair at both of its ends, as symmetric CSR rows.

    ``w_e = slope * max(u_i + u_j - 2 cost_e, 0)`` is the weight of a pair.
    """

    indptr: np.ndarray
    cols: np.ndarray
    cost: np.ndarray
    slope: float


class Wanted(NamedTuple):
    """A node at multiplier ``x`` wants the degree ``degree - curvature (x - anchor)``.

    Multipliers stay above ``lowest``. A change by less than ``step`` moves no neighbor.
    """

    degree: np.ndarray
    curvature: np.ndarray
    lowest: float
    step: np.ndarray
    anchor: np.ndarray


class Moves(NamedTuple):
    """What a sweep changes: the multipliers, and which nodes have still to move.

    Only ``free`` nodes move.
    """

    u: np.ndarray
    restless: np.ndarray
    free: np.ndarray


@_jit_sums
def _root(bars, slope, wanted, i, x, low):
    """Return the root x of ``slope sum max(x - bars, 0) = degree - curvature (x - anchor)``.

    Newton's method on a convex, piecewise linear function takes a handful of steps.
    """
    degree, curvature, anchor = wanted.degree[i], wanted.curvature[i], wanted.anchor[i]
    tiny = 0.01 * wanted.step[i]
    for _ in range(50):
        total, active = 0.0, 0
        for p in range(_at(bars.shape[0])):
            total += max(x - bars[p], 0.0)
            active += np.int64(x > bars[p])
        steepness = curvature + slope * active
        if steepness == 0.0:
            x = bars.min() + tiny
            continue
        step = (degree - curvature * (x - anchor) - slope * total) / steepness
        before, x = x, max(x + step, low)
        if abs(x - before) <= tiny:
            break
    return x


@_jit
def mark_inner(first, last, indptr, cols, inner):
    """Mark the nodes ``first <= i < last`` all of whose neighbors are among them."""
    for i in range(first, last):
        inner[i] = True
        for p in range(_at(indptr[i]), _at(indptr[i + 1])):
            inner[i] = inner[i] and first <= cols[p] < last


@_jit
def sweep(first, last, rows, wanted, moves):
    """Give every node in turn the multiplier that it wants beside its neighbors, until none moves.

    A node moves again only if a neighbor moved by more than its ``step``, or if an edge came or went. After a few
    rounds a node moves further than it wants to (successive over-relaxation), unless an edge would come or go.
    """
    indptr, cols, cost, slope = rows
    u, restless, free = moves
    longest = 0
    for i in range(first, last):
        longest = max(longest, indptr[i + 1] - indptr[i])
    room = np.empty(longest)
    for made in range(ROUNDS):
        moved = False
        for i in range(first, last):
            if not (restless[i] and free[i]):
                continue
            restless[i] = False
            start = _at(indptr[i])
            n = _at(indptr[i + 1]) - start
            for p in range(n):
                room[p] = 2.0 * cost[start + p] - u[_at(cols[start + p])]
            bars, anchor, lowest = room[:n], wanted.anchor[i], wanted.lowest
            low = lowest + (anchor - lowest) / 4 if lowest > -np.inf else lowest
            before = u[i]
            after = _root(bars, slope, wanted, i, before, low)
            if made >= _PLAIN_ROUNDS:
                further = before + _RELAXATION * (after - before)
                same = further >= low
                for p in range(n):
                    same = same and (before > bars[p]) == (further > bars[p])
                after = further if same else after
            u[i] = after
            is_far = abs(after - before) > wanted.step[i]
            for p in range(n):
                if (before > bars[p]) != (after > bars[p]) or (is_far and after > bars[p]):
                    j = _at(cols[start + p])
                    restless[j] = True
                    moved = moved or free[j]
        if not moved:
            break


@_jit
def lift(first, last, rows, degree, u):
    """Raise every node without an edge until its first edge has the weight that it wants."""
    for i in range(first, last):
        bar = np.inf
        for p in range(_at(rows.indptr[i]), _at(rows.indptr[i + 1])):
            bar = min(bar, 2.0 * rows.cost[p] - u[_at(rows.cols[p])])
        if u[i] <= bar < np.inf and degree[i] > 0.0:
            u[i] = bar + degree[i] / rows.slope
