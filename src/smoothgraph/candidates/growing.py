"""Candidate edges of a graph that is being learned, and what is known of all other pairs.

A solution on some edges is optimal over all pairs if and only if no other pair has
``2 z_ij < u_i + u_j`` (for an edge prior with exact zeros).
"""

from typing import Any, NamedTuple, Protocol

import numpy as np

from smoothgraph.pairs.pattern import EdgeSet
from smoothgraph.search import NearPairs, TiledSearch

_MARGIN = 0.02  # of the local distances, by which the multipliers may still rise
_GROWTH = 4  # times as many edges after a pass as before, at most
_GROWTH_OF_ONLY_PASS = 8  # without a proof nothing comes after it
_NARROWEST = 2.0**-8
_FORESEEN = 50_000_000  # pairs looked at to foresee how many there are
_SAMPLE = 1000  # nodes whose missing neighbours are counted
_SHARE = 1 / 8  # of all tiles, where the first neighbours are looked for


class Violations(NamedTuple):
    """How many pairs outside the candidates would be edges, as estimated from some nodes."""

    pairs: float
    standard_error: float
    n_sampled: int

    def __str__(self) -> str:
        return f"{self.pairs:.3g} +- {self.standard_error:.2g} (from {self.n_sampled} nodes)"


class OrderedSearch:
    """A search for neighbours by ``metric``, its nodes numbered along ``order``."""

    most_pairs = 2e8  # about 5 GB

    def __init__(self, X: Any, metric: str) -> None:
        self._search = TiledSearch.of(X, metric)
        self.order = self._search.order
        self._position = np.argsort(self.order).astype(np.int32)

    def neighbors(self, k: int, share: float) -> tuple[EdgeSet, np.ndarray, np.ndarray]:
        """The likely ``k`` nearest as edges, their distances, and how far each node's reach."""
        ids, z = self._search.nearest(k, share)
        ids, z = self._position[ids[self.order]], z[self.order]
        i = np.repeat(np.arange(len(ids), dtype=np.int32), k)
        return *EdgeSet.with_values(i, ids.ravel(), z.ravel(), len(ids)), z.max(axis=1)

    def within(self, reach: np.ndarray, nodes: np.ndarray | None, share: float = 1.0) -> NearPairs:
        """All pairs ``2 z_ij < reach_i + reach_j``; see :meth:`TiledSearch.within`."""
        own = None if nodes is None else self.order[nodes]
        i, j, z = self._search.within(reach[self._position], own, share)
        return NearPairs(self._position[i], self._position[j], z)

    def extended(
        self,
        edges: EdgeSet,
        z: np.ndarray,
        reach: np.ndarray,
        nodes: np.ndarray | None,
        share: float,
    ) -> tuple[EdgeSet, np.ndarray]:
        """The edges and all pairs within ``reach``, with their distances."""
        i, j, more = self.within(reach, nodes, share)
        return EdgeSet.with_values(
            np.concatenate([edges.rows, i]),
            np.concatenate([edges.cols, j]),
            np.concatenate([z, more]),
            edges.n_nodes,
        )

    @staticmethod
    def saved(edges: EdgeSet, z: np.ndarray) -> dict[str, np.ndarray]:
        """The edges as arrays for a checkpoint."""
        return {"indptr": edges.indptr, "cols": edges.cols, "z": z}

    @staticmethod
    def loaded(state: dict[str, np.ndarray]) -> tuple[EdgeSet, np.ndarray]:
        """The edges of a checkpoint."""
        return EdgeSet(len(state["near"]), state["indptr"], state["cols"]), state["z"]


def estimated_violations(search: Any, edges: Any, u: np.ndarray) -> Violations:
    """The missing neighbours of some nodes, counted exactly, times the number of nodes."""
    sample = _some(np.arange(len(u)), _SAMPLE)
    i, j, _ = search.within(u, sample)
    missing = ~edges.contains(i, j)
    each = np.bincount(np.searchsorted(sample, i[missing]), minlength=len(sample))
    total = len(u) * each / 2  # a pair is missing at both of its ends
    error = np.std(total) * np.sqrt(1 / len(sample) - 1 / len(u))  # none if all were looked at
    return Violations(float(np.mean(total)), float(error), len(sample))


class Candidates(Protocol):
    """Edges with their distances, and the name of the way they were found.

    The nodes may be numbered anew, along ``order``.
    """

    edges: EdgeSet
    z: np.ndarray
    name: str
    order: np.ndarray | None

    @property
    def provisional(self) -> bool:
        """Whether pairs are sure to be added after the first solution."""

    def cover(self, u: np.ndarray) -> bool:
        """Whether nothing is to be added for the multipliers ``u``; otherwise it was added."""

    def violations(self, u: np.ndarray) -> Violations | None:
        """What is missing once all is covered; None if that cannot be known."""


