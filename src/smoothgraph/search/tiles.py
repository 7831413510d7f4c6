"""Tiles of nearby nodes and the balls around them: which tiles to look at, and which to skip."""

from typing import NamedTuple

import numpy as np

from smoothgraph.search.lower_bounds import CENTER_SHRINK, SMALLEST_SQUARE, product_loss
from smoothgraph.support.blocks import BLOCK

SIZE = 256  # nodes per tile: enough for a fast matrix product, few enough to be compact
_SAMPLE = 256  # nodes on which the direction of a cut is chosen


class NearTiles(NamedTuple):
    """Tiles to look at, and floors below the squared distances to their nodes."""

    tiles: np.ndarray
    floors: np.ndarray

    def between(self, first: int, last: int) -> "NearTiles":
        """Keep the tiles ``first <= t < last``, and number them from 0."""
        kept = (first <= self.tiles) & (self.tiles < last)
        return NearTiles(self.tiles[kept] - first, self.floors[kept])


class Balls(NamedTuple):
    """The nodes of tile ``t`` lie within ``radii[t]`` of ``centers[t]``, which are numbers in single precision."""

    centers: np.ndarray
    radii: np.ndarray

    def ball(self, tile: int) -> "Ball":
        """Return the ball of one tile."""
        return Ball(self.centers[tile], float(self.radii[tile]))

    def nearest_to(self, ball: "Ball", most: int) -> NearTiles:
        """Return the ``most`` tiles whose centers are nearest to the ball's, nearest first.

        No squared distance that products in single precision give is below the floor; see the end of the error
        budget in :mod:`smoothgraph.search.lower_bounds`.
        """
        apart, gap = self._distances_to(ball)
        tiles = np.flatnonzero(_smallest(apart, most))
        tiles = tiles[np.argsort(apart[tiles], kind="stable")]
        squares = ball.radius**2 + (apart[tiles] + self.radii[tiles]) ** 2
        loss = 2 * product_loss(len(ball.center)) * squares
        return NearTiles(tiles, gap[tiles] ** 2 - loss - SMALLEST_SQUARE)

    def within(self, ball: "Ball", level: np.ndarray, most: int | None) -> NearTiles:
        """Return the tiles with a node that may be within ``level`` of a node in the ball.

        They are in increasing order. ``level`` is a squared distance per tile. If there are more than ``most`` such
        tiles, the result holds the nearest only, and pairs may be missed.
        """
        apart, gap = self._distances_to(ball)
        near = np.flatnonzero(gap**2 < level)
        if most is not None and len(near) > most:
            near = near[_smallest(apart[near], most)]
        return NearTiles(near, gap[near] ** 2)

    def _distances_to(self, ball: "Ball") -> tuple[np.ndarray, np.ndarray]:
        """Return lower bounds on the distances of the centers, and of the balls."""
        off = self.centers - ball.center
        apart = CENTER_SHRINK * np.sqrt(np.einsum("ij,ij->i", off, off))
        return apart, np.maximum(apart - ball.radius - self.radii, 0)


class Ball(NamedTuple):
    """All points within ``radius`` of ``center``."""

    center: np.ndarray
    radius: float


class Tiles(NamedTuple):
    """``nodes[t]`` lie in the ball ``t``; a node of -1 is padding."""

    nodes: np.ndarray
    balls: Balls

    @classmethod
    def along(cls, order: np.ndarray, points: np.ndarray) -> "Tiles":
        """Cut nodes that are in order already into tiles of ``SIZE``."""
        nodes = np.full((-(-len(order) // SIZE), SIZE), -1, dtype=np.int32)
        nodes.ravel()[: len(order)] = order
        centers = np.empty((len(nodes), points.shape[1]), dtype=np.float32)
        radii = np.empty(len(nodes))
        for tile, members in enumerate(nodes):
            inside = points[members[members >= 0]].astype(float)
            centers[tile] = inside.mean(axis=0)
            off = inside - centers[tile]
            radii[tile] = np.sqrt(np.einsum("ij,ij->i", off, off).max())
        return cls(nodes, Balls(centers.astype(float), radii))

    def largest(self, values: np.ndarray) -> np.ndarray:
        """Return the largest of the nodes' ``values``, or rows of values, in every tile."""
        inside = (self.nodes >= 0).reshape(*self.nodes.shape, *[1] * (values.ndim - 1))
        return np.where(inside, values[self.nodes], -np.inf).max(axis=1)


def spatial_order(points: np.ndarray, nodes: np.ndarray) -> np.ndarray:
    """Return the nodes in an order in which every ``SIZE`` successive ones are near each other.

    Each part is cut in two along its widest coordinate until a tile is left. Nodes at the cut are told apart by
    their numbers.
    """
    order = np.sort(nodes).astype(np.int32)
    uncut = [(0, len(order))]
    while uncut:
        first, last = uncut.pop()
        if last - first <= SIZE:
            continue
        part = order[first:last]
        sample = points[part[np.linspace(0, len(part) - 1, _SAMPLE, dtype=int)]]
        # Cut large parts into whole blocks, so that the nodes that one thread solves for are near each other, too.
        unit = BLOCK if len(part) > BLOCK else SIZE
        middle = unit * -(-len(part) // (2 * unit))
        left = _smallest(points[part, widest_coordinate(sample)], middle)
        order[first:last] = np.concatenate([part[left], part[~left]])
        uncut += [(first, first + middle), (first + middle, last)]
    return order


def widest_coordinate(points: np.ndarray) -> int:
    """Return the coordinate with the largest variance, computed in double precision."""
    return int(np.argmax(points.astype(float).var(axis=0)))


def _smallest(values: np.ndarray, number: int) -> np.ndarray:
    """Return a mask of the ``number`` smallest values; of equal values, the first count."""
    if number >= len(values):
        return np.ones(len(values), dtype=bool)
    limit = np.partition(values, number - 1)[number - 1]
    chosen = values < limit
    chosen[np.flatnonzero(values == limit)[: number - np.count_nonzero(chosen)]] = True
    return chosen
