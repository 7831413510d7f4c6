"""Exact search for neighbors among rows on Dask workers: regions against regions, as tasks.

Rows stay on the workers. Every task depends on its arguments alone, so the scheduler computes again what a worker
held that died. The search finds the pairs that a search in memory finds.
"""

from collections.abc import Iterator
from copy import copy
from functools import partial
from operator import attrgetter
from typing import Any

import numpy as np

from smoothgraph.cluster.chunks import Array, Chunk
from smoothgraph.cluster.client import Client
from smoothgraph.cluster.futures import Future, fetch, gather, identity, submit, wait_for
from smoothgraph.cluster.regions import make_regions
from smoothgraph.pairs.euclidean import ROOTED
from smoothgraph.search.engine import NearPairs
from smoothgraph.search.levels import Levels, WideLevels, check_reach
from smoothgraph.search.scan import Nearest, scan_nearest, scan_pairs, tiles_within
from smoothgraph.search.tiled_rows import TiledRows
from smoothgraph.search.tiled_search import most_tiles, most_tiles_of_nearest
from smoothgraph.search.tiles import SIZE, Balls, NearTiles

_TilesByRegion = dict[int, list[NearTiles]]  # of another region, per tile of rows


class SearchOnWorkers:
    """A search among rows on workers, with nodes numbered along ``order``.

    The node at position ``p`` is the row ``order[p]`` of the table. ``bounds`` are the first and last + 1 positions
    of each region. Arguments and results are positions. With a ``scale``, distances are local.
    """

    scale: np.ndarray | None = None

    def __init__(self, client: Client, regions: list[Future], bounds: list[tuple[int, int]], *, rooted: bool):
        self._client, self.bounds, self._submit = client, bounds, partial(submit, client)
        self._rooted = rooted
        nodes = [self._submit("order", attrgetter("nodes"), region) for region in regions]
        self.order: np.ndarray = np.concatenate(gather(client, nodes, "order"))
        self._rows = [self._submit("rows", attrgetter("rows"), region) for region in regions]
        self._tile_ends = np.cumsum([-(-(last - first) // SIZE) for first, last in bounds])
        balls = [self._submit("balls", attrgetter("tiles.balls"), rows) for rows in self._rows]
        self._balls = self._submit("balls", _join_balls, balls)

    @classmethod
    def of(cls, rows: Array, metric: str, client: Client, n_regions: int) -> "SearchOnWorkers":
        """Index the rows of a Dask array (see ``as_rows``) in ``n_regions`` or more regions."""
        return cls(client, *make_regions(rows, metric, client, n_regions), rooted=metric in ROOTED)

    def with_scale(self, scale: np.ndarray) -> "SearchOnWorkers":
        """Return the same search with distances ``(z_ij / (scale_i scale_j))^2``."""
        scaled = copy(self)
        scaled.scale = scale
        return scaled

    @property
    def n_nodes(self) -> int:
        """The number of rows."""
        return len(self.order)

    def nearest(self, k: int, share: float, rank: int | None = None) -> tuple[list[Future], np.ndarray]:
        """Find the likely ``k`` nearest of each node, among the nearest ``share`` of all tiles, before any scaling.

        Returns futures of the :class:`NearPairs` of each region's nodes ``i``, in their order, and the largest of
        the ``k`` distances of each node, or the one at ``rank``, counted from 1.
        """
        most = most_tiles_of_nearest(k, share, self.n_nodes, self._tile_ends[-1])
        everywhere = self._balls, self._tile_ends
        found, outside = [], {}
        for a, rows in enumerate(self._rows):
            tiles = self._submit("tiles", _nearest_tiles, rows, a, everywhere, most)
            found.append(self._submit("nearest", _nearest, (rows, rows), tiles, a, k))
            outside[a] = self._submit("tiles", _not_ruled_out, rows, found[a], tiles, a)
        for a, others in self._visits(outside, "neighbors nearby"):
            for b in others:
                both = self._rows[a], self._rows[b]
                found[a] = self._submit("nearest", _nearest, both, outside[a], b, k, found[a])
        pairs = [
            self._submit("neighbors", _as_pairs, rows, nearest, self._rooted)
            for rows, nearest in zip(self._rows, found, strict=True)
        ]
        near = [self._submit("near", _distances_at, nearest, rank or k, self._rooted) for nearest in found]
        return pairs, np.concatenate(gather(self._client, near, "neighbors"))

    def pairs_within(
        self, reach: np.ndarray, nodes: np.ndarray | None = None, share: float = 1.0
    ) -> dict[tuple[int, int], Future]:
        """Find all pairs with ``2 z_ij < reach_i + reach_j``, each once.

        Returns futures of :class:`NearPairs` by the regions of ``i`` and ``j``. With ``nodes``, the pairs of these
        with any other; a pair of two of them comes twice. With a ``share`` below 1, only the nearest tiles are
        looked at, and pairs may be missed.
        """
        regions = self._within(reach)
        if nodes is None:
            return self._scan(dict(enumerate(regions)), regions, share, once=True)
        taken = self._take(regions, nodes)
        some = {a: self._submit("nodes", _arrange, [part]) for a, part in taken.items()}
        return self._scan(some, regions, share)

    def within(self, reach: np.ndarray, nodes: np.ndarray) -> NearPairs:
        """Return the pairs of a few nodes with any other, here: their rows visit every region."""
        regions = self._within(reach)
        return self._visit(regions, regions, nodes)

    def pairs_within_either(self, level: np.ndarray) -> dict[tuple[int, int], Future]:
        """Find all pairs with ``z_ij <= level_i`` or ``z_ij <= level_j``, each once, before any scaling."""
        levels = Levels(np.nextafter(level, np.inf), rooted=self._rooted, either=True)
        regions = self._leveled_rows(levels)
        return self._scan(dict(enumerate(regions)), regions, 1.0, once=True)

    def between(self, label: np.ndarray, level: np.ndarray, nodes: np.ndarray) -> NearPairs:
        """Return all pairs ``i, j`` of ``nodes`` with nodes of another label, with ``z_ij < level_i``, here."""
        levels = Levels(level, self.scale, self._rooted, label=label)
        nothing = levels._replace(level=np.zeros(self.n_nodes))
        return self._visit(self._leveled_rows(levels), self._leveled_rows(nothing), nodes)

    def _visit(
        self, own: list[tuple[Future, Future]], regions: list[tuple[Future, Future]], nodes: np.ndarray
    ) -> NearPairs:
        """Return the pairs of a few nodes, whose rows and levels are in ``own``, with all regions."""
        taken = list(self._take(own, nodes).values())
        if not taken:
            return NearPairs.concatenate([])
        sample = {0: self._submit("nodes", _arrange, taken)}
        found = list(self._scan(sample, regions, 1.0).values())
        return NearPairs.concatenate(gather(self._client, found, "pairs"))

    def _within(self, reach: np.ndarray) -> list[tuple[Future, Future]]:
        return self._leveled_rows(Levels.of(check_reach(reach, self.n_nodes), self.scale, rooted=self._rooted))

    def _leveled_rows(self, levels: Levels) -> list[tuple[Future, Future]]:
        """Return the rows of each region, and the levels of their nodes."""
        return [
            (rows, self._submit("reach", identity, levels.take(slice(first, last))))
            for rows, (first, last) in zip(self._rows, self.bounds, strict=True)
        ]

    def _take(self, regions: list[tuple[Future, Future]], nodes: np.ndarray) -> dict[int, Future]:
        """Return some nodes, by the regions that have some of them."""
        taken = {}
        for a, (first, last) in enumerate(self.bounds):
            own = nodes[(first <= nodes) & (nodes < last)] - first
            if own.size:
                taken[a] = self._submit("nodes", _take, *regions[a], own)
        return taken

    def _scan(
        self, given: dict[int, Any], regions: list[tuple[Future, Future]], share: float, *, once: bool = False
    ) -> dict[tuple[int, int], Future]:
        """Find the pairs of given rows with all regions; with ``once``, given are the regions."""
        highest = [self._submit("highest", _highest, *region) for region in regions]
        everywhere = self._balls, self._submit("highest", WideLevels.concatenate, highest), self._tile_ends
        most = most_tiles(share, self._tile_ends[-1])
        tiles = {a: self._submit("tiles", _tiles_in_reach, rows, everywhere, most) for a, rows in given.items()}
        found = {}
        for a, others in self._visits(tiles, "tiles"):
            for b in others if not once else [b for b in others if b >= a]:
                both = given[a], regions[b]
                found[a, b] = self._submit("pairs", _pairs, both, tiles[a], b, once and a == b)
        for _ in wait_for(self._client, list(found.values()), "pairs"):
            pass
        return found

    def _visits(self, tiles: dict[int, Future], description: str) -> Iterator[tuple[int, list[int]]]:
        """Yield each key and the regions that have some of its tiles, in any order."""
        visits = {self._submit("visits", list, own): a for a, own in tiles.items()}
        for future in wait_for(self._client, list(visits), description):
            yield visits[future], fetch(self._client, [future])[0]


def _join_balls(parts: list[Balls]) -> Balls:
    return Balls(*(np.concatenate(fields) for fields in zip(*parts, strict=True)))


def _split(near: list[NearTiles], ends: np.ndarray) -> _TilesByRegion:
    """Return the tiles by the region that has them, numbered from its first."""
    every = np.unique(np.concatenate([tiles for tiles, _ in near]))
    firsts = [0, *ends.tolist()]
    return {
        b: [tiles.between(firsts[b], firsts[b + 1]) for tiles in near]
        for b in np.unique(np.searchsorted(ends, every, side="right")).tolist()
    }


def _nearest_tiles(rows: TiledRows, a: int, everywhere: tuple[Balls, np.ndarray], most: int) -> _TilesByRegion:
    """Return the nearest of all tiles; ``a``, the region of the rows, is there even without any."""
    balls, ends = everywhere
    near = [balls.nearest_to(rows.tiles.balls.ball(tile), most) for tile in range(rows.n_tiles)]
    return {a: [tiles.between(0, 0) for tiles in near]} | _split(near, ends)


def _nearest(
    both: tuple[TiledRows, TiledRows], tiles: _TilesByRegion, b: int, k: int, known: Nearest | None = None
) -> Nearest:
    """Look for neighbors of rows in columns, which are region ``b``."""
    rows, columns = both
    return scan_nearest(rows, columns, k, tiles[b].__getitem__, known)


def _not_ruled_out(rows: TiledRows, own: Nearest, tiles: _TilesByRegion, a: int) -> _TilesByRegion:
    """Return the tiles outside region ``a`` that may have something nearer than inside."""
    limits = 2 * rows.tiles.largest(own.halves[:, -1].astype(float))
    rest = {}
    for b, near in tiles.items():
        kept = [floors <= limit for (_, floors), limit in zip(near, limits, strict=True)]
        if b != a and any(map(np.any, kept)):
            rest[b] = [NearTiles(t[some], f[some]) for (t, f), some in zip(near, kept, strict=True)]
    return rest


def _as_pairs(rows: TiledRows, nearest: Nearest, rooted: bool) -> NearPairs:  # noqa: FBT001
    i = np.repeat(rows.ids, nearest.ids.shape[1])
    z = nearest.z.ravel()
    return NearPairs(i, nearest.ids.ravel(), np.sqrt(z) if rooted else z)


def _distances_at(nearest: Nearest, rank: int, rooted: bool) -> np.ndarray:  # noqa: FBT001
    z = np.sort(nearest.z, axis=1)[:, rank - 1]
    return np.sqrt(z) if rooted else z


def _take(rows: TiledRows, levels: Levels, nodes: np.ndarray) -> tuple[Chunk, Levels]:
    return Chunk(rows.X, rows.coordinates, rows.ids).take(nodes), levels.take(nodes)


def _arrange(parts: list[tuple[Chunk, Levels]]) -> tuple[TiledRows, Levels]:
    """Return the rows of all parts in tiles, and their levels."""
    chunks, levels = zip(*parts, strict=True)
    X, coordinates, ids = Chunk.concatenate(list(chunks))
    rows = TiledRows.arrange(X, coordinates, np.arange(len(ids)))
    return rows._replace(ids=ids[rows.ids]), Levels.concatenate(levels).take(rows.ids)


def _highest(rows: TiledRows, levels: Levels) -> WideLevels:
    return levels.widen(rows.coordinates).highest(rows.tiles)


def _tiles_in_reach(given: tuple[TiledRows, Levels], everywhere: tuple[Any, ...], most: int | None) -> _TilesByRegion:
    """Return the tiles with a pair within reach of rows with these levels.

    ``everywhere`` are the balls and the highest levels of all tiles, and where regions end.
    """
    rows, levels = given
    balls, highest, ends = everywhere
    choose = tiles_within(rows, levels.widen(rows.coordinates), balls, highest, most)
    return _split([choose(tile) for tile in range(rows.n_tiles)], ends)


def _pairs(
    both: tuple[tuple[TiledRows, Levels], tuple[TiledRows, Levels]],
    tiles: _TilesByRegion,
    b: int,
    once: bool,  # noqa: FBT001
) -> NearPairs:
    """Return the pairs of rows with columns, which are region ``b``."""
    (rows, levels), (columns, others) = both
    found = scan_pairs(rows, columns, (levels, others), tiles[b].__getitem__, once=once)
    return NearPairs.concatenate(list(found))
