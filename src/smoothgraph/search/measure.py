"""True squared distances between rows of two tables, in double precision."""

from typing import Any

import numba
import numpy as np
import scipy.sparse as sp

_jit = numba.njit(cache=True, nogil=True, error_model="numpy")
# Sums in any order, but always the same: it follows from the number of columns.
_jit_sums = numba.njit(
    cache=True, nogil=True, error_model="numpy", fastmath={"reassoc", "contract", "nsz"}
)
_at = np.uintp
_Csr = tuple[np.ndarray, np.ndarray, np.ndarray]  # indptr, indices, data


def canonical(X: Any) -> Any:
    """Rows as the kernels expect them: one after the other in memory.

    Sparse ones in double precision, sorted and without repeats.
    """
    if not sp.issparse(X):
        return np.ascontiguousarray(X)
    X = sp.csr_array(X, dtype=float, copy=True)
    X.sum_duplicates()
    return X


def squared_distances(X: Any, Y: Any, i: np.ndarray, j: np.ndarray) -> np.ndarray:
    """``|x_i - y_j|^2`` by differences of canonical rows."""
    z = np.empty(len(i))
    if sp.issparse(X):
        _sparse((X.indptr, X.indices, X.data), (Y.indptr, Y.indices, Y.data), i, j, z)
    else:
        _dense(X, Y, i, j, z)
    return z


@_jit_sums
def _dense(X: np.ndarray, Y: np.ndarray, i: np.ndarray, j: np.ndarray, out: np.ndarray) -> None:
    for e in range(len(i)):
        a, b = _at(i[e]), _at(j[e])
        total = 0.0
        for c in range(_at(X.shape[1])):
            difference = np.float64(X[a, c]) - np.float64(Y[b, c])
            total += difference * difference
        out[e] = total


@_jit
def _sparse(x: _Csr, y: _Csr, i: np.ndarray, j: np.ndarray, out: np.ndarray) -> None:
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
