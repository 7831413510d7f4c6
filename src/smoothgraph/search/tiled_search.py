"""The built-in engine: exact search among rows of numbers by lower bounds.

Matrix products of a few coordinates in single precision rule out nearly all pairs. The rest is measured in double
precision. :mod:`smoothgraph.search.lower_bounds` derives why nothing is missed.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from smoothgraph.pairs.distances import check_data
from smoothgraph.search.coordinates import Coordinates
from smoothgraph.search.engine import NearPairs
from smoothgraph.search.euclidean import as_euclidean
from smoothgraph.search.lower_bounds import half_reach
from smoothgraph.search.scan import scan_nearest, scan_pairs, tiles_within
from smoothgraph.search.tiled_rows import TiledRows, canonical_rows
from smoothgraph.search.tiles import SIZE
from smoothgraph.support.input_error import InputError

_FEWEST_TILES = 8  # that a search with a small share looks at


class TiledSearch:
    """The nearest neighbors of the rows of a table, and all pairs within reach, exactly.

    An engine (:class:`~smoothgraph.search.NeighborEngine`) for squared Euclidean distances, for cosine and for
    correlation distances. Beside a copy of the rows, it keeps a few dozen numbers per row in single precision. A
    search takes some 30 MB per core beside its result.
    """

    def __init__(self, rows: TiledRows) -> None:
        self._rows = rows
        self.order: np.ndarray = rows.ids
        self.n_nodes = len(rows.ids)
        self._place = np.argsort(rows.ids)  # the position of each node in the order

    @classmethod
    def of(cls, X: Any, metric: str = "sqeuclidean") -> "TiledSearch":
        """Index the rows of ``X``, which is dense or CSR with finite entries.

        ``metric(x, y)`` is the distance that the search returns; see ``SEARCHABLE``.
        """
        X = canonical_rows(as_euclidean(check_data(X), metric))
        return cls(TiledRows.arrange(X, Coordinates.of(X), np.arange(X.shape[0])))

    def nearest(self, k: int, share: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
        """Return the ``k`` nearest by lower bounds among the nearest ``share`` of all tiles, and true distances."""
        balls = self._rows.tiles.balls
        most = most_tiles_of_nearest(k, share, self.n_nodes, self._rows.n_tiles)
        found = scan_nearest(self._rows, self._rows, k, lambda tile: balls.nearest_to(balls.ball(tile), most))
        return found.ids[self._place], found.z[self._place]

    def exact_nearest(self, k: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the ``k`` nearest other nodes of each node, nearest first, and their distances.

        Of nodes at the same distance, those with the smallest numbers come first.
        """
        ids, z = self.nearest(k)
        levels = np.nextafter(z.max(axis=1), np.inf)[self.order], np.zeros(self.n_nodes)
        for pairs in self._pairs(self._rows, levels):
            by_distance = np.lexsort((pairs.j, pairs.z, pairs.i))
            i, j, squared = (part[by_distance] for part in pairs)
            rank = np.arange(len(i)) - np.searchsorted(i, i)
            kept = rank < k
            ids[i[kept], rank[kept]] = j[kept]
            z[i[kept], rank[kept]] = squared[kept]
        return ids, z

    def within(self, reach: np.ndarray, nodes: np.ndarray | None = None, share: float = 1.0) -> NearPairs:
        """Return all pairs with ``2 z_ij < reach_i + reach_j``; see :meth:`NeighborEngine.within`."""
        half = half_reach(check_reach(reach, self.n_nodes)[self.order])
        rows = self._rows
        if nodes is not None:
            rows = rows.select(self._place[nodes])
        most = most_tiles(share, self._rows.n_tiles)
        return NearPairs.concatenate(list(self._pairs(rows, (half, half), once=nodes is None, most=most)))

    def _pairs(
        self, rows: TiledRows, levels: tuple[np.ndarray, np.ndarray], *, once: bool = False, most: int | None = None
    ) -> Iterator[NearPairs]:
        """Yield the pairs ``z_ij < level_i + level_j`` of ``rows`` with all nodes."""
        columns = self._rows
        both = rows.levels(levels[0]), columns.levels(levels[1])
        highest = columns.tiles.largest(both[1].wide)
        choose = tiles_within(rows, both[0], columns.tiles.balls, highest, most)
        return scan_pairs(rows, columns, both, choose, once=once)


def check_reach(reach: Any, n_nodes: int) -> np.ndarray:
    """Return ``reach`` as an array, or raise a ValueError if it is not one number per node."""
    reach = np.asarray(reach, dtype=float)
    if reach.shape != (n_nodes,) or np.any(np.isnan(reach)):
        raise InputError(
            f"reach must hold one number per node, ({n_nodes},), none of them NaN; got shape {reach.shape}."
        )
    return reach


def most_tiles(share: float, n_tiles: int) -> int | None:
    """Return how many tiles a search for pairs looks at; None for all that are near enough."""
    return None if share >= 1 else max(_FEWEST_TILES, int(share * n_tiles))


def most_tiles_of_nearest(k: int, share: float, n_nodes: int, n_tiles: int) -> int:
    """Return how many tiles a search for the ``k`` nearest looks at: at least ``2 k`` nodes."""
    if not 1 <= k < n_nodes:
        raise InputError(f"k must be between 1 and {n_nodes - 1}, got {k!r}.")
    return max(int(share * n_tiles), -(-2 * k // SIZE) + _FEWEST_TILES)
