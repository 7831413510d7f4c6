"""Candidate pairs on the workers of a Dask cluster.

Partitions are futures, and every question is an ordinary task on each of them, whose result depends on nothing but
its inputs. So Dask itself computes again what a dead worker held. A vector goes out as the part that each partition
needs, and comes back as one number per own node.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from operator import attrgetter
from typing import Any

import numpy as np
import scipy.sparse as sp

from smoothgraph.cluster.client import Client, check_open
from smoothgraph.cluster.futures import Future, fetch, gather, submit
from smoothgraph.cluster.graph_on_workers import GraphOnWorkers
from smoothgraph.cluster.partitions import Bounds, Facts, Triples, counted_triples, edge_triples, own_part
from smoothgraph.pairs.in_memory import CurvatureInMemory, Pairs, TermsInMemory
from smoothgraph.pairs.pair_set import PairSet
from smoothgraph.pairs.seam import Balance, CandidatePairs, EdgeCurvature, EdgeTerms, Sweeper, Totals
from smoothgraph.pairs.sweep_kernels import Wanted
from smoothgraph.pairs.sweeps import SweeperInMemory
from smoothgraph.priors.prior import EdgePrior

_EXCHANGES = 10  # of multipliers between partitions in a sweep, at most


@dataclass(frozen=True, eq=False)
class Layout:
    """Which nodes each partition has: ``order`` are the rows in the order of the partitions.

    Partition ``b`` owns the positions ``bounds[b]`` of that order, and has ``nodes[b]`` in all.
    """

    client: Client
    order: np.ndarray
    bounds: Sequence[Bounds]
    nodes: Sequence[np.ndarray]

    def split(self, x: np.ndarray | None) -> list[Any]:
        """The part of a vector over the nodes that each partition needs."""
        if x is None:
            return [None] * len(self.nodes)
        stored = x[self.order]
        return [stored[nodes] for nodes in self.nodes]

    def join(self, parts: Sequence[np.ndarray]) -> np.ndarray:
        """One vector over the nodes, from the numbers at each partition's own nodes."""
        stored = np.concatenate(parts)
        x = np.empty_like(stored)
        x[self.order] = stored
        return x

    @cached_property
    def place(self) -> np.ndarray:
        """The position of each row in ``order``."""
        return np.argsort(self.order)

    def submit(self, name: str, task: Callable[..., Any], *columns: Sequence[Any]) -> list[Future]:
        """A future of ``task(*row)`` for each partition's row of arguments."""
        return [submit(self.client, name, task, *row) for row in zip(*columns, strict=True)]

    def ask(self, name: str, task: Callable[..., Any], *columns: Sequence[Any]) -> list[Any]:
        """``task(*row)`` for each partition's row of arguments."""
        check_open(self.client)
        return fetch(self.client, self.submit(name, task, *columns))

    def same(self, value: Any) -> list[Any]:
        """The same argument for each partition."""
        return [value] * len(self.nodes)


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
        return np.flatnonzero(self.layout.join(self._ask("counts", _counts)) == 0)

    def nearest(self, k: int, f: EdgePrior | None = None) -> np.ndarray:
        by_cost = f is not None and bool(np.any(f.threshold))
        known = self._nearest
        if by_cost or k not in known:
            parts = self._ask("nearest", _nearest, self.layout.same(k), self.layout.same(f))
            found = self.layout.join(parts)
            if by_cost:
                return found
            known[k] = found
        return known[k]

    @cached_property
    def _nearest(self) -> dict[int, np.ndarray]:
        return {}

    def contains(self, i: np.ndarray, j: np.ndarray) -> np.ndarray:
        place, found = self.layout.place, np.zeros(len(i), dtype=bool)
        first, second = place[i], place[j]
        asked, local = [], []
        for (begin, end), nodes in zip(self.layout.bounds, self.layout.nodes, strict=True):
            at = np.minimum(np.searchsorted(nodes, second), len(nodes) - 1)
            here = np.flatnonzero((begin <= first) & (first < end) & (nodes[at] == second))
            asked.append(here)
            local.append((np.searchsorted(nodes, first[here]), at[here]))
        for here, answer in zip(asked, self._ask("contains", _contains, local), strict=True):
            found[here] = answer
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

    def gather(self) -> Pairs:
        triples = self._ask("gather", _distance_triples, self.layout.nodes)
        return Pairs(*PairSet.with_values(*self._join_triples(triples), self.n_nodes))

    # -- the dual ------------------------------------------------------------

    def evaluate(self, f: EdgePrior, u: np.ndarray, tail: np.ndarray) -> "TermsOnWorkers":
        return TermsOnWorkers(self, f, u, tail)

    def sweeper(self, f: EdgePrior) -> "SweeperOnWorkers":
        return SweeperOnWorkers(self, f)

    # -- weights: a future of an array for each partition --------------------

    def totals(self, f: EdgePrior, w: Sequence[Future]) -> Totals:
        parts = self._ask("totals", _totals, self.layout.same(f), w)
        degrees, *sums = zip(*parts, strict=True)
        distance, value, n_edges = map(sum, sums)
        return Totals(self.layout.join(degrees), distance, value, n_edges)

    def multiply(self, w: Sequence[Future], factor: float) -> Sequence[Future]:
        if factor == 1:
            return w
        return self._submit("weights", Pairs.multiply, w, self.layout.same(factor))

    def expand(self, part: CandidatePairs, w: Sequence[Future]) -> Sequence[Future]:
        assert isinstance(part, PairsOnWorkers), "a part of these pairs"
        return w if part is self else self._submit("weights", Pairs.expand, part.parts, w)

    def drop_zeros(self, w: Sequence[Future]) -> "tuple[PairsOnWorkers, Sequence[Future]]":
        return self, w

    def adjacency(self, w: Sequence[Future]) -> sp.csr_array:
        triples = self._ask("edges", edge_triples, self.layout.nodes, w)
        pattern, weights = PairSet.with_values(*self._join_triples(triples), self.n_nodes)
        return pattern.adjacency(weights)

    def fitted_attributes(self, w: Sequence[Future]) -> dict[str, Any]:
        return {"graph_": GraphOnWorkers(self, w)}

    # -- tasks ---------------------------------------------------------------

    def _submit(self, name: str, task: Callable[..., Any], *columns: Sequence[Any]) -> list[Future]:
        return self.layout.submit(name, task, self.parts, *columns)

    def _ask(self, name: str, task: Callable[..., Any], *columns: Sequence[Any]) -> list[Any]:
        return self.layout.ask(name, task, self.parts, *columns)

    def _join_triples(self, parts: Sequence[Triples]) -> Triples:
        """All triples, in the order of the rows."""
        i, j, values = (np.concatenate(column) for column in zip(*parts, strict=True))
        return self.layout.order[i], self.layout.order[j], values


