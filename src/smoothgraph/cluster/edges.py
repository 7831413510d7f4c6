"""Candidate edges in blocks on the workers, as the client sees them."""

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

import numpy as np

from smoothgraph.cluster.client import Client
from smoothgraph.cluster.crew import Crew, home_of
from smoothgraph.cluster.entries import assembled, between, crossing
from smoothgraph.cluster.needs import enough_workers
from smoothgraph.cluster.tasks import Future, submitted
from smoothgraph.problem import Problem


class FoundPairs(NamedTuple):
    """A future of pairs: ``homes`` are the blocks that need most; others some, if ``elsewhere``."""

    pairs: Future
    homes: Collection[int] = ()
    elsewhere: bool = True


class RemoteEdges:
    """Candidate edges of ``n_nodes`` nodes, those of the nodes ``bounds[b]`` in block ``b``."""

    def __init__(
        self, client: Client, recipes: Sequence[Any], bounds: Sequence[tuple[int, int]]
    ) -> None:
        self.client, self.bounds = client, list(bounds)
        self.n_nodes = self.bounds[-1][1]
        self.crew = Crew(client, recipes)
        facts = self.crew.call("facts")
        self._halos = [fact["halo"] for fact in facts]
        self.n_edges = sum(fact["n_ends"] for fact in facts) // 2
        self.most_at_a_node = max(fact["most"] for fact in facts)
        self.has_lone_nodes = min(fact["fewest"] for fact in facts) == 0
        self.range = min(f["low"] for f in facts), max(f["high"] for f in facts)
        self._nearest: dict[tuple[int, float], np.ndarray] = {}

    @classmethod
    def of_pairs(
        cls,
        client: Client,
        parts: Sequence[FoundPairs],
        bounds: Sequence[tuple[int, int]],
        known: "RemoteEdges | None" = None,
    ) -> "RemoteEdges":
        """From pairs that were found, and the edges that are known already, in any blocks."""
        workers = enough_workers(client)
        recipes = [
            client.submit(
                assembled,
                bound,
                [
                    part.pairs
                    if block in part.homes
                    else submitted(client, "crossing", crossing, part.pairs, bound)
                    for part in parts
                    if block in part.homes or part.elsewhere
                ],
                [] if known is None else known._between(bound),
                pure=False,
                workers=[home_of(block, workers)],
                allow_other_workers=True,
            )
            for block, bound in enumerate(bounds)
        ]
        if known is not None:
            known.crew.close()
        return cls(client, recipes, bounds)

    def _between(self, bounds: tuple[int, int]) -> list[Future]:
        """The edges of nodes within bounds, by the blocks that have them."""
        return [
            recipe if own == bounds else submitted(self.client, "rows", between, recipe, bounds)
            for own, recipe in zip(self.bounds, self.crew.recipes, strict=True)
            if own[0] < bounds[1] and bounds[0] < own[1]
        ]

    # -- vectors out and back ------------------------------------------------

    def local(self, x: np.ndarray) -> list[np.ndarray]:
        """The part of ``x`` that each block needs: its own nodes, then its halo."""
        return [
            np.concatenate([x[first:last], x[halo]])
            for (first, last), halo in zip(self.bounds, self._halos, strict=True)
        ]

    def own(self, x: np.ndarray) -> list[np.ndarray]:
        """The part of ``x`` that is each block's own."""
        return [x[first:last] for first, last in self.bounds]

    # -- what a problem asks for ---------------------------------------------

    def problem(self, z: "RemoteDistances", **priors: Any) -> Problem:
        """The problem on these edges."""
        from smoothgraph.cluster.problem import RemoteProblem  # which builds on this module

        return RemoteProblem(self, z, **priors)

    def nearest(self, k: int, scale: float) -> np.ndarray:
        """The ``k`` smallest distances at each node, times ``scale``."""
        if (k, scale) not in self._nearest:
            parts = self.crew.call("nearest", [(k, scale)] * len(self.crew))
            self._nearest[k, scale] = np.concatenate(parts)
        return self._nearest[k, scale]

    def largest_pair_sum(self, u: np.ndarray) -> float:
        """The largest ``u_i + u_j`` of any edge of the working set."""
        return max(self.crew.call("largest_pair_sum", [(part,) for part in self.local(u)]))

    def contains(self, i: np.ndarray, j: np.ndarray) -> np.ndarray:
        """Whether each of the pairs is here."""
        inside = [(i >= first) & (i < last) for first, last in self.bounds]
        parts = self.crew.call("contains", [(i[here], j[here]) for here in inside])
        found = np.zeros(len(i), dtype=bool)
        for here, part in zip(inside, parts, strict=True):
            found[here] = part
        return found


class RemoteDistances:
    """The distances of edges on workers, times ``scale``."""

    is_remote = True

    def __init__(self, edges: RemoteEdges, scale: float = 1.0) -> None:
        self.edges, self.scale = edges, scale

    def max(self, **_: Any) -> float:
        """The largest."""
        return self.scale * self.edges.range[1]

    def min(self, **_: Any) -> float:
        """The smallest."""
        return self.scale * self.edges.range[0]

    def __rmul__(self, factor: float) -> "RemoteDistances":
        return RemoteDistances(self.edges, factor * self.scale)

    def __truediv__(self, unit: float) -> "RemoteDistances":
        return RemoteDistances(self.edges, self.scale / unit)
