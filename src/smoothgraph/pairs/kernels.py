"""All compiled code: free functions over arrays, none of which holds the GIL.

An edge set is an upper-triangular CSR pattern: the edges of row ``i`` are the
positions ``indptr[i]:indptr[i + 1]`` of ``cols``. A kernel that takes the rows
``first <= i < last`` can be handed blocks of rows in threads.
"""

import numba
import numpy as np

_jit = numba.njit(cache=True, nogil=True, error_model="numpy")
# For sums whose order does not matter: they are then computed at vector speed.
_jit_sums = numba.njit(
    cache=True, nogil=True, error_model="numpy", fastmath={"reassoc", "contract", "nsz"}
)
# Unsigned indices spare the check for negative ones: two to three times faster loops.
_at = np.uintp

_PLAIN_ROUNDS, _FURTHER = 4, 1.8  # of coordinate ascent, before steps are made longer, and how much


@_jit
def fill_all_pairs(first, last, n_nodes, indptr, cols):
    """Write the columns i+1..m-1 of every row."""
    for i in range(first, last):
        start = indptr[i]
        for j in range(i + 1, n_nodes):
            cols[_at(start + j - i - 1)] = j


@_jit
def rows_of_pairs(i, j, values, starts, cols, out):
    """Sort pairs into the upper-triangular rows ``starts`` has room for; drop repeats.

    Returns how many are left in each row, in increasing columns from its start on.
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
    """Write S'u: the sum of u over the two ends of each edge."""
    for i in range(first, last):
        here = u[i]
        for p in range(_at(indptr[i]), _at(indptr[i + 1])):
            out[p] = here + u[_at(cols[p])]


