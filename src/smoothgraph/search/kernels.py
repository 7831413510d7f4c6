"""Compiled code of the search."""

import numba
import numpy as np

_jit = numba.njit(cache=True, nogil=True, error_model="numpy")
# For sums whose order does not matter: they are then computed at vector speed.
_jit_sums = numba.njit(
    cache=True, nogil=True, error_model="numpy", fastmath={"reassoc", "contract", "nsz"}
)
# Unsigned indices spare the check for negative ones: two to three times faster loops.
_at = np.uintp


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