@dataclass(frozen=True, eq=False)
class TermsOnWorkers(EdgeTerms):
    """What pairs on workers contribute to the dual at one ``u``."""

    pairs: PairsOnWorkers
    f: EdgePrior
    u: np.ndarray
    tail: np.ndarray

    @cached_property
    def _point(self) -> tuple[Sequence[Any], ...]:
        """The edge prior and the multipliers, for each partition."""
        layout = self.pairs.layout
        tail = self.tail if np.any(self.tail) else None
        return layout.same(self.f), layout.split(self.u), layout.split(tail)

    @cached_property
    def _sums(self) -> tuple[np.ndarray, float]:
        parts = self.pairs._ask("dual", _sums, *self._point)
        degrees, conjugates = zip(*parts, strict=True)
        return self.pairs.layout.join(degrees), float(sum(conjugates))

    @property
    def degrees(self) -> np.ndarray:
        return self._sums[0]

    @property
    def conjugate(self) -> float:
        return self._sums[1]

    @cached_property
    def weights(self) -> Sequence[Future]:
        return self.pairs._submit("weights", _weights, *self._point)

    def balance(self, balance: Balance) -> Sequence[Future]:
        columns = (self.pairs.layout.split(x) for x in balance)
        balances = [Balance(*row) for row in zip(*columns, strict=True)]
        return self.pairs._submit("weights", _balance, *self._point, balances)

    def curvature(self) -> "CurvatureOnWorkers":
        parts = self.pairs._submit("curvature", _curvature, *self._point)
        return CurvatureOnWorkers(self.pairs.layout, parts)

    def rise(self, change: np.ndarray | None = None) -> np.ndarray:
        layout = self.pairs.layout
        return layout.join(self.pairs._ask("rise", _rise, *self._point, layout.split(change)))

    def excess(self) -> np.ndarray:
        return self.pairs.layout.join(self.pairs._ask("excess", _excess, *self._point))


class CurvatureOnWorkers(EdgeCurvature):
    """``S diag(c) S'`` with ``c`` on the workers: futures of :class:`CurvatureInMemory`."""

    def __init__(self, layout: Layout, parts: Sequence[Future]) -> None:
        self._layout, self._parts = layout, parts
        diagonals, counts = zip(*layout.ask("curvature", _diagonal, parts), strict=True)
        self._diagonal, self._n_pairs = layout.join(diagonals), sum(counts)

    @property
    def diagonal(self) -> np.ndarray:
        return self._diagonal

    @property
    def n_pairs(self) -> int:
        return self._n_pairs

    def product(self, x: np.ndarray) -> np.ndarray:
        parts = self._layout.ask("product", _product, self._parts, self._layout.split(x))
        return self._layout.join(parts)

    def matrix(self) -> sp.csr_array:
        triples = self._layout.ask("matrix", _curvature_triples, self._parts, self._layout.nodes)
        i, j, c = (np.concatenate(column) for column in zip(*triples, strict=True))
        order, m = self._layout.order, len(self._layout.order)
        off = sp.coo_array((c, (order[i], order[j])), shape=(m, m)).tocsr()
        return (sp.diags_array(self.diagonal) + off + off.T).tocsr()


