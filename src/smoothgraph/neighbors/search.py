"""Exact search by lower bounds: nothing within reach is missed.

Blocks of single-precision products of a few coordinates rule out nearly all pairs, with
a slack that covers every rounding; what remains is measured in double precision.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from smoothgraph import _kernels
from smoothgraph._threads import in_threads
from smoothgraph.distances import check_data
from smoothgraph.neighbors.coordinates import Coordinates
from smoothgraph.neighbors.index import WIDTH, Index
from smoothgraph.neighbors.tiles import SIZE, Tiles
from smoothgraph.progress import tracked

_ROUNDING = 2.0**-52
_COLLECTED = 4 * SIZE * WIDTH  # pairs that may wait for a close look


class Pairs(NamedTuple):
    """Pairs of nodes and their squared distances."""

    i: np.ndarray
    j: np.ndarray
    z: np.ndarray


class NeighborSearch:
    """The nearest neighbours of the rows of ``X``, and all pairs within reach, exactly.

    ``X`` is dense or CSR, with finite entries. The index takes as much memory as a few dozen
    columns in single precision; a search takes some 30 MB per core beside its result.
    """

    def __init__(self, X: Any) -> None:
        self._X = _canonical(check_data(X))
        coordinates = Coordinates.of(self._X)
        self._index = Index(coordinates, Tiles.of(coordinates.points))

    @classmethod
    def in_order(cls, X: Any) -> "tuple[np.ndarray, NeighborSearch]":
        """An order of the rows in which near ones are close together, and a search along it.

        Whatever is computed on a graph of so many nodes finds its neighbours in the cache.
        """
        X = _canonical(X)
        coordinates = Coordinates.of(X)
        order = Tiles.of(coordinates.points).order
        search = cls.__new__(cls)
        coordinates = coordinates.in_order(order)
        tiles = Tiles.along(np.arange(len(order)), coordinates.points)
        search._X, search._index = X[order], Index(coordinates, tiles)
        return order, search

    @property
    def n_nodes(self) -> int:
        """The number of rows."""
        return len(self._index.points)

    @property
    def n_coordinates(self) -> int:
        """How many numbers stand for a row in the lower bounds."""
        return self._index.points.shape[1]

    def likely_nearest(self, k: int, share: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
        """The ``k`` nearest of each node by lower bounds: ids and their true squared distances.

        Only the nearest ``share`` of all tiles is looked at.
        """
        ids = np.empty((self.n_nodes, k), dtype=np.int32)
        z = np.empty((self.n_nodes, k))
        n_tiles = len(self._index.tiles.nodes)
        most = max(self._most_tiles(share), -(-2 * k // SIZE) + 8)

        def search(tile: int) -> None:
            nodes = self._index.tiles.nodes[tile]
            nodes = nodes[nodes >= 0]
            near = self._nearest_to(tile, k, most)[: len(nodes)]
            ids[nodes] = near
            z[nodes] = self._measure(np.repeat(nodes, k), near.ravel()).reshape(near.shape)

        for _ in tracked(in_threads(search, range(n_tiles)), "neighbours", total=n_tiles):
            pass
        return ids, z

    def nearest(self, k: int) -> tuple[np.ndarray, np.ndarray]:
        """The ``k`` nearest other nodes of each node, nearest first: ids and squared distances."""
        if not 1 <= k < self.n_nodes:
            raise ValueError(f"k must be between 1 and {self.n_nodes - 1}, got {k!r}.")
        ids, z = self.likely_nearest(k)
        reach = np.nextafter(z.max(axis=1), np.inf)

        def take(pairs: Pairs) -> None:
            order = np.lexsort((pairs.j, pairs.z, pairs.i))
            i, j, squared = (part[order] for part in pairs)
            place = np.arange(len(i)) - np.searchsorted(i, i)
            kept = place < k
            ids[i[kept], place[kept]] = j[kept]
            z[i[kept], place[kept]] = squared[kept]

        self._scan(self._index.tiles, (reach, np.zeros(self.n_nodes)), take)
        return ids, z

    def within(
        self, reach: np.ndarray, nodes: np.ndarray | None = None, share: float = 1.0
    ) -> Pairs:
        """All pairs ``2 z_ij < reach_i + reach_j``, each once.

        With ``nodes`` the pairs of these with any other; a pair of two of them comes twice.
        With a ``share`` below 1 only the nearest tiles are looked at, and pairs may be missed.
        """
        reach = np.asarray(reach, dtype=float)
        if reach.shape != (self.n_nodes,) or np.any(np.isnan(reach)):
            raise ValueError(
                f"reach must hold one number per node, ({self.n_nodes},), none of them NaN; got "
                f"shape {reach.shape}."
            )
        half = reach / 2 + _ROUNDING * np.abs(reach)
        found = [_NO_PAIRS]
        most = self._most_tiles(share) if share < 1 else None
        tiles = self._index.tiles if nodes is None else self._index.tiles_of(nodes)
        self._scan(tiles, (half, half), found.append, once=nodes is None, most=most)
        return _joined(found)

    def _most_tiles(self, share: float) -> int:
        return max(8, int(share * len(self._index.tiles.nodes)))

    # -- one tile of rows ----------------------------------------------------

    def _nearest_to(self, tile: int, k: int, most: int) -> np.ndarray:
        """The ids, ``(SIZE, k)``, of what is nearest to each row, among the nearest tiles."""
        tiles = self._index.tiles
        apart = tiles.distances_to(tiles.centres[tile])
        columns = np.argsort(apart)[:most]
        closest = np.maximum(apart - tiles.radii[tile] - tiles.radii, 0)[columns]
        closest = np.minimum.accumulate(closest[::-1])[::-1]  # of a tile and all after it
        nodes = tiles.nodes[tile]
        ids = np.full((SIZE, k), -1, dtype=np.int32)
        halves = np.full((SIZE, k), np.inf, dtype=np.float32)
        none = np.zeros(self.n_nodes)
        seen = 0
        for block in self._index.blocks(tiles, tile, columns, (none, none)):
            _kernels.keep_nearest(*block[:3], nodes, block.others, ids, halves)
            seen += len(block.others) // SIZE
            farthest = 2 * float(halves[nodes >= 0, -1].max())
            if seen < len(closest) and closest[seen] ** 2 > farthest:
                break
        return ids

    def _scan(
        self,
        tiles: Tiles,
        levels: tuple[np.ndarray, np.ndarray],
        use: Callable[[Pairs], None],
        *,
        once: bool = False,
        most: int | None = None,
    ) -> None:
        """Call ``use`` with the pairs ``z_ij < level_i + level_j`` of each tile in turn.

        ``levels`` are those of the rows and of the columns. With ``once``, columns come
        after rows only.
        """
        wide = (self._index.widened(levels[0]), self._index.widened(levels[1]))
        highest = tiles.largest(wide[0]), self._index.tiles.largest(wide[1])

        def search(tile: int) -> Pairs:
            columns = self._index.columns_within(tiles, tile, highest[0][tile] + highest[1], most)
            if once:
                columns = columns[columns >= tile]
            return self._pairs_of(tiles, tile, columns, levels, wide, once=once)

        n_tiles = len(tiles.nodes)
        for pairs in tracked(in_threads(search, range(n_tiles)), "pairs", total=n_tiles):
            use(pairs)

    def _pairs_of(
        self,
        tiles: Tiles,
        tile: int,
        columns: np.ndarray,
        levels: tuple[np.ndarray, np.ndarray],
        wide: tuple[np.ndarray, np.ndarray],
        *,
        once: bool,
    ) -> Pairs:
        """The pairs of one tile's nodes with those of the tiles ``columns``."""
        rows = tiles.nodes[tile]
        found = np.empty((_COLLECTED, 2), dtype=np.int32)  # pages never written cost nothing
        count, kept = 0, [_NO_PAIRS]
        upper = once and tile in columns[:1]  # which then begin with the tile itself
        for block in self._index.blocks(tiles, tile, columns, wide):
            if count + block.products.size > len(found):
                kept.append(self._close_look(found[:count], levels))
                count = 0
            count = _kernels.products_above(*block[:3], rows, block.others, upper, found, count)
            upper = False
        kept.append(self._close_look(found[:count], levels))
        return _joined(kept)

    def _close_look(self, pairs: np.ndarray, levels: tuple[np.ndarray, np.ndarray]) -> Pairs:
        """Those of the pairs that are truly within their levels."""
        i, j = pairs[:, 0], pairs[:, 1]
        z = self._measure(i, j)
        kept = z < levels[0][i] + levels[1][j]
        return Pairs(i[kept], j[kept], z[kept])

    def _measure(self, i: np.ndarray, j: np.ndarray) -> np.ndarray:
        """``|x_i - x_j|^2`` by differences."""
        z = np.empty(len(i))
        X = self._X
        if sp.issparse(X):
            _kernels.squared_differences_sparse(X.indptr, X.indices, X.data, i, j, z)
        else:
            _kernels.squared_differences(X, i, j, z)
        return z


def _canonical(X: Any) -> Any:
    """Sparse rows in double precision, sorted and without repeats, as the kernels expect."""
    if not sp.issparse(X):
        return X
    X = sp.csr_array(X, dtype=float, copy=True)
    X.sum_duplicates()
    return X


_NO_PAIRS = Pairs(np.zeros(0, np.int32), np.zeros(0, np.int32), np.zeros(0))


def _joined(parts: list[Pairs]) -> Pairs:
    return Pairs(*(np.concatenate(column) for column in zip(*parts, strict=True)))
