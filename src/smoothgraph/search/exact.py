"""Exact search by lower bounds: nothing within reach is missed.

Blocks of single-precision products of a few coordinates rule out nearly all pairs, with
a slack that covers every rounding; what remains is measured in double precision.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from smoothgraph.pairs.distances import check_data
from smoothgraph.search.balls import Chosen
from smoothgraph.search.between import Pairs, nearest_between, pairs_between
from smoothgraph.search.coordinates import Coordinates
from smoothgraph.search.index import Index
from smoothgraph.search.measure import canonical
from smoothgraph.search.tiles import SIZE, Tiles

__all__ = ["NeighborSearch", "Pairs", "half_reach", "most_tiles", "most_tiles_of_nearest"]

_ROUNDING = 2.0**-52


class NeighborSearch:
    """The nearest neighbours of the rows of ``X``, and all pairs within reach, exactly.

    ``X`` is dense or CSR, with finite entries. The index takes as much memory as a few dozen
    columns in single precision; a search takes some 30 MB per core beside its result.
    """

    def __init__(self, X: Any) -> None:
        X = canonical(check_data(X))
        coordinates = Coordinates.of(X)
        self._index = Index(X, coordinates, Tiles.of(coordinates.points))

    @classmethod
    def in_order(cls, X: Any) -> "tuple[np.ndarray, NeighborSearch]":
        """An order of the rows in which near ones are close together, and a search along it.

        Whatever is computed on a graph of so many nodes finds its neighbours in the cache.
        """
        X = canonical(X)
        coordinates = Coordinates.of(X)
        order = Tiles.of(coordinates.points).order
        search = cls.__new__(cls)
        coordinates = coordinates.in_order(order)
        tiles = Tiles.along(np.arange(len(order)), coordinates.points)
        search._index = Index(X[order], coordinates, tiles)
        return order, search

    @property
    def n_nodes(self) -> int:
        """The number of rows."""
        return self._index.n_nodes

    @property
    def n_coordinates(self) -> int:
        """How many numbers stand for a row in the lower bounds."""
        return self._index.coordinates.points.shape[1]

    def likely_nearest(self, k: int, share: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
        """The ``k`` nearest of each node by lower bounds: ids and their true squared distances.

        Only the nearest ``share`` of all tiles is looked at.
        """
        balls = self._index.tiles.balls
        most = most_tiles_of_nearest(k, share, len(balls))

        def chosen(tile: int) -> Chosen:
            return balls.nearest_to(balls[tile], most)

        ids, _, z = nearest_between(self._index, self._index, k, chosen)
        return ids, z

    def nearest(self, k: int) -> tuple[np.ndarray, np.ndarray]:
        """The ``k`` nearest other nodes of each node, nearest first: ids and squared distances."""
        if not 1 <= k < self.n_nodes:
            raise ValueError(f"k must be between 1 and {self.n_nodes - 1}, got {k!r}.")
        ids, z = self.likely_nearest(k)
        reach = np.nextafter(z.max(axis=1), np.inf)
        for pairs in self._pairs(self._index, (reach, np.zeros(self.n_nodes))):
            order = np.lexsort((pairs.j, pairs.z, pairs.i))
            i, j, squared = (part[order] for part in pairs)
            place = np.arange(len(i)) - np.searchsorted(i, i)
            kept = place < k
            ids[i[kept], place[kept]] = j[kept]
            z[i[kept], place[kept]] = squared[kept]
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
        half = half_reach(reach)
        most = most_tiles(share, len(self._index.tiles.balls)) if share < 1 else None
        rows = self._index if nodes is None else self._index.of_some(nodes)
        return Pairs.joined(list(self._pairs(rows, (half, half), once=nodes is None, most=most)))

    def _pairs(
        self,
        rows: Index,
        levels: tuple[np.ndarray, np.ndarray],
        *,
        once: bool = False,
        most: int | None = None,
    ) -> Iterator[Pairs]:
        """The pairs ``z_ij < level_i + level_j`` of ``rows`` with all nodes, tile by tile."""
        columns = self._index
        both = rows.levels(levels[0]), columns.levels(levels[1])
        highest = rows.tiles.largest(both[0].wide), columns.tiles.largest(both[1].wide)

        def chosen(tile: int) -> np.ndarray:
            level = highest[0][tile] + highest[1]
            return columns.tiles.balls.within(rows.tiles.balls[tile], level, most)

        return pairs_between(rows, columns, both, chosen, once=once)


def half_reach(reach: np.ndarray) -> np.ndarray:
    """The level whose sums are not below ``(reach_i + reach_j) / 2`` by rounding."""
    return reach / 2 + _ROUNDING * np.abs(reach)


def most_tiles(share: float, n_tiles: int) -> int:
    """How many of all tiles are looked at for pairs."""
    return max(8, int(share * n_tiles))


def most_tiles_of_nearest(k: int, share: float, n_tiles: int) -> int:
    """How many of all tiles are looked at for the ``k`` nearest: enough to hold twice as many."""
    return max(most_tiles(share, n_tiles), -(-2 * k // SIZE) + 8)
