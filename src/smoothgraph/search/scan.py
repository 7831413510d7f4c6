"""Scan tiles of rows against tiles of columns: the nearest columns, or all pairs within levels.

Rows and columns may be the same. Several scans against other columns each find, together, what one scan against all
of them finds.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from smoothgraph.search import scan_kernels as kernels
from smoothgraph.search.engine import NearPairs
from smoothgraph.search.levels import Levels, WideLevels, measure
from smoothgraph.search.scan_kernels import Products
from smoothgraph.search.tiled_rows import WIDTH, TiledRows, tile_products
from smoothgraph.search.tiles import SIZE, Balls, NearTiles
from smoothgraph.support.progress import track
from smoothgraph.support.threads import in_threads

_WAITING = 4 * SIZE * WIDTH  # pairs that are measured together, at most
_Choice = Callable[[int], NearTiles]  # of the tiles of columns to look at, for a tile of rows


class Nearest(NamedTuple):
    """The k nearest found of each row: ids, half the squared lower bounds, true distances (squared, if Euclidean).

    Sorted by ``halves``. Where fewer than k were found, the id is -1 and infinitely far.
    """

    ids: np.ndarray
    halves: np.ndarray
    z: np.ndarray


def scan_nearest(rows: TiledRows, columns: TiledRows, k: int, choose: _Choice, known: Nearest | None = None) -> Nearest:
    """Return the ``k`` columns nearest to each row by lower bounds.

    ``choose(tile)`` are the tiles of columns to look at for one tile of rows. With neighbors that are ``known``
    from other columns, the result holds the nearest of both.
    """
    n_rows, same = len(rows.ids), rows.ids is columns.ids
    nodes = np.full((n_rows, k), -1, np.int32)
    halves = np.full((n_rows, k), np.inf, np.float32)
    if known is not None:
        halves[:] = known.halves[:, -1:]
    z = np.full((n_rows, k), np.inf)
    zeros = WideLevels.zero(n_rows), WideLevels.zero(len(columns.ids))

    def scan(tile: int) -> None:
        near = choose(tile)
        products = tile_products(rows, tile, columns, near.tiles, zeros)
        own = rows.tiles.nodes[tile]
        own = own[own >= 0]
        nodes[own], halves[own] = _nearest_in(products, near.floors, halves[own], same=same)
        found = nodes[own] >= 0
        i = np.broadcast_to(own[:, None], found.shape)[found]
        z_own = np.full(found.shape, np.inf)
        z_own[found] = rows.measure(columns, i, nodes[own][found])
        z[own] = z_own

    for _ in track(in_threads(scan, range(rows.n_tiles)), "neighbors", total=rows.n_tiles):
        pass
    missing = nodes < 0
    halves[missing] = np.inf
    found = Nearest(np.where(missing, np.int32(-1), columns.ids[nodes]), halves, z)
    if known is None:
        return found
    both = [np.concatenate(part, axis=1) for part in zip(known, found, strict=True)]
    kept = np.argsort(both[1], axis=1, kind="stable")[:, :k]
    return Nearest(*(np.take_along_axis(part, kept, axis=1) for part in both))


def _nearest_in(
    products: Iterator[Products], floors: np.ndarray, bound: np.ndarray, *, same: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Return columns and halves of the nearest to each row, below what is known to be as near.

    Stops where no tile that is left can hold anything nearer.
    """
    n_rows, k = bound.shape
    nearest = np.full((SIZE, k), -1, dtype=np.int32)
    halves = np.full((SIZE, k), np.inf, dtype=np.float32)
    halves[:n_rows] = bound
    lowest_ahead = np.minimum.accumulate(floors[::-1])[::-1]
    seen = 0
    while seen < len(floors) and lowest_ahead[seen] <= 2 * float(halves[:n_rows, -1].max()):
        block = next(products)
        kernels.keep_nearest(block, same, nearest, halves)
        seen += len(block.col_nodes) // SIZE
    return nearest[:n_rows], halves[:n_rows]


def tiles_within(
    rows: TiledRows, wide: WideLevels, balls: Balls, highest: WideLevels, most: int | None = None
) -> _Choice:
    """Return the function that chooses the tiles in ``balls`` with a pair that may be wanted.

    ``wide`` are the levels of the rows, and ``highest`` the highest ones in each tile of the columns. A tile of
    ``rows`` gets the nearest ``most`` only, if that is not None.
    """
    own = wide.highest(rows.tiles)
    return lambda tile: balls.within(rows.tiles.balls.ball(tile), own.bounds_for(tile, highest), most)


def scan_pairs(
    rows: TiledRows, columns: TiledRows, levels: tuple[Levels, Levels], choose: _Choice, *, once: bool = False
) -> Iterator[NearPairs]:
    """Yield the pairs of ``rows`` with ``columns`` that the levels want, tile by tile.

    ``levels`` are those of the rows and of the columns, and ``choose(tile)`` the tiles of columns to look at, in
    increasing order. With ``once``, rows and columns are the same, and each pair comes once.
    """
    wide = levels[0].widen(rows.coordinates), levels[1].widen(columns.coordinates)

    points = rows.coordinates.points, columns.coordinates.points
    is_short = rows.coordinates.shortened is not None

    def narrow(found: np.ndarray) -> np.ndarray:
        """Keep what all coordinates leave of the pairs that a few leave."""
        return found[: kernels.keep_within(found, points[0], wide[0], points[1], wide[1])] if is_short else found

    def scan(tile: int) -> NearPairs:
        column_tiles = choose(tile).tiles
        if once:
            column_tiles = column_tiles[column_tiles >= tile]
        upper = once and tile in column_tiles[:1]
        products = tile_products(rows, tile, columns, column_tiles, wide)
        above = (narrow(found) for found in _above(products, upper=upper))
        parts = [keep_wanted(rows, columns, found, levels) for found in above]
        return NearPairs.concatenate(parts)

    yield from track(in_threads(scan, range(rows.n_tiles)), "pairs", total=rows.n_tiles)


def _above(products: Iterator[Products], *, upper: bool) -> Iterator[np.ndarray]:
    """Yield the nodes of products above their bars, many at once; the next overwrite them.

    With ``upper``, the first block counts only right of its diagonal.
    """
    found = np.empty((_WAITING, 2), dtype=np.int32)  # pages that are never written cost nothing
    count = 0
    for block in products:
        if count + block.gram.size > len(found):
            yield found[:count]
            count = 0
        count = kernels.products_above(block, upper, found, count)
        upper = False
    yield found[:count]


def keep_wanted(rows: TiledRows, columns: TiledRows, found: np.ndarray, levels: tuple[Levels, Levels]) -> NearPairs:
    """Measure the pairs that were found, and keep those of different nodes that are truly within their levels."""
    i, j = found[:, 0], found[:, 1]
    apart = levels[0].tell_apart(i, levels[1], j)
    if apart is not None:
        i, j = i[apart], j[apart]
    z = measure(rows.measure(columns, i, j), (levels[0], i), (levels[1], j))
    kept = levels[0].want(z, i, levels[1], j)
    i, j = rows.ids[i[kept]], columns.ids[j[kept]]
    other = i != j
    return NearPairs(i[other], j[other], z[kept][other])