class SweeperOnWorkers(Sweeper):
    """Coordinate ascent in all partitions at once, which then exchange their multipliers.

    Every partition sweeps over its own nodes while the others' are held still. For the curvature ``D + W`` of the
    dual, with ``W >= 0``, twice its part inside the partitions exceeds the whole, so that these exchanges converge
    (as block Jacobi does).
    """

    def __init__(self, pairs: PairsOnWorkers, f: EdgePrior) -> None:
        self._layout = pairs.layout
        self._sweepers = pairs._submit("sweeps", SweeperInMemory, pairs.layout.same(f))

    def sweep(self, wanted: Wanted, u: np.ndarray) -> np.ndarray:
        split = self._split(wanted)
        for _ in range(_EXCHANGES):
            before = u
            u = self._layout.join(self._ask(_sweep, split, self._layout.split(u)))
            if np.all(np.abs(u - before) <= wanted.step):
                break
        return u

    def lift(self, wanted: Wanted, u: np.ndarray) -> np.ndarray:
        return self._layout.join(self._ask(_lift, self._split(wanted), self._layout.split(u)))

    def _split(self, wanted: Wanted) -> list[Wanted]:
        layout = self._layout
        degree, curvature, lowest, step, anchor = wanted
        nodes = zip(*map(layout.split, (degree, curvature, step, anchor)), strict=True)
        return [Wanted(d, c, lowest, s, a) for d, c, s, a in nodes]

    def _ask(self, task: Callable[..., Any], *columns: Sequence[Any]) -> list[Any]:
        return self._layout.ask("sweeps", task, self._sweepers, *columns)


# -- what workers do with a partition: functions, so that Dask can name and send them ------------


def _counts(pairs: Pairs) -> np.ndarray:
    return own_part(pairs, pairs.pattern.counts)


def _nearest(pairs: Pairs, k: int, f: EdgePrior | None) -> np.ndarray:
    return own_part(pairs, pairs.nearest(k, f))


def _contains(pairs: Pairs, local: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    return pairs.contains(*local)


def _distance_triples(pairs: Pairs, nodes: np.ndarray) -> Triples:
    return counted_triples(pairs, nodes, pairs.z)


def _totals(pairs: Pairs, f: EdgePrior, w: np.ndarray) -> tuple[Any, ...]:
    degrees, *sums = pairs.totals(f, w)
    return own_part(pairs, degrees), *sums


def _terms(pairs: Pairs, f: EdgePrior, u: np.ndarray, tail: np.ndarray | None) -> TermsInMemory:
    return pairs.evaluate(f, u, np.zeros_like(u) if tail is None else tail)


def _sums(pairs: Pairs, *point: Any) -> tuple[np.ndarray, float]:
    terms = _terms(pairs, *point)
    return own_part(pairs, terms.degrees), terms.conjugate


def _weights(pairs: Pairs, *point: Any) -> np.ndarray:
    return _terms(pairs, *point).weights


def _balance(pairs: Pairs, f: EdgePrior, u: Any, tail: Any, balance: Balance) -> np.ndarray:
    return _terms(pairs, f, u, tail).balance(balance)


def _rise(pairs: Pairs, f: EdgePrior, u: Any, tail: Any, change: np.ndarray | None) -> np.ndarray:
    return own_part(pairs, _terms(pairs, f, u, tail).rise(change))


def _excess(pairs: Pairs, *point: Any) -> np.ndarray:
    return own_part(pairs, _terms(pairs, *point).excess())


def _curvature(pairs: Pairs, *point: Any) -> CurvatureInMemory:
    return _terms(pairs, *point).curvature()


def _diagonal(curvature: CurvatureInMemory) -> tuple[np.ndarray, int]:
    return own_part(curvature.pairs, curvature.diagonal), curvature.n_pairs


def _product(curvature: CurvatureInMemory, x: np.ndarray) -> np.ndarray:
    return own_part(curvature.pairs, curvature.product(x))


def _curvature_triples(curvature: CurvatureInMemory, nodes: np.ndarray) -> Triples:
    return counted_triples(curvature.pairs, nodes, curvature.c)


def _sweep(sweeper: SweeperInMemory, wanted: Wanted, u: np.ndarray) -> np.ndarray:
    return own_part(sweeper.pairs, sweeper.sweep(wanted, u))


def _lift(sweeper: SweeperInMemory, wanted: Wanted, u: np.ndarray) -> np.ndarray:
    return own_part(sweeper.pairs, sweeper.lift(wanted, u))
