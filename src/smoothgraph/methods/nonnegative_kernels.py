"""Compiled non-negative least squares of a few variables, and what the NNK graph needs for many nodes."""

import numba
import numpy as np

RIDGE = 1e-10  # relative to a diagonal of 1: small, and decides between equally good weights
_SLACK = 1e-14  # a gain below this is rounding
_ROUNDS = 50  # per variable, far more than the method needs

_jit = numba.njit(cache=True, nogil=True, error_model="numpy")


@_jit
def minimize_nonnegative(Q: np.ndarray, b: np.ndarray, w: np.ndarray) -> None:
    """Write the ``w >= 0`` that minimizes ``w' Q w / 2 - b' w``, by the active set method of Lawson and Hanson.

    Q is positive definite, with a diagonal near 1.
    """
    k = Q.shape[0]
    w[:] = 0.0
    inside = np.zeros(k, dtype=np.bool_)
    for _ in range(_ROUNDS * k):
        entering = _steepest(Q, b, w, inside)
        if entering < 0:
            break
        inside[entering] = True
        _minimize_inside(Q, b, w, inside)


@_jit
def dot(a: np.ndarray, b: np.ndarray) -> float:
    """Return ``a' b``."""
    total = 0.0
    for p in range(a.shape[0]):
        total += a[p] * b[p]
    return total


@_jit
def _steepest(Q: np.ndarray, b: np.ndarray, v: np.ndarray, inside: np.ndarray) -> int:
    """Return the zero variable whose growth gains most; -1 if none gains."""
    best, entering = _SLACK, -1
    for a in range(v.shape[0]):
        if not inside[a]:
            gain = b[a] - dot(Q[a], v)
            if gain > best:
                best, entering = gain, a
    return entering


@_jit
def _minimize_inside(Q: np.ndarray, b: np.ndarray, v: np.ndarray, inside: np.ndarray) -> None:
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
            target[a] = b[members[a]]
            for c in range(p):
                A[a, c] = Q[members[a], members[c]]
        _solve(A[:p, :p], target[:p])
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
def _solve(A: np.ndarray, x: np.ndarray) -> None:
    """Write the solution of ``A y = x`` over x, and the Cholesky factor over the positive definite A."""
    p = x.shape[0]
    for a in range(p):
        for b in range(a + 1):
            product = dot(A[a, :b], A[b, :b])
            if b < a:
                A[a, b] = (A[a, b] - product) / A[b, b]
            else:
                A[a, a] = np.sqrt(max(A[a, a] - product, RIDGE))
        x[a] = (x[a] - dot(A[a, :a], x[:a])) / A[a, a]
    for a in range(p - 1, -1, -1):
        x[a] = (x[a] - dot(A[a + 1 :, a], x[a + 1 :])) / A[a, a]


@_jit
def regress_on_neighbors(first, last, X, ids, w, errors):
    """Write, for each node from ``first`` to ``last``, the non-negative kernel regression on its neighbors.

    With the kernel ``K(x, y) = exp(-|x - y|^2 / 2)``, row i of ``w`` minimizes ``w' K_SS w / 2 - K_Si' w`` over
    ``w >= 0``, where S are the neighbors, and ``errors[i]`` is twice that minimum plus 1.
    """
    k, n = ids.shape[1], X.shape[1]
    Y, K, b = np.empty((k, n)), np.empty((k, k)), np.empty(k)
    for i in range(first, last):
        for a in range(k):
            for f in range(n):
                Y[a, f] = X[ids[i, a], f] - X[i, f]
        gram = np.dot(Y, Y.T)
        for a in range(k):
            b[a] = np.exp(-gram[a, a] / 2)
            for c in range(k):
                K[a, c] = np.exp(-max(gram[a, a] + gram[c, c] - 2 * gram[a, c], 0.0) / 2)
            K[a, a] += RIDGE
        minimize_nonnegative(K, b, w[i])
        errors[i] = 1.0
        for a in range(k):
            errors[i] += w[i, a] * (dot(K[a], w[i]) - 2 * b[a])
