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
def put_nearest_first(first, last, indptr, near, z, most):
    """Reorder the lists ``first <= i < last`` that have more than ``most`` nodes: the nearest by ``z`` come first."""
    for i in range(first, last):
        if indptr[i + 1] - indptr[i] > most:
            begin, end = _at(indptr[i]), _at(indptr[i + 1])
            _partition(near[begin:end], z[begin:end], most)


@_jit
def _partition(nodes, values, number):
    """Bring the ``number`` smallest values, and their nodes, to the front: Hoare's selection."""
    low, high = 0, len(values) - 1
    while low < high:
        pivot = values[(low + high) // 2]
        left, right = low, high
        while left <= right:
            while values[left] < pivot:
                left += 1
            while values[right] > pivot:
                right -= 1
            if left <= right:
                values[left], values[right] = values[right], values[left]
                nodes[left], nodes[right] = nodes[right], nodes[left]
                left += 1
                right -= 1
        if number - 1 <= right:
            high = right
        elif number - 1 >= left:
            low = left
        else:
            return


@_jit
def turn_round(first, last, ids, z, starts, out_ids, out_z):
    """Write the rows of ``ids`` that name node ``j``, for ``first <= j < last``, from ``starts[j]`` on."""
    place = starts[first:last].copy()
    for i in range(ids.shape[0]):
        for r in range(ids.shape[1]):
            j = ids[i, r]
            if first <= j < last:
                slot = _at(place[j - first])
                out_ids[slot], out_z[slot] = i, z[i, r]
                place[j - first] += 1


@_jit
def gather_nearest(first, last, ids, z, starts, back_ids, back_z, table):
    """Write the nearest of the nodes in row ``i`` and of those that name it, each once; -1 where there are no more."""
    values = np.empty(table.shape[1], np.float32)
    for i in range(first, last):
        values[:] = np.inf
        table[i] = -1
        for r in range(ids.shape[1]):
            _insert_once(ids[i, r], z[i, r], table[i], values)
        for p in range(_at(starts[i]), _at(starts[i + 1])):
            _insert_once(back_ids[p], back_z[p], table[i], values)


@_jit
def _insert_once(node, value, nodes, values):
    """Insert a node into a sorted list unless it is there."""
    if not value < values[-1]:
        return
    for e in range(len(nodes)):
        if values[e] > value:
            break
        if nodes[e] == node:
            return
    insert_sorted(node, value, nodes, values)


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
