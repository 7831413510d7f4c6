"""Compiled code of the search within two hops; no function holds the GIL.

``indptr`` and ``near`` are the lists of near nodes of each node. Hops lead to the first ``most`` of each. ``seen``
holds, for each node, the last node that it was looked at from, or -1. Nodes two hops away are collected first. Then
memory is read ahead while they are measured.
"""

import numba
import numpy as np

from smoothgraph.search.levels import WideLevels
from smoothgraph.search.scan_kernels import insert_sorted

_jit = numba.njit(cache=True, nogil=True, error_model="numpy")
_jit_sums = numba.njit(cache=True, nogil=True, error_model="numpy", fastmath={"reassoc", "contract", "nsz"})
_at = np.uintp  # unsigned indices need no check for negative ones
FIRST = 16  # coordinates after which most nodes are known to be too far


@_jit
def put_nearest_first(indptr, near, z, most):
    """Sort each list that has more than ``most`` nodes by their distances ``z``."""
    for i in range(len(indptr) - 1):
        first, last = indptr[i], indptr[i + 1]
        if last - first > most:
            near[first:last] = near[first:last][np.argsort(z[first:last])]


@_jit
def _collect(i, known, indptr, near, most, seen, found):
    """Write the nodes within two hops of ``i`` that are not ``known``, and return their number."""
    count = 0
    seen[i] = i
    for node in known:
        seen[_at(node)] = i
    for p in range(_at(indptr[i]), _at(min(indptr[i] + most, indptr[i + 1]))):
        j = _at(near[p])
        if seen[j] != i:
            seen[j] = i
            found[_at(count)] = j
            count += 1
        for q in range(_at(indptr[j]), _at(min(indptr[j] + most, indptr[j + _at(1)]))):
            node = near[q]
            if seen[_at(node)] != i:
                seen[_at(node)] = i
                found[_at(count)] = node
                count += 1
    return count


@_jit_sums
def _square_heads(heads, i, nodes, squares):
    """Write ``|heads_i - heads_j|^2`` for each node."""
    for e in range(len(nodes)):
        node, total = _at(nodes[e]), np.float32(0)
        for c in range(_at(FIRST)):
            difference = heads[_at(i), c] - heads[node, c]
            total += difference * difference
        squares[e] = total


@_jit_sums
def _square_tail(points, i, j):
    """Return the sum over all later coordinates."""
    total = np.float32(0)
    for c in range(_at(FIRST), _at(points.shape[1])):
        difference = points[_at(i), c] - points[_at(j), c]
        total += difference * difference
    return total


@_jit
def nearest_in_two_hops(first, last, indptr, near, most, points, heads, seen, nearest, squares):
    """Write the nearest nodes within two hops of each node ``first <= i < last``, and their squared distances, sorted.

    Before, the squared distances are infinite.
    """
    found, bounds = np.empty(len(seen), np.int32), np.empty(len(seen), np.float32)
    for i in range(first, last):
        ids, values = nearest[i - first], squares[i - first]
        count = _collect(i, near[:0], indptr, near, most, seen, found)
        _square_heads(heads, i, found[:count], bounds)
        for e in range(count):
            square = bounds[e]
            if square < values[-1]:
                square += _square_tail(points, i, found[e])
            if square < values[-1]:
                insert_sorted(found[e], square, ids, values)


@_jit
def pairs_in_two_hops(nodes, first, indptr, near, most, points, heads, wide: WideLevels, seen, found):
    """Write the pairs ``(i, j)`` from ``nodes[first]`` on that may be wanted, are two hops apart, and are new.

    Return how many there are, and the position of the first node that was not looked at because ``found`` is full.
    """
    margin, lone, left, right, _ = wide
    others, bounds = np.empty(len(seen), np.int32), np.empty(len(seen), np.float32)
    written = 0
    for position in range(first, len(nodes)):
        i = nodes[position]
        count = _collect(i, near[indptr[i] : indptr[i + 1]], indptr, near, most, seen, others)
        if written + count > len(found):
            return written, position
        _square_heads(heads, i, others[:count], bounds)
        for e in range(count):
            j = others[e]
            limit = margin[i] + margin[j] + max(lone[i], lone[j])
            for c in range(left.shape[1]):
                limit += left[i, c] * right[j, c]
            if bounds[e] >= limit:
                continue
            if bounds[e] + _square_tail(points, i, j) < limit:
                found[written, 0] = i
                found[written, 1] = j
                written += 1
    return written, len(nodes)
