"""Compiled loops over the rows of a block: every edge stands at each of its ends.

The entries of row ``i`` are the positions ``indptr[i]:indptr[i + 1]``, in increasing order of
their columns: before ``split[i]`` those of smaller nodes, then those of larger ones. Sums are
taken in the order in which they are taken over edges in memory.
"""

import numba
import numpy as np

_jit = numba.njit(cache=True, nogil=True, error_model="numpy")
_at = np.uintp


@_jit
def count_ends(i, j, first, last, counts):
    """Count the ends of the pairs at every node of the block."""
    for e in range(i.shape[0]):
        if first <= i[e] < last:
            counts[i[e] - first] += 1
        if first <= j[e] < last:
            counts[j[e] - first] += 1


@_jit
def place_ends(pairs, bounds, place, cols, out):
    """Write the other end and the value of every pair into the rows of its ends in the block."""
    i, j, values = pairs
    first, last = bounds
    for e in range(i.shape[0]):
        for here, there in ((i[e], j[e]), (j[e], i[e])):
            if first <= here < last:
                p = _at(place[here - first])
                cols[p] = there
                out[p] = values[e]
                place[here - first] += 1


@_jit
def place_rows(indptr, cols, values, place, placed_cols, placed):
    """Copy whole rows to their places."""
    for i in range(indptr.shape[0] - 1):
        for p in range(_at(indptr[i]), _at(indptr[i + 1])):
            q = _at(place[i])
            placed_cols[q] = cols[p]
            placed[q] = values[p]
            place[i] += 1


@_jit
def merge_rows(indptr, cols, values):
    """Sort every row by columns, without repeats, and close up in place."""
    count = 0
    for i in range(indptr.shape[0] - 1):
        row = slice(indptr[i], indptr[i + 1])
        order = np.argsort(cols[row])
        sorted_cols, sorted_values = cols[row][order], values[row][order]
        indptr[i] = count
        for p in range(order.shape[0]):
            if p == 0 or sorted_cols[p] != sorted_cols[p - 1]:
                cols[count] = sorted_cols[p]
                values[count] = sorted_values[p]
                count += 1
    indptr[-1] = count


@_jit
def number_locally(indptr, cols, bounds, halo, local, lower):
    """Columns as the block's own nodes from 0 on, then its halo; which are the smaller ends."""
    first, last = bounds
    for i in range(indptr.shape[0] - 1):
        for p in range(_at(indptr[i]), _at(indptr[i + 1])):
            if first <= cols[p] < last:
                local[p] = cols[p] - first
            else:
                local[p] = last - first + np.searchsorted(halo, cols[p])
            lower[p] = cols[p] < first + i


@_jit
def find_in_rows(indptr, cols, nodes, rows, wanted, found):
    """Whether each ``wanted`` node is in its row; ``nodes[cols]`` increase in every row."""
    for e in range(rows.shape[0]):
        low, high = indptr[rows[e]], indptr[rows[e] + 1]
        while low < high:
            middle = (low + high) // 2
            if nodes[cols[middle]] < wanted[e]:
                low = middle + 1
            else:
                high = middle
        found[e] = low < indptr[rows[e] + 1] and nodes[cols[low]] == wanted[e]


@_jit
def slacks(indptr, cols, first, u, tail, z, out):
    """v_e = (u + tail)_i + (u + tail)_j - 2 z_e, without cancellation; rows from ``first`` on."""
    for i in range(indptr.shape[0] - 1):
        here, rest = u[first + i], tail[first + i]
        for p in range(_at(indptr[i]), _at(indptr[i + 1])):
            j = _at(cols[p])
            there = u[j]
            high, low = max(here, there), min(here, there)
            out[p] = ((high - 2.0 * z[p]) + low) + (rest + tail[j])


@_jit
def select(indptr, entries, scale, mask, kept_indptr, kept):
    """Copy the entries (columns, distances in scale, which are lower) of the mask, by rows."""
    cols, z, lower = entries
    kept_cols, kept_z, kept_lower = kept
    count = _at(0)
    for i in range(indptr.shape[0] - 1):
        for p in range(_at(indptr[i]), _at(indptr[i + 1])):
            if mask[p]:
                kept_cols[count] = cols[p]
                kept_z[count] = scale * z[p]
                kept_lower[count] = lower[p]
                count += _at(1)
        kept_indptr[i + 1] = count


@_jit
def split_rows(indptr, lower, split):
    """Where the smaller ends of every row stop."""
    for i in range(indptr.shape[0] - 1):
        split[i] = indptr[i]
        for p in range(_at(indptr[i]), _at(indptr[i + 1])):
            split[i] += lower[p]


@_jit
def row_sums(indptr, split, w, out):
    """Write the sum of every row."""
    for i in range(indptr.shape[0] - 1):
        before, after = 0.0, 0.0
        for p in range(_at(indptr[i]), _at(split[i])):
            before += w[p]
        for p in range(_at(split[i]), _at(indptr[i + 1])):
            after += w[p]
        out[i] = before + after


@_jit
def row_products(indptr, split, cols, first, c, x, out):
    """Write the sum of ``c_e (x_i + x_j)`` over every row, from ``first`` on."""
    for i in range(indptr.shape[0] - 1):
        here, before, after = x[first + i], 0.0, 0.0
        for p in range(_at(indptr[i]), _at(split[i])):
            before += c[p] * (here + x[_at(cols[p])])
        for p in range(_at(split[i]), _at(indptr[i + 1])):
            after += c[p] * (here + x[_at(cols[p])])
        out[i] = before + after


@_jit
def row_least(indptr, values, out):
    """Lower ``out`` to the least value of every row."""
    for i in range(indptr.shape[0] - 1):
        for p in range(_at(indptr[i]), _at(indptr[i + 1])):
            out[i] = min(out[i], values[p])


@_jit
def row_nearest(indptr, z, out):
    """Write the smallest values of every row, in increasing order, over infinities."""
    last = out.shape[1] - 1
    for i in range(indptr.shape[0] - 1):
        for p in range(_at(indptr[i]), _at(indptr[i + 1])):
            value = z[p]
            if value < out[i, last]:
                slot = last
                while slot > 0 and out[i, slot - 1] > value:
                    out[i, slot] = out[i, slot - 1]
                    slot -= 1
                out[i, slot] = value


@_jit
def mark_below(indptr, cols, z, scale, reach, mask):
    """Set the mask of the entries with ``2 scale z_e < reach_i + reach_j``; how many were not."""
    missing = 0
    for i in range(indptr.shape[0] - 1):
        here = reach[i]
        for p in range(_at(indptr[i]), _at(indptr[i + 1])):
            if not mask[p] and 2.0 * (scale * z[p]) < here + reach[_at(cols[p])]:
                mask[p] = True
                missing += 1
    return missing


@_jit
def mark_nearest(indptr, cols, z, scale, farthest, mask):
    """Set the mask of the entries that, in scale, are among the nearest of either end."""
    for i in range(indptr.shape[0] - 1):
        for p in range(_at(indptr[i]), _at(indptr[i + 1])):
            if scale * z[p] <= max(farthest[i], farthest[_at(cols[p])]):
                mask[p] = True
