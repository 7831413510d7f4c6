"""True squared distances between rows of two tables, in double precision."""

from typing import Any

import numpy as np
import scipy.sparse as sp

from smoothgraph.search import scan_kernels as kernels


def canonical_rows(X: Any) -> Any:
    """Return the rows as the kernels expect them, contiguous in memory.

    Sparse rows are in double precision, with sorted indices and without repeats.
    """
    if not sp.issparse(X):
        return np.ascontiguousarray(X)
    X = sp.csr_array(X, dtype=float, copy=True)
    X.sum_duplicates()
    return X


def squared_distances(X: Any, Y: Any, i: np.ndarray, j: np.ndarray) -> np.ndarray:
    """Return ``|x_i - y_j|^2`` for pairs of canonical rows."""
    z = np.empty(len(i))
    if sp.issparse(X):
        x, y = ((table.indptr, table.indices, table.data) for table in (X, Y))
        kernels.squared_sparse(x, y, i, j, z)
    else:
        kernels.squared_dense(X, Y, i, j, z)
    return z
