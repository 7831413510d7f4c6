"""Lower bounds of the distances between nodes as blocks of matrix products, tile by tile."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from smoothgraph.search import kernels as _kernels
from smoothgraph.search.balls import SMALLEST_SQUARE, lost
from smoothgraph.search.coordinates import Coordinates
from smoothgraph.search.tiles import SIZE, Tiles

_TILES_AT_ONCE = 4  # so that a block of products stays in the processor's cache
WIDTH = SIZE * _TILES_AT_ONCE
_WIDER = 1e-3  # share of a level that pays for the error of the coordinates


class Levels(NamedTuple):
    """A pair is wanted if ``z_ij < level_i + level_j``, and then seems to be by ``wide``."""

    level: np.ndarray
    wide: np.ndarray


class Index:
    """Some of all nodes: their rows, their coordinates, and tiles of them.

    Tiles and levels number them from 0 on; of all nodes they are ``first``, ``first + 1``, ...,
    and their tiles, if they hold all of them in this order, the ``first_tile`` and so on.
    """

    def __init__(self, X: Any, coordinates: Coordinates, tiles: Tiles, first: int = 0) -> None:
        if first % SIZE:
            raise ValueError(
                f"first must be a multiple of {SIZE}, where a tile starts; got {first}."
            )
        self.X, self.coordinates, self.tiles, self.first = X, coordinates, tiles, first

    @property
    def n_nodes(self) -> int:
        """How many nodes these are."""
        return len(self.coordinates.points)

    @property
    def first_tile(self) -> int:
        """The first of their tiles, among all."""
        return self.first // SIZE

    def of_some(self, nodes: np.ndarray) -> "Index":
        """The same, with tiles of these nodes only."""
        tiles = Tiles.of(self.coordinates.points, nodes)
        return Index(self.X, self.coordinates, tiles, self.first)

    def levels(self, level: np.ndarray) -> Levels:
        """``level``, and in squared units, raised so that no pair within it seems farther apart.

        With errors e, ``(sqrt(t) + e_i + e_j)^2 <= (1 + s) t + 2 (1 + 1/s) (e_i^2 + e_j^2)``.
        """
        wide = level / self.coordinates.unit**2
        slack = _WIDER * np.abs(wide) + (2 + 2 / _WIDER) * self.coordinates.error**2
        return Levels(level, wide + slack + SMALLEST_SQUARE)

    def centred(
        self, nodes: np.ndarray, centre: np.ndarray, level: np.ndarray, out: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Write the nodes' points relative to ``centre``; the bars of products, and all ids."""
        bar = np.empty(len(nodes), np.float32)
        shrink = 1 - lost(len(centre))
        points = self.coordinates.points
        _kernels.centred_rows(points, nodes, centre, level, shrink, out, bar)
        return bar, np.where(nodes >= 0, nodes + np.int32(self.first), np.int32(-1))


class Block(NamedTuple):
    """``products[r, c]`` of a tile's rows with other nodes, and the bars they must pass.

    ``|x_r - x_c|^2 < level_r + level_c`` only if ``products > row_bar_r + col_bar_c``.
    The ids are numbers among all nodes, -1 for padding.
    """

    products: np.ndarray
    row_bar: np.ndarray
    col_bar: np.ndarray
    row_ids: np.ndarray
    col_ids: np.ndarray


def blocks(
    rows: Index,
    tile: int,
    columns: Index,
    chosen: np.ndarray,
    wide: tuple[np.ndarray, np.ndarray],
) -> Iterator[Block]:
    """The products of one tile of ``rows`` with the ``chosen`` of ``columns``, some at a time.

    ``chosen`` are numbers of all tiles. All is relative to the tile's centre: near pairs then
    have short vectors, for which single precision is precise, and no product depends on what
    else is chosen. The products of a block are overwritten by the next.
    """
    centre = rows.tiles.balls[tile].centre
    here = np.empty((SIZE, len(centre)), np.float32)
    others = np.empty((WIDTH, len(centre)), np.float32)
    products = np.empty(SIZE * WIDTH, np.float32)
    row_bar, row_ids = rows.centred(rows.tiles.nodes[tile], centre, wide[0], here)
    for start in range(0, len(chosen), _TILES_AT_ONCE):
        local = chosen[start : start + _TILES_AT_ONCE] - columns.first_tile
        nodes = columns.tiles.nodes[local].ravel()
        n = len(nodes)
        col_bar, col_ids = columns.centred(nodes, centre, wide[1], others[:n])
        gram = products[: SIZE * n].reshape(SIZE, n)
        np.matmul(here, others[:n].T, out=gram)
        yield Block(gram, row_bar, col_bar, row_ids, col_ids)
