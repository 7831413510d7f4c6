"""Compiled: the weights of one candidate edge over time, for every edge.

Arrays are ``(n_windows, n_edges)``; blocks of edges can be handed out in threads.
"""

import numba
import numpy as np

_jit = numba.njit(cache=True, nogil=True, error_model="numpy")


@_jit
def _solve_active(v: np.ndarray, active: np.ndarray, beta: float, gamma: float, w: np.ndarray) -> None:
    """``w = (2 A)^-1 v`` over the active windows, 0 elsewhere; ``A = beta I + gamma D'D``.

    Gaussian elimination in which nothing is subtracted: ``excess`` is by how much a pivot exceeds the entry beside
    it, so that no digits are lost if gamma is much larger than beta.
    """
    n = v.shape[0]
    pivot = np.empty(n)
    excess = 0.0
    for t in range(n):
        if not active[t]:
            w[t] = 0.0
            continue
        before = t > 0 and active[t - 1]
        after = t < n - 1 and active[t + 1]
        bound = 2.0 * beta  # and what joins it to windows where the weight is zero
        if t > 0 and not before:
            bound += 2.0 * gamma
        if t < n - 1 and not after:
            bound += 2.0 * gamma
        w[t] = v[t]
        if before:
            share = 2.0 * gamma / pivot[t - 1]
            bound += share * excess
            w[t] += share * w[t - 1]
        excess = bound
        pivot[t] = bound + 2.0 * gamma if after else bound
    for t in range(n - 1, -1, -1):
        if active[t]:
            if t < n - 1 and active[t + 1]:
                w[t] += 2.0 * gamma * w[t + 1]
            w[t] /= pivot[t]


@_jit
def smooth_weights(v: np.ndarray, beta: float, gamma: float, out: np.ndarray) -> None:
    """``argmax over w >= 0 of v'w - beta |w|^2 - gamma |D w|^2`` for every edge.

    From the windows with ``v > 0`` on, those that the others pull above zero are added until none is left: the
    matrix is an M-matrix, so that weights only grow and none has to leave.
    """
    n = v.shape[0]
    here, w = np.empty(n), np.empty(n)
    active = np.empty(n, np.bool_)
    for e in range(v.shape[1]):
        grown = False
        for t in range(n):
            here[t] = v[t, e]
            active[t] = here[t] > 0.0
            grown = grown or active[t]
            w[t] = 0.0
        while grown:
            _solve_active(here, active, beta, gamma, w)
            grown = False
            for t in range(n):
                if not active[t]:
                    pull = 0.0
                    if t > 0:
                        pull += w[t - 1]
                    if t < n - 1:
                        pull += w[t + 1]
                    if here[t] + 2.0 * gamma * pull > 0.0:
                        active[t] = True
                        grown = True
        for t in range(n):
            out[t, e] = w[t]


@_jit
def _taut_string(y: np.ndarray, reach: float, w: np.ndarray) -> None:
    """``argmin of |w - y|^2 / 2 + reach |D w|_1``: the slopes of a taut string.

    The string runs along the sums of ``y``, from the first to the last, and stays within ``reach`` of them. From
    the last knot on, ``low`` and ``high`` are the slopes between which a straight line touches neither side; once
    they cross, the string bends. Sums are taken from each knot on, so that one huge number does not cost the digits
    of all that follow.
    """
    n = w.shape[0]
    knot, side = 0, 0.0  # the string is side * reach above the sum there
    while knot < n:
        low, high = -np.inf, np.inf
        at_low, at_high = knot, knot
        end, end_side, slope = knot, 0.0, 0.0
        rise = 0.0
        for t in range(knot + 1, n + 1):
            rise += y[t - 1]
            length = t - knot
            room = reach if t < n else 0.0
            lower = (rise - room - side * reach) / length
            upper = (rise + room - side * reach) / length
            if lower > high:
                end, end_side, slope = at_high, 1.0, high
                break
            if upper < low:
                end, end_side, slope = at_low, -1.0, low
                break
            if lower >= low:
                low, at_low = lower, t
            if upper <= high:
                high, at_high = upper, t
            if t == n:
                end, end_side, slope = n, 0.0, lower
        for t in range(knot, end):
            w[t] = slope
        knot, side = end, end_side


@_jit
def fused_weights(v: np.ndarray, beta: float, gamma: float, out: np.ndarray) -> None:
    """``argmax over w >= 0 of v'w - beta |w|^2 - gamma |D w|_1`` for every edge.

    That is ``max(0, w)`` of the problem without the bound.
    """
    n = v.shape[0]
    y, w = np.empty(n), np.empty(n)
    for e in range(v.shape[1]):
        any_positive = False
        for t in range(n):
            any_positive = any_positive or v[t, e] > 0.0
            y[t] = v[t, e] / (2.0 * beta)
        if any_positive:
            _taut_string(y, gamma / (2.0 * beta), w)
        for t in range(n):
            out[t, e] = max(w[t], 0.0) if any_positive else 0.0
