"""Which tiles to look at, by balls around their nodes."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

_ROUNDING = 2.0**-23
SMALLEST_SQUARE = 1e-35  # of which single precision has all digits
_SHORTER = 1 - 1e-9  # pays for the rounding of distances between tiles


def lost(n_coordinates: int) -> float:
    """A share of ``|a|^2 + |b|^2`` that single precision cannot lose from ``|a - b|^2``."""
    return (2 * n_coordinates + 8) * _ROUNDING


class Ball(NamedTuple):
    """All points within ``radius`` of ``centre``."""

    centre: np.ndarray
    radius: float


class Chosen(NamedTuple):
    """Tiles to look at, and what a squared distance to a node of each is never found below."""

    tiles: np.ndarray
    floors: np.ndarray

    def inside(self, first: int, last: int) -> "Chosen":
        """Those of the tiles ``first <= t < last``."""
        here = (first <= self.tiles) & (self.tiles < last)
        return Chosen(self.tiles[here], self.floors[here])


@dataclass(frozen=True, eq=False)
class Balls:
    """The nodes of tile ``t`` lie within ``radii[t]`` of ``centres[t]``."""

    centres: np.ndarray
    radii: np.ndarray

    def __len__(self) -> int:
        return len(self.radii)

    def __getitem__(self, tile: int) -> Ball:
        return Ball(self.centres[tile], float(self.radii[tile]))

    def nearest_to(self, ball: Ball, most: int) -> Chosen:
        """The ``most`` tiles whose centres are nearest to the ball's, nearest first.

        A squared distance in single precision falls short of the true one, which is at least
        that of the balls, by at most twice what is ``lost``: once in the bars, once in rounding.
        """
        apart, gap = self._distances_to(ball)
        tiles = _smallest(apart, most)
        short = ball.radius**2 + (apart[tiles] + self.radii[tiles]) ** 2
        floors = gap[tiles] ** 2 - 2 * lost(len(ball.centre)) * short - SMALLEST_SQUARE
        return Chosen(tiles, floors)

    def within(self, ball: Ball, level: np.ndarray, most: int | None) -> np.ndarray:
        """The tiles with a node that may be within ``level`` (one per tile) of one in the ball.

        Of more than ``most`` the nearest, in which case something may be missed.
        """
        apart, gap = self._distances_to(ball)
        near = np.flatnonzero(gap**2 < level)
        if most is None or len(near) <= most:
            return near
        return np.sort(near[_smallest(apart[near], most)])

    def _distances_to(self, ball: Ball) -> tuple[np.ndarray, np.ndarray]:
        """Of each centre to the ball's, and of each ball to the ball: not more than they are."""
        off = self.centres.astype(float) - ball.centre
        apart = _SHORTER * np.sqrt(np.einsum("ij,ij->i", off, off))
        return apart, np.maximum(apart - ball.radius - self.radii, 0)


def _smallest(values: np.ndarray, number: int) -> np.ndarray:
    """The places of the ``number`` smallest values, smallest first; of equal ones the first."""
    places = np.arange(len(values))
    if number < len(values):
        places = np.flatnonzero(values <= np.partition(values, number - 1)[number - 1])
    return places[np.argsort(values[places], kind="stable")][:number]
