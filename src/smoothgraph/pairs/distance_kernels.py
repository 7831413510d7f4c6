"""Compiled code for distances between all pairs, in vector form."""

import numba
import numpy as np

_jit = numba.njit(cache=True, nogil=True, error_model="numpy")
# Unsigned indices spare the check for negative ones: loops run two to three times faster.
_at = np.uintp


@_jit
def condense(first, last, matrix, out):
    """Copy the strict upper triangle row by row and judge the whole matrix.

    Returns (smallest entry or NaN, largest entry, largest asymmetry, largest absolute diagonal entry) over the
    rows' share of both triangles.
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

    ``gram[r, c]`` is the product of rows ``first_row + r`` and ``first_row + c``. Returns the positions where z is
    below the share ``near`` of the norms, which lost their digits.
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
