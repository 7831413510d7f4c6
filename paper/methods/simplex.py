"""Compiled code that finds the point of a simplex nearest to a node, for many nodes."""

import numba
import numpy as np

_RIDGE = 1e-10  # relative to the mean diagonal: small, and decides between equally good weights
_SLACK = 1e-14  # a gain below this is rounding
_ROUNDS = 50  # per neighbor, far more than the method needs

_jit = numba.njit(cache=True, nogil=True, error_model="numpy")


@_jit
def reconstruct(X: np.ndarray, first: int, ids: np.ndarray, weights: np.ndarray, measures: np.ndarray) -> None:
    """Write the w that minimize ``|x_i - sum_j w_ij x_j|^2``, ``w >= 0``, ``sum w = 1``.

    Row ``a`` of ``ids``, ``weights`` and ``measures`` belongs to node ``i = first + a``, and ``j``
    runs over its ids. The measures are the objective and its duality gap, both divided by the mean
    squared distance from ``x_i`` to these ``x_j``.
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
    """Write the products of ``x_j - x_i`` over their mean square; return False if that is 0."""
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
    """Return ``w' G w`` and its Frank-Wolfe gap."""
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
    """Write the minimizer of ``w' G w`` on the simplex, where G has mean diagonal 1.

    It is ``v / sum(v)`` for the ``v >= 0`` that minimizes ``v' G v + (sum(v) - 1)^2``. The active
    set method of Lawson and Hanson finds that v.
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
        _minimize_inside(Q, w, inside)
    total = 0.0
    for a in range(k):
        total += w[a]
    for a in range(k):
        w[a] /= total


@_jit
def _steepest(Q: np.ndarray, v: np.ndarray, inside: np.ndarray) -> int:
    """Return the zero variable whose growth gains most; -1 if none gains."""
    best, entering = _SLACK, -1
    for a in range(v.shape[0]):
        if not inside[a]:
            gain = 1.0 - _dot(Q[a], v)
            if gain > best:
                best, entering = gain, a
    return entering


@_jit
def _minimize_inside(Q: np.ndarray, v: np.ndarray, inside: np.ndarray) -> None:
    """Move v to the minimum over the variables inside; those that would become negative leave."""
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
    """Write the x with ``A x = 1``, and the Cholesky factor over the positive definite A."""
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
