"""The dual and its weights over entries of edges: sums, and numbers for their rows.

Vectors are in local numbers, the nodes of a block and then its halo.
"""

from typing import NamedTuple

import numpy as np

from smoothgraph.cluster import _kernels
from smoothgraph.cluster.entries import Entries
from smoothgraph.priors import EdgePrior


class Place(NamedTuple):
    """Where the dual is looked at, as a block sees it."""

    u: np.ndarray
    tail: np.ndarray
    edge_prior: EdgePrior


class Correction(NamedTuple):
    """What makes weights balanced: see ``Evaluation.balanced_weights``."""

    wanted: np.ndarray
    ratio: np.ndarray
    lost: np.ndarray
    rise: np.ndarray


def evaluated(entries: Entries, at: Place) -> tuple[np.ndarray, float]:
    """The degrees, and ``f*(v)``."""
    v = slacks(entries, at)
    return row_sums(entries, at.edge_prior.maximizer(v)), at.edge_prior.conjugate(v)


def slacks(entries: Entries, at: Place) -> np.ndarray:
    """``v_e = u_i + u_j - 2 z_e``."""
    v = np.empty(len(entries.z))
    rows = entries.indptr, entries.cols, entries.first
    _kernels.slacks(*rows, at.u, at.tail, entries.z, v)
    return v


def curved(entries: Entries, at: Place) -> tuple[Entries, np.ndarray]:
    """The entries that have a curvature, and this."""
    c = at.edge_prior.curvature(slacks(entries, at))
    active = c > 0
    return entries.select(active), c[active]


def product(entries: Entries, c: np.ndarray, x: np.ndarray) -> np.ndarray:
    """The rows of ``S diag(c) S' x``."""
    out = np.empty(entries.n_rows)
    _kernels.row_products(entries.indptr, entries.split, entries.cols, entries.first, c, x, out)
    return out


def rise(entries: Entries, at: Place, change: np.ndarray | None) -> np.ndarray:
    """How far each node must rise until its first edge is active, after a ``change`` of u."""
    needed = _idleness(entries, at)
    if change is not None:
        needed = np.maximum(needed - pair_sums(entries, change), 0)
    return _least(entries, needed, np.inf)


def excess(entries: Entries, at: Place) -> np.ndarray:
    """The largest ``max(v, 0) / 2`` at each node."""
    return -_least(entries, -np.maximum(slacks(entries, at), 0) / 2, 0.0)


def weights(entries: Entries, at: Place, correction: Correction | None) -> np.ndarray:
    """``w = f*'(v)``, or these balanced."""
    w = at.edge_prior.maximizer(slacks(entries, at))
    if correction is None:
        return w
    wanted, ratio, lost, rise_of_lost = correction
    rows, cols = entries.rows, entries.cols
    smaller, larger = np.where(entries.lower, (cols, rows), (rows, cols))
    lesser = np.where(wanted[smaller] <= wanted[larger], smaller, larger)
    w = w * ratio[lesser]
    if np.any(lost):
        best = lost[lesser] & (_idleness(entries, at) <= rise_of_lost[lesser])
        w[best] = wanted[lesser[best]]
    return w


def row_sums(entries: Entries, w: np.ndarray) -> np.ndarray:
    """The sum of every row."""
    out = np.empty(entries.n_rows)
    _kernels.row_sums(entries.indptr, entries.split, w, out)
    return out


def pair_sums(entries: Entries, y: np.ndarray) -> np.ndarray:
    """``y_i + y_j``."""
    return y[entries.rows] + y[entries.cols]


def _idleness(entries: Entries, at: Place) -> np.ndarray:
    return np.maximum(at.edge_prior.threshold - slacks(entries, at), 0)


def _least(entries: Entries, values: np.ndarray, most: float) -> np.ndarray:
    out = np.full(entries.n_rows, most)
    _kernels.row_least(entries.indptr, values, out)
    return out
