"""Where candidate pairs come from: a neighbor engine in memory, or a search on workers."""

from typing import Protocol

import numpy as np

from smoothgraph.pairs.in_memory import Pairs
from smoothgraph.pairs.pair_set import PairSet
from smoothgraph.pairs.seam import CandidatePairs
from smoothgraph.search.engine import NeighborEngine

Triples = tuple[np.ndarray, np.ndarray, np.ndarray]  # i, j and z of some pairs


class PairSource(Protocol):
    """Finds pairs by their distances."""

    @property
    def most_pairs(self) -> float:
        """How many pairs fit into memory."""

    def nearest(self, k: int, share: float) -> tuple[CandidatePairs, np.ndarray]:
        """The likely ``k`` nearest pairs of each node, and the largest of their distances."""

    def within(self, reach: np.ndarray, nodes: np.ndarray) -> Triples:
        """All pairs of a few ``nodes`` with ``2 z_ij < reach_i + reach_j``, in memory."""

    def extend(
        self, pairs: CandidatePairs, reach: np.ndarray, nodes: np.ndarray | None, share: float
    ) -> CandidatePairs:
        """The pairs, and all pairs with ``2 z_ij < reach_i + reach_j`` (of ``nodes``, if given).

        With a ``share`` below 1 only that share of the data is looked at, and pairs may be missed.
        """

    def save(self, pairs: CandidatePairs) -> dict[str, np.ndarray]:
        """The pairs as arrays for a checkpoint."""

    def load(self, state: dict[str, np.ndarray]) -> CandidatePairs:
        """The pairs of a checkpoint."""


class EngineSource:
    """Pairs that a neighbor engine finds, stored along the order that the engine prefers."""

    most_pairs = 2e8  # about 5 GB

    def __init__(self, engine: NeighborEngine) -> None:
        self._engine = engine

    def nearest(self, k: int, share: float) -> tuple[Pairs, np.ndarray]:
        ids, z = self._engine.nearest(k, share)
        i = np.repeat(np.arange(len(ids), dtype=np.int32), k)
        return self.store(i, ids.ravel(), z.ravel()), z.max(axis=1)

    def store(self, i: np.ndarray, j: np.ndarray, z: np.ndarray) -> Pairs:
        """Pairs that were found, stored along the engine's order."""
        none = PairSet.from_pairs([], [], self._engine.n_nodes)
        return Pairs(none, np.zeros(0), self._engine.order).extend(i, j, z)

    def within(self, reach: np.ndarray, nodes: np.ndarray) -> Triples:
        return self._engine.within(reach, nodes)

    def extend(self, pairs: CandidatePairs, reach: np.ndarray, nodes: np.ndarray | None, share: float) -> Pairs:
        assert isinstance(pairs, Pairs), "an engine extends the pairs that it found"
        return pairs.extend(*self._engine.within(reach, nodes, share))

    def save(self, pairs: CandidatePairs) -> dict[str, np.ndarray]:
        assert isinstance(pairs, Pairs), "an engine saves the pairs that it found"
        pattern = {"indptr": pairs.pattern.indptr, "cols": pairs.pattern.cols, "z": pairs.z}
        return pattern if pairs.order is None else pattern | {"order": pairs.order}

    def load(self, state: dict[str, np.ndarray]) -> Pairs:
        pattern = PairSet(len(state["indptr"]) - 1, state["indptr"], state["cols"])
        return Pairs(pattern, state["z"], state.get("order"))
