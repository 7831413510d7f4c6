"""The protocol of a neighbor search: all that a graph proved exact over all pairs needs.

A solution on some candidate pairs is optimal over all pairs if and only if no other pair has ``2 z_ij < u_i +
u_j``, where ``u`` are the multipliers of the solution. So the learner asks an engine twice. It asks for the likely
nearest neighbors of every node to start from, which may be wrong, and then for *all* pairs within reach of ``u``,
where nothing may be missing. Any engine that keeps this promise gives a graph that is proved exact, whatever the
data are: strings, sequences, or points with a metric of their own.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np

from smoothgraph.pairs.pair_set import PairSet


class NearPairs(NamedTuple):
    """Pairs of nodes ``i[e], j[e]`` and their distances ``z[e]``."""

    i: np.ndarray
    j: np.ndarray
    z: np.ndarray

    @classmethod
    def concatenate(cls, parts: Sequence[tuple[np.ndarray, np.ndarray, np.ndarray]]) -> "NearPairs":
        """Join lists of pairs, of which there may be none."""
        empty = cls(np.zeros(0, np.int32), np.zeros(0, np.int32), np.zeros(0))
        return cls(*(np.concatenate(column) for column in zip(empty, *parts, strict=True)))


@runtime_checkable
class NeighborEngine(Protocol):
    """A search for neighbors among ``n_nodes`` nodes, numbered from 0.

    ``order`` is a numbering in which near nodes are close together: the node at position ``p`` is ``order[p]``.
    Pairs are stored along it, because neighbors are then found in the processor's cache. Use None if there is no
    such numbering. All arguments and results use the nodes' own numbers.

    Distances must be symmetric, finite and not negative, and both methods must return the same one for a pair. They
    need not be squared, nor satisfy the triangle inequality. An answer that is impossible is an InputError.
    """

    @property
    def n_nodes(self) -> int:
        """The number of nodes."""

    @property
    def order(self) -> np.ndarray | None:
        """The node at each position of a numbering that keeps near nodes close, or None."""

    def nearest(self, k: int, share: float) -> tuple[np.ndarray, np.ndarray]:
        """Return the likely ``k`` nearest other nodes of each node, and their distances.

        Both arrays have the shape (n_nodes, k). The neighbors of a node are distinct, in any order, and never the
        node itself. A node that is not among the nearest costs time, never exactness, but its distance must be
        true. With a ``share`` below 1, the engine may look at that part of the data only; it may ignore ``share``.
        """

    def within(self, reach: np.ndarray, nodes: np.ndarray | None = None) -> NearPairs:
        """Return **all** pairs with ``2 z_ij < reach_i + reach_j``.

        ``reach`` has one number per node, which may be negative or minus infinity. Each pair comes once, in either
        direction. With ``nodes``, the result holds the pairs ``i, j`` of each of these ``i`` with any other node
        ``j``; a pair of two of them comes twice.
        """


class ScalableEngine(NeighborEngine, Protocol):
    """An engine whose distances can have a scale per node; engines that users write need not be."""

    def scale(self, scale: np.ndarray) -> "ScalableEngine":
        """Return the same engine with distances ``(z_ij / (scale_i scale_j))^2``, whatever their scales were before."""

    def within_two_hops(
        self, reach: np.ndarray, pattern: PairSet, z: np.ndarray, nodes: np.ndarray | None = None
    ) -> NearPairs:
        """Return likely pairs of all nodes, or of ``nodes``, with ``2 z_ij < reach_i + reach_j``.

        A pair is likely if both nodes have a pair in ``pattern`` with some other node that is near. The pattern
        numbers the nodes along ``order``, and ``z`` are the distances of its pairs. A likely pair may come twice, and
        known ones may be left out.
        """

    def within_either(self, level: np.ndarray) -> NearPairs:
        """Return all pairs with ``z_ij <= level_i`` or ``z_ij <= level_j``, before any scaling."""

    def between(self, label: np.ndarray, level: np.ndarray, nodes: np.ndarray) -> NearPairs:
        """Return all pairs ``i, j`` of ``nodes`` with nodes of another label, with ``z_ij < level_i``."""
