"""How long edges are: the distances between joined nodes, in the user's metric, without local scales."""

from typing import Any

import numpy as np
import scipy.sparse as sp

from smoothgraph.estimators.node_data import distances_to_fitted
from smoothgraph.pairs.distances import measure_pairs
from smoothgraph.pairs.measure import Measure
from smoothgraph.pairs.pair_set import PairSet

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


def joining_lengths(weights: sp.csr_array, new: Any, fitted: Any, measure: Measure) -> sp.csr_array:
    """The distances from new rows to the fitted ones that ``weights`` join, and to the first one at distance zero."""
    blocks, n_rows = [], max(1, _BLOCK_BYTES // (8 * weights.shape[1]))
    for first in range(0, weights.shape[0], n_rows):
        rows = slice(first, first + n_rows)
        z = as_lengths(distances_to_fitted(new[rows], fitted, measure), measure)
        joined = weights[rows].tocoo()
        copies = np.flatnonzero(np.min(z, axis=1) == 0)
        i = np.append(joined.row, copies)
        j = np.append(joined.col, np.argmin(z[copies], axis=1))
        i, j = np.unique(np.stack([i, j]), axis=1)
        blocks.append(sp.csr_array((z[i, j], (i, j)), shape=z.shape))
    return sp.vstack(blocks, format="csr")


def as_lengths(z: np.ndarray, measure: Measure) -> np.ndarray:
    """Distances that add up along paths: squared Euclidean ones without the square."""
    return np.sqrt(z) if measure.metric == "sqeuclidean" else z


def _with_data(pattern: sp.csr_array, data: np.ndarray) -> sp.csr_array:
    return sp.csr_array((data, pattern.indices.copy(), pattern.indptr.copy()), shape=pattern.shape)
