"""The joint problem of all windows, as one problem on as many copies of the nodes."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from smoothgraph.over_time.coupling import CoupledEdges
from smoothgraph.over_time.hessian import CoupledHessian
from smoothgraph.pairs.pattern import EdgeSet
from smoothgraph.priors import QuadraticEdges
from smoothgraph.priors.base import DegreePrior
from smoothgraph.problem import Evaluation, Problem


@dataclass(frozen=True, eq=False)
class CoupledProblem(Problem):
    """``min sum_t [2 z_t'w_t - alpha 1'log(S w_t) + beta |w_t|^2] + gamma sum_t coupling``.

    Its nodes are those of the first window, then those of the second and so on; so are its
    edges, ``pairs`` in every window. Use :meth:`over_time` to make one.
    """

    edge_prior: CoupledEdges = field(kw_only=True)
    pairs: EdgeSet = field(kw_only=True)

    @classmethod
    def over_time(
        cls, pairs: EdgeSet, z: np.ndarray, prior: CoupledEdges, degrees: DegreePrior
    ) -> "CoupledProblem":
        """The problem with the distances ``z`` of shape ``(n_windows, n_pairs)``."""
        edges = copies(pairs, prior.n_windows)
        return cls(edges, np.ravel(z), edge_prior=prior, degree_prior=degrees, pairs=pairs)

    @property
    def z_over_time(self) -> np.ndarray:
        """``z``, one row per window."""
        return self.z.reshape(self.edge_prior.n_windows, -1)

    def evaluate(self, u: np.ndarray, tail: np.ndarray | None = None) -> "CoupledEvaluation":
        """The joint dual at ``u``."""
        return CoupledEvaluation(self, u, np.zeros_like(u) if tail is None else tail)

    def on_pairs(self, ids: np.ndarray) -> "CoupledProblem":
        """The problem over the pairs ``ids`` alone, in increasing order."""
        return CoupledProblem.over_time(
            self.pairs.select(ids), self.z_over_time[:, ids], self.edge_prior, self.degree_prior
        )

    def apart(self) -> Problem:
        """The problem of all windows without the coupling."""
        prior = QuadraticEdges(self.edge_prior.beta)
        return Problem(self.edges, self.z, edge_prior=prior, degree_prior=self.degree_prior)

    def pooled(self) -> Problem:
        """The problem of one graph for all windows, per window: the limit of large gamma."""
        z = np.mean(self.z_over_time, axis=0)
        prior = QuadraticEdges(self.edge_prior.beta)
        return Problem(self.pairs, z, edge_prior=prior, degree_prior=self.degree_prior)

    def pairs_below(self, u: np.ndarray) -> np.ndarray:
        """Whether each pair has ``2 z_e < u_i + u_j`` in a window: all others have weight zero."""
        found = np.zeros(self.pairs.n_edges, dtype=bool)
        for z, here in zip(self.z_over_time, u.reshape(self.edge_prior.n_windows, -1), strict=True):
            found[self.pairs.below(z, here)] = True
        return found


@dataclass(frozen=True, eq=False)
class CoupledEvaluation(Evaluation):
    """The joint dual at one ``u``."""

    problem: CoupledProblem

    @cached_property
    def weights(self) -> np.ndarray:
        """``w = f*'(v)``, every edge over time."""
        return self.problem.edge_prior.maximizer(self._v)

    @cached_property
    def conjugate(self) -> float:
        """``f*(v)``."""
        return self.problem.edge_prior.quadratic(self.weights)

    def curvature(self) -> CoupledHessian:
        """The generalised Hessian of minus the dual."""
        pieces, edges = self.problem.edge_prior.pieces(self.weights), self.problem.edges
        ends = np.concatenate([edges.rows[pieces.where], edges.cols[pieces.where]])
        columns = np.concatenate([pieces.piece, pieces.piece])
        shape = (edges.n_nodes, len(pieces.diagonal))
        R = sp.csr_array((np.ones(len(ends)), (ends, columns)), shape=shape)
        diagonal, r = self.problem.degree_prior.curvature(self.u)
        return CoupledHessian(
            R,
            R.T.tocsr(),
            pieces.diagonal,
            pieces.off,
            self.problem.edge_prior.n_windows,
            diagonal=diagonal,
            r=r,
        )

    @cached_property
    def _idleness(self) -> np.ndarray:
        """How far each edge is from being active, at most: that depends on its other windows."""
        rise = np.maximum(self.problem.edge_prior.surely_above - self._v, 0)
        return np.where(self.weights > 0, 0.0, rise)


def copies(pairs: EdgeSet, n: int) -> EdgeSet:
    """``pairs`` on ``n`` copies of the nodes, one copy after the other."""
    first = np.arange(n)[:, None]
    indptr = (pairs.indptr[None, :-1] + first * pairs.n_edges).ravel()
    cols = pairs.cols[None, :] + (first * pairs.n_nodes).astype(np.int32)
    return EdgeSet(n * pairs.n_nodes, np.append(indptr, n * pairs.n_edges), cols.ravel())
