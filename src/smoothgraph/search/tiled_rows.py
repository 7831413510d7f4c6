"""Rows in tiles, matrix products of their coordinates, tile by tile, and true distances."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from smoothgraph.search import scan_kernels as kernels
from smoothgraph.search.coordinates import Coordinates
from smoothgraph.search.levels import WideLevels
from smoothgraph.search.lower_bounds import product_loss
from smoothgraph.search.scan_kernels import Products
from smoothgraph.search.tiles import SIZE, Balls, Tiles, spatial_order

_TILES_AT_ONCE = 4  # so that a block of products stays in the processor's cache
WIDTH = SIZE * _TILES_AT_ONCE


class TiledRows(NamedTuple):
    """Rows, their coordinates, and tiles of them.

    Tiles and levels number the rows from 0 on. ``ids`` are the numbers that results have. The distances of rows are
    squared Euclidean, or Manhattan ones if ``manhattan``; those of coordinates, squared, are never larger.
    """

    X: Any
    coordinates: Coordinates
    tiles: Tiles
    ids: np.ndarray
    manhattan: bool = False

    @classmethod
    def arrange(cls, X: Any, coordinates: Coordinates, ids: np.ndarray, *, manhattan: bool = False) -> "TiledRows":
        """Reorder rows so that those of a tile follow each other."""
        order = spatial_order(coordinates.short, np.arange(len(ids)))
        coordinates = coordinates.take(order)
        tiles = Tiles.along(np.arange(len(order)), coordinates.short)
        return cls(X[order], coordinates, tiles, ids[order].astype(np.int32), manhattan)

    @classmethod
    def in_place(cls, X: Any, coordinates: Coordinates, nodes: np.ndarray, ids: np.ndarray) -> "TiledRows":
        """Leave the rows where they are, and make tiles of ``nodes`` only."""
        points = coordinates.short
        return cls(X, coordinates, Tiles.along(spatial_order(points, nodes), points), ids)

    @property
    def n_tiles(self) -> int:
        """The number of tiles."""
        return len(self.tiles.nodes)

    def select(self, nodes: np.ndarray) -> "TiledRows":
        """Return the same rows with tiles of some nodes only."""
        points = self.coordinates.short
        return self._replace(tiles=Tiles.along(spatial_order(points, nodes), points))

    def in_unit(self, unit: float) -> "TiledRows":
        """Return the same rows with coordinates in a larger unit."""
        if unit == self.coordinates.unit:
            return self
        shrink = self.coordinates.unit / unit
        nodes, (centers, radii) = self.tiles
        tiles = Tiles(nodes, Balls(centers * shrink, radii * shrink))
        return self._replace(coordinates=self.coordinates.in_unit(unit), tiles=tiles)

    def measure(self, columns: "TiledRows", i: np.ndarray, j: np.ndarray) -> np.ndarray:
        """Return the distances of these rows ``i`` to rows ``j`` of ``columns``."""
        z = np.empty(len(i))
        if self.manhattan:
            kernels.absolute_dense(self.X, columns.X, i, j, z)
        elif sp.issparse(self.X):
            x, y = ((table.indptr, table.indices, table.data) for table in (self.X, columns.X))
            kernels.squared_sparse(x, y, i, j, z)
        else:
            kernels.squared_dense(self.X, columns.X, i, j, z)
        return z

    def center(self, nodes: np.ndarray, center: np.ndarray, margin: np.ndarray, points: np.ndarray) -> np.ndarray:
        """Write the nodes' points relative to ``center``, and return the bars of products."""
        bar = np.empty(len(nodes), np.float32)
        shrink = 1 - product_loss(points.shape[1])
        kernels.center_rows(self.coordinates.short, nodes, center, margin, shrink, points, bar)
        return bar


def tile_products(
    rows: TiledRows, tile: int, columns: TiledRows, column_tiles: np.ndarray, wide: tuple[WideLevels, WideLevels]
) -> Iterator[Products]:
    """Yield the products of one tile of ``rows`` with tiles of ``columns``, a few at a time.

    ``wide`` are the levels of rows and columns. Points are relative to the center of the tile: near pairs then have
    short vectors, for which single precision is precise. Each block of products overwrites the one before.
    """
    center = rows.tiles.balls.centers[tile].astype(np.float32)
    row_nodes = rows.tiles.nodes[tile]
    n_columns = len(center) + wide[0].left.shape[1]
    here = np.empty((SIZE, n_columns), np.float32)
    others = np.empty((WIDTH, n_columns), np.float32)
    memory = np.empty(SIZE * WIDTH, np.float32)
    row_bar = rows.center(row_nodes, center, wide[0].margin, here)
    row_bonus = wide[0].lone[row_nodes] / 2
    here[:, len(center) :] = wide[0].left[row_nodes] / 2  # padding has an infinite bar
    for start in range(0, len(column_tiles), _TILES_AT_ONCE):
        col_nodes = columns.tiles.nodes[column_tiles[start : start + _TILES_AT_ONCE]].ravel()
        n = len(col_nodes)
        col_bar = columns.center(col_nodes, center, wide[1].margin, others[:n])
        col_bonus = wide[1].lone[col_nodes] / 2
        others[:n, len(center) :] = wide[1].right[col_nodes]
        gram = memory[: SIZE * n].reshape(SIZE, n)
        np.matmul(here, others[:n].T, out=gram)
        yield Products(gram, row_bar, col_bar, row_bonus, col_bonus, row_nodes, col_nodes)


def canonical_rows(X: Any) -> Any:
    """Return the rows as the kernels expect them, contiguous in memory.

    Sparse rows are in double precision, with sorted indices and without repeats.
    """
    if not sp.issparse(X):
        return np.ascontiguousarray(X)
    X = sp.csr_array(X, dtype=float, copy=True)
    X.sum_duplicates()
    return X
