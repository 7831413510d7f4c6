"""Lower bounds of all distances as blocks of matrix products, tile by tile."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from smoothgraph import _kernels
from smoothgraph.neighbors.coordinates import Coordinates
from smoothgraph.neighbors.tiles import SIZE, Tiles

_TILES_AT_ONCE = 4  # so that a block of products stays in the processor's cache
WIDTH = SIZE * _TILES_AT_ONCE
_ROUNDING = 2.0**-23
_WIDER = 1e-3  # share of a level that pays for the error of the coordinates
_SMALLEST_SQUARE = 1e-35  # of which single precision has all digits
_SHORTER = 1 - 1e-9  # pays for the rounding of distances between tiles


class Block(NamedTuple):
    """``products[r, c]`` of a tile's rows with other nodes, and the bars they must pass.

    ``|x_r - x_c|^2 < level_r + level_c`` only if ``products > row_bar_r + col_bar_c``.
    """

    products: np.ndarray
    row_bar: np.ndarray
    col_bar: np.ndarray
    others: np.ndarray


class Index:
    """The coordinates of all nodes, in tiles."""

    def __init__(self, coordinates: Coordinates, tiles: Tiles) -> None:
        self.points, self._error = coordinates.points, coordinates.error
        self._unit = coordinates.unit
        self.tiles = tiles
        self._shrink = 1 - (2 * self.points.shape[1] + 8) * _ROUNDING

    def tiles_of(self, nodes: np.ndarray) -> Tiles:
        """Some of the nodes in tiles of their own."""
        return Tiles.of(self.points, nodes)

    def widened(self, level: np.ndarray) -> np.ndarray:
        """``level`` in squared units, raised so that no pair within it seems farther apart.

        With errors e, ``(sqrt(t) + e_i + e_j)^2 <= (1 + s) t + 2 (1 + 1/s) (e_i^2 + e_j^2)``.
        """
        level = level / self._unit**2
        slack = _WIDER * np.abs(level) + (2 + 2 / _WIDER) * self._error**2
        return level + slack + _SMALLEST_SQUARE

    def columns_within(
        self, tiles: Tiles, tile: int, level: np.ndarray, most: int | None
    ) -> np.ndarray:
        """The tiles with a node that may be within ``level`` (one per tile) of one in ``tile``.

        Of more than ``most`` the nearest, in which case something may be missed.
        """
        apart = _SHORTER * self.tiles.distances_to(tiles.centres[tile])
        gap = np.maximum(apart - tiles.radii[tile] - self.tiles.radii, 0)
        near = np.flatnonzero(gap**2 < level)
        if most is None or len(near) <= most:
            return near
        return np.sort(near[np.argpartition(apart[near], most)[:most]])

    def blocks(
        self,
        tiles: Tiles,
        tile: int,
        columns: np.ndarray,
        levels: tuple[np.ndarray, np.ndarray],
    ) -> Iterator[Block]:
        """The products of one tile's rows with those of ``columns``, a few tiles at a time.

        All are relative to the tile's centre: near pairs then have short vectors, for which
        single precision is precise. The arrays of a block are overwritten by the next.
        """
        d = self.points.shape[1]
        rows, row_bar = np.empty((SIZE, d), np.float32), np.empty(SIZE, np.float32)
        others, col_bar = np.empty((WIDTH, d), np.float32), np.empty(WIDTH, np.float32)
        products = np.empty(SIZE * WIDTH, np.float32)
        self._centre(tiles.nodes[tile], tiles.centres[tile], levels[0], rows, row_bar)
        for first in range(0, len(columns), _TILES_AT_ONCE):
            nodes = self.tiles.nodes[columns[first : first + _TILES_AT_ONCE]].ravel()
            n = len(nodes)
            self._centre(nodes, tiles.centres[tile], levels[1], others[:n], col_bar[:n])
            gram = products[: SIZE * n].reshape(SIZE, n)
            np.matmul(rows, others[:n].T, out=gram)
            yield Block(gram, row_bar, col_bar[:n], nodes)

    def _centre(
        self,
        nodes: np.ndarray,
        centre: np.ndarray,
        level: np.ndarray,
        out: np.ndarray,
        bar: np.ndarray,
    ) -> None:
        _kernels.centred_rows(self.points, nodes, centre, level, self._shrink, out, bar)
