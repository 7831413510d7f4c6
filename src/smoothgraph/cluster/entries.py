"""The edges of some consecutive nodes, each edge at both of its ends."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from smoothgraph.cluster import _kernels
from smoothgraph.search.between import Pairs

PIECE = 2**20  # entries that are computed with at once


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


def between(edges: BlockEdges, bounds: tuple[int, int]) -> BlockEdges:
    """Those of the edges whose nodes are within the bounds."""
    first, last = max(edges.first, bounds[0]), min(edges.last, bounds[1])
    indptr = edges.indptr[first - edges.first : last - edges.first + 1]
    own = slice(indptr[0], indptr[-1])
    return BlockEdges(first, last, indptr - indptr[0], edges.cols[own], edges.z[own])


def assembled(
    bounds: tuple[int, int], parts: Sequence[Pairs], known: Sequence[BlockEdges] = ()
) -> BlockEdges:
    """The edges of a block from pairs with an end in it; repeats, with what is known, merge."""
    first, last = bounds
    counts = np.zeros(last - first, dtype=np.int64)
    for edges in known:
        counts[edges.first - first : edges.last - first] += np.diff(edges.indptr)
    for i, j, _ in parts:
        _kernels.count_ends(i, j, first, last, counts)
    indptr = np.concatenate([[0], np.cumsum(counts)])
    cols, z = np.empty(indptr[-1], dtype=np.int32), np.empty(indptr[-1])
    place = indptr[:-1].copy()
    for edges in known:
        rows = place[edges.first - first : edges.last - first]
        _kernels.place_rows(edges.indptr, edges.cols, edges.z, rows, cols, z)
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
    first: int = 0  # the local number of the first row

    @classmethod
    def of(cls, edges: BlockEdges, halo: np.ndarray) -> "Entries":
        """All edges of a block."""
        local, lower = np.empty_like(edges.cols), np.empty(len(edges.cols), dtype=bool)
        bounds = edges.first, edges.last
        _kernels.number_locally(edges.indptr, edges.cols, bounds, halo, local, lower)
        return cls(edges.indptr, local, edges.z, lower)

    def select(self, mask: np.ndarray, scale: float = 1.0) -> "Entries":
        """The entries of the mask, their distances times ``scale``."""
        number = np.count_nonzero(mask)
        if number == len(mask) and scale == 1:
            return self
        indptr = np.zeros_like(self.indptr)
        kept = np.empty(number, np.int32), np.empty(number), np.empty(number, dtype=bool)
        entries = self.cols, self.z, self.lower
        _kernels.select(self.indptr, entries, scale, mask, indptr, kept)
        return Entries(indptr, *kept, self.first)

    @cached_property
    def pieces(self) -> list["Entries"]:
        """The rows in pieces: what is computed of one after the other takes little memory."""
        cuts = np.searchsorted(self.indptr, np.arange(PIECE, len(self.z), PIECE))
        bounds = np.unique([0, *cuts, self.n_rows])
        return [self._piece(*both) for both in pairwise(bounds)] if len(bounds) > 2 else [self]

    def _piece(self, first: int, last: int) -> "Entries":
        indptr = self.indptr[first : last + 1]
        own = slice(indptr[0], indptr[-1])
        arrays = self.cols[own], self.z[own], self.lower[own]
        return Entries(indptr - indptr[0], *arrays, self.first + int(first))

    @property
    def n_rows(self) -> int:
        """The number of rows, which are own nodes of the block."""
        return len(self.indptr) - 1

    @cached_property
    def split(self) -> np.ndarray:
        """Where in every row the larger ends begin."""
        split = np.empty(self.n_rows, dtype=np.int64)
        _kernels.split_rows(self.indptr, self.lower, split)
        return split

    @property
    def upper(self) -> np.ndarray:
        """The positions of every edge at its smaller end: each edge of the graph once."""
        return np.flatnonzero(~self.lower)

    @property
    def rows(self) -> np.ndarray:
        """The row of every entry."""
        last = self.first + self.n_rows
        return np.repeat(np.arange(self.first, last, dtype=np.int32), np.diff(self.indptr))
