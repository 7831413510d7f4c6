"""The nearest neighbors of every node, and graphs made of weights that each node gives its own neighbors."""

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from smoothgraph.estimators.graph_method import GraphMethod, MethodResult
from smoothgraph.pairs.pair_set import PairSet
from smoothgraph.search import TiledSearch
from smoothgraph.support.checks import check_count


class Neighbors(NamedTuple):
    """The k nearest other nodes of each node, nearest first, and their squared distances: two (m, k) arrays."""

    ids: np.ndarray
    z: np.ndarray

    @classmethod
    def of(cls, table: np.ndarray, k: int) -> "Neighbors":
        """Return the ``k`` nearest rows of every row, or all others if there are fewer.

        Of rows at the same distance, those with the smallest numbers come first.
        """
        scaled, unit = in_range(table)
        ids, z = TiledSearch.of(scaled).exact_nearest(min(k, len(table) - 1))
        return cls(ids, z * unit**2)

    def first(self, k: int) -> "Neighbors":
        """Return the ``k`` nearest of these."""
        return Neighbors(self.ids[:, :k], self.z[:, :k])

    def pairs(self) -> PairSet:
        """Return the pairs of every node with its neighbors."""
        i = np.repeat(np.arange(len(self.ids)), self.ids.shape[1])
        return PairSet.from_pairs(i, self.ids.ravel(), len(self.ids))

    def matrix(self, values: np.ndarray) -> sp.csr_array:
        """Return values of neighbors, an (m, k) array, as a matrix with one row per node."""
        m, k = self.ids.shape
        return sp.csr_array((values.ravel(), self.ids.ravel(), np.arange(0, m * k + 1, k)), shape=(m, m))

    def both_ways(self, values: np.ndarray) -> tuple[PairSet, np.ndarray, np.ndarray]:
        """Return the pairs, and the values that each of their two ends gives the other; 0 if it does not list it."""
        pairs, directed = self.pairs(), self.matrix(values)
        there, back = directed[pairs.rows, pairs.cols], directed[pairs.cols, pairs.rows]
        return pairs, np.asarray(there).ravel(), np.asarray(back).ravel()

    def join(
        self, values: np.ndarray, rule: Callable[[np.ndarray, np.ndarray], np.ndarray], **attributes: Any
    ) -> MethodResult:
        """Return the graph whose weights are ``rule(w_ij, w_ji)`` of the directed weights ``values``."""
        pairs, there, back = self.both_ways(values)
        return MethodResult(pairs, rule(there, back), attributes)


def in_range(table: np.ndarray) -> tuple[np.ndarray, float]:
    """Return a table near 1 in size, and the power of two that it was divided by: the search uses single precision."""
    centered = table - table[0]
    unit = float(np.exp2(np.frexp(np.max(np.abs(centered)) or 1.0)[1]))
    return np.ascontiguousarray(centered / unit), unit


def positive_scales(scales: np.ndarray) -> np.ndarray:
    """Return the scales of nodes; the smallest positive one where so many nodes coincide that the scale is 0."""
    positive = scales[scales > 0]
    return np.where(scales > 0, scales, np.min(positive) if positive.size else 1.0)


def mean(there: np.ndarray, back: np.ndarray) -> np.ndarray:
    """Return ``(w_ij + w_ji) / 2``."""
    return (there + back) / 2


@dataclass(eq=False, repr=False)
class NeighborListGraph(GraphMethod):
    """A graph on the lists of the k nearest neighbors of every node."""

    n_neighbors: int = 10
    _: KW_ONLY
    nodes: str = "rows"

    fewest = 1
    """The smallest ``n_neighbors``."""

    def _find(self, table: np.ndarray) -> MethodResult:
        return self.join(table, Neighbors.of(table, self.list_length()))

    def list_length(self) -> int:
        """Return how many neighbors of each node :meth:`join` needs."""
        return check_count("n_neighbors", self.n_neighbors, minimum=self.fewest)

    @abstractmethod
    def join(self, table: np.ndarray, neighbors: Neighbors) -> MethodResult:
        """Return the graph of the rows of ``table`` whose nearest neighbors are known."""
