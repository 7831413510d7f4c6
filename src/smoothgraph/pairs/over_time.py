"""Candidate pairs over time: the same pairs in every window of a series, coupled by the prior."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from smoothgraph.pairs.in_memory import Pairs, TermsInMemory
from smoothgraph.pairs.over_time_curvature import CoupledCurvature
from smoothgraph.pairs.pair_set import PairSet
from smoothgraph.pairs.seam import SimplerProblem
from smoothgraph.priors import QuadraticEdges
from smoothgraph.priors.coupled_edges import CoupledEdges
from smoothgraph.priors.prior import EdgePrior


@dataclass(frozen=True, eq=False, kw_only=True)
class PairsOverTime(Pairs):
    """``n_windows`` copies of the nodes, one window after the other, with ``once`` in each.

    A pair is selected for all windows if it matters in one of them, since the weights of a pair over time depend on
    each other. Use :meth:`over_windows` to make one.
    """

    once: PairSet

    @classmethod
    def over_windows(cls, once: PairSet, z: np.ndarray) -> "PairsOverTime":
        """The pairs ``once`` with the distances ``z`` of shape ``(n_windows, n_pairs)``."""
        first = np.arange(len(z))[:, None]
        indptr = (once.indptr[None, :-1] + first * once.n_pairs).ravel()
        cols = once.cols[None, :] + (first * once.n_nodes).astype(np.int32)
        pattern = PairSet(len(z) * once.n_nodes, np.append(indptr, len(z) * once.n_pairs), cols.ravel())
        return cls(pattern=pattern, z=np.ravel(z), once=once)

    @property
    def n_windows(self) -> int:
        """The number of windows."""
        return self.pattern.n_nodes // self.once.n_nodes

    def at(self, ids: np.ndarray) -> "PairsOverTime":
        """The pairs at the positions ``ids``, in all windows."""
        chosen = np.zeros(self.once.n_pairs, dtype=bool)
        chosen[ids % self.once.n_pairs] = True
        if np.all(chosen):
            return self
        kept = np.flatnonzero(np.tile(chosen, self.n_windows))
        z = self.z[kept].reshape(self.n_windows, -1)
        part = PairsOverTime.over_windows(self.once.select(np.flatnonzero(chosen)), z)
        return replace(part, selected=kept if self.selected is None else self.selected[kept])

    def drop_zeros(self, w: np.ndarray) -> tuple[Pairs, np.ndarray]:
        return self, w

    def count_below(self, f: EdgePrior, u: np.ndarray) -> int:
        below = 2 * self.cost(f) < self.pattern.pair_sums(u)
        return int(np.count_nonzero(below.reshape(self.n_windows, -1).any(axis=0)))

    def simplify(self, f: EdgePrior) -> list[SimplerProblem]:
        assert isinstance(f, CoupledEdges), "pairs over time are joined by a coupled prior"
        prior = QuadraticEdges(f.beta)
        mean = np.mean(self.z.reshape(self.n_windows, -1), axis=0)
        apart = SimplerProblem(Pairs(self.pattern, self.z), prior, 1)
        return [apart, SimplerProblem(Pairs(self.once, mean), prior, self.n_windows)]

    def evaluate(self, f: EdgePrior, u: np.ndarray, tail: np.ndarray) -> "CoupledTerms":
        assert isinstance(f, CoupledEdges), "pairs over time are joined by a coupled prior"
        return CoupledTerms(self, f, u, tail)


@dataclass(frozen=True, eq=False)
class CoupledTerms(TermsInMemory):
    """What pairs over time contribute to the joint dual at one ``u``."""

    f: CoupledEdges

    @cached_property
    def weights(self) -> np.ndarray:
        return self.f.maximizer(self.v)

    @cached_property
    def conjugate(self) -> float:
        return self.f.quadratic(self.weights)

    def divergence(self, w: np.ndarray) -> float:
        return self.f.divergence(w, self.v)

    def curvature(self) -> CoupledCurvature:  # type: ignore[override]
        pieces, pattern = self.f.pieces(self.weights), self.pairs.pattern
        ends = np.concatenate([pattern.rows[pieces.where], pattern.cols[pieces.where]])
        columns = np.concatenate([pieces.piece, pieces.piece])
        shape = (pattern.n_nodes, len(pieces.diagonal))
        R = sp.csr_array((np.ones(len(ends)), (ends, columns)), shape=shape)
        return CoupledCurvature(R, R.T.tocsr(), pieces.diagonal, pieces.off, self.f.n_windows)

    @cached_property
    def idleness(self) -> np.ndarray:
        """How far each pair is from being an edge, at most: that depends on its other windows."""
        rise = np.maximum(self.f.surely_above - self.v, 0)
        return np.where(self.weights > 0, 0.0, rise)
