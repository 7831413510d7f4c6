"""Compiled loops over pairs. No kernel holds the GIL, so threads can run them side by side.

A set of pairs is an upper-triangular CSR pattern: the pairs of row ``i`` are the positions ``indptr[i]:indptr[i +
1]`` of ``cols``. A kernel that takes ``first`` and ``last`` works on the rows ``first <= i < last``.
"""

import numba
import numpy as np

_jit = numba.njit(cache=True, nogil=True, error_model="numpy")
# Unsigned indices spare the check for negative ones: loops run two to three times faster.
_at = np.uintp


@_jit
def fill_all_pairs(first, last, n_nodes, indptr, cols):
    """Write the columns i+1..m-1 of every row."""
    for i in range(first, last):
        start = indptr[i]
        for j in range(i + 1, n_nodes):
            cols[_at(start + j - i - 1)] = j


@_jit
def sort_pairs(i, j, values, starts, cols, out):
    """Sort pairs into upper-triangular rows that begin at ``starts``, and drop repeats.

    Return the number of pairs in each row. They stand at its beginning, by increasing column.
    """
    place = starts[:-1].copy()
    for e in range(i.shape[0]):
        low, high = min(i[e], j[e]), max(i[e], j[e])
        cols[_at(place[low])] = high
        out[_at(place[low])] = values[e]
        place[low] += 1
    for row in range(starts.shape[0] - 1):
        first, last, kept = starts[row], place[row], starts[row]
        order = np.argsort(cols[first:last])
        sorted_cols, sorted_values = cols[first:last][order], out[first:last][order]
        for p in range(last - first):
            if p == 0 or sorted_cols[p] != sorted_cols[p - 1]:
                cols[kept], out[kept] = sorted_cols[p], sorted_values[p]
                kept += 1
        place[row] = kept - first
    return place


@_jit
def pair_sums(first, last, indptr, cols, u, out):
    """Write S'u: the sum of u over the two ends of each pair."""
    for i in range(first, last):
        here = u[i]
        for p in range(_at(indptr[i]), _at(indptr[i + 1])):
            out[p] = here + u[_at(cols[p])]


@_jit
def slacks(first, last, indptr, cols, u, tail, z, out):
    """Write v_e = (u + tail)_i + (u + tail)_j - 2 z_e, without cancellation.

    The larger end meets 2z first: where they nearly cancel, that difference is exact, so a far-away node keeps the
    digits of its tiny weights.
    """
    for i in range(first, last):
        here, rest = u[i], tail[i]
        for p in range(_at(indptr[i]), _at(indptr[i + 1])):
            j = _at(cols[p])
            there = u[j]
            high, low = max(here, there), min(here, there)
            out[p] = ((high - 2.0 * z[p]) + low) + (rest + tail[j])


@_jit
def degree_sums(first, last, indptr, cols, w, out):
    """Add S w: the weights summed over the pairs at each node."""
    for i in range(first, last):
        total = 0.0
        for p in range(_at(indptr[i]), _at(indptr[i + 1])):
            total += w[p]
            out[_at(cols[p])] += w[p]
        out[i] += total


@_jit
def hessian_product(first, last, indptr, cols, c, x, out):
    """Add S (c * S'x)."""
    for i in range(first, last):
        here, total = x[i], 0.0
        for p in range(_at(indptr[i]), _at(indptr[i + 1])):
            j = _at(cols[p])
            flow = c[p] * (here + x[j])
            total += flow
            out[j] += flow
        out[i] += total


@_jit
def smallest_at_nodes(first, last, indptr, cols, values, out):
    """Lower ``out`` to the smallest value over the pairs at each node."""
    for i in range(first, last):
        smallest = out[i]
        for p in range(_at(indptr[i]), _at(indptr[i + 1])):
            j = _at(cols[p])
            smallest = min(smallest, values[p])
            out[j] = min(out[j], values[p])
        out[i] = smallest


