"""The edges of some consecutive nodes, each edge at both of its ends."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from smoothgraph.distributed import _kernels
from smoothgraph.neighbors.between import Pairs


class BlockEdges(NamedTuple):
    """All edges of the nodes ``first <= i < last``: ``cols`` are nodes, increasing in every row."""

    first: int
    last: int
    indptr: np.ndarray
    cols: np.ndarray
    z: np.ndarray

    @property
    def halo(self) -> np.ndarray:
        """The nodes of other blocks that an edge leads to, in increasing order."""
        outside = (self.cols < self.first) | (self.cols >= self.last)
        return np.unique(self.cols[outside])


def crossing(pairs: Pairs, bounds: tuple[int, int]) -> Pairs:
    """The pairs that have an end in the block."""
    first, last = bounds
    i, j, _ = pairs
    here = ((i >= first) & (i < last)) | ((j >= first) & (j < last))
    return Pairs(*(column[here] for column in pairs))


def assembled(
    bounds: tuple[int, int], parts: Sequence[Pairs], known: BlockEdges | None = None
) -> BlockEdges:
    """The edges of a block from pairs with an end in it; repeats, with what is known, merge."""
    first, last = bounds
    counts = np.zeros(last - first, dtype=np.int64)
    if known is not None:
        counts += np.diff(known.indptr)
    for i, j, _ in parts:
        _kernels.count_ends(i, j, first, last, counts)
    indptr = np.concatenate([[0], np.cumsum(counts)])
    cols, z = np.empty(indptr[-1], dtype=np.int32), np.empty(indptr[-1])
    place = indptr[:-1].copy()
    if known is not None:
        _kernels.place_rows(known.indptr, known.cols, known.z, place, cols, z)
    for pairs in parts:
        _kernels.place_ends(tuple(pairs), bounds, place, cols, z)
    _kernels.merge_rows(indptr, cols, z)
    cols.resize(indptr[-1], refcheck=False)  # in place: there may be no room for a copy
    z.resize(indptr[-1], refcheck=False)
    return BlockEdges(first, last, indptr, cols, z)


@dataclass(frozen=True, eq=False)
class Entries:
    """Rows of edges with columns in local numbers: the block's own nodes, then its halo."""

    indptr: np.ndarray
    cols: np.ndarray
    z: np.ndarray
    lower: np.ndarray  # whether an entry's column is the smaller end

    @classmethod
    def of(cls, edges: BlockEdges, halo: np.ndarray) -> "Entries":
        """All edges of a block."""
        local, lower = np.empty_like(edges.cols), np.empty(len(edges.cols), dtype=bool)
        bounds = edges.first, edges.last
        _kernels.number_locally(edges.indptr, edges.cols, bounds, halo, local, lower)
        return cls(edges.indptr, local, edges.z, lower)

    def select(self, mask: np.ndarray) -> "Entries":
        """The entries of the mask."""
        number = np.count_nonzero(mask)
        if number == len(mask):
            return self
        indptr = np.zeros_like(self.indptr)
        kept = np.empty(number, np.int32), np.empty(number), np.empty(number, dtype=bool)
        _kernels.select(self.indptr, (self.cols, self.z, self.lower), mask, indptr, kept)
        return Entries(indptr, *kept)

    @property
    def n_rows(self) -> int:
        """The number of the block's own nodes."""
        return len(self.indptr) - 1

    @cached_property
    def split(self) -> np.ndarray:
        """Where in every row the larger ends begin."""
        before = np.concatenate([[0], np.cumsum(self.lower)])
        return self.indptr[:-1] + np.diff(before[self.indptr])

    @cached_property
    def upper(self) -> np.ndarray:
        """The positions of every edge at its smaller end: each edge of the graph once."""
        return np.flatnonzero(~self.lower)

    @cached_property
    def rows(self) -> np.ndarray:
        """The row of every entry."""
        return np.repeat(np.arange(self.n_rows, dtype=np.int32), np.diff(self.indptr))
