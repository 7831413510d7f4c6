"""Search within two hops of what is known: the neighbors of a near node are nearly always those near the node.

Several coarse tilings find a few near nodes of each node. The nearest within two hops of these are nearly always the
nearest of all. Likewise, the pairs within reach are nearly always two hops apart along the pairs that are known.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from smoothgraph.pairs.pair_set import PairSet
from smoothgraph.search import hop_kernels as kernels
from smoothgraph.search.engine import NearPairs
from smoothgraph.search.levels import Levels, WideLevels
from smoothgraph.search.scan import Nearest, keep_wanted, scan_nearest
from smoothgraph.search.tiled_rows import TiledRows
from smoothgraph.search.tiles import SIZE, Tiles, spatial_order
from smoothgraph.support.progress import track
from smoothgraph.support.threads import in_threads, row_blocks, run_blocks

_HOPS, _HOPS_OF_NEAREST = 48, 24  # near nodes of a node to which a hop leads, along pairs and nearest neighbors
_ROWS = 8192  # nodes that one thread looks from at once
_WAITING = 2**20  # pairs that are measured together, at most
_TILINGS, _TILES = 3, 8  # tilings, and tiles of each that a tile looks at
_ROUNDS = 2  # of looking two hops around
_FROM_TILES = 6  # neighbors that each further tiling finds
_TURNED = 16  # directions along which another tiling cuts


class Hops(NamedTuple):
    """The lists of near nodes: those of node ``i`` are ``near[indptr[i]:indptr[i + 1]]``.

    Hops lead to the first ``most`` of each.
    """

    indptr: np.ndarray
    near: np.ndarray
    most: int

    @classmethod
    def along(cls, pattern: PairSet, z: np.ndarray, most: int = _HOPS) -> "Hops":
        """Return lists of the nodes that each node has a pair with; hops lead to the ``most`` nearest of each."""
        indptr, near, both = pattern.mirror(z)
        blocks = row_blocks(indptr)
        run_blocks(blocks, lambda a, b: kernels.put_nearest_first(a, b, indptr, near, both, most))
        return cls(indptr, near, most)

    @classmethod
    def to(cls, found: list[Nearest], most: int) -> "Hops":
        """Return lists of the ``most`` nearest of the neighbors found of each row, and of the rows that name it."""
        ids = np.concatenate([f.ids for f in found], axis=1)
        z = np.concatenate([f.z.astype(np.float32) for f in found], axis=1)
        n = len(ids)
        starts = np.concatenate([[0], np.cumsum(np.bincount(ids.ravel(), minlength=n))])
        back = np.empty(ids.size, np.int32), np.empty(ids.size, np.float32)
        table = np.empty((n, most), np.int32)
        blocks = row_blocks(starts)
        run_blocks(blocks, lambda a, b: kernels.turn_round(a, b, ids, z, starts, *back))
        run_blocks(blocks, lambda a, b: kernels.gather_nearest(a, b, ids, z, starts, *back, table))
        known = table >= 0
        indptr = np.concatenate([[0], np.cumsum(np.count_nonzero(known, axis=1))])
        return cls(indptr, table[known], most)


def likely_nearest(rows: TiledRows, k: int) -> Nearest:
    """Return the likely ``k`` nearest of each row, numbered as in the tiles: a few of them may not be the nearest."""
    rows = rows._replace(ids=np.arange(len(rows.ids), dtype=np.int32))
    found = [_nearest_in_tiles(rows, k)]  # so that there are k within a hop
    found += [_nearest_in_tiles(_turn(rows, seed), min(k, _FROM_TILES)) for seed in range(1, _TILINGS)]
    for _ in range(_ROUNDS):
        found = [_nearest_in_two_hops(rows, Hops.to(found, _HOPS_OF_NEAREST), k)]
    return found[0]


def _nearest_in_tiles(rows: TiledRows, k: int) -> Nearest:
    """Return the nearest of each row among the tiles near its own."""
    balls, most = rows.tiles.balls, max(_TILES, -(-2 * k // SIZE))
    return scan_nearest(rows, rows, k, lambda tile: balls.nearest_to(balls.ball(tile), most))


def _turn(rows: TiledRows, seed: int) -> TiledRows:
    """Return the same rows in tiles that are cut along random directions."""
    points = rows.coordinates.points
    directions = np.random.default_rng(seed).standard_normal((points.shape[1], _TURNED), dtype=np.float32)
    order = spatial_order(points @ directions, rows.ids)
    return rows._replace(tiles=Tiles.along(order, rows.coordinates.short))


def _nearest_in_two_hops(rows: TiledRows, hops: Hops, k: int) -> Nearest:
    """Return the ``k`` nearest of those within two hops, of which there must be as many."""
    n = len(rows.ids)
    nearest, squares, z = np.full((n, k), -1, np.int32), np.full((n, k), np.inf, np.float32), np.empty((n, k))
    points, heads = rows.coordinates.points, _heads(rows)

    def look_from(first: int) -> None:
        own = slice(first, min(first + _ROWS, n))
        seen = np.full(n, -1, np.int32)
        kernels.nearest_in_two_hops(own.start, own.stop, *hops, points, heads, seen, nearest[own], squares[own])
        z[own] = rows.measure(rows, np.repeat(np.arange(own.start, own.stop), k), nearest[own].ravel()).reshape(-1, k)

    for _ in track(in_threads(look_from, range(0, n, _ROWS)), "neighbors", total=-(-n // _ROWS)):
        pass
    return Nearest(nearest, squares / 2, z)


def pairs_in_two_hops(rows: TiledRows, levels: Levels, hops: Hops, nodes: np.ndarray) -> Iterator[NearPairs]:
    """Yield the pairs that the levels want of ``nodes`` with those two hops away, unless a hop leads there.

    Nodes are numbered as in the tiles. A pair of two of them may come twice.
    """
    wide = levels.widen(rows.coordinates)
    heads = _heads(rows)

    def look_from(first: int) -> NearPairs:
        found = _hop(rows, heads, wide, hops, nodes[first : first + _ROWS])
        return NearPairs.concatenate([keep_wanted(rows, rows, pairs, (levels, levels)) for pairs in found])

    yield from track(in_threads(look_from, range(0, len(nodes), _ROWS)), "pairs", total=-(-len(nodes) // _ROWS))


def _hop(rows: TiledRows, heads: np.ndarray, wide: WideLevels, hops: Hops, nodes: np.ndarray) -> Iterator[np.ndarray]:
    """Yield the pairs of some nodes that may be wanted, many at once; the next overwrite them."""
    seen = np.full(len(rows.ids), -1, np.int32)
    found = np.empty((max(_WAITING, len(seen)), 2), np.int32)  # pages that are never written cost nothing
    points, first = rows.coordinates.points, 0
    while first < len(nodes):
        count, first = kernels.pairs_in_two_hops(nodes, first, *hops, points, heads, wide, seen, found)
        yield found[:count]


def _heads(rows: TiledRows) -> np.ndarray:
    """Return the first coordinates of each row, in a line of memory of their own."""
    points = rows.coordinates.points[:, : kernels.FIRST]
    heads = np.zeros((len(points), kernels.FIRST), np.float32)
    heads[:, : points.shape[1]] = points
    return heads
