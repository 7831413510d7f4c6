"""The distances ``z`` on a set of candidate pairs, from data or from a matrix."""

from typing import Any

import numpy as np
import scipy.sparse as sp

from smoothgraph.pairs import distance_kernels as kernels
from smoothgraph.pairs.pair_set import PairSet
from smoothgraph.support.input_error import InputError, checked_by_others
from smoothgraph.support.threads import row_blocks, run_blocks

_BLOCK_BYTES = 64 * 2**20
# Below this share of |x_i|^2 + |x_j|^2 the product formula has lost too many digits.
_NEAR_DUPLICATE = 1e-6
_ROWS_FOR_THE_MIDDLE = 64  # of the data
# Entries that differ by less than this share of the largest count as symmetric.
_SYMMETRY = 1e-8


def distances(
    X: Any, pairs: PairSet | None = None, *, metric: str = "sqeuclidean", missing: str = "error"
) -> np.ndarray:
    """``z_e`` for every pair, by default all of them: ``|x_i - x_j|^2``, or any other metric.

    ``X`` has one row per node. Any metric of SciPy or scikit-learn may be named; its values are taken as they are,
    not squared. ``missing="pairwise"`` accepts NaN in ``X`` and takes the squared distance over the coordinates
    that both rows have, scaled up to all of them.
    """
    X = check_data(X, metric=metric, missing=missing)
    if X.shape[0] < 2:
        raise InputError(
            f"A graph needs at least two nodes, but X has shape {X.shape} (n_samples=1); X has "
            "one row per node (transpose a table whose columns are the nodes)."
        )
    if pairs is None:
        pairs = PairSet.all_pairs(X.shape[0])
    if pairs.n_nodes != X.shape[0]:
        raise InputError(f"X has {X.shape[0]} rows but the pairs join {pairs.n_nodes} nodes; they must agree.")
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        if metric not in ("sqeuclidean", "euclidean") or missing == "pairwise":
            z = _in_blocks(X, pairs, metric, missing)
        elif pairs.is_complete:
            z = _squared_all_pairs(X, pairs)
        else:
            z = _squared_direct(X, X, pairs.rows, pairs.cols)
        if metric == "euclidean":
            z = np.sqrt(z)
    _check_finite(z, X, metric, missing)
    return z


def distances_to(new: Any, fitted: Any, *, metric: str = "sqeuclidean", missing: str = "error") -> np.ndarray:
    """The ``(n, m)`` distances of the rows of ``new`` to those of ``fitted``."""
    new = check_data(new, metric=metric, missing=missing)
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        z = _rectangle(new, fitted, metric, missing)
    _check_finite(z, new, metric, missing)
    return z


def check_data(X: Any, *, metric: str = "sqeuclidean", missing: str = "error") -> Any:
    """``X`` as a float array (or CSR matrix) of finite rows (or with NaN, if allowed)."""
    if missing not in ("error", "pairwise"):
        raise InputError(f"missing must be 'error' or 'pairwise', got {missing!r}.")
    if missing == "pairwise" and metric != "sqeuclidean":
        raise InputError(f"missing='pairwise' goes with metric='sqeuclidean', not {metric!r}.")
    X = sp.csr_array(X, dtype=float) if sp.issparse(X) else np.asarray(X, dtype=float)
    if X.ndim != 2:
        raise InputError(
            f"X must be a table with one row per node, got {X.ndim} dimension(s); a single feature is X.reshape(-1, 1)."
        )
    values = X.data if sp.issparse(X) else X
    if missing == "pairwise":
        if sp.issparse(X):
            raise InputError("missing='pairwise' needs a dense X.")
        if np.any(np.isinf(values)):
            raise InputError("X contains infinity; use NaN for a missing value.")
    elif not np.all(np.isfinite(values)):
        with np.errstate(invalid="ignore"):
            row = int(np.flatnonzero(~np.isfinite(np.asarray(X.sum(axis=1)).ravel()))[0])
        raise InputError(
            f"X contains NaN or infinity, first in node {row}; drop such nodes, fill in the "
            "values, or use missing='pairwise' to leave out what is NaN."
        )
    return X


