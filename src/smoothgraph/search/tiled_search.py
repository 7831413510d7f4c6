"""The built-in engine: exact search among rows of numbers by lower bounds.

Matrix products of a few coordinates in single precision rule out nearly all pairs. The rest is measured in double
precision. :mod:`smoothgraph.search.lower_bounds` derives why nothing is missed.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from smoothgraph.pairs.distances import check_data
from smoothgraph.pairs.euclidean import ROOTED, as_euclidean
from smoothgraph.pairs.pair_set import PairSet
from smoothgraph.search.coordinates import Coordinates
from smoothgraph.search.engine import NearPairs
from smoothgraph.search.hops import Hops, likely_nearest, pairs_in_two_hops
from smoothgraph.search.levels import Levels, check_reach, measure
from smoothgraph.search.manhattan import manhattan_coordinates
from smoothgraph.search.scan import Nearest, scan_nearest, scan_pairs, tiles_within
from smoothgraph.search.tiled_rows import TiledRows, canonical_rows
from smoothgraph.search.tiles import SIZE
from smoothgraph.support.input_error import InputError

_FEWEST_TILES = 8  # that a search with a small share looks at
_FEW_NODES = 10_000  # of which it is as fast to look at all


class TiledSearch:
    """The nearest neighbors of the rows of a table, and all pairs within reach, exactly.

    An engine (:class:`~smoothgraph.search.NeighborEngine`) for Euclidean distances and their squares, for cosine,
    correlation, and Manhattan distances. With a ``scale`` per node, they are ``(z_ij / (scale_i scale_j))^2`` instead.
    Beside a copy of the rows, it keeps a few dozen numbers per row in single precision. A search takes some 30 MB per
    core beside its result.
    """

    def __init__(self, rows: TiledRows, *, rooted: bool = False, scale: np.ndarray | None = None) -> None:
        self._rows, self._rooted, self._scale = rows, rooted, scale
        self.order: np.ndarray = rows.ids
        self.n_nodes = len(rows.ids)
        self._place = np.argsort(rows.ids)  # the position of each node in the order

    @classmethod
    def of(cls, X: Any, metric: str = "sqeuclidean") -> "TiledSearch":
        """Index the rows of ``X``, which is dense or CSR with finite entries.

        ``metric(x, y)`` is the distance that the search returns: "cityblock", or one of ``SEARCHABLE``.
        """
        X = check_data(X, keep_type=metric in ("sqeuclidean", "euclidean"))
        ids = np.arange(X.shape[0])
        if metric == "cityblock":
            X = canonical_rows(X)
            return cls(TiledRows.arrange(X, manhattan_coordinates(X), ids, manhattan=True))
        X = canonical_rows(as_euclidean(X, metric))
        return cls(TiledRows.arrange(X, Coordinates.of(X), ids), rooted=metric in ROOTED)

    def scale(self, scale: np.ndarray) -> "TiledSearch":
        """Return the same search with distances ``(z_ij / (scale_i scale_j))^2``."""
        return TiledSearch(self._rows, rooted=self._rooted, scale=scale)

    def nearest(self, k: int, share: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
        """Return the likely ``k`` nearest nodes, before any scaling, and true distances.

        With a ``share`` of 1, they are the nearest by lower bounds. Otherwise a few of them may not be.
        """
        if share >= 1 or self.n_nodes <= max(_FEW_NODES, 4 * k):
            return self.nearest_in(self._rows, k, 1.0)
        found = likely_nearest(self._rows, k)
        return self._given(found._replace(ids=self.order[found.ids]))

    def nearest_in(self, columns: TiledRows, k: int, share: float) -> tuple[np.ndarray, np.ndarray]:
        """Return the likely ``k`` nearest of each node among ``columns``; -1 at infinity where these are too few."""
        own, other = self._rows.tiles.balls, columns.tiles.balls
        most = most_tiles_of_nearest(k, share, self.n_nodes, columns.n_tiles)
        return self._given(scan_nearest(self._rows, columns, k, lambda tile: other.nearest_to(own.ball(tile), most)))

    def _given(self, found: Nearest) -> tuple[np.ndarray, np.ndarray]:
        """Return what was found for the rows in the order of the nodes, with the distances of the metric."""
        ids = found.ids[self._place]
        levels = Levels(np.zeros(self.n_nodes), self._scale, self._rooted)
        i = np.arange(self.n_nodes)[:, None]
        return ids, measure(found.z[self._place], (levels, i), (levels, ids))

    def tile(self, nodes: np.ndarray) -> TiledRows:
        """Return tiles of some nodes, to search from or among them."""
        return self._rows.select(self._place[nodes])

    def exact_nearest(self, k: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the ``k`` nearest other nodes of each node, nearest first, and their distances.

        Of nodes at the same distance, those with the smallest numbers come first.
        """
        ids, z = self.nearest(k)
        levels = Levels(np.nextafter(z.max(axis=1), np.inf)[self.order], self._stored_scale, self._rooted)
        for pairs in self._pairs(self._rows, (levels, levels._replace(level=np.zeros(self.n_nodes)))):
            by_distance = np.lexsort((pairs.j, pairs.z, pairs.i))
            i, j, distance = (part[by_distance] for part in pairs)
            rank = np.arange(len(i)) - np.searchsorted(i, i)
            kept = rank < k
            ids[i[kept], rank[kept]] = j[kept]
            z[i[kept], rank[kept]] = distance[kept]
        return ids, z

    def within_either(self, level: np.ndarray) -> NearPairs:
        """Return all pairs with ``z_ij <= level_i`` or ``z_ij <= level_j``, each once, before any scaling."""
        levels = Levels(np.nextafter(level, np.inf)[self.order], rooted=self._rooted, either=True)
        return NearPairs.concatenate(list(self._pairs(self._rows, (levels, levels), once=True)))

    def within(self, reach: np.ndarray, nodes: np.ndarray | None = None) -> NearPairs:
        """Return all pairs with ``2 z_ij < reach_i + reach_j``; see :meth:`NeighborEngine.within`."""
        levels = self._levels(reach)
        rows = self._rows if nodes is None else self.tile(nodes)
        return NearPairs.concatenate(list(self._pairs(rows, (levels, levels), once=nodes is None)))

    def within_two_hops(
        self, reach: np.ndarray, pattern: PairSet, z: np.ndarray, nodes: np.ndarray | None = None
    ) -> NearPairs:
        """Return likely pairs within reach; see :meth:`ScalableEngine.within_two_hops`."""
        own = np.arange(self.n_nodes) if nodes is None else np.sort(self._place[nodes])
        found = pairs_in_two_hops(self._rows, self._levels(reach), Hops.along(pattern, z), own)
        return NearPairs.concatenate(list(found))

    def between(self, label: np.ndarray, level: np.ndarray, nodes: np.ndarray) -> NearPairs:
        """Return all pairs ``i, j`` of ``nodes`` with nodes of another label, with ``z_ij < level_i``."""
        rows = Levels(level[self.order], self._stored_scale, self._rooted, label=label[self.order])
        columns = rows._replace(level=np.zeros(self.n_nodes))
        found = self._pairs(self.tile(nodes), (rows, columns))
        return NearPairs.concatenate(list(found))

    def within_tiles(
        self, rows: TiledRows, columns: TiledRows, reach: tuple[np.ndarray, np.ndarray], *, once: bool
    ) -> NearPairs:
        """Return all pairs of ``rows`` with ``columns`` with ``2 z_ij < reach_i + reach_j``.

        Rows and columns have a ``reach`` of their own, each with one number per node of the whole search. With
        ``once``, rows and columns are the same, and each pair comes once.
        """
        both = np.concatenate([check_reach(part, self.n_nodes)[self.order] for part in reach])
        scale = None if self._stored_scale is None else np.tile(self._stored_scale, 2)
        levels = Levels.of(both, scale, rooted=self._rooted)
        of_rows, of_columns = levels.take(slice(self.n_nodes)), levels.take(slice(self.n_nodes, None))
        return NearPairs.concatenate(list(self._pairs(rows, (of_rows, of_columns), columns, once=once)))

    def _levels(self, reach: np.ndarray) -> Levels:
        return Levels.of(check_reach(reach, self.n_nodes)[self.order], self._stored_scale, rooted=self._rooted)

    @property
    def _stored_scale(self) -> np.ndarray | None:
        return None if self._scale is None else self._scale[self.order]

    def _pairs(
        self, rows: TiledRows, levels: tuple[Levels, Levels], columns: TiledRows | None = None, *, once: bool = False
    ) -> Iterator[NearPairs]:
        """Yield the pairs of ``rows`` with ``columns``, or with all nodes, that the levels want."""
        columns = self._rows if columns is None else columns
        highest = levels[1].widen(columns.coordinates).highest(columns.tiles)
        choose = tiles_within(rows, levels[0].widen(rows.coordinates), columns.tiles.balls, highest)
        return scan_pairs(rows, columns, levels, choose, once=once)


def most_tiles(share: float, n_tiles: int) -> int | None:
    """Return how many tiles a search for pairs looks at; None for all that are near enough."""
    return None if share >= 1 else max(_FEWEST_TILES, int(share * n_tiles))


def most_tiles_of_nearest(k: int, share: float, n_nodes: int, n_tiles: int) -> int:
    """Return how many tiles a search for the ``k`` nearest looks at: at least ``2 k`` nodes."""
    if not 1 <= k < n_nodes:
        raise InputError(f"k must be between 1 and {n_nodes - 1}, got {k!r}.")
    return max(int(share * n_tiles), -(-2 * k // SIZE) + _FEWEST_TILES)
