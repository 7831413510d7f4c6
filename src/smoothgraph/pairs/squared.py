"""Squared Euclidean distances, by products of blocks of rows, and by differences where those lose digits."""

from typing import Any

import numpy as np
import scipy.sparse as sp

from smoothgraph.pairs import distance_kernels as kernels
from smoothgraph.pairs.pair_set import PairSet

_BLOCK_BYTES = 64 * 2**20
# Below this share of |x_i|^2 + |x_j|^2 the product formula has lost too many digits.
_NEAR_DUPLICATE = 1e-6
_ROWS_FOR_THE_MIDDLE = 64  # of the data


def block_rows(n_columns: int) -> int:
    """How many rows of so many numbers are handled at a time."""
    return max(1, _BLOCK_BYTES // (8 * max(n_columns, 1)))


def _squared_norms(X: Any) -> np.ndarray:
    if sp.issparse(X):
        return np.asarray(X.power(2).sum(axis=1)).ravel()
    return np.einsum("ij,ij->i", X, X)


def _dense(product: Any) -> np.ndarray:
    return product.toarray() if sp.issparse(product) else product


def squared_all_pairs(X: Any, pairs: PairSet) -> np.ndarray:
    """Blocked products of rows moved towards zero, then near-duplicates again by differences of the rows as given.

    A common offset only costs digits, and so would a mean that one large value has moved.
    """
    m = X.shape[0]
    near_zero = X if sp.issparse(X) else X - _middle(X)
    norms = _squared_norms(near_zero)
    z = np.empty(pairs.n_pairs)
    again = []
    size = block_rows(m)
    for first in range(0, m, size):
        gram = _dense(near_zero[first : first + size] @ near_zero[first:].T)
        again.append(kernels.squared_from_gram(first, m, gram, norms, _NEAR_DUPLICATE, z))
    ids = np.concatenate(again)
    if ids.size:
        z[ids] = squared_direct(X, X, pairs.rows[ids], pairs.cols[ids])
    return z


def _middle(X: np.ndarray) -> np.ndarray:
    """The median of some rows."""
    some = np.sort(X[:: max(1, len(X) // _ROWS_FOR_THE_MIDDLE)], axis=0)
    return some[len(some) // 2]


def squared_rectangle(A: Any, B: Any) -> np.ndarray:
    """``|A_i - B_j|^2`` for all rows of A against all rows of B, likewise."""
    a, b = A, B
    if not sp.issparse(A) and not sp.issparse(B):
        center = _middle(B)
        a, b = A - center, B - center
    norms = _squared_norms(a)[:, None] + _squared_norms(b)[None, :]
    z = norms - 2 * _dense(a @ b.T)
    i, j = np.nonzero(z < _NEAR_DUPLICATE * norms)
    z[i, j] = squared_direct(A, B, i, j)
    return z


def squared_over_common(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    """``|A_i - B_j|^2`` over the coordinates that both have, times all over common ones.

    Not scikit-learn's ``nan_euclidean_distances``, which loses the digits of near-duplicates.
    """
    center = np.nanmedian(np.where(np.all(np.isnan(B), axis=0), 0.0, B), axis=0)
    has_a, has_b = ~np.isnan(A), ~np.isnan(B)
    a, b = np.where(has_a, A - center, 0.0), np.where(has_b, B - center, 0.0)
    norms = a**2 @ has_b.T + has_a @ (b**2).T
    z = norms - 2 * (a @ b.T)
    i, j = np.nonzero(z < _NEAR_DUPLICATE * norms)
    z[i, j] = _squared_norms(np.where(has_a[i] & has_b[j], A[i] - B[j], 0.0))
    return z * (A.shape[1] / (has_a.astype(float) @ has_b.T))  # nothing in common: NaN


def squared_direct(A: Any, B: Any, i: np.ndarray, j: np.ndarray) -> np.ndarray:
    """``|A_i - B_j|^2`` by differences, a bounded number of pairs at a time."""
    z = np.empty(len(i))
    size = block_rows(A.shape[1])
    for first in range(0, len(i), size):
        block = slice(first, first + size)
        z[block] = _squared_norms(A[i[block]] - B[j[block]])
    return z
