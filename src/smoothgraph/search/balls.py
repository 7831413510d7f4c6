"""Balls around tiles of nodes: which tiles to look at, and which to skip."""

from typing import NamedTuple

import numpy as np

from smoothgraph.search.lower_bounds import CENTER_SHRINK, SMALLEST_SQUARE, product_loss


class NearTiles(NamedTuple):
    """Tiles to look at, and floors below the squared distances to their nodes."""

    tiles: np.ndarray
    floors: np.ndarray

    def between(self, first: int, last: int) -> "NearTiles":
        """Keep the tiles ``first <= t < last``, and number them from 0."""
        kept = (first <= self.tiles) & (self.tiles < last)
        return NearTiles(self.tiles[kept] - first, self.floors[kept])


class Balls(NamedTuple):
    """The nodes of tile ``t`` lie within ``radii[t]`` of ``centers[t]``."""

    centers: np.ndarray
    radii: np.ndarray

    @property
    def n_tiles(self) -> int:
        """The number of balls."""
        return len(self.radii)

    def ball(self, tile: int) -> "Ball":
        """Return the ball of one tile."""
        return Ball(self.centers[tile], float(self.radii[tile]))

    def nearest_to(self, ball: "Ball", most: int) -> NearTiles:
        """Return the ``most`` tiles whose centers are nearest to the ball's, nearest first.

        No squared distance that products in single precision give is below the floor; see the end of the error
        budget in :mod:`smoothgraph.search.lower_bounds`.
        """
        apart, gap = self._distances_to(ball)
        tiles = _smallest(apart, most)
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
            near = np.sort(near[_smallest(apart[near], most)])
        return NearTiles(near, gap[near] ** 2)

    def _distances_to(self, ball: "Ball") -> tuple[np.ndarray, np.ndarray]:
        """Return lower bounds on the distances of the centers, and of the balls."""
        off = self.centers.astype(float) - ball.center
        apart = CENTER_SHRINK * np.sqrt(np.einsum("ij,ij->i", off, off))
        return apart, np.maximum(apart - ball.radius - self.radii, 0)


class Ball(NamedTuple):
    """All points within ``radius`` of ``center``."""

    center: np.ndarray
    radius: float


def _smallest(values: np.ndarray, number: int) -> np.ndarray:
    """Return the positions of the ``number`` smallest values, smallest first."""
    positions = np.arange(len(values))
    if number < len(values):
        positions = np.flatnonzero(values <= np.partition(values, number - 1)[number - 1])
    return positions[np.argsort(values[positions], kind="stable")][:number]
