"""Compiled elimination along a forest."""

import numba
import numpy as np

_jit = numba.njit(cache=True, nogil=True, error_model="numpy")
_LEAST_PIVOT = 1e-12  # of a diagonal entry: what is left of a forest along which nothing curves


@_jit
def _root(leader, i):
    while leader[i] != i:
        leader[i] = leader[leader[i]]
        i = leader[i]
    return i


@_jit
def grow(order, i, j, leader):
    """Return the positions of the pairs that join two trees if they are taken in ``order`` (Kruskal)."""
    kept = np.empty(len(leader), dtype=np.int64)
    n = 0
    for e in order:
        a, b = _root(leader, i[e]), _root(leader, j[e])
        if a != b:
            leader[a] = b
            kept[n] = e
            n += 1
    return kept[:n]


@_jit
def strip(i, j, n_nodes):
    """Return the nodes of a forest, leaves first, and for each the pair that joins it to a later one, or -1."""
    n_left, pairs = np.zeros(n_nodes, dtype=np.int64), np.zeros(n_nodes, dtype=np.int64)
    for e in range(len(i)):
        for node in (i[e], j[e]):
            n_left[node] += 1
            pairs[node] ^= e  # of a leaf, the one pair that is left
    order, joined = np.empty(n_nodes, dtype=np.int64), np.full(n_nodes, -1)
    last = 0
    for node in range(n_nodes):
        if n_left[node] <= 1:
            order[last] = node
            last += 1
    first = 0
    while first < last:
        node = order[first]
        first += 1
        if n_left[node] == 0:
            continue
        e = pairs[node]
        other = i[e] + j[e] - node
        joined[node] = e
        n_left[node] = 0
        n_left[other] -= 1
        pairs[other] ^= e
        if n_left[other] == 1:
            order[last] = other
            last += 1
    return order, joined


@_jit
def eliminate(order, parent, link, diagonal):
    """Turn ``diagonal`` into the pivots of the matrix, and return the factors of its elimination."""
    factor = np.zeros(len(order))
    least = _LEAST_PIVOT * diagonal
    for node in order:
        diagonal[node] = max(diagonal[node], least[node])
        if parent[node] >= 0:
            factor[node] = link[node] / diagonal[node]
            diagonal[parent[node]] -= factor[node] * link[node]
    return factor


@_jit
def substitute(order, parent, factor, pivot, b):
    """Return the solution of the factorized system."""
    x = b.copy()
    for node in order:
        if parent[node] >= 0:
            x[parent[node]] -= factor[node] * x[node]
    for node in order[::-1]:
        x[node] /= pivot[node]
        if parent[node] >= 0:
            x[node] -= factor[node] * x[parent[node]]
    return x