def read_distance_matrix(Z: Any) -> tuple[PairSet, np.ndarray]:
    """The candidate pairs and their distances from a matrix ``Z``, checked.

    A dense matrix gives all pairs. A sparse one gives the pairs that are stored, above or below the diagonal or
    both; a stored zero is a distance of zero.
    """
    if sp.issparse(Z):
        return _from_sparse(Z)
    matrix = np.ascontiguousarray(np.asarray(Z, dtype=float))
    _check_square(matrix.shape)
    pairs = PairSet.all_pairs(matrix.shape[0])
    z = np.empty(pairs.n_pairs)
    parts = run_blocks(row_blocks(pairs.indptr), lambda first, last: kernels.condense(first, last, matrix, z))
    low, high, asymmetry, diagonal = np.array(parts).T
    _check_values(np.min(low), np.max(high), np.max(asymmetry), np.max(diagonal))
    return pairs, z


def _from_sparse(Z: Any) -> tuple[PairSet, np.ndarray]:
    _check_square(Z.shape)
    coo = Z.tocoo()
    values = coo.data.astype(float)
    off = coo.row != coo.col
    diagonal = np.max(np.abs(values[~off]), initial=0.0)
    i, j, values = coo.row[off], coo.col[off], values[off]
    pairs = PairSet.from_pairs(i, j, Z.shape[0])
    if pairs.n_pairs == 0:
        raise InputError("The sparse matrix stores no pair of different nodes.")
    position = pairs.positions(i, j)
    z = np.empty(pairs.n_pairs)
    z[position] = values
    low = np.min(values) if np.all(np.isfinite(values)) and np.isfinite(diagonal) else np.nan
    with np.errstate(invalid="ignore"):
        asymmetry = np.max(np.abs(z[position] - values))
    _check_values(low, np.max(values), asymmetry, diagonal)
    return pairs, z


def _check_square(shape: tuple[int, ...]) -> None:
    if len(shape) != 2 or shape[0] != shape[1]:
        raise InputError(
            f"A distance matrix is square, got shape {shape}; pass data (one row per node) to `distances` instead."
        )


def _check_values(low: float, high: float, asymmetry: float, diagonal: float) -> None:
    if not np.isfinite(low):
        raise InputError(
            "The distance matrix contains NaN or infinity; drop those nodes, or give a sparse "
            "matrix that stores only the known pairs."
        )
    if low < 0:
        raise InputError(
            f"Distances must be >= 0, but the smallest is {low:g}; similarities must first be turned into distances."
        )
    if diagonal != 0:
        raise InputError(
            f"The diagonal of a distance matrix is zero, but it reaches {diagonal:g}; are these similarities?"
        )
    if asymmetry > _SYMMETRY * high:
        raise InputError(
            f"The distance matrix is not symmetric (entries differ by up to {asymmetry:g}); "
            "use (Z + Z.T) / 2 if that is meant."
        )


def _check_finite(z: np.ndarray, X: Any, metric: str, missing: str) -> None:
    if np.all(np.isfinite(z)):
        return
    if missing == "pairwise" and np.any(np.isnan(z)):
        present = np.sum(~np.isnan(X), axis=1)
        emptiest = int(np.argmin(present))
        raise InputError(
            "Some pairs of nodes have no coordinate in common, so that their distance is unknown; "
            f"node {emptiest} has only {present[emptiest]} of {X.shape[1]} values. Drop the "
            "emptiest nodes, or fill in some values."
        )
    raise InputError(
        f"Some {metric} distances are not finite; rescale the data (its largest entry is "
        f"{abs(X).max():.3g}) or take another metric."
    )


