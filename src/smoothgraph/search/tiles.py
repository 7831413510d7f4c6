"""Tiles of nearby nodes, so that the search can skip whole tiles."""

from typing import NamedTuple

import numpy as np

from smoothgraph.search.balls import Balls
from smoothgraph.support.blocks import BLOCK

SIZE = 256  # nodes per tile: enough for a fast matrix product, few enough to be compact
_SAMPLE = 256  # nodes on which the direction of a cut is chosen


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
        return cls(nodes, Balls(centers, radii))

    def largest(self, values: np.ndarray) -> np.ndarray:
        """Return the largest of the nodes' ``values`` in every tile."""
        return np.where(self.nodes >= 0, values[self.nodes], -np.inf).max(axis=1)


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
        middle = _left_size(len(part))
        left = _smallest(points[part, widest_coordinate(sample)], middle)
        order[first:last] = np.concatenate([part[left], part[~left]])
        uncut += [(first, first + middle), (first + middle, last)]
    return order


def widest_coordinate(points: np.ndarray) -> int:
    """Return the coordinate with the largest variance, computed in double precision."""
    return int(np.argmax(points.astype(float).var(axis=0)))


def _left_size(n: int) -> int:
    """Return about half of ``n``, in whole tiles.

    Large parts are cut into whole blocks, so that the nodes that one thread solves for are near each other, too.
    """
    unit = BLOCK if n > BLOCK else SIZE
    return unit * -(-n // (2 * unit))


def _smallest(values: np.ndarray, number: int) -> np.ndarray:
    """Return a mask of the ``number`` smallest values; of equal values, the first count."""
    limit = np.partition(values, number - 1)[number - 1]
    chosen = values < limit
    chosen[np.flatnonzero(values == limit)[: number - np.count_nonzero(chosen)]] = True
    return chosen
