"""Compiled: the point of a simplex that lies nearest to a node, for many nodes."""

import numba
import numpy as np

# Relative to the mean diagonal: decides between equally good weights, and costs as little.
_RIDGE = 1e-10
_SLACK = 1e-14  # below which a negative gradient is rounding
_ROUNDS = 50  # per neighbour; far more than ever needed

_jit = numba.njit(cache=True, nogil=True, error_model="numpy")


@_jit
def reconstruct(
    X: np.ndarray, first: int, ids: np.ndarray, weights: np.ndarray, measures: np.ndarray
) -> None:
    """Write the w that minimise ``|x_i - sum_j w_ij x_j|^2``, ``w >= 0``, ``sum w = 1``.

    Row ``a`` of ``ids``, ``weights`` and ``measures`` is node ``i = first + a``, and ``j``
    runs over its ids. The measures are the objective and its duality gap, both divided by the
    mean squared distance from ``x_i`` to these ``x_j``.
    """
    k = ids.shape[1]
    gram = np.empty((k, k))
    for a in range(ids.shape[0]):
        if _fill_gram(X, first + a, ids[a], gram):
            _least_norm(gram, weights[a])
            measures[a, 0], measures[a, 1] = _value_and_gap(gram, weights[a])
        else:
            weights[a, :] = 1.0 / k
            measures[a, :] = 0.0


@_jit
def _fill_gram(X: np.ndarray, i: int, neighbors: np.ndarray, gram: np.ndarray) -> bool:
    """Write the products of ``x_j - x_i`` over their mean square; False if that is zero."""
    k = neighbors.shape[0]
    unit = 0.0
    for a in range(k):
        for b in range(a + 1):
            product = 0.0
            for f in range(X.shape[1]):
                product += (X[neighbors[a], f] - X[i, f]) * (X[neighbors[b], f] - X[i, f])
            gram[a, b] = gram[b, a] = product
        unit += gram[a, a] / k
    if unit > 0.0:
        for a in range(k):
            for b in range(k):
                gram[a, b] /= unit
    return unit > 0.0


@_jit
def _value_and_gap(gram: np.ndarray, w: np.ndarray) -> tuple[float, float]:
    """``w' G w``, and how much of it may be avoidable at most: Frank and Wolfe's gap."""
    value, lowest = 0.0, np.inf
    for a in range(w.shape[0]):
        slope = _dot(gram[a], w)
        value += w[a] * slope
        lowest = min(lowest, slope)
    return max(value, 0.0), max(2.0 * (value - lowest), 0.0)


@_jit
def _dot(a: np.ndarray, b: np.ndarray) -> float:
    total = 0.0
    for p in range(a.shape[0]):
        total += a[p] * b[p]
    return total


@_jit
def _least_norm(gram: np.ndarray, w: np.ndarray) -> None:
    """Write the minimiser of ``w' G w`` on the simplex, where G has mean diagonal 1.

    It is ``v / sum(v)`` for the ``v >= 0`` that minimises ``v' G v + (sum(v) - 1)^2``, which
    the active set method of Lawson and Hanson finds.
    """
    k = gram.shape[0]
    Q = np.empty((k, k))
    for a in range(k):
        for b in range(k):
            Q[a, b] = gram[a, b] + 1.0
        Q[a, a] += _RIDGE
    w[:] = 0.0
    inside = np.zeros(k, dtype=np.bool_)
    for _ in range(_ROUNDS * k):
        entering = _steepest(Q, w, inside)
        if entering < 0:
            break
        inside[entering] = True
        _settle(Q, w, inside)
    total = 0.0
    for a in range(k):
        total += w[a]
    for a in range(k):
        w[a] /= total


@_jit
def _steepest(Q: np.ndarray, v: np.ndarray, inside: np.ndarray) -> int:
    """Which variable that is zero wants to grow most; -1 if none does."""
    best, entering = _SLACK, -1
    for a in range(v.shape[0]):
        if not inside[a]:
            gain = 1.0 - _dot(Q[a], v)
            if gain > best:
                best, entering = gain, a
    return entering


@_jit
def _settle(Q: np.ndarray, v: np.ndarray, inside: np.ndarray) -> None:
    """Move v to the minimum over the variables inside; those that would pass zero leave."""
    k = v.shape[0]
    members, A, target = np.empty(k, dtype=np.int64), np.empty((k, k)), np.empty(k)
    while True:
        p = 0
        for a in range(k):
            if inside[a]:
                members[p] = a
                p += 1
        for a in range(p):
            for b in range(p):
                A[a, b] = Q[members[a], members[b]]
        _solve_for_ones(A[:p, :p], target[:p])
        step, leaving = 1.0, -1
        for a in range(p):
            here = v[members[a]]
            if target[a] < 0.0 and here <= step * (here - target[a]):
                step, leaving = here / (here - target[a]), members[a]
        for a in range(p):
            v[members[a]] += step * (target[a] - v[members[a]])
        if leaving < 0:
            return
        v[leaving], inside[leaving] = 0.0, False


@_jit
def _solve_for_ones(A: np.ndarray, x: np.ndarray) -> None:
    """Write the x with ``A x = 1``; A is positive definite, and Cholesky's factor in the end."""
    p = x.shape[0]
    for a in range(p):
        for b in range(a + 1):
            product = _dot(A[a, :b], A[b, :b])
            if b < a:
                A[a, b] = (A[a, b] - product) / A[b, b]
            else:
                A[a, a] = np.sqrt(max(A[a, a] - product, _RIDGE))
        x[a] = (1.0 - _dot(A[a, :a], x[:a])) / A[a, a]
    for a in range(p - 1, -1, -1):
        x[a] = (x[a] - _dot(A[a + 1 :, a], x[a + 1 :])) / A[a, a]
