"""Compiled code of the search; no function holds the GIL."""

from typing import NamedTuple

import numba
import numpy as np

from smoothgraph.search.levels import WideLevels

_jit = numba.njit(cache=True, nogil=True, error_model="numpy")
# Sums in any order run at vector speed. The order still depends on the number of columns alone.
_jit_sums = numba.njit(cache=True, nogil=True, error_model="numpy", fastmath={"reassoc", "contract", "nsz"})
_at = np.uintp  # unsigned indices need no check for negative ones
_RUN = np.uintp(64)  # columns that are tested at once, at vector speed
_STRIDE = np.uintp(32)  # coordinates after which a pair may turn out to be too far apart

Csr = tuple[np.ndarray, np.ndarray, np.ndarray]  # indptr, indices, data


class Products(NamedTuple):
    """Products of one tile's rows with some columns, and the bars that wanted pairs exceed.

    A wanted pair has ``gram + max(row_bonus_r, col_bonus_c) > row_bar_r + col_bar_c``. The nodes are numbered as in
    the tiles; -1 is padding, whose bar is infinite.
    """

    gram: np.ndarray
    row_bar: np.ndarray
    col_bar: np.ndarray
    row_bonus: np.ndarray
    col_bonus: np.ndarray
    row_nodes: np.ndarray
    col_nodes: np.ndarray


@_jit_sums
def center_rows(points, nodes, center, margin, shrink, out, bar):
    """Write ``points[nodes] - center`` and ``bar = (shrink |.|^2 - margin[nodes]) / 2``."""
    for r in range(nodes.shape[0]):
        node = nodes[r]
        if node < 0:
            out[r] = 0.0
            bar[r] = np.inf
            continue
        norm = np.float32(0.0)
        for c in range(_at(center.shape[0])):
            value = points[_at(node), c] - center[c]
            out[r, c] = value
            norm += value * value
        bar[r] = (shrink * norm - margin[node]) / 2


@_jit
def products_above(products: Products, upper: bool, found: np.ndarray, first: int) -> int:  # noqa: FBT001
    """Write the nodes (i, j) of the products above their bars from ``found[first]`` on.

    With ``upper``, only those right of the diagonal count. Returns where the next can be written.
    """
    gram, row_bar, col_bar, row_bonus, col_bonus, row_nodes, col_nodes = products
    end = _at(gram.shape[1])
    count = _at(first)
    for r in range(_at(gram.shape[0])):
        bar, bonus = row_bar[r], row_bonus[r]
        begin = r + _at(1) if upper else _at(0)
        for start in range(begin, end, _RUN):
            stop = min(start + _RUN, end)
            hits = np.int32(0)
            for c in range(start, stop):
                hits += np.int32(gram[r, c] + max(bonus, col_bonus[c]) > bar + col_bar[c])
            if hits > 0:
                for c in range(start, stop):
                    if gram[r, c] + max(bonus, col_bonus[c]) > bar + col_bar[c]:
                        found[count, 0] = row_nodes[r]
                        found[count, 1] = col_nodes[c]
                        count += _at(1)
    return count  # type: ignore[return-value]


@_jit_sums
def keep_within(found, p, wide_p: WideLevels, q, wide_q: WideLevels):
    """Keep the pairs with ``|p_i - q_j|^2`` below the bound of their levels in place, and return how many there are."""
    margin, lone, left, _, _ = wide_p
    margin_q, lone_q, _, right, _ = wide_q
    count = _at(0)
    for e in range(len(found)):
        i, j = _at(found[e, 0]), _at(found[e, 1])
        limit = margin[i] + margin_q[j] + max(lone[i], lone_q[j])
        for c in range(_at(left.shape[1])):
            limit += left[i, c] * right[j, c]
        total = np.float32(0.0)
        for start in range(_at(0), _at(p.shape[1]), _STRIDE):
            for c in range(start, min(start + _STRIDE, _at(p.shape[1]))):
                difference = p[i, c] - q[j, c]
                total += difference * difference
            if total >= limit:
                break
        if total < limit:
            found[count, 0], found[count, 1] = i, j
            count += _at(1)
    return count


@_jit
def keep_nearest(products: Products, same: bool, nearest: np.ndarray, halves: np.ndarray) -> None:  # noqa: FBT001
    """Update the k nearest columns of every row, sorted by ``row_bar + (col_bar - gram)``.

    With bars ``|row|^2 / 2``, these are half the squared distances. With ``same``, rows and columns are numbered
    alike, and a node is not its own neighbor.
    """
    gram, row_bar, col_bar, _, _, row_nodes, col_nodes = products
    end, last = _at(gram.shape[1]), halves.shape[1] - 1
    for r in range(_at(gram.shape[0])):
        here, worst = row_bar[r], halves[r, last]
        for start in range(_at(0), end, _RUN):
            stop = min(start + _RUN, end)
            hits = np.int32(0)
            for c in range(start, stop):
                hits += np.int32(here + (col_bar[c] - gram[r, c]) < worst)
            if hits == 0:
                continue
            for c in range(start, stop):
                half = here + (col_bar[c] - gram[r, c])
                if half < worst and not (same and col_nodes[c] == row_nodes[r]):
                    insert_sorted(col_nodes[c], half, nearest[r], halves[r])
                    worst = halves[r, last]


@_jit
def insert_sorted(node: int, value: float, nodes: np.ndarray, values: np.ndarray) -> None:
    """Replace the last of the sorted ``values`` by ``value``, and keep them sorted."""
    slot = values.shape[0] - 1
    while slot > 0 and values[slot - 1] > value:
        values[slot] = values[slot - 1]
        nodes[slot] = nodes[slot - 1]
        slot -= 1
    values[slot] = value
    nodes[slot] = node


@_jit_sums
def squared_dense(X: np.ndarray, Y: np.ndarray, i: np.ndarray, j: np.ndarray, out: np.ndarray) -> None:
    """Write ``|x_i - y_j|^2`` for every pair, by differences in double precision."""
    for e in range(len(i)):
        a, b = _at(i[e]), _at(j[e])
        total = 0.0
        for c in range(_at(X.shape[1])):
            difference = np.float64(X[a, c]) - np.float64(Y[b, c])
            total += difference * difference
        out[e] = total


@_jit_sums
def absolute_dense(X: np.ndarray, Y: np.ndarray, i: np.ndarray, j: np.ndarray, out: np.ndarray) -> None:
    """Write ``|x_i - y_j|_1`` for every pair."""
    for e in range(len(i)):
        a, b = _at(i[e]), _at(j[e])
        total = 0.0
        for c in range(_at(X.shape[1])):
            total += abs(np.float64(X[a, c]) - np.float64(Y[b, c]))
        out[e] = total


@_jit
def squared_sparse(x: Csr, y: Csr, i: np.ndarray, j: np.ndarray, out: np.ndarray) -> None:
    """Write ``|x_i - y_j|^2`` for sparse rows with sorted indices."""
    x_indptr, x_indices, x_data = x
    y_indptr, y_indices, y_data = y
    for e in range(len(i)):
        p, p_end = x_indptr[i[e]], x_indptr[i[e] + 1]
        q, q_end = y_indptr[j[e]], y_indptr[j[e] + 1]
        total = 0.0
        while p < p_end or q < q_end:
            if q == q_end or (p < p_end and x_indices[p] < y_indices[q]):
                difference = x_data[p]
                p += 1
            elif p == p_end or y_indices[q] < x_indices[p]:
                difference = y_data[q]
                q += 1
            else:
                difference = x_data[p] - y_data[q]
                p += 1
                q += 1
            total += difference * difference
        out[e] = total
