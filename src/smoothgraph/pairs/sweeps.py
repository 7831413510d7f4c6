"""Coordinate ascent over pairs in memory."""

from typing import TYPE_CHECKING

import numpy as np

from smoothgraph.pairs import sweep_kernels
from smoothgraph.pairs.sweep_kernels import Moves, Rows, Wanted
from smoothgraph.priors.prior import EdgePrior
from smoothgraph.support.blocks import blocks_of
from smoothgraph.support.threads import run_blocks

if TYPE_CHECKING:
    from smoothgraph.pairs.in_memory import Pairs


class Sweeper:
    """Coordinate ascent on the dual: one multiplier at a time, all others held still.

    Sweeps go over the nodes of blocks, on all cores, then over the rest on one. In the first pass only nodes move
    whose neighbors are all in the same block, so that blocks do not disturb each other.
    """

    def __init__(self, pairs: "Pairs", f: EdgePrior) -> None:
        assert f.slope is not None, "sweeps need weights that are linear above a threshold"
        self.pairs = pairs
        self._rows = Rows(*pairs.pattern.mirror(pairs.cost(f)), f.slope)
        self._blocks = blocks_of(pairs.n_nodes)
        self._inner = np.empty(pairs.n_nodes, dtype=bool)
        run_blocks(self._blocks, lambda first, last: sweep_kernels.mark_inner(first, last, self._rows, self._inner))

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
