"""Where candidate pairs come from: a neighbor engine in memory, or a search on workers."""

from collections.abc import Callable
from typing import NamedTuple, Protocol

import numpy as np

from smoothgraph.pairs.in_memory import Pairs
from smoothgraph.pairs.local_scale import NEIGHBOR, local_scales
from smoothgraph.pairs.pair_set import PairSet
from smoothgraph.pairs.seam import CandidatePairs, Triples
from smoothgraph.search.engine import ScalableEngine

_ROUNDING = 1e-12  # of a distance with local scales
_SHARE = 1 / 8  # of the data, where the first neighbors are looked for
_FEW_NEW = 0.02  # of the pairs, below which no search from the ends of new pairs follows
FEW_MISSING = 1e-3  # of the pairs, below which a search without a proof is not repeated


class FirstPairs(NamedTuple):
    """A source, the pairs of likely nearest nodes, the largest of their distances at each node, and a reach.

    All pairs within the reach are there; where the search proves nothing, nearly all.
    """

    source: "PairSource"
    pairs: CandidatePairs
    near: np.ndarray
    reach: np.ndarray

    @classmethod
    def localize(cls, source: "PairSource", pairs: CandidatePairs, level: np.ndarray) -> "FirstPairs":
        """With local scales, from a source without, and all pairs with ``z_ij <= max(level_i, level_j)``, and more.

        A pair with ``z_ij < s_i s_j`` is within the square of the larger of its scales. So it is there, if the level
        is not below.
        """
        scale = local_scales(pairs)
        reach = np.where(scale**2 <= level * (1 + _ROUNDING), 1 - 2 * _ROUNDING, -np.inf)
        return cls(source.with_scale(scale), pairs.localize(scale), np.ones(len(scale)), reach)


class PairSource(Protocol):
    """Finds pairs by their distances ``z_ij``, which are ``(z_ij / (scale_i scale_j))^2`` if there is a scale."""

    @property
    def scale(self) -> np.ndarray | None:
        """What distances are divided by, at both of their nodes; None for nothing."""

    def with_scale(self, scale: np.ndarray) -> "PairSource":
        """The same source, with this scale."""

    def localize(self, k: int, share: float) -> FirstPairs:
        """The same source with local scales, and the likely ``k`` nearest of each node.

        If ``share`` is 1, the scales are exact. Otherwise they are those of the likely nearest.
        """

    @property
    def most_pairs(self) -> float:
        """How many pairs fit into memory."""

    def nearest(self, k: int, share: float) -> FirstPairs:
        """The likely ``k`` nearest of each node, from this source."""

    def within(self, reach: np.ndarray, nodes: np.ndarray) -> Triples:
        """All pairs of a few ``nodes`` with ``2 z_ij < reach_i + reach_j``, in memory."""

    def extend(
        self, pairs: CandidatePairs, reach: np.ndarray, nodes: np.ndarray | None, share: float
    ) -> CandidatePairs:
        """The pairs, and all pairs with ``2 z_ij < reach_i + reach_j`` (of ``nodes``, if given).

        With a ``share`` below 1, some of them may be missed.
        """

    def between(self, label: np.ndarray, level: np.ndarray, nodes: np.ndarray) -> Triples:
        """All pairs ``i, j`` of ``nodes`` with nodes of another label, with ``z_ij < level_i``."""

    def save(self, pairs: CandidatePairs) -> dict[str, np.ndarray]:
        """The pairs as arrays for a checkpoint."""

    def load(self, state: dict[str, np.ndarray]) -> CandidatePairs:
        """The pairs of a checkpoint."""


def likely_share(share: float) -> float:
    """The share of the data that shows the likely nearest neighbors."""
    return min(share, _SHARE)


