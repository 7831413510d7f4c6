"""The dual at a point, with candidate pairs on the workers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import Any

import numpy as np

from smoothgraph.cluster.futures import Future
from smoothgraph.cluster.layout import Layout
from smoothgraph.cluster.partitions import Triples, counted_triples
from smoothgraph.pairs.curvature_in_memory import CurvatureInMemory
from smoothgraph.pairs.in_memory import Pairs, TermsInMemory
from smoothgraph.pairs.pair_set import PairSet
from smoothgraph.pairs.seam import Balance, EdgeTerms
from smoothgraph.priors.prior import EdgePrior

_SUMS = attrgetter("degrees", "conjugate")


@dataclass(frozen=True, eq=False)
class TermsOnWorkers(EdgeTerms):
    """What pairs on workers contribute to the dual at one ``u``: methods of :class:`TermsInMemory`."""

    layout: Layout
    parts: Sequence[Future]
    f: EdgePrior
    u: np.ndarray
    tail: np.ndarray

    @cached_property
    def _point(self) -> tuple[Sequence[Any], ...]:
        """The pairs, the edge prior and the multipliers, for each partition."""
        tail = self.tail if np.any(self.tail) else None
        return self.parts, self.layout.same(self.f), self.layout.split(self.u), self.layout.split(tail)

    @cached_property
    def _sums(self) -> tuple[np.ndarray, float]:
        degrees, [conjugate] = self.layout.ask_sums("dual", _of_terms, *self._method(_SUMS))
        return degrees, conjugate

    @property
    def degrees(self) -> np.ndarray:
        return self._sums[0]

    @property
    def conjugate(self) -> float:
        return self._sums[1]

    @cached_property
    def weights(self) -> Sequence[Future]:
        return self.layout.submit("weights", _of_terms, *self._method(attrgetter("weights")))

    def divergence(self, w: Sequence[Future]) -> float:
        return sum(self.layout.ask("divergence", _of_terms, *self._method(TermsInMemory.divergence), w))

    def lesser_squares(self) -> float:
        return sum(self.layout.ask("sums", _of_terms, *self._method(TermsInMemory.lesser_squares)))

    def weights_beside(self, change: np.ndarray) -> Sequence[Future]:
        changes = self.layout.split(change)
        return self.layout.submit("weights", _of_terms, *self._method(TermsInMemory.weights_beside), changes)

    def balance(self, balance: Balance) -> Sequence[Future]:
        columns = (self.layout.split(x) for x in balance)
        balances = [Balance(*row) for row in zip(*columns, strict=True)]
        return self.layout.submit("weights", _of_terms, *self._method(TermsInMemory.balance), balances)

    def curvature(self) -> CurvatureInMemory:
        """In memory: that is fewer numbers than the vectors that its products on the workers would send."""
        pairs, *point = self._point
        triples = self.layout.ask_triples("curvature", _curvature, pairs, *point)
        pattern, c = PairSet.with_values(*triples, len(self.u))
        return CurvatureInMemory(Pairs(pattern, c, self.layout.order), c)

    def rise(self, change: np.ndarray | None = None) -> np.ndarray:
        changes = self.layout.split(change)
        return self.layout.ask_nodes("rise", _of_terms, *self._method(TermsInMemory.rise), changes)

    def excess(self) -> np.ndarray:
        return self.layout.ask_nodes("excess", _of_terms, *self._method(TermsInMemory.excess))

    def largest(self, k: int) -> np.ndarray:
        numbers = self.layout.same(k)
        return self.layout.ask_nodes("largest", _of_terms, *self._method(TermsInMemory.largest), numbers)

    def _method(self, method: Callable[..., Any]) -> tuple[Sequence[Any], ...]:
        return self.layout.same(method), *self._point


def _of_terms(
    method: Callable[..., Any], pairs: Pairs, f: EdgePrior, u: np.ndarray, tail: np.ndarray | None, *arguments: Any
) -> Any:
    terms = pairs.evaluate(f, u, np.zeros_like(u) if tail is None else tail)
    return method(terms, *arguments)


def _curvature(pairs: Pairs, nodes: np.ndarray, *point: Any) -> Triples:
    curvature = _of_terms(TermsInMemory.curvature, pairs, *point)
    return counted_triples(curvature.pairs, nodes, curvature.c)
