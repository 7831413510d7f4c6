"""Nodes in tiles of near ones, so that whole tiles can be passed over."""

from dataclasses import dataclass

import numpy as np

SIZE = 256  # nodes per tile: enough for a fast matrix product, few enough to be compact
_JUDGED = 256  # nodes that a cut is chosen on


@dataclass(frozen=True, eq=False)
class Tiles:
    """``nodes[t]`` lie within ``radii[t]`` of ``centres[t]``; a node of -1 is padding."""

    nodes: np.ndarray
    centres: np.ndarray
    radii: np.ndarray

    @classmethod
    def of(cls, points: np.ndarray, nodes: np.ndarray | None = None) -> "Tiles":
        """All points, or some, cut in two along their widest coordinate until a tile is left."""
        return cls.along(
            _in_order(points, np.arange(len(points)) if nodes is None else nodes), points
        )

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
        return cls(nodes, centres, radii)

    @property
    def order(self) -> np.ndarray:
        """All nodes, tile by tile."""
        return self.nodes[self.nodes >= 0]

    def distances_to(self, centre: np.ndarray) -> np.ndarray:
        """How far ``centre`` is from every tile's centre."""
        off = self.centres.astype(float) - centre
        return np.sqrt(np.einsum("ij,ij->i", off, off))

    def largest(self, values: np.ndarray) -> np.ndarray:
        """The largest of the nodes' ``values`` in every tile."""
        return np.where(self.nodes >= 0, values[self.nodes], -np.inf).max(axis=1)


def _in_order(points: np.ndarray, nodes: np.ndarray) -> np.ndarray:
    """The nodes in an order whose every ``SIZE`` neighbours in it are near each other."""
    rng = np.random.default_rng(0)
    order = nodes.astype(np.int32)
    uncut = [(0, len(order))]
    while uncut:
        first, last = uncut.pop()
        if last - first <= SIZE:
            continue
        part = order[first:last]
        judged = points[part[rng.integers(len(part), size=_JUDGED)]]
        along = points[part, np.argmax(judged.var(axis=0))]
        middle = SIZE * -(-(last - first) // (2 * SIZE))
        order[first:last] = part[np.argpartition(along, middle)]
        uncut += [(first, first + middle), (first + middle, last)]
    return order
