"""Exact search for neighbours among rows on many machines: regions among regions, as tasks.

All results are those of a search in memory, to the last bit. Rows stay on the workers; what a
worker had that died is computed again.
"""

from collections.abc import Iterator
from itertools import pairwise
from operator import attrgetter
from typing import Any

import numpy as np

from smoothgraph.cluster.client import Client
from smoothgraph.cluster.ordering import Region, regions_of
from smoothgraph.cluster.rows import Array, rows_of
from smoothgraph.cluster.tasks import (
    Future,
    finished_futures,
    itself,
    result_of,
    results_of,
    submitted,
)
from smoothgraph.search.balls import Balls, Chosen
from smoothgraph.search.between import Nearest, Pairs, nearest_between, pairs_between
from smoothgraph.search.coordinates import Coordinates
from smoothgraph.search.exact import half_reach, most_tiles, most_tiles_of_nearest
from smoothgraph.search.index import Index, Levels
from smoothgraph.search.tiles import SIZE, Tiles


class RemoteSearch:
    """What :class:`~smoothgraph.candidates.growing.OrderedSearch` is for rows in memory.

    Nodes are numbered along ``order``; those of a region are ``bounds``, first and last + 1.
    """

    def __init__(self, client: Client, regions: list[Future], firsts: list[int], factor: float):
        self._client, self._regions, self._factor = client, regions, factor
        nodes = [submitted(client, "order", attrgetter("nodes"), region) for region in regions]
        self.order = np.concatenate(results_of(client, nodes, "order"))
        self.bounds = list(pairwise([*firsts, self.n_nodes]))
        both = attrgetter("centres", "radii")
        balls = [submitted(client, "tiles", both, region) for region in regions]
        self._balls = submitted(client, "tiles", _all_balls, balls)

    @classmethod
    def of(cls, rows: Array, metric: str, client: Client, n_regions: int) -> "RemoteSearch":
        """Of a Dask array, see :func:`as_rows`, in ``n_regions`` or more if nodes are enough."""
        chunks = rows_of(rows, metric, client)
        regions, firsts = regions_of(chunks, client, n_regions)
        return cls(client, regions, firsts, chunks.factor)

    @property
    def n_nodes(self) -> int:
        """The number of rows."""
        return len(self.order)

    def neighbors(self, k: int, share: float) -> tuple[list[Future], np.ndarray]:
        """The likely ``k`` nearest, :class:`Pairs` by region, and how far each node's reach.

        What is found in a node's own region, and then in one after the other, rules out most.
        """
        most = most_tiles_of_nearest(k, share, self._n_tiles)
        found, rest = [], []
        for region in self._regions:
            tiles = self._submitted("tiles", _nearest_tiles, region, self._balls, most)
            found.append(self._submitted("neighbours", _nearest, (region, region), k, tiles))
            rest.append(self._submitted("tiles", _not_ruled_out, region, found[-1], tiles))
        numbers = [self._submitted("tiles", _numbers, tiles) for tiles in rest]
        for a, others in self._regions_to_visit(numbers, "neighbours nearby"):
            for b in others:
                both = self._regions[a], self._regions[b]
                found[a] = self._submitted("neighbours", _nearest, both, k, rest[a], found[a])
        pairs = [
            self._submitted("pairs", _as_pairs, nearest, first, self._factor)
            for nearest, (first, _) in zip(found, self.bounds, strict=True)
        ]
        near = [self._submitted("near", _farthest, part) for part in pairs]
        return pairs, np.concatenate(results_of(self._client, near, "neighbours"))

    def pairs_within(
        self, reach: np.ndarray, nodes: np.ndarray | None = None, share: float = 1.0
    ) -> dict[tuple[int, int], Future]:
        """All pairs ``2 z_ij < reach_i + reach_j`` as :class:`Pairs`, by the regions of their ends.

        With ``nodes`` the pairs of these with any other; a pair of two of them comes twice.
        With a ``share`` below 1, for all nodes only, just the nearest tiles are looked at.
        """
        if nodes is not None and share < 1:
            raise ValueError(
                f"Expected a share of 1 where nodes are named, got {share:g}; leave one out."
            )
        levels = [
            self._submitted("levels", _levels, *given)
            for given in zip(self._regions, self._halves(reach), strict=True)
        ]
        highest = [
            self._submitted("levels", _highest, *given)
            for given in zip(self._regions, levels, strict=True)
        ]
        everywhere = self._submitted("levels", np.concatenate, highest)
        most = most_tiles(share, self._n_tiles) if share < 1 else None
        some = [
            None if own is None else self._submitted("nodes", itself, own)
            for own in self._by_region(nodes)
        ]
        tiles = [
            self._submitted("tiles", _tiles_within, *given, (self._balls, everywhere), most)
            for given in zip(self._regions, some, levels, strict=True)
        ]
        found = {}
        for a, others in self._regions_to_visit(tiles, "tiles"):
            for b in others:
                both = (self._regions[a], self._regions[b]), (levels[a], levels[b])
                given = *both, some[a], tiles[a], self._factor
                found[a, b] = self._submitted("pairs", _pairs, *given)
        for _ in finished_futures(self._client, list(found.values()), "pairs"):
            pass
        return found

    def within(self, reach: np.ndarray, nodes: np.ndarray) -> Pairs:
        """The pairs of a few nodes with any other, here: their rows visit every region."""
        halves, nodes = self._halves(reach), np.sort(nodes)
        half = np.concatenate(halves)[nodes]
        rows = [
            self._submitted("sample", _rows_at, *given)
            for given in zip(self._regions, self._by_region(nodes), strict=True)
        ]
        beyond = self._n_tiles * SIZE  # so that no number is that of another node
        sample = self._submitted("sample", _sample, rows, beyond)
        found = [
            self._submitted("pairs", _pairs_of_sample, sample, half, *given)
            for given in zip(self._regions, halves, strict=True)
        ]
        i, j, z = Pairs.joined(results_of(self._client, found, "pairs"))
        i = nodes[i - beyond].astype(np.int32)
        other = i != j
        return Pairs(i[other], j[other], self._factor * z[other])

    @property
    def _n_tiles(self) -> int:
        return -(-self.n_nodes // SIZE)

    def _submitted(self, name: str, task: Any, *arguments: Any) -> Future:
        return submitted(self._client, name, task, *arguments)

    def _halves(self, reach: np.ndarray) -> list[np.ndarray]:
        """Of the squared distances, half as far as nodes reach, for each region."""
        reach = np.asarray(reach, dtype=float)
        if reach.shape != (self.n_nodes,) or np.any(np.isnan(reach)):
            raise ValueError(
                f"reach must hold one number per node, ({self.n_nodes},), none of them NaN; got "
                f"shape {reach.shape}."
            )
        return np.split(half_reach(reach / self._factor), [last for _, last in self.bounds[:-1]])

    def _by_region(self, nodes: np.ndarray | None) -> list[np.ndarray | None]:
        """Those of the nodes in each region, numbered from its first on; None for all of them."""
        if nodes is None:
            return [None] * len(self.bounds)
        return [nodes[(first <= nodes) & (nodes < last)] - first for first, last in self.bounds]

    def _regions_to_visit(
        self, tiles: list[Future], description: str
    ) -> Iterator[tuple[int, list[int]]]:
        """For each region those that have some of its ``tiles``, in any order."""
        firsts = [first // SIZE for first, _ in self.bounds]
        visits = [self._submitted("regions", _regions_with, own, firsts) for own in tiles]
        place = {future.key: a for a, future in enumerate(visits)}
        for future in finished_futures(self._client, visits, description):
            yield place[future.key], result_of(self._client, future)


def _all_balls(parts: list[tuple[np.ndarray, np.ndarray]]) -> Balls:
    return Balls(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))


def _nearest_tiles(region: Region, balls: Balls, most: int) -> list[Chosen]:
    """For each tile of the region, of all tiles."""
    own = region.balls
    return [balls.nearest_to(own[tile], most) for tile in range(len(own))]


def _nearest(
    regions: tuple[Region, Region], k: int, tiles: list[Chosen], known: Nearest | None = None
) -> Nearest:
    rows, columns = regions
    return nearest_between(rows.as_index(), columns.as_index(), k, tiles.__getitem__, known)


def _not_ruled_out(region: Region, own: Nearest, tiles: list[Chosen]) -> list[Chosen]:
    """The tiles of other regions that may have something nearer than the region itself."""
    limits = 2 * np.maximum.reduceat(own.halves[:, -1], np.arange(0, len(own.ids), SIZE))
    first, last = region.first // SIZE, region.first // SIZE + len(tiles)
    rest = []
    for chosen, limit in zip(tiles, limits, strict=True):
        elsewhere = (chosen.tiles < first) | (last <= chosen.tiles)
        kept = elsewhere & (chosen.floors <= limit)
        rest.append(Chosen(chosen.tiles[kept], chosen.floors[kept]))
    return rest


def _numbers(tiles: list[Chosen]) -> list[np.ndarray]:
    return [chosen.tiles for chosen in tiles]


def _regions_with(tiles: list[np.ndarray], firsts: list[int]) -> list[int]:
    """Regions, by the ``firsts`` of their tiles, with some of those chosen for any tile."""
    every = np.unique(np.concatenate([np.zeros(0, np.int64), *tiles]))
    return np.unique(np.searchsorted(firsts, every, side="right") - 1).tolist()


def _as_pairs(nearest: Nearest, first: int, factor: float) -> Pairs:
    n, k = nearest.ids.shape
    i = np.repeat(np.arange(first, first + n, dtype=np.int32), k)
    return Pairs(i, nearest.ids.ravel(), factor * nearest.z.ravel())


def _farthest(pairs: Pairs) -> np.ndarray:
    """Of each node's pairs, which follow each other, the largest distance."""
    return np.maximum.reduceat(pairs.z, np.flatnonzero(np.diff(pairs.i, prepend=-1)))


def _levels(region: Region, half: np.ndarray) -> Levels:
    return region.as_index().levels(half)


def _highest(region: Region, levels: Levels) -> np.ndarray:
    return region.as_index().tiles.largest(levels.wide)


def _some_rows(region: Region, nodes: np.ndarray | None) -> Index:
    return region.as_index() if nodes is None else region.as_index().of_some(nodes)


def _tiles_within(
    region: Region,
    nodes: np.ndarray | None,
    levels: Levels,
    others: tuple[Balls, np.ndarray],
    most: int | None,
) -> list[np.ndarray]:
    """For each tile of the rows those with a pair within reach; each pair once for all nodes.

    ``others`` are all tiles and their highest levels.
    """
    balls, everywhere = others
    rows = _some_rows(region, nodes)
    highest = rows.tiles.largest(levels.wide)
    tiles = [
        balls.within(rows.tiles.balls[tile], highest[tile] + everywhere, most)
        for tile in range(len(highest))
    ]
    if nodes is not None:
        return tiles
    return [own[own >= rows.first_tile + tile] for tile, own in enumerate(tiles)]


def _pairs(
    regions: tuple[Region, Region],
    levels: tuple[Levels, Levels],
    nodes: np.ndarray | None,
    tiles: list[np.ndarray],
    factor: float,
) -> Pairs:
    rows, columns = _some_rows(regions[0], nodes), regions[1].as_index()
    found = pairs_between(rows, columns, levels, tiles.__getitem__, once=nodes is None)
    i, j, z = Pairs.joined(list(found))
    return Pairs(i, j, factor * z)


def _rows_at(region: Region, nodes: np.ndarray) -> tuple[Any, ...]:
    return region.X[nodes], region.points[nodes], region.error[nodes], region.unit


def _sample(parts: list[tuple[Any, ...]], first: int) -> Index:
    *arrays, units = zip(*parts, strict=True)
    X, points, error = (np.concatenate(array) for array in arrays)
    return Index(X, Coordinates(points, error, units[0]), Tiles.of(points), first)


def _pairs_of_sample(sample: Index, half: np.ndarray, region: Region, own: np.ndarray) -> Pairs:
    columns = region.as_index()
    levels = sample.levels(half), columns.levels(own)
    highest = sample.tiles.largest(levels[0].wide), columns.tiles.largest(levels[1].wide)
    tiles = [
        region.balls.within(sample.tiles.balls[tile], level + highest[1], None) + columns.first_tile
        for tile, level in enumerate(highest[0])
    ]
    return Pairs.joined(list(pairs_between(sample, columns, levels, tiles.__getitem__)))
