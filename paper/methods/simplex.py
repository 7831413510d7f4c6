"""Compiled code that finds the point of a simplex nearest to a node, for many nodes."""

import numba
import numpy as np

from smoothgraph.methods.nonnegative_kernels import RIDGE, dot, minimize_nonnegative

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
        slope = dot(gram[a], w)
        value += w[a] * slope
        lowest = min(lowest, slope)
    return max(value, 0.0), max(2.0 * (value - lowest), 0.0)


@_jit
def _least_norm(gram: np.ndarray, w: np.ndarray) -> None:
    """Write the minimizer of ``w' G w`` on the simplex, where G has mean diagonal 1.

    It is ``v / sum(v)`` for the ``v >= 0`` that minimizes ``v' G v + (sum(v) - 1)^2``.
    """
    k = gram.shape[0]
    Q = np.empty((k, k))
    for a in range(k):
        for b in range(k):
            Q[a, b] = gram[a, b] + 1.0
        Q[a, a] += RIDGE
    minimize_nonnegative(Q, np.ones(k), w)
    total = 0.0
    for a in range(k):
        total += w[a]
    for a in range(k):
        w[a] /= total
