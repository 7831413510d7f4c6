"""Distances of new rows to the fitted nodes: all of them, or those of the near ones, which a search finds."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import scipy.sparse as sp

from smoothgraph.estimators.node_data import distances_to_fitted
from smoothgraph.pairs.distances import check_data
from smoothgraph.pairs.local_scale import NEIGHBOR, localize, scales_from
from smoothgraph.pairs.measure import Measure
from smoothgraph.search.engine import NearPairs
from smoothgraph.search.row_index import RowIndex, SearchFromNewRows

_ALL_DISTANCES = 4_000  # fitted nodes up to which all distances are as fast as a search
_NEAREST = 64  # of all distances, those that are first thought to be edges
_BLOCK_BYTES = 128 * 2**20  # of distances to all fitted nodes at a time
_BLOCK_ROWS = 2**14  # new rows from which is searched at a time
_SEARCHED = ("sqeuclidean", "euclidean")  # in which a row is at distance zero from identical rows, and no others


class NewDistances(Protocol):
    """Distances ``z_xj`` of new rows ``x`` to fitted nodes ``j``, with local scales if there are any.

    Pairs come in the order of ``x``, then ``j``.
    """

    @property
    def n_new(self) -> int:
        """The number of new rows."""

    @property
    def at_zero(self) -> np.ndarray:
        """The pairs ``(x, j)`` at distance zero."""

    def near(self, u: np.ndarray) -> NearPairs:
        """Some pairs of each row; where all are given, those with the largest ``u_j - 2 z_xj``."""

    def within(self, reach: np.ndarray, u: np.ndarray) -> NearPairs:
        """All pairs with ``2 z_xj < reach_x + u_j``."""


class KeptIndex:
    """An index of fitted rows, made for the first new rows and kept for the next. A copy makes one of its own."""

    _index: RowIndex | None = None

    def of(self, table: np.ndarray, nodes: np.ndarray, metric: str) -> RowIndex:
        """The index of some rows of a table, always the same."""
        if self._index is None:
            self._index = RowIndex.of(table, nodes, metric)
        return self._index

    def __reduce__(self) -> tuple[type, tuple[()]]:
        return KeptIndex, ()


@dataclass(frozen=True, eq=False)
class FittedNodes:
    """The nodes of a learned graph: what new rows are measured against.

    They are some ``nodes`` of a table, or of those to which distances are precomputed if there is none. ``scale``, if
    scales are local, is one number for each. Distances are measured ``by`` a metric. If weights vanish between far-away
    nodes, ``only_near`` ones matter.
    """

    table: Any
    nodes: np.ndarray | slice
    by: Measure
    scale: np.ndarray | None
    only_near: bool
    kept: KeptIndex

    def measure(self, new: Any) -> Iterator[NewDistances]:
        """The distances of some new rows after the other."""
        if self._searchable:
            index = self.kept.of(self.table, self._rows, self.by.name)
            for part in _split(check_data(new), _BLOCK_ROWS):
                rows = part.toarray() if sp.issparse(part) else part
                yield NearDistances.of(index.search_from(rows), self.scale)
            return
        if self.table is None:
            for part in _split(new, _block_rows(new.shape[1])):
                z = distances_to_fitted(part, None, self.by)
                yield AllDistances.of(z[:, self.nodes], self.scale)
            return
        fitted = self.table[self.nodes].astype(np.float64, copy=False)
        for part in _split(new, _block_rows(fitted.shape[0])):
            z = distances_to_fitted(part, fitted, self.by)
            yield AllDistances.of(z, self.scale)

    @property
    def _searchable(self) -> bool:
        if self.by.metric not in _SEARCHED or self.by.params or self.by.missing != "error" or sp.issparse(self.table):
            return False
        return self.only_near and len(self._rows) > _ALL_DISTANCES

    @property
    def _rows(self) -> np.ndarray:
        """The rows of the table that are nodes, by their numbers."""
        return np.arange(self.table.shape[0])[self.nodes]


@dataclass(frozen=True, eq=False)
class AllDistances:
    """The ``(n, m)`` distances ``z`` of n new rows to m nodes, infinite where there is no candidate edge."""

    z: np.ndarray
    at_zero: np.ndarray

    @classmethod
    def of(cls, z: np.ndarray, scale: np.ndarray | None) -> "AllDistances":
        """From distances before any scaling."""
        at_zero = np.argwhere(z == 0)
        if scale is not None:
            k = min(NEIGHBOR, z.shape[1]) - 1
            own = scales_from(np.partition(z, k, axis=1)[:, : k + 1])
            z = localize(z, own[:, None], scale)
        return cls(z, at_zero)

    @property
    def n_new(self) -> int:
        return len(self.z)

    def near(self, u: np.ndarray) -> NearPairs:
        if len(u) <= _NEAREST:
            return self.within(np.full(self.n_new, np.inf), u)
        chosen = np.argpartition(2 * self.z - u, _NEAREST - 1, axis=1)[:, :_NEAREST]
        near = np.zeros(self.z.shape, dtype=bool)
        np.put_along_axis(near, chosen, values=True, axis=1)
        return self._pairs(near & np.isfinite(self.z))

    def within(self, reach: np.ndarray, u: np.ndarray) -> NearPairs:
        return self._pairs(2 * self.z < reach[:, None] + u)

    def _pairs(self, chosen: np.ndarray) -> NearPairs:
        i, j = np.nonzero(chosen)
        return NearPairs(i, j, self.z[i, j])


@dataclass(frozen=True, eq=False)
class NearDistances:
    """Distances that a search finds, which have scales of the new rows and of the nodes, if there are any."""

    search: SearchFromNewRows
    nearest: NearPairs
    at_zero: np.ndarray
    scales: tuple[np.ndarray, np.ndarray] | None

    @classmethod
    def of(cls, search: SearchFromNewRows, scale: np.ndarray | None) -> "NearDistances":
        """What a search finds, which knows no scales yet."""
        i, j, z = nearest = search.nearest(NEIGHBOR)
        at_zero = np.stack([i, j], axis=1)[z == 0]
        if scale is None:
            return cls(search, nearest, at_zero, None)
        by_distance = z[np.lexsort((z, i))]
        starts = np.searchsorted(i, np.arange(search.n_new))
        own = scales_from(by_distance[starts[:, None] + np.arange(NEIGHBOR)])
        return cls(search, NearPairs(i, j, localize(z, own[i], scale[j])), at_zero, (own, scale))

    @property
    def n_new(self) -> int:
        return self.search.n_new

    def near(self, u: np.ndarray) -> NearPairs:
        return self.nearest

    def within(self, reach: np.ndarray, u: np.ndarray) -> NearPairs:
        return self.search.within((reach, u), self.scales)


def _block_rows(n_fitted: int) -> int:
    return max(1, _BLOCK_BYTES // (8 * n_fitted))


def _split(rows: Any, size: int) -> Iterator[Any]:
    return (rows[first : first + size] for first in range(0, rows.shape[0], size))
