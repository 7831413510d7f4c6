"""Nodes in tiles of near ones, so that whole tiles can be passed over."""

from dataclasses import dataclass

import numpy as np

from smoothgraph.search.balls import Balls
from smoothgraph.support.blocks import BLOCK

SIZE = 256  # nodes per tile: enough for a fast matrix product, few enough to be compact
_JUDGED = 256  # nodes that a cut is chosen on


@dataclass(frozen=True, eq=False)
class Tiles:
    """``nodes[t]`` lie in the ball ``t``; a node of -1 is padding."""

    nodes: np.ndarray
    balls: Balls

    @classmethod
    def of(cls, points: np.ndarray, nodes: np.ndarray | None = None) -> "Tiles":
        """All points, or some, cut in two along their widest coordinate until a tile is left."""
        order = in_order(points, np.arange(len(points)) if nodes is None else nodes)
        return cls.along(order, points)

    @classmethod
    def along(cls, order: np.ndarray, points: np.ndarray) -> "Tiles":
        """Nodes that are in order already."""
        nodes = np.full((-(-len(order) // SIZE), SIZE), -1, dtype=np.int32)
        nodes.ravel()[: len(order)] = order
        centres = np.empty((len(nodes), points.shape[1]), dtype=np.float32)
        radii = np.empty(len(nodes))
        for tile, members in enumerate(nodes):
            inside = points[members[members >= 0]].astype(float)
            centres[tile] = inside.mean(axis=0)
            off = inside - centres[tile]
            radii[tile] = np.sqrt(np.einsum("ij,ij->i", off, off).max())
        return cls(nodes, Balls(centres, radii))

    @property
    def order(self) -> np.ndarray:
        """All nodes, tile by tile."""
        return self.nodes[self.nodes >= 0]

    def largest(self, values: np.ndarray) -> np.ndarray:
        """The largest of the nodes' ``values`` in every tile."""
        return np.where(self.nodes >= 0, values[self.nodes], -np.inf).max(axis=1)


def in_order(points: np.ndarray, nodes: np.ndarray) -> np.ndarray:
    """The nodes in an order whose every ``SIZE`` neighbours in it are near each other.

    Each part is cut along its widest coordinate, judged on some of its nodes: the first part
    are the smallest by coordinate, then by node. It depends on the set of nodes alone, and each
    of the two parts is put in order as it would be by itself.
    """
    order = np.sort(nodes).astype(np.int32)
    uncut = [(0, len(order))]
    while uncut:
        first, last = uncut.pop()
        if last - first <= SIZE:
            continue
        part = order[first:last]
        judged = points[part[judged_ranks(len(part))]]
        middle = first_part(len(part))
        left = _smallest(points[part, widest(judged)], middle)
        order[first:last] = np.concatenate([part[left], part[~left]])
        uncut += [(first, first + middle), (first + middle, last)]
    return order


def judged_ranks(n: int) -> np.ndarray:
    """Which of ``n`` nodes in increasing order a cut is chosen on: evenly spaced ones."""
    size = min(n, _JUDGED)
    return np.arange(size) * n // size


def widest(points: np.ndarray) -> int:
    """The coordinate with the largest variance, in double precision; of equal ones the first."""
    return int(np.argmax(np.array(points, dtype=float, order="C").var(axis=0)))


def first_part(n: int) -> int:
    """How many of ``n`` nodes come before a cut: about half, in whole blocks or else tiles."""
    unit = BLOCK if n > BLOCK else SIZE
    return unit * -(-n // (2 * unit))


def _smallest(values: np.ndarray, number: int) -> np.ndarray:
    """A mask of the ``number`` smallest values, of equal ones the first."""
    limit = np.partition(values, number - 1)[number - 1]
    chosen = values < limit
    chosen[np.flatnonzero(values == limit)[: number - np.count_nonzero(chosen)]] = True
    return chosen
