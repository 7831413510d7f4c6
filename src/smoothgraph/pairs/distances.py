"""The distances ``z`` on a set of candidate pairs, from data or from a matrix."""

from typing import Any

import numpy as np
import scipy.sparse as sp

from smoothgraph.pairs import distance_kernels as kernels
from smoothgraph.pairs.measure import PAIRWISE, Measure
from smoothgraph.pairs.pair_set import PairSet
from smoothgraph.pairs.rectangle import call, rectangle
from smoothgraph.pairs.squared import block_rows, squared_all_pairs, squared_direct
from smoothgraph.support.input_error import InputError
from smoothgraph.support.threads import row_blocks, run_blocks

# Entries that differ by less than this share of the largest count as symmetric.
_SYMMETRY = 1e-8


def distances(
    X: Any,
    pairs: PairSet | None = None,
    *,
    metric: Any = "sqeuclidean",
    metric_params: dict[str, Any] | None = None,
    missing: str = "error",
) -> np.ndarray:
    """``z_e`` for every pair, by default all of them: ``|x_i - x_j|^2``, or any other metric.

    ``X`` has one row per node. ``metric`` and ``metric_params`` are those of :class:`~smoothgraph.LogDegreeGraph`;
    the values of a metric are taken as they are, not squared. ``missing="pairwise"`` accepts NaN in ``X`` and takes
    the squared distance over the coordinates that both rows have, scaled up to all of them. It is infinite if they
    have none in common.
    """
    return measure_pairs(X, pairs, Measure.of(metric, metric_params, missing))


def measure_pairs(X: Any, pairs: PairSet | None, measure: Measure) -> np.ndarray:
    """The same by a ``measure``."""
    X = check_data(X, measure)
    if X.shape[0] < 2:
        raise InputError(
            f"A graph needs at least two nodes, but X has shape {X.shape} (n_samples=1); X has "
            "one row per node (transpose a table whose columns are the nodes)."
        )
    if pairs is None:
        pairs = PairSet.all_pairs(X.shape[0])
    if pairs.n_nodes != X.shape[0]:
        raise InputError(f"X has {X.shape[0]} rows but the pairs join {pairs.n_nodes} nodes; they must agree.")
    X, measure = measure.plain(X)
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        if callable(measure.metric):
            z = call(measure, X, pairs.rows, X, pairs.cols)
        elif measure.metric not in ("sqeuclidean", "euclidean") or measure.missing == "pairwise":
            z = _in_blocks(X, pairs, measure)
        elif pairs.is_complete:
            z = squared_all_pairs(X, pairs)
        else:
            z = squared_direct(X, X, pairs.rows, pairs.cols)
        if measure.metric == "euclidean":
            z = np.sqrt(z)
    return _check_finite(z, X, measure)


def distances_to(new: Any, fitted: Any, measure: Measure) -> np.ndarray:
    """The ``(n, m)`` distances of the rows of ``new`` to those of ``fitted``; infinite if they share no column."""
    new = check_data(new, measure)
    new, plain = measure.plain(new)
    fitted, _ = measure.plain(fitted)
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        z = rectangle(new, fitted, fitted, plain)
    return _check_finite(z, new, plain)


def check_data(X: Any, measure: Measure | None = None, *, keep_type: bool = False) -> Any:
    """``X`` as a float array (or CSR matrix) of finite rows (or with NaN, if allowed).

    With ``keep_type``, a dense array of numbers stays as it is.
    """
    measure = Measure() if measure is None else measure
    if sp.issparse(X):
        X = sp.csr_array(X, dtype=float)
    elif not (keep_type and isinstance(X, np.ndarray) and X.dtype.kind in "fiub"):
        X = np.asarray(X, dtype=float)
    if X.ndim != 2:
        raise InputError(
            f"X must be a table with one row per node, got {X.ndim} dimension(s); a single feature is X.reshape(-1, 1)."
        )
    if sp.issparse(X) and (callable(measure.metric) or measure.metric == "gower" or measure.missing == "pairwise"):
        what = "missing='pairwise'" if measure.missing == "pairwise" else f"metric={measure.name!r}"
        raise InputError(f"{what} needs a dense X.")
    values = X.data if sp.issparse(X) else X
    if measure.missing == "pairwise":
        if np.any(np.isinf(values)):
            raise InputError("X contains infinity; use NaN for a missing value.")
    elif not np.all(np.isfinite(values)):
        with np.errstate(invalid="ignore"):
            row = int(np.flatnonzero(~np.isfinite(np.asarray(X.sum(axis=1)).ravel()))[0])
        raise InputError(
            f"X contains NaN or infinity, first in node {row}; drop such nodes, fill in the "
            f"values, or use missing='pairwise' (with metric={' or '.join(map(repr, PAIRWISE))}) to leave out what is "
            "NaN."
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
            f"A matrix of distances is square, with one row and one column per node, got shape {shape}; if it is a "
            "table of data, leave out metric='precomputed'."
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


def _check_finite(z: np.ndarray, X: Any, measure: Measure) -> np.ndarray:
    """``z``, with infinity for rows that share no column; an InputError if another distance is not finite."""
    if np.all(np.isfinite(z)):
        return z
    if measure.missing == "pairwise" and not np.any(np.isinf(z)):
        return np.where(np.isnan(z), np.inf, z)
    raise InputError(
        f"Some {measure.name} distances are not finite; rescale the data (its largest entry is "
        f"{np.nanmax(np.abs(X.data if sp.issparse(X) else X)):.3g}) or take another metric."
    )


def _in_blocks(X: Any, pairs: PairSet, measure: Measure) -> np.ndarray:
    """Rows in blocks against all others; of each block the entries that are pairs."""
    z = np.empty(pairs.n_pairs)
    size = block_rows(X.shape[0])
    for first in range(0, X.shape[0], size):
        last = min(first + size, X.shape[0])
        block = rectangle(X[first:last], X, X, measure)
        span = slice(pairs.indptr[first], pairs.indptr[last])
        z[span] = block[pairs.rows[span] - first, pairs.cols[span]]
    return z
