"""The dual at a point, its curvature and its ascent, with candidate pairs on the workers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import Any

import numpy as np
import scipy.sparse as sp

from smoothgraph.cluster.futures import Future
from smoothgraph.cluster.layout import Layout
from smoothgraph.cluster.partitions import Triples, counted_triples
from smoothgraph.pairs.in_memory import CurvatureInMemory, Pairs, TermsInMemory
from smoothgraph.pairs.seam import Balance, EdgeCurvature, EdgeTerms, Sweeper
from smoothgraph.pairs.sweep_kernels import Wanted
from smoothgraph.pairs.sweeps import SweeperInMemory
from smoothgraph.priors.prior import EdgePrior

_EXCHANGES = 10  # of multipliers between partitions in a sweep, at most


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

    def balance(self, balance: Balance) -> Sequence[Future]:
        columns = (self.layout.split(x) for x in balance)
        balances = [Balance(*row) for row in zip(*columns, strict=True)]
        return self.layout.submit("weights", _of_terms, *self._method(TermsInMemory.balance), balances)

    def curvature(self) -> "CurvatureOnWorkers":
        parts = self.layout.submit("curvature", _of_terms, *self._method(TermsInMemory.curvature))
        return CurvatureOnWorkers(self.layout, parts)

    def rise(self, change: np.ndarray | None = None) -> np.ndarray:
        changes = self.layout.split(change)
        return self.layout.ask_nodes("rise", _of_terms, *self._method(TermsInMemory.rise), changes)

    def excess(self) -> np.ndarray:
        return self.layout.ask_nodes("excess", _of_terms, *self._method(TermsInMemory.excess))

    def _method(self, method: Callable[..., Any]) -> tuple[Sequence[Any], ...]:
        return self.layout.same(method), *self._point


class CurvatureOnWorkers(EdgeCurvature):
    """``S diag(c) S'`` with ``c`` on the workers: futures of :class:`CurvatureInMemory`."""

    def __init__(self, layout: Layout, parts: Sequence[Future]) -> None:
        self._layout, self._parts = layout, parts
        self._diagonal, [self._n_pairs] = layout.ask_sums("curvature", attrgetter("diagonal", "n_pairs"), parts)

    @property
    def diagonal(self) -> np.ndarray:
        return self._diagonal

    @property
    def n_pairs(self) -> int:
        return self._n_pairs

    def product(self, x: np.ndarray) -> np.ndarray:
        return self._layout.ask_nodes("product", CurvatureInMemory.product, self._parts, self._layout.split(x))

    def matrix(self) -> sp.csr_array:
        i, j, c = self._layout.ask_triples("matrix", _triples, self._parts)
        order = self._layout.order
        off = sp.coo_array((c, (order[i], order[j])), shape=2 * self._diagonal.shape).tocsr()
        return (sp.diags_array(self.diagonal) + off + off.T).tocsr()


class SweeperOnWorkers(Sweeper):
    """Coordinate ascent in all partitions at once, which then exchange their multipliers.

    Every partition sweeps over its own nodes while the others' are held still. For the curvature ``D + W`` of the
    dual, with ``W >= 0``, twice its part inside the partitions exceeds the whole, so that these exchanges converge
    (as block Jacobi does).
    """

    def __init__(self, layout: Layout, parts: Sequence[Future], f: EdgePrior) -> None:
        self._layout = layout
        self._sweepers = layout.submit("sweeps", SweeperInMemory, parts, layout.same(f))

    def sweep(self, wanted: Wanted, u: np.ndarray) -> np.ndarray:
        split = self._split(wanted)
        for _ in range(_EXCHANGES):
            before, u = u, self._ask(SweeperInMemory.sweep, split, u)
            if np.all(np.abs(u - before) <= wanted.step):
                break
        return u

    def lift(self, wanted: Wanted, u: np.ndarray) -> np.ndarray:
        return self._ask(SweeperInMemory.lift, self._split(wanted), u)

    def _split(self, wanted: Wanted) -> list[Wanted]:
        degree, curvature, lowest, step, anchor = wanted
        nodes = zip(*map(self._layout.split, (degree, curvature, step, anchor)), strict=True)
        return [Wanted(d, c, lowest, s, a) for d, c, s, a in nodes]

    def _ask(self, task: Callable[..., np.ndarray], wanted: list[Wanted], u: np.ndarray) -> np.ndarray:
        return self._layout.ask_nodes("sweeps", task, self._sweepers, wanted, self._layout.split(u))


_SUMS = attrgetter("degrees", "conjugate")


def _of_terms(
    method: Callable[..., Any], pairs: Pairs, f: EdgePrior, u: np.ndarray, tail: np.ndarray | None, *arguments: Any
) -> Any:
    terms = pairs.evaluate(f, u, np.zeros_like(u) if tail is None else tail)
    return method(terms, *arguments)


def _triples(curvature: CurvatureInMemory, nodes: np.ndarray) -> Triples:
    return counted_triples(curvature.pairs, nodes, curvature.c)
