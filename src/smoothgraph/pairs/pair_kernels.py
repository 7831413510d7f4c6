"""Compiled loops over pairs. No kernel holds the GIL, so threads can run them side by side.

A set of pairs is an upper-triangular CSR pattern: the pairs of row ``i`` are the positions ``indptr[i]:indptr[i +
1]`` of ``cols``. A kernel that takes ``first`` and ``last`` works on the rows ``first <= i < last``.
"""

import numba
import numpy as np

_jit = numba.njit(cache=True, nogil=True, error_model="numpy")
# Unsigned indices spare the check for negative ones: loops run two to three times faster.
_at = np.uintp
_SHORT = 48  # pairs of a row that are sorted by insertion


@_jit
def fill_all_pairs(first, last, n_nodes, indptr, cols):
    """Write the columns i+1..m-1 of every row."""
    for i in range(first, last):
        start = indptr[i]
        for j in range(i + 1, n_nodes):
            cols[_at(start + j - i - 1)] = j


@_jit
def scatter_pairs(i, j, values, starts, cols, out):
    """Write every pair into the row of its smaller end; rows begin at ``starts``."""
    place = starts[:-1].copy()
    for e in range(_at(i.shape[0])):
        low = _at(min(i[e], j[e]))
        slot = _at(place[low])
        cols[slot] = max(i[e], j[e])
        out[slot] = values[e]
        place[low] += 1


@_jit
def _sort_by_column(cols, values):
    """Sort the pairs of one row."""
    if cols.shape[0] > _SHORT:
        order = np.argsort(cols)
        cols[:], values[:] = cols[order], values[order]
        return
    for p in range(_at(1), _at(cols.shape[0])):
        col, value = cols[p], values[p]
        slot = p
        while slot > 0 and cols[slot - _at(1)] > col:
            cols[slot], values[slot] = cols[slot - _at(1)], values[slot - _at(1)]
            slot -= _at(1)
        cols[slot], values[slot] = col, value


@_jit
def sort_rows(first, last, starts, cols, values, counts):
    """Sort each row by column and drop repeats; what is left stands at its beginning, and ``counts`` says how many."""
    for row in range(first, last):
        begin = _at(starts[row])
        end = kept = _at(starts[row + 1])
        _sort_by_column(cols[begin:end], values[begin:end])
        if begin < end:
            kept = begin + _at(1)
        for p in range(begin + _at(1), end):
            if cols[p] != cols[kept - _at(1)]:
                cols[kept], values[kept] = cols[p], values[p]
                kept += _at(1)
        counts[row] = kept - begin


@_jit
def close_gaps(first, last, starts, indptr, cols, values, out_cols, out_values):
    """Copy the beginnings of the rows so that they follow each other."""
    for row in range(first, last):
        begin, place = _at(starts[row]), _at(indptr[row])
        for p in range(_at(indptr[row + 1]) - place):
            out_cols[place + p], out_values[place + p] = cols[begin + p], values[begin + p]


@_jit
def count_union(first, last, indptr, cols, other_indptr, other_cols, counts):
    """Count the pairs of each row that are in either of two sets."""
    for row in range(first, last):
        p, end = _at(indptr[row]), _at(indptr[row + 1])
        count = end - p
        for q in range(_at(other_indptr[row]), _at(other_indptr[row + 1])):
            while p < end and cols[p] < other_cols[q]:
                p += _at(1)
            if p == end or cols[p] != other_cols[q]:
                count += _at(1)
        counts[row] = count


@_jit
def write_union(first, last, indptr, cols, values, other_indptr, other_cols, other_values, starts, out_cols, out):
    """Write the pairs of two sets by increasing column; rows begin at ``starts``. The first set's values are kept."""
    for row in range(first, last):
        p, end = _at(indptr[row]), _at(indptr[row + 1])
        q, other_end = _at(other_indptr[row]), _at(other_indptr[row + 1])
        slot = _at(starts[row])
        while p < end or q < other_end:
            if q == other_end or (p < end and cols[p] <= other_cols[q]):
                q += _at(q < other_end and cols[p] == other_cols[q])
                out_cols[slot], out[slot] = cols[p], values[p]
                p += _at(1)
            else:
                out_cols[slot], out[slot] = other_cols[q], other_values[q]
                q += _at(1)
            slot += _at(1)


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
def lesser_squares(first, last, indptr, cols, w, size):
    """Return the sum of ``min(size_i, size_j)^2`` over the pairs with a weight."""
    total = 0.0
    for i in range(first, last):
        for p in range(_at(indptr[i]), _at(indptr[i + 1])):
            if w[p] != 0.0:
                total += min(size[i], size[_at(cols[p])]) ** 2
    return total


@_jit
def mirror(first, last, indptr, cols, values, both_indptr, both_cols, both_values):
    """Write every pair at those of its ends that are among ``first <= i < last``.

    That is their part of the symmetric CSR pattern and its values.
    """
    place = both_indptr[first:last].copy()
    for i in range(last):
        begin, end = _at(indptr[i]), _at(indptr[i + 1])
        inside = i >= first
        if begin == end or (not inside and cols[end - _at(1)] < first):
            continue
        for p in range(begin, end):
            j = cols[p]
            if inside:
                slot = _at(place[i - first])
                both_cols[slot], both_values[slot] = j, values[p]
                place[i - first] += 1
            if first <= j < last:
                slot = _at(place[j - first])
                both_cols[slot], both_values[slot] = i, values[p]
                place[j - first] += 1
