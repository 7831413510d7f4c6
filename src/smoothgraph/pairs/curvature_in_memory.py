"""The curvature that pairs in memory give the dual."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from smoothgraph.pairs import pair_kernels as kernels
from smoothgraph.pairs.seam import EdgeCurvature, Triples

if TYPE_CHECKING:
    from smoothgraph.pairs.in_memory import Pairs

_STIFF = 1e10  # times the curvature of the degree prior, beyond which a sum of both loses the latter


@dataclass(frozen=True, eq=False)
class CurvatureInMemory(EdgeCurvature):
    """``S diag(c) S'`` over the pairs with ``c > 0``."""

    pairs: "Pairs"
    c: np.ndarray

    @cached_property
    def diagonal(self) -> np.ndarray:
        return self.pairs.to_given(self.pairs.pattern.degree_sums(self.c))

    @property
    def n_pairs(self) -> int:
        return self.pairs.n_pairs

    def product(self, x: np.ndarray) -> np.ndarray:
        stored = self.pairs.to_stored(x)
        added = self.pairs.pattern.add_at_nodes(kernels.hessian_product, self.c, stored)
        return self.pairs.to_given(added)

    def pairs_above(self, least: np.ndarray) -> Triples:
        least, pattern = self.pairs.to_stored(least), self.pairs.pattern
        kept = np.concatenate(pattern.run(kernels.positions_above, self.c, least))
        return (*self.pairs.ends(kept), self.c[kept])

    def matrix(self, diagonal: np.ndarray) -> sp.csc_array:
        pattern, order, m = self.pairs.pattern, self.pairs.order, self.pairs.n_nodes
        i, j = (ends if order is None else order[ends] for ends in (pattern.rows, pattern.cols))
        stiff = (self.c > _STIFF * np.maximum(diagonal[i], diagonal[j])) & np.all(diagonal > 0)
        soft = ~stiff
        own = np.arange(m, m + np.count_nonzero(stiff))
        one = np.ones(len(own))
        upper = np.concatenate([i[soft], i[stiff], j[stiff]])
        lower = np.concatenate([j[soft], own, own])
        values = np.concatenate([self.c[soft], one, one])
        at_nodes = diagonal + self.pairs.to_given(pattern.degree_sums(np.where(soft, self.c, 0.0)))
        middle, on_diagonal = np.arange(m + len(own)), np.concatenate([at_nodes, -1 / self.c[stiff]])
        ends = np.concatenate([upper, lower, middle]), np.concatenate([lower, upper, middle])
        return sp.csc_array((np.concatenate([values, values, on_diagonal]), ends))