@_jit
def slacks(first, last, indptr, cols, u, tail, z, out):
    """v_e = (u + tail)_i + (u + tail)_j - 2 z_e, without cancellation.

    The larger end meets 2z first: where they nearly cancel, that difference is
    exact, so a far-away node keeps the digits of its tiny weights.
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
    """Add S w: the weights summed over the edges at each node."""
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
def _insert(position, value, ids, values):
    """Keep ``values`` sorted, then by ``ids``, while ``value`` takes the place of the last."""
    slot = values.shape[0] - 1
    while slot > 0 and (
        values[slot - 1] > value or (values[slot - 1] == value and ids[slot - 1] > position)
    ):
        values[slot] = values[slot - 1]
        ids[slot] = ids[slot - 1]
        slot -= 1
    values[slot] = value
    ids[slot] = position


@_jit
def nearest_edges(first, last, indptr, cols, z, ids, values):
    """The k cheapest edges of each node, cheapest first, into (m, k) arrays."""
    k = values.shape[1]
    worst = values[:, k - 1].copy()
    for i in range(first, last):
        worst_here = worst[i]
        for p in range(_at(indptr[i]), _at(indptr[i + 1])):
            j = _at(cols[p])
            value = z[p]
            if value < worst_here:
                _insert(p, value, ids[i], values[i])
                worst_here = values[i, k - 1]
            if value < worst[j]:
                _insert(p, value, ids[j], values[j])
                worst[j] = values[j, k - 1]
        worst[i] = worst_here


@_jit
def edges_below(first, last, indptr, cols, z, u):
    """The positions of the edges with 2 z_e < u_i + u_j."""
    found = np.empty(indptr[last] - indptr[first], np.int64)  # pages never written cost nothing
    count = _at(0)
    for i in range(first, last):
        here = u[i]
        for p in range(_at(indptr[i]), _at(indptr[i + 1])):
            if 2.0 * z[p] < here + u[_at(cols[p])]:
                found[count] = p
                count += _at(1)
    return found[:count].copy()


@_jit
def mirrored(indptr, cols, values, both_indptr, both_cols, both_values):
    """Write every edge at both of its ends: the symmetric CSR pattern and its values."""
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


@_jit_sums
def _settled(bars, slope, wanted, curvature, anchor, x, low, tiny):
    """The root x of ``slope sum max(x - bars, 0) + curvature (x - anchor) = wanted``.

    Newton's method on a convex, piecewise linear function: a handful of steps.
    """
    for _ in range(50):
        total, active = 0.0, 0
        for p in range(_at(bars.shape[0])):
            total += max(x - bars[p], 0.0)
            active += np.int64(x > bars[p])
        steepness = curvature + slope * active
        if steepness == 0.0:
            x = bars.min() + tiny
            continue
        step = (wanted - curvature * (x - anchor) - slope * total) / steepness
        before, x = x, max(x + step, low)
        if abs(x - before) <= tiny:
            break
    return x


@_jit
def inner_nodes(first, last, indptr, cols, inner):
    """Mark the nodes all of whose neighbours lie in the block."""
    for i in range(first, last):
        inner[i] = True
        for p in range(_at(indptr[i]), _at(indptr[i + 1])):
            inner[i] = inner[i] and first <= cols[p] < last


@_jit
def settle(
    first,
    last,
    indptr,
    cols,
    cost,
    slope,
    wanted,
    curvature,
    domain,
    far,
    anchor,
    free,
    restless,
    u,
    begun,
    rounds,
    room,
):
    """Give every node in turn the ``u`` that it wants beside its neighbours, until none moves.

    A node moves again only if a neighbour moved by more than its ``far``, or if an edge
    came or went. ``wanted - curvature (x - anchor)`` is the degree that a node wants at x.
    Only ``free`` nodes move, and only ``restless`` ones to begin with, until there were so many
    ``rounds``, with those ``begun`` before. Whoever still moves then goes further than it wants to
    (successive over-relaxation), if no edge comes or goes. ``room`` is as long as a row may be.
    """
    for made in range(begun, rounds):
        moved = False
        for i in range(first, last):
            if not (restless[i] and free[i]):
                continue
            restless[i] = False
            start = _at(indptr[i])
            n = _at(indptr[i + 1]) - start
            for p in range(n):
                room[p] = 2.0 * cost[start + p] - u[_at(cols[start + p])]
            bars = room[:n]
            low = domain + (anchor[i] - domain) / 4 if domain > -np.inf else domain
            before, tiny = u[i], 0.01 * far[i]
            after = _settled(bars, slope, wanted[i], curvature[i], anchor[i], before, low, tiny)
            if made >= _PLAIN_ROUNDS:
                further = before + _FURTHER * (after - before)
                same = further >= low
                for p in range(n):
                    same = same and (before > bars[p]) == (further > bars[p])
                after = further if same else after
            u[i] = after
            is_far = abs(after - before) > far[i]
            for p in range(n):
                if (before > bars[p]) != (after > bars[p]) or (is_far and after > bars[p]):
                    j = _at(cols[start + p])
                    restless[j] = True
                    moved = moved or free[j]
        if not moved:
            break


@_jit
def lift(first, last, indptr, cols, cost, slope, wanted, u):
    """Raise every node without an active edge to where its first has the weight it wants."""
    for i in range(first, last):
        bar = np.inf
        for p in range(_at(indptr[i]), _at(indptr[i + 1])):
            bar = min(bar, 2.0 * cost[p] - u[_at(cols[p])])
        if u[i] <= bar < np.inf and wanted[i] > 0.0:
            u[i] = bar + wanted[i] / slope


@_jit
def condense(first, last, matrix, out):
    """Copy the strict upper triangle row by row and judge the whole matrix.

    Returns (smallest entry or NaN, largest entry, largest asymmetry, largest
    absolute diagonal entry) over the rows' share of both triangles.
    """
    n = matrix.shape[0]
    tile = 64
    low, high, asymmetry, diagonal = np.inf, -np.inf, 0.0, 0.0
    bad = False
    for block in range(first, last, tile):
        rows_end = min(block + tile, last)
        for left in range(block, n, tile):
            right = min(left + tile, n)
            for i in range(block, rows_end):
                start = i * n - i * (i + 1) // 2 - i - 1
                for j in range(max(left, i + 1), right):
                    value = matrix[i, j]
                    mirror = matrix[j, i]
                    out[start + j] = value
                    bad = bad or not np.isfinite(value) or not np.isfinite(mirror)
                    low = min(low, value)
                    high = max(high, value)
                    asymmetry = max(asymmetry, abs(value - mirror))
        for i in range(block, rows_end):
            diagonal = max(diagonal, abs(matrix[i, i]))
            bad = bad or not np.isfinite(matrix[i, i])
    return (np.nan if bad else low), high, asymmetry, diagonal


@_jit
def squared_from_gram(first_row, n_nodes, gram, norms, near, out):
    """z_ij = |x_i|^2 + |x_j|^2 - 2 x_i'x_j for a block of rows of all pairs, in vector form.

    ``gram[r, c]`` is the product of rows ``first_row + r`` and ``first_row + c``. Returns the
    positions where z is below the share ``near`` of the norms, which lost their digits.
    """
    found = np.empty(gram.shape[0] * gram.shape[1], np.int64)  # pages never written cost nothing
    count = _at(0)
    for r in range(gram.shape[0]):
        i = first_row + r
        start = i * n_nodes - i * (i + 1) // 2 - r - 1
        for c in range(_at(r + 1), _at(gram.shape[1])):
            total = norms[i] + norms[_at(first_row) + c]
            value = total - 2.0 * gram[r, c]
            out[_at(start) + c] = value
            if value < near * total:
                found[count] = start + c
                count += _at(1)
    return found[:count].copy()


@_jit_sums
def centred_rows(points, rows, centre, level, shrink, out, bar):
    """Write ``points[rows] - centre`` and ``bar = (shrink |row|^2 - level[row]) / 2``.

    Two rows a, b of two such blocks are then nearer than their levels allow,
    ``|a - b|^2 < level_a + level_b``, only if ``a'b > bar_a + bar_b``. A row of -1 is padding.
    """
    for r in range(rows.shape[0]):
        row = rows[r]
        if row < 0:
            out[r] = 0.0
            bar[r] = np.inf
            continue
        norm = np.float32(0.0)
        for c in range(_at(centre.shape[0])):
            value = points[_at(row), c] - centre[c]
            out[r, c] = value
            norm += value * value
        bar[r] = (shrink * norm - level[row]) / 2


@_jit
def products_above(gram, row_bar, col_bar, row_ids, col_ids, upper, found, count):
    """Write the ids (i, j) of the products above ``row_bar + col_bar`` from ``found[count]`` on.

    With ``upper`` only those right of the diagonal. Returns the new count. Runs of columns
    without any are passed over at vector speed.
    """
    run, end = _at(64), _at(gram.shape[1])
    count = _at(count)
    for r in range(_at(gram.shape[0])):
        bar = row_bar[r]
        begin = r + _at(1) if upper else _at(0)
        for start in range(begin, end, run):
            stop = min(start + run, end)
            hits = np.int32(0)
            for c in range(start, stop):
                hits += np.int32(gram[r, c] > bar + col_bar[c])
            if hits > 0:
                for c in range(start, stop):
                    if gram[r, c] > bar + col_bar[c] and row_ids[r] != col_ids[c]:
                        found[count, 0] = row_ids[r]
                        found[count, 1] = col_ids[c]
                        count += _at(1)
    return count


@_jit
def keep_nearest(gram, row_bar, col_bar, row_ids, col_ids, ids, values):
    """Update the k nearest of every row, sorted, by ``row_bar + (col_bar - gram)``, then by id.

    With bars ``|row|^2 / 2`` that is half the squared distance. Equal ids are the same node.
    In whatever order columns come, the same are kept.
    """
    run, end = _at(64), _at(gram.shape[1])
    last = values.shape[1] - 1
    for r in range(_at(gram.shape[0])):
        here, worst, worst_id = row_bar[r], values[r, last], ids[r, last]
        for start in range(_at(0), end, run):
            stop = min(start + run, end)
            hits = np.int32(0)
            for c in range(start, stop):
                value = here + (col_bar[c] - gram[r, c])
                hits += np.int32((value < worst) | ((value == worst) & (col_ids[c] < worst_id)))
            if hits == 0:
                continue
            for c in range(start, stop):
                value = here + (col_bar[c] - gram[r, c])
                nearer = value < worst or (value == worst and col_ids[c] < worst_id)
                if nearer and col_ids[c] != row_ids[r]:
                    _insert(col_ids[c], value, ids[r], values[r])
                    worst, worst_id = values[r, last], ids[r, last]
