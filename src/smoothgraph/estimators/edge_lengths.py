"""How long edges are: the distances between joined nodes, in the user's metric, without local scales."""

from typing import Any

import numpy as np
import scipy.sparse as sp

from smoothgraph.estimators.node_data import distances_to_fitted
from smoothgraph.pairs.distances import check_data, measure_pairs
from smoothgraph.pairs.measure import Measure
from smoothgraph.pairs.pair_set import PairSet
from smoothgraph.pairs.squared import squared_direct

_BLOCK_BYTES = 64 * 2**20  # of distances of new rows to all fitted ones at a time


def edge_lengths(adjacency: sp.csr_array, table: Any, measure: Measure) -> sp.csr_array:
    """The distances between the rows of ``table`` that ``adjacency`` joins."""
    edges, coo = PairSet.from_mask(adjacency), adjacency.tocoo()
    z = as_lengths(measure_pairs(table, edges, measure), measure) if edges.n_pairs else np.zeros(0)
    return _with_data(adjacency, z[edges.positions(coo.row, coo.col)])


def given_lengths(adjacency: sp.csr_array, Z: Any) -> sp.csr_array:
    """The entries of a matrix of distances on the edges; a sparse one may hold each of them on one side only."""
    coo = adjacency.tocoo()
    if not sp.issparse(Z):
        return _with_data(adjacency, np.asarray(Z, dtype=float)[coo.row, coo.col])
    Z = sp.csr_array(Z, dtype=float)
    there, back = (np.asarray(Z[i, j]).ravel() for i, j in ((coo.row, coo.col), (coo.col, coo.row)))
    return _with_data(adjacency, np.maximum(there, back))


def joining_lengths(
    weights: sp.csr_array, at_zero: np.ndarray, new: Any, fitted: Any, measure: Measure
) -> sp.csr_array:
    """The distances from new rows to the fitted ones that ``weights`` join, and to the first one at distance zero.

    ``at_zero`` lists all pairs (new row, fitted row) at distance zero, in order.
    """
    _, first = np.unique(at_zero[:, 0], return_index=True)
    joined = np.stack(weights.nonzero())
    i, j = np.unique(np.concatenate([joined, at_zero[first].T], axis=1), axis=1)
    z = _some_distances(new, fitted, i, j, measure)
    return sp.csr_array((as_lengths(z, measure), (i, j)), shape=weights.shape)


def _some_distances(new: Any, fitted: Any, i: np.ndarray, j: np.ndarray, measure: Measure) -> np.ndarray:
    """The distances of pairs of a new and a fitted row, in the order of ``i``."""
    if measure.metric in ("sqeuclidean", "euclidean") and not measure.params and measure.missing == "error":
        needed, at = np.unique(j, return_inverse=True)
        z = squared_direct(check_data(new), check_data(fitted[needed]), i, at)
        return np.sqrt(z) if measure.metric == "euclidean" else z
    blocks, n_rows = [np.zeros(0)], max(1, _BLOCK_BYTES // (8 * (new if fitted is None else fitted.T).shape[1]))
    for first in range(0, new.shape[0], n_rows):
        here = slice(*np.searchsorted(i, [first, first + n_rows]))
        rows = new[first : first + n_rows]
        blocks.append(distances_to_fitted(rows, _as_floats(fitted), measure)[i[here] - first, j[here]])
    return np.concatenate(blocks)


def _as_floats(fitted: Any) -> Any:
    return None if fitted is None else fitted.astype(np.float64, copy=False)


def as_lengths(z: np.ndarray, measure: Measure) -> np.ndarray:
    """Distances that add up along paths: squared Euclidean ones without the square."""
    return np.sqrt(z) if measure.metric == "sqeuclidean" else z


def _with_data(pattern: sp.csr_array, data: np.ndarray) -> sp.csr_array:
    return sp.csr_array((data, pattern.indices.copy(), pattern.indptr.copy()), shape=pattern.shape)