@_jit
def shortest_between(first, last, indptr, cols, z, label, shortest, position):
    """Write the least ``z`` of the pairs that leave each label, and the first pair that has it."""
    for i in range(first, last):
        here = label[i]
        for p in range(_at(indptr[i]), _at(indptr[i + 1])):
            there = label[_at(cols[p])]
            if here != there:
                for end in (here, there):
                    if z[p] < shortest[end]:
                        shortest[end] = z[p]
                        position[end] = p


@_jit
def add_exponentials(first, last, indptr, cols, t, shift, out):
    """Add ``exp(t_e - shift_i)`` over the pairs at each node."""
    for i in range(first, last):
        here, total = shift[i], 0.0
        for p in range(_at(indptr[i]), _at(indptr[i + 1])):
            j = _at(cols[p])
            total += np.exp(t[p] - here)
            out[j] += np.exp(t[p] - shift[j])
        out[i] += total


@_jit
def _insert(value, values):
    """Keep ``values`` sorted while ``value`` takes the place of the last."""
    slot = values.shape[0] - 1
    while slot > 0 and values[slot - 1] > value:
        values[slot] = values[slot - 1]
        slot -= 1
    values[slot] = value


@_jit
def nearest_values(first, last, indptr, cols, z, values):
    """Write the k smallest values at each node, in increasing order, into an (m, k) array."""
    k = values.shape[1]
    worst = values[:, k - 1].copy()
    for i in range(first, last):
        worst_here = worst[i]
        for p in range(_at(indptr[i]), _at(indptr[i + 1])):
            j = _at(cols[p])
            value = z[p]
            if value < worst_here:
                _insert(value, values[i])
                worst_here = values[i, k - 1]
            if value < worst[j]:
                _insert(value, values[j])
                worst[j] = values[j, k - 1]
        worst[i] = worst_here


@_jit
def pairs_within(first, last, indptr, cols, cost, reach, near):
    """Return the positions with 2 cost_e < reach_i + reach_j or cost_e <= near_i or near_j."""
    found = np.empty(indptr[last] - indptr[first], np.int64)  # unwritten memory costs nothing
    count = _at(0)
    for i in range(first, last):
        here, near_here = reach[i], near[i]
        for p in range(_at(indptr[i]), _at(indptr[i + 1])):
            j = _at(cols[p])
            if 2.0 * cost[p] < here + reach[j] or cost[p] <= max(near_here, near[j]):
                found[count] = p
                count += _at(1)
    return found[:count].copy()


@_jit
def positions_above(first, last, indptr, cols, values, least):
    """Return the positions with value_e > least_i or least_j."""
    found = np.empty(indptr[last] - indptr[first], np.int64)
    count = _at(0)
    for i in range(first, last):
        here = least[i]
        for p in range(_at(indptr[i]), _at(indptr[i + 1])):
            if values[p] > min(here, least[_at(cols[p])]):
                found[count] = p
                count += _at(1)
    return found[:count].copy()


@_jit
def count_below(first, last, indptr, cols, cost, u):
    """Count the pairs with 2 cost_e < u_i + u_j."""
    count = 0
    for i in range(first, last):
        here = u[i]
        for p in range(_at(indptr[i]), _at(indptr[i + 1])):
            count += np.int64(2.0 * cost[p] < here + u[_at(cols[p])])
    return count


@_jit
def mirror(indptr, cols, values, both_indptr, both_cols, both_values):
    """Write every pair at both of its ends: the symmetric CSR pattern and its values."""
    place = both_indptr[:-1].copy()
    for i in range(indptr.shape[0] - 1):
        for p in range(_at(indptr[i]), _at(indptr[i + 1])):
            j = _at(cols[p])
            both_cols[_at(place[i])] = j
            both_values[_at(place[i])] = values[p]
            place[i] += 1
            both_cols[_at(place[j])] = i
            both_values[_at(place[j])] = values[p]
            place[j] += 1
