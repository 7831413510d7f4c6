"""Coordinate ascent over pairs in memory."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from smoothgraph.pairs import sweep_kernels
from smoothgraph.pairs.pair_set import PairSet
from smoothgraph.pairs.sweep_kernels import Moves, Rows, Wanted
from smoothgraph.support.blocks import blocks_of
from smoothgraph.support.threads import run_blocks

if TYPE_CHECKING:
    from smoothgraph.pairs.in_memory import Pairs


@dataclass(frozen=True, eq=False)
class Mirrored:
    """Every pair at both of its ends, as symmetric CSR rows, and which nodes have all neighbors in their own block."""

    indptr: np.ndarray
    cols: np.ndarray
    cost: np.ndarray
    blocks: list[tuple[int, int]]
    inner: np.ndarray

    @classmethod
    def of(cls, pattern: PairSet, cost: np.ndarray) -> "Mirrored":
        """The pairs of a pattern with their costs."""
        indptr, cols, both = pattern.mirror(cost)
        blocks, inner = blocks_of(pattern.n_nodes), np.empty(pattern.n_nodes, dtype=bool)
        run_blocks(blocks, lambda first, last: sweep_kernels.mark_inner(first, last, indptr, cols, inner))
        return cls(indptr, cols, both, blocks, inner)


class Sweeper:
    """Coordinate ascent on the dual: one multiplier at a time, all others held still.

    Sweeps go over the nodes of blocks, on all cores, then over the rest on one. In the first pass only nodes move
    whose neighbors are all in the same block, so that blocks do not disturb each other.
    """

    def __init__(self, pairs: "Pairs", mirrored: Mirrored, slope: float) -> None:
        self.pairs = pairs
        self._rows = Rows(mirrored.indptr, mirrored.cols, mirrored.cost, slope)
        self._blocks, self._inner = mirrored.blocks, mirrored.inner

    def sweep(self, wanted: Wanted, u: np.ndarray) -> np.ndarray:
        """Return ``u`` after sweeps over the nodes, until none moves by more than its step."""
        wanted, u = self._stored(wanted), self.pairs.to_stored(u).copy()
        restless, everywhere = np.ones((2, len(u)), dtype=bool)
        if len(self._blocks) > 1:
            self._sweep(self._blocks, wanted, Moves(u, restless, self._inner))
        self._sweep([(0, len(u))], wanted, Moves(u, restless, everywhere))
        return self.pairs.to_given(u)

    def lift(self, wanted: Wanted, u: np.ndarray) -> np.ndarray:
        """Return ``u`` with every node that has no edge raised to its first one."""
        u, degree = self.pairs.to_stored(u).copy(), self.pairs.to_stored(wanted.degree)
        sweep_kernels.lift(0, len(u), self._rows, degree, u)
        return self.pairs.to_given(u)

    def _sweep(self, blocks: list[tuple[int, int]], wanted: Wanted, moves: Moves) -> None:
        run_blocks(blocks, lambda first, last: sweep_kernels.sweep(first, last, self._rows, wanted, moves))

    def _stored(self, wanted: Wanted) -> Wanted:
        stored = self.pairs.to_stored
        degree, curvature, lowest, step, anchor = wanted
        return Wanted(stored(degree), stored(curvature), lowest, stored(step), stored(anchor))
