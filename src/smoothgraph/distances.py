"""The distances ``z`` on a set of candidate edges, from data or from a matrix."""

from typing import Any

import numpy as np
import scipy.sparse as sp

from smoothgraph import _kernels
from smoothgraph._threads import row_blocks, run_blocks
from smoothgraph.edges import EdgeSet

_BLOCK_BYTES = 64 * 2**20
# Below this share of |x_i|^2 + |x_j|^2 the product formula has lost too many digits.
_NEAR_DUPLICATE = 1e-6
# Entries that differ by less than this share of the largest count as symmetric.
_SYMMETRY = 1e-8


def distances(
    X: Any,
    edges: EdgeSet | None = None,
    *,
    metric: str = "sqeuclidean",
) -> np.ndarray:
    """``z_e`` for every edge, by default all pairs: ``|x_i - x_j|^2``, or any other metric.

    ``X`` has one row per node. Any metric of SciPy or scikit-learn may be named; its values
    are taken as they are, not squared.
    """
    X = check_data(X)
    if edges is None:
        edges = EdgeSet.all_pairs(X.shape[0])
    if edges.n_nodes != X.shape[0]:
        raise ValueError(
            f"X has {X.shape[0]} rows but the edges join {edges.n_nodes} nodes; they must agree."
        )
    with np.errstate(over="ignore", invalid="ignore"):
        if metric != "sqeuclidean":
            z = _by_metric(X, edges, metric)
        elif _is_complete(edges):
            z = _squared_all_pairs(X, edges)
        else:
            z = _squared_direct(X, edges.rows, edges.cols)
    if not np.all(np.isfinite(z)):
        raise ValueError(
            f"Some {metric} distances are not finite; rescale the data (its largest entry is "
            f"{abs(X).max():.3g}) or take another metric."
        )
    return z


def check_data(X: Any) -> Any:
    """``X`` as a float array (or CSR matrix) of at least two finite rows."""
    X = sp.csr_array(X, dtype=float) if sp.issparse(X) else np.asarray(X, dtype=float)
    if X.ndim != 2:
        raise ValueError(
            f"X must be a table with one row per node, got {X.ndim} dimension(s); "
            "a single feature is X.reshape(-1, 1)."
        )
    if X.shape[0] < 2 or X.shape[1] < 1:
        raise ValueError(
            f"A graph needs at least two nodes and one feature, but X has shape {X.shape}; X has "
            "one row per node (transpose a table whose columns are the nodes)."
        )
    if not np.all(np.isfinite(X.data if sp.issparse(X) else X)):
        with np.errstate(invalid="ignore"):
            row = int(np.flatnonzero(~np.isfinite(np.asarray(X.sum(axis=1)).ravel()))[0])
        raise ValueError(
            f"X contains NaN or infinity, first in row {row}; drop such rows or fill in the values."
        )
    return X


def precomputed(Z: Any) -> tuple[EdgeSet, np.ndarray]:
    """The candidate edges and their distances from a matrix ``Z``, checked.

    A dense matrix gives all pairs. A sparse one gives the pairs that are stored, above or
    below the diagonal or both; a stored zero is an edge of length zero.
    """
    if sp.issparse(Z):
        return _from_sparse(Z)
    matrix = np.ascontiguousarray(np.asarray(Z, dtype=float))
    _check_square(matrix.shape)
    n_nodes = matrix.shape[0]
    edges = EdgeSet.all_pairs(n_nodes)
    z = np.empty(edges.n_edges)
    parts = run_blocks(
        row_blocks(edges.indptr),
        lambda first, last: _kernels.condense(first, last, matrix, z),
    )
    low, high, asymmetry, diagonal = np.array(parts).T
    _check_values(np.min(low), np.max(high), np.max(asymmetry), np.max(diagonal))
    return edges, z