class FixedCandidates:
    """All pairs, or those that someone chose."""

    order: np.ndarray | None = None
    provisional = False

    def __init__(self, edges: EdgeSet, z: np.ndarray, name: str) -> None:
        self.edges, self.z, self.name = edges, z, name

    def cover(self, u: np.ndarray) -> bool:
        """True: nothing is ever added."""
        return True

    def violations(self, u: np.ndarray) -> Violations | None:
        """None are missing if these are all pairs."""
        return NO_VIOLATIONS if self.edges.is_complete else None


class SampledCandidates(FixedCandidates):
    """Pairs that were found without proof; a sample of the nodes tells how many are missing."""

    def __init__(self, edges: EdgeSet, z: np.ndarray, name: str, search: OrderedSearch) -> None:
        super().__init__(edges, z, name)
        self._search, self.order = search, search.order

    def violations(self, u: np.ndarray) -> Violations:
        """An estimate."""
        return estimated_violations(self._search, self.edges, u)


class PricedCandidates:
    """Near pairs, and all pairs with ``2 z_ij < reach_i + reach_j``.

    Whatever is optimal on them at multipliers ``u <= reach`` is optimal over all pairs. If only
    a ``share`` of all tiles is looked at, that is not proved, and a sample tells what is missing.
    The search, and then the edges, are in memory or on workers.
    """

    def __init__(
        self,
        search: Any,
        k: int,
        density: float,
        *,
        share: float | None = None,
        state: dict[str, np.ndarray] | None = None,
    ) -> None:
        self._search = search
        self.order: np.ndarray | None = search.order
        self._share = 1.0 if share is None else share
        self.name = "exact search" if share is None else "approximate search"
        if state is not None:
            self._resume(state)
            return
        self.edges, self.z, self._near = search.neighbors(k, share or _SHARE)
        self._reach = np.full(len(self._near), -np.inf)
        self._margin = _MARGIN
        farther = 1.0
        wanted = min(density, len(self._near) - 1) * len(self._near) / 2
        while self.edges.n_edges < wanted:
            self._extend(farther * self._near, np.arange(len(self._near)))
            farther *= 1.5

    @property
    def state(self) -> dict[str, np.ndarray]:
        """All that a checkpoint must hold."""
        own = {"near": self._near, "reach": self._reach, "margin": np.array(self._margin)}
        return self._search.saved(self.edges, self.z) | own

    def _resume(self, state: dict[str, np.ndarray]) -> None:
        self.edges, self.z = self._search.loaded(state)
        self._near, self._reach = state["near"], state["reach"]
        self._margin = float(state["margin"])

    @property
    def provisional(self) -> bool:
        """Whether no pass over the pairs was made."""
        return not np.isfinite(self._reach[0])

    def cover(self, u: np.ndarray) -> bool:
        """Take in all pairs that ``u``, or multipliers a little larger, make edges of."""
        raised = np.flatnonzero(u > self._reach)
        unproved = self._share < 1 and not self.provisional  # one pass will do
        if raised.size == 0 or unproved:
            return True
        self._extend(u + self._margin * self._near, raised)
        self._margin *= 2  # later passes are over fewer nodes
        return False

    def _extend(self, reach: np.ndarray, raised: np.ndarray) -> None:
        """Let the nodes ``raised`` reach farther, as far as that is affordable."""
        goal = self._reach.copy()
        goal[raised] = reach[raised]
        goal = self._affordable(goal, raised)
        few = len(raised) < self.edges.n_nodes / 2
        nodes = raised if few else None
        self.edges, self.z = self._search.extended(self.edges, self.z, goal, nodes, self._share)
        self._reach = goal

    def violations(self, u: np.ndarray) -> Violations:
        """None, or an estimate."""
        return (
            NO_VIOLATIONS if self._share == 1 else estimated_violations(self._search, self.edges, u)
        )

    def _affordable(self, goal: np.ndarray, raised: np.ndarray) -> np.ndarray:
        """``goal``, or as far towards it as the edges may grow, by a sample of nodes."""
        growth = _GROWTH if self._share == 1 else _GROWTH_OF_ONLY_PASS
        sample = _some(raised, int(np.clip(_FORESEEN // len(goal), 16, 256)))
        i, j, z = self._search.within(goal, sample)
        most = growth * self.edges.n_edges * len(sample) / len(raised)
        floor = np.maximum(self._reach, np.minimum(self._near, goal))
        reach, share = goal, 1.0
        while (count := np.sum(2 * z < reach[i] + reach[j])) > most and share > _NARROWEST:
            share /= 2
            reach = floor + share * (goal - floor)
        expected = count * len(raised) / len(sample) / 2
        affordable = self._search.most_pairs
        if expected > affordable:
            raise ValueError(
                f"About {expected:.2g} pairs of nodes are as near as the graph's edges, more than "
                f"the {affordable:.2g} that fit into memory. Merge nodes at the same place, ask "
                "for a sparser graph, or name the pairs with a neighbours transformer."
            )
        return reach


NO_VIOLATIONS = Violations(0.0, 0.0, 0)


def _some(nodes: np.ndarray, size: int) -> np.ndarray:
    """At most ``size`` of the nodes, in order."""
    rng = np.random.default_rng(0)
    return np.sort(rng.choice(nodes, min(size, len(nodes)), replace=False))