def _block_rows(n_columns: int) -> int:
    return max(1, _BLOCK_BYTES // (8 * max(n_columns, 1)))


def _squared_norms(X: Any) -> np.ndarray:
    if sp.issparse(X):
        return np.asarray(X.power(2).sum(axis=1)).ravel()
    return np.einsum("ij,ij->i", X, X)


def _dense(product: Any) -> np.ndarray:
    return product.toarray() if sp.issparse(product) else product


def _squared_all_pairs(X: Any, pairs: PairSet) -> np.ndarray:
    """Blocked products of rows moved towards zero, then near-duplicates again by differences of the rows as given.

    A common offset only costs digits, and so would a mean that one large value has moved.
    """
    m = X.shape[0]
    near_zero = X if sp.issparse(X) else X - _middle(X)
    norms = _squared_norms(near_zero)
    z = np.empty(pairs.n_pairs)
    again = []
    size = _block_rows(m)
    for first in range(0, m, size):
        gram = _dense(near_zero[first : first + size] @ near_zero[first:].T)
        again.append(kernels.squared_from_gram(first, m, gram, norms, _NEAR_DUPLICATE, z))
    ids = np.concatenate(again)
    if ids.size:
        z[ids] = _squared_direct(X, X, pairs.rows[ids], pairs.cols[ids])
    return z


def _middle(X: np.ndarray) -> np.ndarray:
    """The median of some rows."""
    some = np.sort(X[:: max(1, len(X) // _ROWS_FOR_THE_MIDDLE)], axis=0)
    return some[len(some) // 2]


def _squared_rectangle(A: Any, B: Any) -> np.ndarray:
    """The same for all rows of A against all rows of B."""
    a, b = A, B
    if not sp.issparse(A) and not sp.issparse(B):
        center = _middle(B)
        a, b = A - center, B - center
    norms = _squared_norms(a)[:, None] + _squared_norms(b)[None, :]
    z = norms - 2 * _dense(a @ b.T)
    i, j = np.nonzero(z < _NEAR_DUPLICATE * norms)
    z[i, j] = _squared_direct(A, B, i, j)
    return z


def _squared_over_common(A: np.ndarray, B: np.ndarray) -> np.ndarray:
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


def _squared_direct(A: Any, B: Any, i: np.ndarray, j: np.ndarray) -> np.ndarray:
    """``|A_i - B_j|^2`` by differences, a bounded number of pairs at a time."""
    z = np.empty(len(i))
    size = _block_rows(A.shape[1])
    for first in range(0, len(i), size):
        block = slice(first, first + size)
        z[block] = _squared_norms(A[i[block]] - B[j[block]])
    return z


def _rectangle(A: Any, B: Any, metric: str, missing: str) -> np.ndarray:
    """All rows of A against all rows of B, by any metric that scikit-learn knows."""
    if missing == "pairwise":
        return _squared_over_common(A, B)
    if metric == "sqeuclidean":
        return _squared_rectangle(A, B)
    if metric == "euclidean":  # scikit-learn's loses the digits of near-duplicates
        return np.sqrt(_squared_rectangle(A, B))
    from sklearn.metrics import pairwise_distances  # slow to import, seldom needed

    with checked_by_others():
        z = pairwise_distances(A, B, metric=metric)
    rounding = 1e-12 * np.max(np.abs(z), initial=0.0)
    return np.where((z < 0) & (z >= -rounding), 0.0, z)


def _in_blocks(X: Any, pairs: PairSet, metric: str, missing: str) -> np.ndarray:
    """Rows in blocks against all others; of each block the entries that are pairs."""
    z = np.empty(pairs.n_pairs)
    size = _block_rows(X.shape[0])
    for first in range(0, X.shape[0], size):
        last = min(first + size, X.shape[0])
        block = _rectangle(X[first:last], X, metric, missing)
        span = slice(pairs.indptr[first], pairs.indptr[last])
        z[span] = block[pairs.rows[span] - first, pairs.cols[span]]
    return z