class EngineSource:
    """Pairs that a neighbor engine finds, stored along the order that the engine prefers."""

    most_pairs = 2e8  # about 5 GB

    def __init__(self, engine: ScalableEngine, scale: np.ndarray | None = None) -> None:
        self._engine, self.scale = engine, scale

    def with_scale(self, scale: np.ndarray) -> "EngineSource":
        return EngineSource(self._engine.scale(scale), scale)

    def localize(self, k: int, share: float) -> FirstPairs:
        rank = min(NEIGHBOR, self._engine.n_nodes - 1)
        k = max(k, rank)
        ids, z = self._engine.nearest(k, likely_share(share))
        i = np.repeat(np.arange(len(ids), dtype=np.int32), k)
        pairs = self.store(i, ids.ravel(), z.ravel())
        if share < 1:
            return FirstPairs.localize(self, pairs, z.max(axis=1))
        level = np.sort(z, axis=1)[:, rank - 1]
        return FirstPairs.localize(self, pairs.extend(*self._engine.within_either(level)), level)

    def nearest(self, k: int, share: float) -> FirstPairs:
        ids, z = self._engine.nearest(k, likely_share(share))
        i = np.repeat(np.arange(len(ids), dtype=np.int32), k)
        near = z.max(axis=1)
        # A pair beyond the k nearest of both of its nodes is not within reach if that ends with the k nearest.
        reach = near if share < 1 else np.full(len(near), -np.inf)
        return FirstPairs(self, self.store(i, ids.ravel(), z.ravel()), near, reach)

    def store(self, i: np.ndarray, j: np.ndarray, z: np.ndarray) -> Pairs:
        """Pairs that were found, stored along the engine's order."""
        none = PairSet.from_pairs([], [], self._engine.n_nodes)
        return Pairs(none, np.zeros(0), self._engine.order).extend(i, j, z)

    def within(self, reach: np.ndarray, nodes: np.ndarray) -> Triples:
        return self._engine.within(reach, nodes)

    def between(self, label: np.ndarray, level: np.ndarray, nodes: np.ndarray) -> Triples:
        return self._engine.between(label, level, nodes)

    def extend(self, pairs: CandidatePairs, reach: np.ndarray, nodes: np.ndarray | None, share: float) -> Pairs:
        assert isinstance(pairs, Pairs), "an engine extends the pairs that it found"
        if share == 1:
            return pairs.extend(*self._engine.within(reach, nodes))

        def search(known: Pairs, nodes: np.ndarray | None) -> Triples:
            return self._engine.within_two_hops(reach, known.pattern, known.z, nodes)

        return extend_by_hops(pairs, nodes, search)

    def save(self, pairs: CandidatePairs) -> dict[str, np.ndarray]:
        assert isinstance(pairs, Pairs), "an engine saves the pairs that it found"
        pattern = {"indptr": pairs.pattern.indptr, "cols": pairs.pattern.cols, "z": pairs.z}
        return pattern if pairs.order is None else pattern | {"order": pairs.order}

    def load(self, state: dict[str, np.ndarray]) -> Pairs:
        pairs = load_pairs(state)
        if pairs.order is None or np.array_equal(pairs.order, self._engine.order):  # type: ignore[arg-type]
            return pairs
        return self.store(*pairs.ends(np.arange(pairs.n_pairs)), pairs.z)  # of another version's search


def load_pairs(state: dict[str, np.ndarray]) -> Pairs:
    """The pairs of a checkpoint, in the order in which they were stored."""
    pattern = PairSet(len(state["indptr"]) - 1, state["indptr"], state["cols"])
    return Pairs(pattern, state["z"], state.get("order"))


def extend_by_hops(
    pairs: Pairs, nodes: np.ndarray | None, search: Callable[[Pairs, np.ndarray | None], Triples]
) -> Pairs:
    """The pairs, and those that ``search(pairs, nodes)`` finds from all nodes, or from ``nodes``.

    New pairs may lead to more: the search is repeated from those of their ends, until it finds hardly any.
    """
    first = nodes
    while True:
        i, j, z = search(pairs, nodes)
        extended = pairs.extend(i, j, z)
        n_new = extended.n_pairs - pairs.n_pairs
        pairs = extended
        if n_new <= _FEW_NEW * pairs.n_pairs:
            return pairs
        nodes = np.unique(np.concatenate([i, j]))
        nodes = nodes if first is None else np.intersect1d(nodes, first, assume_unique=True)
