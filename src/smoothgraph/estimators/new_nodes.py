"""New nodes join a learned graph without learning it again.

The fitted nodes stay as they are: each new node sees the learned graph and no other new node. Its multiplier ``u_x`` is
the root of

    sum over j of f*'(u_x + u_j - 2 z_xj) = degree(u_x).

The left-hand side grows with ``u_x`` and with every pair that is added, and the right-hand side does not grow. So the
root on some of the pairs is an upper bound. Where weights vanish, the pairs with ``2 z_xj`` below that bound plus
``u_j`` are all that matter.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from smoothgraph.estimators.new_distances import NewDistances
from smoothgraph.priors.prior import DegreePrior, EdgePrior
from smoothgraph.search.engine import NearPairs
from smoothgraph.solvers.root import monotone_root
from smoothgraph.support.input_error import InputError

_HALVINGS = 100  # down to rounding
_HALVINGS_OF_BOUND = 20
_ROUNDING = 1e-12  # of a multiplier


def joining_weights(
    edge_prior: EdgePrior, degree_prior: DegreePrior, u: np.ndarray, distances: NewDistances
) -> sp.csr_array:
    """``w_xj = f*'(u_x + u_j - 2 z_xj)``, with the ``u_x`` that gives x the degree it wants.

    ``u`` are the multipliers of the m fitted nodes. A row at distance zero from a fitted node gets no weights: it
    stands for that node.
    """
    copies = np.zeros(distances.n_new, dtype=bool)
    copies[distances.at_zero[:, 0]] = True
    if not edge_prior.smooth_conjugate and not np.all(copies):
        raise InputError(
            f"New row {np.flatnonzero(~copies)[0]} cannot join the graph: with beta=0 the multipliers do not determine "
            "its weights; fit with beta > 0."
        )
    equations = _Equations(edge_prior, degree_prior, u)
    reach = np.where(copies, -np.inf, np.inf)
    if edge_prior.sparse:
        near = distances.near(u)
        some = equations.solve(NearPairs(*(column[~copies[near.i]] for column in near)), _HALVINGS_OF_BOUND)
        reach[some.rows] = some.u + _ROUNDING * np.abs(some.u) - np.min(edge_prior.threshold)
    pairs = distances.within(reach, u)
    solved = equations.solve(pairs, _HALVINGS)
    alone = ~copies
    alone[solved.rows] = False
    if np.any(alone) and degree_prior.needs_edges:
        raise InputError(
            f"New row {np.flatnonzero(alone)[0]} has no candidate edge, but every node must have "
            "one; give its distance to at least one fitted node."
        )
    w = edge_prior.maximizer(solved.v)
    kept = w > 0
    return sp.coo_array((w[kept], (pairs.i[kept], pairs.j[kept])), shape=(distances.n_new, len(u))).tocsr()


class _Roots(NamedTuple):
    """The multipliers of the new ``rows`` that have pairs, and ``v_xj = u_x + u_j - 2 z_xj`` of these pairs."""

    rows: np.ndarray
    u: np.ndarray
    v: np.ndarray


@dataclass(frozen=True, eq=False)
class _Equations:
    """One equation per new node, beside fitted nodes with the multipliers ``u``."""

    edge_prior: EdgePrior
    degree_prior: DegreePrior
    u: np.ndarray

    def solve(self, pairs: NearPairs, halvings: int) -> _Roots:
        """The roots, or a little more, on some of the pairs, which are in the order of the new nodes.

        The unknown is ``s = u_x - (2 z_* - u_*)`` with ``*`` the first node to be joined, and ``v_xj = s - delay_j``:
        differences of distances are taken before anything small is added, so that a far-away node keeps the digits of
        its tiny weights.
        """
        i, j, z = pairs
        fitted = self.u[j]
        starts = np.flatnonzero(np.diff(i, prepend=-1))
        row = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(i)))
        offset = np.minimum.reduceat(2 * z - fitted, starts) if len(i) else np.zeros(0)
        at_least = np.flatnonzero(2 * z - fitted == offset[row])
        first = at_least[np.unique(row[at_least], return_index=True)[1]][row]
        delay = 2 * (z - z[first]) - (fitted - fitted[first])
        s = self._offsets(delay, offset, (starts, row), halvings)
        return _Roots(i[starts], s + offset, s[row] - delay)

    def _offsets(
        self, delay: np.ndarray, offset: np.ndarray, by_row: tuple[np.ndarray, np.ndarray], halvings: int
    ) -> np.ndarray:
        """The root of ``sum over j of f*'(s - delay_j) = degree(s + offset)`` for every row."""
        starts, row = by_row
        low_end, high_end = self.degree_prior.domain
        if low_end == high_end:
            return low_end - offset
        if len(starts) == 0:
            return np.zeros(0)

        def too_large(s: np.ndarray) -> np.ndarray:
            degrees = np.add.reduceat(self.edge_prior.maximizer(s[row] - delay), starts)
            with np.errstate(divide="ignore"):
                return degrees > self.degree_prior.joining_degree(s + offset, self.u)

        width = np.full(len(starts), np.median(np.abs(self.u)) or 1.0)
        return monotone_root(too_large, np.zeros(len(starts)), width, low_end - offset, halvings=halvings)


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
