"""New nodes join a learned graph without learning it again."""

import numpy as np
import scipy.sparse as sp

from smoothgraph.priors.base import DegreePrior, EdgePrior
from smoothgraph.solvers.root import monotone_root

_NEAREST = 64  # fitted nodes that a new one is first thought to join
_HALVINGS = 60  # down to rounding


def joining_weights(
    edge_prior: EdgePrior, degree_prior: DegreePrior, u: np.ndarray, z: np.ndarray
) -> sp.csr_array:
    """``w_xj = f*'(u_x + u_j - 2 z_xj)``, with the ``u_x`` that gives x the degree it wants.

    ``u`` are the multipliers of the m fitted nodes, ``z`` the ``(n, m)`` distances of new
    nodes to them (infinity: no candidate edge). The fitted nodes stay as they are: each new
    node sees the learned graph and no other new node.
    """
    v = u - 2 * z
    m = len(u)
    if np.any(np.isneginf(edge_prior.threshold)) or m <= 2 * _NEAREST:
        return _solve_rows(edge_prior, degree_prior, u, v)
    columns = np.argpartition(-v, _NEAREST, axis=1)[:, : _NEAREST + 1]
    near = np.take_along_axis(v, columns, axis=1)
    multipliers = _multipliers(edge_prior, degree_prior, u, near[:, :-1])
    near_weights = edge_prior.maximizer(multipliers[:, None] + near)
    enough = near_weights[:, -1] == 0
    rows = np.repeat(np.arange(len(v)), near.shape[1])
    kept = (near_weights.ravel() > 0) & np.repeat(enough, near.shape[1])
    weights = sp.coo_array(
        (near_weights.ravel()[kept], (rows[kept], columns.ravel()[kept])), shape=v.shape
    ).tocsr()
    if np.all(enough):
        return weights
    crowded = np.flatnonzero(~enough)
    rest = _solve_rows(edge_prior, degree_prior, u, v[crowded]).tocoo()
    more = sp.coo_array((rest.data, (crowded[rest.row], rest.col)), shape=v.shape)
    return (weights + more.tocsr()).tocsr()


def _solve_rows(
    edge_prior: EdgePrior, degree_prior: DegreePrior, u: np.ndarray, v: np.ndarray
) -> sp.csr_array:
    multipliers = _multipliers(edge_prior, degree_prior, u, v)
    return sp.csr_array(edge_prior.maximizer(multipliers[:, None] + v))


def _multipliers(
    edge_prior: EdgePrior, degree_prior: DegreePrior, u: np.ndarray, v: np.ndarray
) -> np.ndarray:
    """The root of ``sum over j of f*'(u_x + v_xj) = degree(u_x)`` for every row of v."""
    low_end, high_end = degree_prior.domain
    if low_end == high_end:
        return np.full(len(v), low_end)

    def too_large(candidate: np.ndarray) -> np.ndarray:
        degrees = np.sum(edge_prior.maximizer(candidate[:, None] + v), axis=1)
        with np.errstate(divide="ignore"):
            return degrees > degree_prior.joining_degree(candidate, u)

    first_edge = -np.max(v, axis=1)
    width = np.full(len(v), np.median(np.abs(u)) or 1.0)
    return monotone_root(too_large, first_edge, width, low_end, halvings=_HALVINGS)