def _from_sparse(Z: Any) -> tuple[EdgeSet, np.ndarray]:
    _check_square(Z.shape)
    coo = Z.tocoo()
    values = coo.data.astype(float)
    off = coo.row != coo.col
    diagonal = np.max(np.abs(values[~off]), initial=0.0)
    i, j, values = coo.row[off], coo.col[off], values[off]
    edges = EdgeSet.from_pairs(i, j, Z.shape[0])
    if edges.n_edges == 0:
        raise ValueError("The sparse matrix stores no pair of different nodes.")
    position = edges.positions(i, j)
    z = np.empty(edges.n_edges)
    z[position] = values
    low = np.min(values) if np.all(np.isfinite(values)) and np.isfinite(diagonal) else np.nan
    with np.errstate(invalid="ignore"):
        asymmetry = np.max(np.abs(z[position] - values))
    _check_values(low, np.max(values), asymmetry, diagonal)
    return edges, z


def _check_square(shape: tuple[int, ...]) -> None:
    if len(shape) != 2 or shape[0] != shape[1]:
        raise ValueError(
            f"A distance matrix is square, got shape {shape}; pass data (one row per node) "
            "to `distances` instead."
        )


def _check_values(low: float, high: float, asymmetry: float, diagonal: float) -> None:
    if not np.isfinite(low):
        raise ValueError(
            "The distance matrix contains NaN or infinity; drop those nodes, or give a sparse "
            "matrix that stores only the known pairs."
        )
    if low < 0:
        raise ValueError(
            f"Distances must be >= 0, but the smallest is {low:g}; similarities must first be "
            "turned into distances."
        )
    if diagonal != 0:
        raise ValueError(
            f"The diagonal of a distance matrix is zero, but it reaches {diagonal:g}; are these "
            "similarities?"
        )
    if asymmetry > _SYMMETRY * high:
        raise ValueError(
            f"The distance matrix is not symmetric (entries differ by up to {asymmetry:g}); "
            "use (Z + Z.T) / 2 if that is meant."
        )


def _is_complete(edges: EdgeSet) -> bool:
    return edges.n_edges == edges.n_nodes * (edges.n_nodes - 1) // 2


def _block_rows(n_columns: int) -> int:
    return max(1, _BLOCK_BYTES // (8 * n_columns))


def _squared_all_pairs(X: Any, edges: EdgeSet) -> np.ndarray:
    """Blocked products, then near-duplicates again by differences."""
    m = X.shape[0]
    if sp.issparse(X):
        norms = np.asarray(X.power(2).sum(axis=1)).ravel()
    else:
        X = X - X.mean(axis=0)  # a common offset only costs digits
        norms = np.einsum("ij,ij->i", X, X)
    z = np.empty(edges.n_edges)
    again = []
    size = _block_rows(m)
    for first in range(0, m, size):
        gram = X[first : first + size] @ X[first:].T
        gram = gram.toarray() if sp.issparse(gram) else gram
        again.append(_kernels.squared_from_gram(first, m, gram, norms, _NEAR_DUPLICATE, z))
    ids = np.concatenate(again)
    if ids.size:
        z[ids] = _squared_direct(X, edges.rows[ids], edges.cols[ids])
    return z


def _squared_direct(X: Any, i: np.ndarray, j: np.ndarray) -> np.ndarray:
    """Sums of squared differences, a bounded number of pairs at a time."""
    z = np.empty(len(i))
    size = _block_rows(X.shape[1])
    for first in range(0, len(i), size):
        block = slice(first, first + size)
        difference = X[i[block]] - X[j[block]]
        if sp.issparse(difference):
            z[block] = np.asarray(difference.multiply(difference).sum(axis=1)).ravel()
        else:
            z[block] = np.einsum("ij,ij->i", difference, difference)
    return z


def _by_metric(X: Any, edges: EdgeSet, metric: str) -> np.ndarray:
    """Any metric that scikit-learn knows, rows in blocks against all others."""
    from sklearn.metrics import pairwise_distances  # slow to import, seldom needed

    z = np.empty(edges.n_edges)
    size = _block_rows(X.shape[0])
    for first in range(0, X.shape[0], size):
        last = min(first + size, X.shape[0])
        block = pairwise_distances(X[first:last], X, metric=metric)
        span = slice(edges.indptr[first], edges.indptr[last])
        z[span] = block[edges.rows[span] - first, edges.cols[span]]
    rounding = 1e-12 * np.max(np.abs(z), initial=0.0)
    return np.where((z < 0) & (z >= -rounding), 0.0, z)
