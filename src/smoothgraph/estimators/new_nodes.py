"""New nodes join a learned graph without learning it again."""

import numpy as np
import scipy.sparse as sp

from smoothgraph.pairs.local_scale import NEIGHBOR, localize, scales_from
from smoothgraph.priors.prior import DegreePrior, EdgePrior
from smoothgraph.solvers.root import monotone_root
from smoothgraph.support.input_error import InputError

_NEAREST = 64  # fitted nodes that a new one is first thought to join
_HALVINGS = 90  # down to rounding


def joining_weights(edge_prior: EdgePrior, degree_prior: DegreePrior, u: np.ndarray, z: np.ndarray) -> sp.csr_array:
    """``w_xj = f*'(u_x + u_j - 2 z_xj)``, with the ``u_x`` that gives x the degree it wants.

    ``u`` are the multipliers of the m fitted nodes, ``z`` the ``(n, m)`` distances of new nodes to them (infinity:
    no candidate edge). The fitted nodes stay as they are: each new node sees the learned graph and no other new
    node. A row at distance zero from a fitted node gets no weights: it stands for that node.
    """
    copies = np.any(z == 0, axis=1)
    if not edge_prior.smooth_conjugate and not np.all(copies):
        raise InputError(
            f"New row {np.flatnonzero(~copies)[0]} cannot join the graph: with beta=0 the multipliers do not determine "
            "its weights; fit with beta > 0."
        )
    alone = ~np.any(np.isfinite(z), axis=1)
    if np.any(alone) and degree_prior.needs_edges:
        raise InputError(
            f"New row {np.flatnonzero(alone)[0]} has no candidate edge, but every node must have "
            "one; give its distance to at least one fitted node."
        )
    joining = np.flatnonzero(~alone & ~copies)
    weights = _join(edge_prior, degree_prior, u, z[joining]).tocoo()
    return sp.coo_array((weights.data, (joining[weights.row], weights.col)), shape=z.shape).tocsr()


def _join(edge_prior: EdgePrior, degree_prior: DegreePrior, u: np.ndarray, z: np.ndarray) -> sp.csr_array:
    columns = np.broadcast_to(np.arange(len(u)), z.shape)
    dense = np.any(np.isneginf(edge_prior.threshold)) or len(u) <= 2 * _NEAREST
    if dense or len(z) == 0:
        return _solve_rows(edge_prior, degree_prior, u, z, columns)[0]
    columns = np.argpartition(2 * z - u, _NEAREST, axis=1)[:, : _NEAREST + 1]
    weights, last = _solve_rows(edge_prior, degree_prior, u, np.take_along_axis(z, columns, 1), columns)
    crowded = np.flatnonzero(last > 0)  # even the last of the nearest is joined
    if crowded.size == 0:
        return weights
    everyone = np.broadcast_to(np.arange(len(u)), (len(crowded), len(u)))
    more = _solve_rows(edge_prior, degree_prior, u, z[crowded], everyone)[0].tocoo()
    keep = sp.diags_array((last == 0).astype(float)) @ weights
    return (keep + sp.coo_array((more.data, (crowded[more.row], more.col)), shape=z.shape)).tocsr()


def _solve_rows(
    edge_prior: EdgePrior, degree_prior: DegreePrior, u: np.ndarray, z: np.ndarray, columns: np.ndarray
) -> tuple[sp.csr_array, np.ndarray]:
    """The weights to the fitted nodes ``columns``, and those to the last of them.

    The unknown is ``s = u_x - (2 z_* - u_*)`` with ``*`` the first node to be joined, and ``u_x + u_j - 2 z_j = s -
    delay_j``: differences of distances are taken before anything small is added, so that a far-away node keeps the
    digits of its tiny weights.
    """
    fitted = u[columns]
    first = np.argmin(2 * z - fitted, axis=1)[:, None] if z.size else np.zeros((0, 1), int)
    z_first, u_first = np.take_along_axis(z, first, 1), np.take_along_axis(fitted, first, 1)
    delay = 2 * (z - z_first) - (fitted - u_first)
    offset = (2 * z_first - u_first)[:, 0]
    s = _offsets(edge_prior, degree_prior, u, delay, offset)
    w = edge_prior.maximizer(s[:, None] - delay)
    rows = np.broadcast_to(np.arange(len(z))[:, None], w.shape)
    kept = w > 0
    matrix = sp.coo_array((w[kept], (rows[kept], columns[kept])), shape=(len(z), len(u))).tocsr()
    return matrix, w[:, -1]


def _offsets(
    edge_prior: EdgePrior, degree_prior: DegreePrior, u: np.ndarray, delay: np.ndarray, offset: np.ndarray
) -> np.ndarray:
    """The root of ``sum over j of f*'(s - delay_j) = degree(s + offset)`` for every row."""
    low_end, high_end = degree_prior.domain
    if low_end == high_end:
        return low_end - offset

    def too_large(s: np.ndarray) -> np.ndarray:
        degrees = np.sum(edge_prior.maximizer(s[:, None] - delay), axis=1)
        with np.errstate(divide="ignore"):
            return degrees > degree_prior.joining_degree(s + offset, u)

    width = np.full(len(delay), np.median(np.abs(u)) or 1.0)
    low_ends = low_end - offset
    return monotone_root(too_large, np.zeros(len(delay)), width, low_ends, halvings=_HALVINGS)


def localize_distances(z: np.ndarray, fitted: np.ndarray) -> np.ndarray:
    """``(z_xj / (s_x s_j))^2``, with the scales of the ``fitted`` nodes, and those of new nodes among them."""
    k = min(NEIGHBOR, z.shape[1]) - 1
    scale = scales_from(np.partition(z, k, axis=1)[:, : k + 1])
    return localize(z, scale[:, None], fitted)


def find_copies(at_zero: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The rows at distance zero from a fitted node, and which one each of them stands for.

    ``at_zero`` lists all pairs (row, fitted node) at distance zero, in order. Of several rows at the same place the
    k-th stands for the k-th fitted node there.
    """
    rows, first, size = np.unique(at_zero[:, 0], return_index=True, return_counts=True)
    place = at_zero[first, 1]
    order = np.argsort(place, kind="stable")
    copy = np.empty(len(rows), dtype=np.int64)
    copy[order] = np.arange(len(rows)) - np.searchsorted(place[order], place[order])
    return rows, at_zero[first + copy % size, 1]
