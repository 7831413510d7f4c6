"""Exact search for neighbors among rows on Dask workers: regions against regions, as tasks.

Rows stay on the workers. Every task depends on its arguments alone, so the scheduler computes again
what a worker held that died. The search finds the pairs that a search in memory finds.
"""

from collections.abc import Iterator
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np

from smoothgraph.cluster.chunks import Array, Chunk
from smoothgraph.cluster.client import Client
from smoothgraph.cluster.futures import Future, fetch, gather, identity, submit, wait_for
from smoothgraph.cluster.regions import Region, make_regions
from smoothgraph.search.balls import Balls, NearTiles
from smoothgraph.search.engine import NearPairs
from smoothgraph.search.lower_bounds import half_reach
from smoothgraph.search.scan import Nearest, scan_nearest, scan_pairs, tiles_within
from smoothgraph.search.tiled_rows import TiledRows
from smoothgraph.search.tiled_search import check_reach, most_tiles, most_tiles_of_nearest
from smoothgraph.search.tiles import SIZE

_TilesByRegion = dict[int, list[NearTiles]]  # of another region, per tile of rows


class SearchOnWorkers:
    """A search among rows on workers, with nodes numbered along ``order``.

    The node at position ``p`` is the row ``order[p]`` of the table. ``bounds`` are the first and
    last + 1 positions of each region. Arguments and results are positions.
    """

    def __init__(self, client: Client, regions: list[Future], bounds: list[tuple[int, int]]):
        self._client, self._regions, self.bounds = client, regions, bounds
        nodes = [self._submit("order", attrgetter("nodes"), region) for region in regions]
        self.order: np.ndarray = np.concatenate(gather(client, nodes, "order"))
        self._tile_ends = np.cumsum([-(-(last - first) // SIZE) for first, last in bounds])
        balls = [self._submit("balls", attrgetter("rows.tiles.balls"), one) for one in regions]
        self._balls = self._submit("balls", _join_balls, balls)

    @classmethod
    def of(cls, rows: Array, metric: str, client: Client, n_regions: int) -> "SearchOnWorkers":
        """Index the rows of a Dask array (see ``as_rows``) in ``n_regions`` or more regions."""
        return cls(client, *make_regions(rows, metric, client, n_regions))

    @property
    def n_nodes(self) -> int:
        """The number of rows."""
        return len(self.order)

    def nearest(self, k: int, share: float) -> tuple[list[Future], np.ndarray]:
        """Find the likely ``k`` nearest of each node, among the nearest ``share`` of all tiles.

        Returns futures of the :class:`NearPairs` of each region's nodes ``i``, in their order, and
        the largest of the ``k`` distances of each node.
        """
        if not 1 <= k < self.n_nodes:
            raise ValueError(f"k must be between 1 and {self.n_nodes - 1}, got {k!r}.")
        most = most_tiles_of_nearest(k, share, self._tile_ends[-1])
        found, outside = [], []
        everywhere = self._balls, self._tile_ends
        for a, region in enumerate(self._regions):
            tiles = self._submit("tiles", _nearest_tiles, region, a, everywhere, most)
            found.append(self._submit("nearest", _nearest, (region, region), tiles, a, k))
            outside.append(self._submit("tiles", _not_ruled_out, region, found[a], tiles, a))
        for a, others in self._visits(outside, "neighbors nearby"):
            for b in others:
                both = self._regions[a], self._regions[b]
                found[a] = self._submit("nearest", _nearest, both, outside[a], b, k, found[a])
        pairs = [self._submit("neighbors", _as_pairs, *both) for both in self._with_regions(found)]
        near = [self._submit("near", _farthest, one) for one in found]
        return pairs, np.concatenate(gather(self._client, near, "neighbors"))

    def pairs_within(
        self, reach: np.ndarray, nodes: np.ndarray | None = None, share: float = 1.0
    ) -> dict[tuple[int, int], Future]:
        """Find all pairs with ``2 z_ij < reach_i + reach_j``, each once.

        Returns futures of :class:`NearPairs` by the regions of ``i`` and ``j``. With ``nodes``,
        the pairs of these with any other; a pair of two of them comes twice. With a ``share``
        below 1, only the nearest tiles are looked at, and pairs may be missed.
        """
        half = [self._submit("reach", identity, own) for own in self._half_reach(reach)]
        some = [self._submit("nodes", identity, own) for own in self._by_region(nodes)]
        highest = [self._submit("highest", _highest, *both) for both in self._with_regions(half)]
        everywhere = self._balls, self._submit("highest", np.concatenate, highest), self._tile_ends
        most = most_tiles(share, self._tile_ends[-1])
        tiles = [
            self._submit("tiles", _tiles_in_reach, (region, half[a], some[a]), a, everywhere, most)
            for a, region in enumerate(self._regions)
        ]
        found = {}
        for a, others in self._visits(tiles, "tiles"):
            for b in others:
                rows = self._regions[a], half[a], some[a]
                columns = self._regions[b], half[b]
                found[a, b] = self._submit("pairs", _pairs, rows, columns, tiles[a], b)
        for _ in wait_for(self._client, list(found.values()), "pairs"):
            pass
        return found

    def within(self, reach: np.ndarray, nodes: np.ndarray) -> NearPairs:
        """Return the pairs of a few nodes with any other, here: their rows visit every region."""
        half, nodes = self._half_reach(reach), np.sort(nodes)
        level = np.concatenate(half)[nodes]
        rows = [
            self._submit("sample", _take, *b) for b in self._with_regions(self._by_region(nodes))
        ]
        sample = self._submit("sample", _arrange, rows)
        found = [
            self._submit("pairs", _pairs_of_sample, sample, (nodes, level), *both)
            for both in self._with_regions(half)
        ]
        return NearPairs.concatenate(gather(self._client, found, "pairs"))

    def _submit(self, name: str, task: Any, *arguments: Any) -> Future:
        return submit(self._client, name, task, *arguments)

    def _with_regions(self, values: list[Any]) -> Iterator[tuple[Future, Any]]:
        return zip(self._regions, values, strict=True)

    def _half_reach(self, reach: np.ndarray) -> list[np.ndarray]:
        """Return the levels of the nodes in each region."""
        half = half_reach(check_reach(reach, self.n_nodes))
        return [half[first:last] for first, last in self.bounds]

    def _by_region(self, nodes: np.ndarray | None) -> list[Any]:
        """Return the nodes in each region, numbered from its first; None for all of them."""
        if nodes is None:
            return [None] * len(self.bounds)
        return [nodes[(first <= nodes) & (nodes < last)] - first for first, last in self.bounds]

    def _visits(self, tiles: list[Future], description: str) -> Iterator[tuple[int, list[int]]]:
        """Yield each region and those in which it has tiles to look at, in any order."""
        visits = [self._submit("visits", list, own) for own in tiles]
        region = {future.key: a for a, future in enumerate(visits)}
        for future in wait_for(self._client, visits, description):
            yield region[future.key], fetch(self._client, [future])[0]


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


def _nearest_tiles(
    region: Region, a: int, everywhere: tuple[Balls, np.ndarray], most: int
) -> _TilesByRegion:
    """Return the nearest of all tiles; ``a``, the region itself, has a list even if it has none."""
    balls, ends = everywhere
    own = region.rows.tiles.balls
    near = [balls.nearest_to(own.ball(tile), most) for tile in range(own.n_tiles)]
    return {a: [tiles.between(0, 0) for tiles in near]} | _split(near, ends)


def _nearest(
    regions: tuple[Region, Region],
    tiles: _TilesByRegion,
    b: int,
    k: int,
    known: Nearest | None = None,
) -> Nearest:
    """Look into region ``b``, the second of the two."""
    rows, columns = (region.rows for region in regions)
    return scan_nearest(rows, columns, k, tiles[b].__getitem__, known)


def _not_ruled_out(region: Region, own: Nearest, tiles: _TilesByRegion, a: int) -> _TilesByRegion:
    """Return the tiles outside region ``a`` that may have something nearer than inside."""
    limits = 2 * region.rows.tiles.largest(own.halves[:, -1].astype(float))
    rest = {}
    for b, near in tiles.items():
        kept = [floors <= limit for (_, floors), limit in zip(near, limits, strict=True)]
        if b != a and any(map(np.any, kept)):
            rest[b] = [NearTiles(t[some], f[some]) for (t, f), some in zip(near, kept, strict=True)]
    return rest


def _as_pairs(region: Region, nearest: Nearest) -> NearPairs:
    i = np.repeat(region.rows.ids, nearest.ids.shape[1])
    return NearPairs(i, nearest.ids.ravel(), nearest.z.ravel())


def _farthest(nearest: Nearest) -> np.ndarray:
    return nearest.z.max(axis=1)


def _highest(region: Region, half: np.ndarray) -> np.ndarray:
    return region.rows.tiles.largest(region.rows.levels(half).wide)


class _Rows(NamedTuple):
    """A region, the levels of its nodes, and those of them whose pairs are wanted (None: all)."""

    region: Region
    half: np.ndarray
    nodes: np.ndarray | None

    @property
    def selected(self) -> TiledRows:
        rows = self.region.rows
        return rows if self.nodes is None else rows.select(self.nodes)


def _tiles_in_reach(
    given: tuple[Any, ...], a: int, everywhere: tuple[Any, ...], most: int | None
) -> _TilesByRegion:
    """Return the tiles with a pair within reach; those of each two regions once, for all nodes.

    ``everywhere`` are the balls and the highest levels of all tiles, and where regions end.
    """
    _, half, nodes = rows = _Rows(*given)
    balls, highest, ends = everywhere
    selected = rows.selected
    choose = tiles_within(selected, selected.levels(half), balls, highest, most)
    if not selected.n_tiles:
        return {}
    tiles = _split([choose(tile) for tile in range(selected.n_tiles)], ends)
    return {b: near for b, near in tiles.items() if b >= a or nodes is not None}


def _pairs(
    given: tuple[Any, ...], other: tuple[Region, np.ndarray], tiles: _TilesByRegion, b: int
) -> NearPairs:
    """Return the pairs of given rows with those of another region, ``b``."""
    rows, columns = _Rows(*given), other[0].rows
    selected = rows.selected
    levels = selected.levels(rows.half), columns.levels(other[1])
    once = rows.nodes is None and selected.ids[0] == columns.ids[0]
    found = scan_pairs(selected, columns, levels, tiles[b].__getitem__, once=once)
    return NearPairs.concatenate(list(found))


def _take(region: Region, nodes: np.ndarray) -> Chunk:
    X, coordinates, _, ids = region.rows
    return Chunk(X, coordinates, ids).take(nodes)


def _arrange(parts: list[Chunk]) -> TiledRows:
    return TiledRows.arrange(*Chunk.concatenate(parts))


def _pairs_of_sample(
    sample: TiledRows, given: tuple[np.ndarray, np.ndarray], region: Region, half: np.ndarray
) -> NearPairs:
    """Return the pairs of sampled nodes with a region; ``given`` are these nodes and levels."""
    nodes, level = given
    columns = region.rows
    levels = sample.levels(level[np.searchsorted(nodes, sample.ids)]), columns.levels(half)
    highest = columns.tiles.largest(levels[1].wide)
    choose = tiles_within(sample, levels[0], columns.tiles.balls, highest)
    return NearPairs.concatenate(list(scan_pairs(sample, columns, levels, choose)))
