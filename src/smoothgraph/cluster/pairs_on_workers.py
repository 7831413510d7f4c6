"""Candidate pairs on the workers of a Dask cluster.

Partitions are futures, and every question is an ordinary task on each of them, whose result depends on nothing but
its inputs. So Dask itself computes again what a dead worker held.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from operator import attrgetter
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components, minimum_spanning_tree

from smoothgraph.cluster.client import Client
from smoothgraph.cluster.futures import Future, gather, submit
from smoothgraph.cluster.graph_on_workers import GraphOnWorkers
from smoothgraph.cluster.layout import Layout
from smoothgraph.cluster.partitions import Bounds, Facts, Triples, counted_triples, edge_triples
from smoothgraph.cluster.terms_on_workers import TermsOnWorkers
from smoothgraph.pairs.in_memory import Pairs
from smoothgraph.pairs.pair_set import PairSet
from smoothgraph.pairs.seam import CandidatePairs, Totals
from smoothgraph.priors.prior import EdgePrior


@dataclass(frozen=True, eq=False)
class PairsOnWorkers(CandidatePairs):
    """Candidate pairs in partitions; each of ``parts`` is a future of :class:`Pairs`."""

    layout: Layout
    parts: Sequence[Future]

    @classmethod
    def of(
        cls, client: Client, order: np.ndarray, bounds: Sequence[Bounds], made: Sequence[Future]
    ) -> "PairsOnWorkers":
        """From futures of :class:`Partition`, one for each of the ``bounds``."""
        nodes = [submit(client, "nodes", attrgetter("nodes"), partition) for partition in made]
        layout = Layout(client, order, bounds, gather(client, nodes, "pairs"))
        return cls(layout, layout.submit("pairs", attrgetter("pairs"), made))

    # -- what there is -------------------------------------------------------

    @cached_property
    def _facts(self) -> list[Facts]:
        return self.layout.ask("facts", Facts.of, self.parts)

    @property
    def n_nodes(self) -> int:  # type: ignore[override]
        """The number of nodes."""
        return len(self.layout.order)

    @property
    def n_pairs(self) -> int:
        return sum(facts.n_pairs for facts in self._facts)

    @property
    def distance_range(self) -> tuple[float, float]:
        return min(facts.low for facts in self._facts), max(facts.high for facts in self._facts)

    @property
    def pairs_per_node(self) -> tuple[int, int]:
        return min(facts.fewest for facts in self._facts), max(f.most for f in self._facts)

    def lone_nodes(self) -> np.ndarray:
        return np.flatnonzero(self.layout.ask_nodes("counts", attrgetter("pattern.counts"), self.parts) == 0)

    def nearest(self, k: int, f: EdgePrior | None = None) -> np.ndarray:
        by_cost = f is not None and bool(np.any(f.threshold))
        known = {} if by_cost else self._nearest
        if k not in known:
            same = self.layout.same
            known[k] = self.layout.ask_nodes("nearest", Pairs.nearest, self.parts, same(k), same(f))
        return known[k]

    @cached_property
    def _nearest(self) -> dict[int, np.ndarray]:
        return {}

    def shortest_between(self, label: np.ndarray) -> Triples:
        i, j, z = self.layout.ask_triples("bridges", _shortest, self.parts, self.layout.split(label))
        return self.layout.order[i], self.layout.order[j], z

    def contains(self, i: np.ndarray, j: np.ndarray) -> np.ndarray:
        places, first, second = self.layout.local(i, j)
        found = np.zeros(len(i), dtype=bool)
        for here, answer in zip(places, self._ask("contains", Pairs.contains, first, second), strict=True):
            found[here] |= answer
        return found

    def largest_pair_sum(self, y: np.ndarray) -> float:
        return max(self._ask("sums", Pairs.largest_pair_sum, self.layout.split(y)))

    # -- parts and relatives -------------------------------------------------

    def select(self, f: EdgePrior, reach: np.ndarray, near: np.ndarray) -> "PairsOnWorkers":
        split = self.layout.split(reach), self.layout.split(near)
        parts = self._submit("select", Pairs.select, self.layout.same(f), *split)
        return replace(self, parts=parts)

    def count_below(self, f: EdgePrior, u: np.ndarray) -> int:
        split = self.layout.split(u)
        return sum(self._ask("count", Pairs.count_below, self.layout.same(f), split))

    def scale(self, factor: float) -> "PairsOnWorkers":
        if factor == 1:
            return self
        return replace(self, parts=self._submit("scale", Pairs.scale, self.layout.same(factor)))

    def localize(self, scale: np.ndarray) -> "PairsOnWorkers":
        return replace(self, parts=self._submit("scale", Pairs.localize, self.layout.split(scale)))

    def gather(self) -> Pairs:
        return self.gather_stored().gather()

    def gather_stored(self) -> Pairs:
        """The pairs in memory, stored along the order of the partitions."""
        triples = self.layout.ask_triples("gather", _distances, self.parts)
        return Pairs(*PairSet.with_values(*triples, self.n_nodes), self.layout.order)

    # -- the dual ------------------------------------------------------------

    def evaluate(self, f: EdgePrior, u: np.ndarray, tail: np.ndarray) -> TermsOnWorkers:
        return TermsOnWorkers(self.layout, self.parts, f, u, tail)

    # -- weights: a future of an array for each partition --------------------

    def totals(self, f: EdgePrior, w: Sequence[Future]) -> Totals:
        degrees, sums = self.layout.ask_sums("totals", Pairs.totals, self.parts, self.layout.same(f), w)
        return Totals(degrees, *sums)

    def multiply(self, w: Sequence[Future], factor: float) -> Sequence[Future]:
        if factor == 1:
            return w
        return self._submit("weights", Pairs.multiply, w, self.layout.same(factor))

    def expand(self, part: CandidatePairs, w: Sequence[Future]) -> Sequence[Future]:
        assert isinstance(part, PairsOnWorkers), "a part of these pairs"
        return w if part is self else self._submit("weights", Pairs.expand, part.parts, w)

    def drop_zeros(self, w: Sequence[Future]) -> "tuple[PairsOnWorkers, Sequence[Future]]":
        return self, w

    def components(self, w: Sequence[Future]) -> np.ndarray:
        i, j, _ = self.layout.ask_triples("components", _forest, self.parts, w)
        ends = self.layout.order[i], self.layout.order[j]
        matrix = sp.coo_array((np.ones(len(i)), ends), shape=(self.n_nodes, self.n_nodes))
        return connected_components(matrix, directed=False)[1]

    def smallest_weights(self, w: Sequence[Future]) -> np.ndarray:
        return self.layout.ask_nodes("smallest", Pairs.smallest_weights, self.parts, w)

    def adjacency(self, w: Sequence[Future]) -> sp.csr_array:
        triples = self.layout.ask_triples("edges", edge_triples, self.parts, w)
        pattern, weights = PairSet.with_values(*triples, self.n_nodes)
        return Pairs(pattern, weights, self.layout.order).adjacency(weights)

    def send_weights(self, i: np.ndarray, j: np.ndarray, w: np.ndarray) -> Sequence[Future]:
        """The weights ``w`` of some of these pairs, ``i, j`` in the numbers of rows, and zeros for all others."""
        places, first, second = self.layout.local(i, j)
        return self._submit("weights", _place, first, second, [w[here] for here in places])

    def fitted_attributes(self, w: Sequence[Future], bridges: Triples) -> dict[str, Any]:
        return {"graph_": GraphOnWorkers(self, w, bridges)}

    # -- tasks ---------------------------------------------------------------

    def _submit(self, name: str, task: Callable[..., Any], *columns: Sequence[Any]) -> list[Future]:
        return self.layout.submit(name, task, self.parts, *columns)

    def _ask(self, name: str, task: Callable[..., Any], *columns: Sequence[Any]) -> list[Any]:
        return self.layout.ask(name, task, self.parts, *columns)


def _distances(pairs: Pairs, nodes: np.ndarray) -> Triples:
    return counted_triples(pairs, nodes, pairs.z)


def _shortest(pairs: Pairs, nodes: np.ndarray, label: np.ndarray) -> Triples:
    i, j, z = pairs.shortest_between(label)
    return nodes[i], nodes[j], z


def _forest(pairs: Pairs, nodes: np.ndarray, w: np.ndarray) -> Triples:
    """A spanning forest of a partition's edges: as many as there are nodes, at most."""
    i, j, w = edge_triples(pairs, np.arange(len(nodes)), w)
    edges = sp.coo_array((np.ones(len(i)), (i, j)), shape=(len(nodes), len(nodes)))
    forest = minimum_spanning_tree(edges.tocsr()).tocoo()
    return nodes[forest.row], nodes[forest.col], forest.data


def _place(pairs: Pairs, i: np.ndarray, j: np.ndarray, w: np.ndarray) -> np.ndarray:
    weights = np.zeros(pairs.pattern.n_pairs)
    weights[pairs.pattern.positions(i, j)] = w
    return weights
