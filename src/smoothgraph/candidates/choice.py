"""Which pairs of nodes become candidate pairs: by size, or as the user says."""

import logging
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.base import clone

from smoothgraph.candidates.fixed import Candidates, FixedCandidates, SampledCandidates
from smoothgraph.candidates.grouped import GroupedCandidates, GroupedSource
from smoothgraph.candidates.growing import GrowingCandidates
from smoothgraph.candidates.source import EngineSource, PairSource
from smoothgraph.pairs.in_memory import Pairs
from smoothgraph.pairs.local_scale import check_scale
from smoothgraph.pairs.measure import Measure
from smoothgraph.pairs.pair_set import PairSet
from smoothgraph.pairs.split import Parts
from smoothgraph.search.by_measure import ANY_SIZE, DENSE_ONLY, can_search, search_by
from smoothgraph.search.checked_engine import CheckedEngine
from smoothgraph.search.engine import ScalableEngine
from smoothgraph.search.scaled_engine import ScaledEngine
from smoothgraph.search.tiled_search import TiledSearch
from smoothgraph.support.checks import check_number
from smoothgraph.support.input_error import InputError, checked_by_others
from smoothgraph.support.stages import stage

logger = logging.getLogger("smoothgraph")

_ALL_PAIRS = 4_000  # nodes up to which all pairs are as fast as a search
MOST_ALL_PAIRS = 30_000  # nodes of which all pairs fit into the memory of a laptop
_MOST_SPLIT = 10_000  # the same if nodes are split by groups
_MOST_CALLED = 5_000  # nodes for whose pairs a Python function is called, in a minute if it takes microseconds
_MOST_EXACT = 300_000  # nodes up to which "auto" proves the graph to be exact

_DENSITY = 10.0  # if the model's own parameters are given
_START = 2.0  # nearest neighbors to begin with, per edge asked for
_LOOKED_AT = 20_000  # nodes among which those near each are looked for without a proof


@dataclass(frozen=True)
class NeighborChoice:
    """What the user asked for, and what the model allows.

    ``exact_zeros`` says whether the model's weights vanish between far-away nodes: only then can all pairs be
    judged without a look at each. ``groups`` are the numbers of the groups of the nodes, if they have some.
    """

    neighbors: Any
    measure: Measure
    edges_per_node: float | None
    exact_zeros: bool
    scale: str = "global"
    groups: np.ndarray | None = None

    def candidates(self, table: Any, state: dict[str, np.ndarray] | None = None) -> Candidates:
        """The candidate pairs among the rows of ``table``, or those of a checkpoint's ``state``."""
        check_scale(self.scale)
        found = self._candidates(table, state)
        if self.groups is None or isinstance(found, GrowingCandidates):
            return found
        return GroupedCandidates(found, self.groups)

    def _candidates(self, table: Any, state: dict[str, np.ndarray] | None) -> Candidates:
        """The candidate pairs, whose nodes are not split by groups unless a search found them."""
        if self.measure.metric == "precomputed":
            return FixedCandidates(Pairs.from_distances(_as_float(table)), "precomputed", local=self.local)
        if hasattr(self.neighbors, "fit_transform"):
            return self._by_transformer(_as_float(table))
        if callable(self.neighbors):
            if self.groups is not None:
                raise InputError(
                    "A neighbor engine finds pairs of whole nodes, and groups need pairs of every two groups: use "
                    "neighbors='auto', or give a neighbors transformer that names pairs with every group."
                )
            if not self.exact_zeros:
                raise InputError(
                    "A neighbor engine proves a graph by the pairs that are near, which takes a model with exact "
                    "zeros; this one gives all pairs a weight. Use neighbors='auto'."
                )
            with stage("index"):
                engine = ScaledEngine(CheckedEngine(self.neighbors(_as_float(table)), table.shape[0]))
            return self.search(EngineSource(engine), table.shape[0], state)
        way = self.way(table.shape[0], searchable=self._can_search(table))
        logger.info("%d nodes: %s", table.shape[0], way)
        if way == "all pairs":
            with stage("distances"):
                pairs = Pairs.measured(table, None, self.measure)
            return FixedCandidates(pairs, way, local=self.local, complete=True)
        with stage("index"):
            source = self._source(search_by(self.measure, table))
        return self.search(source, table.shape[0], state)

    def _can_search(self, table: Any) -> bool:
        """Whether pairs of rows of the table can be searched for, in groups if the nodes have some."""
        one_search = self.groups is None or self.measure.metric != "absolute_correlation"
        return one_search and can_search(self.measure, table)

    def _source(self, engine: ScalableEngine) -> PairSource:
        """What finds pairs by a search, in groups if the nodes have some."""
        if self.groups is None:
            return EngineSource(engine)
        assert isinstance(engine, TiledSearch), "the search that every other measure takes"
        return GroupedSource(engine, Parts.split(self.groups))

    def search(self, source: PairSource, m: int, state: dict[str, np.ndarray] | None) -> GrowingCandidates:
        """The candidates that a source finds among ``m`` nodes."""
        self.check_density(m)
        with stage("neighbors"):
            share = min(1 / 8, _LOOKED_AT / m) if self.way(m) == "approximate search" else 1.0
            k = int(min(np.ceil(_START * self.density), m - 1))
            return GrowingCandidates(source, k, self.density, share=share, local=self.local, state=state)

    def way(self, m: int, *, searchable: bool = True) -> str:
        """How pairs among ``m`` nodes are found, if they can be searched for or not."""
        if callable(self.neighbors):
            return "exact search"
        if self.neighbors not in ("auto", "exact", "approximate"):
            raise InputError(
                "neighbors must be 'auto', 'exact', 'approximate', a neighbors transformer like scikit-learn's "
                "KNeighborsTransformer, which has fit_transform and gives a sparse matrix, or a function that makes a "
                f"NeighborEngine of the table, got {self.neighbors!r}."
            )
        if self.neighbors == "approximate" and not self.exact_zeros:
            raise InputError(
                "neighbors='approximate' leaves out pairs that get no weight, but this model gives a weight to all "
                "pairs; use neighbors='auto', or a model with exact zeros."
            )
        provable = searchable and self.exact_zeros
        if self.neighbors == "approximate" and provable:
            return "approximate search"
        if callable(self.measure.metric) and m > _MOST_CALLED:
            raise InputError(
                f"metric={self.measure.name!r} is a Python function, which is called twice for each pair of nodes: "
                f"that is meant for at most {_MOST_CALLED} nodes, got {m}. Give a neighbors transformer, whose pairs "
                "alone are measured, a neighbor engine, or a sparse matrix of distances with metric='precomputed'."
            )
        most = MOST_ALL_PAIRS if self.groups is None else _MOST_SPLIT
        if m <= (_ALL_PAIRS if provable else most):
            return "all pairs"
        if not provable:
            raise InputError(
                f"All pairs of {m} nodes do not fit into memory (of {most} they do). To do without them "
                f"takes a model with exact zeros, complete data, and one of the metrics {', '.join(ANY_SIZE)} (the "
                f"last {len(DENSE_ONLY)} not on sparse rows). Otherwise give a neighbors transformer, or a sparse "
                "matrix of distances with metric='precomputed'."
            )
        if self.neighbors == "auto" and m > _MOST_EXACT:
            logger.warning(
                "%d nodes are many: the candidate pairs come from an approximate search; "
                "neighbors='exact' takes longer and proves the graph optimal over all pairs.",
                m,
            )
            return "approximate search"
        return "exact search"

    def check_density(self, m: int) -> None:
        """An InputError if more edges per node are asked for than ``m`` nodes can have."""
        if self.edges_per_node is not None and check_number("edges_per_node", self.edges_per_node, above=0) > m - 1:
            raise InputError(
                f"edges_per_node must be at most {m - 1}, one less than there are nodes, got {self.edges_per_node:g}."
            )

    def _by_transformer(self, table: Any) -> Candidates:
        """The pairs that a scikit-learn transformer finds, with the distances of ``metric``."""
        name = type(self.neighbors).__name__
        with stage("neighbors"), checked_by_others():
            graph = clone(self.neighbors).fit_transform(table)
        if not sp.issparse(graph) or graph.shape != (table.shape[0], table.shape[0]):
            raise InputError(
                f"{name} must give a sparse {table.shape[0]} x {table.shape[0]} matrix, got "
                f"{type(graph).__name__} of shape {np.shape(graph)}."
            )
        pairs = Pairs.measured(table, PairSet.from_mask(graph), self.measure)
        if pairs.pattern.is_complete or not can_search(self.measure, table) or not self.exact_zeros:
            return FixedCandidates(pairs, name, local=self.local)
        with stage("index"):
            source = EngineSource(search_by(self.measure, table))
        stored = source.store(pairs.pattern.rows, pairs.pattern.cols, pairs.z)
        return SampledCandidates(stored, name, source, local=self.local)

    @property
    def local(self) -> bool:
        """Whether distances have local scales."""
        return self.scale == "local"

    @property
    def density(self) -> float:
        """The edges per node asked for, or a guess."""
        return _DENSITY if self.edges_per_node is None else self.edges_per_node


def _as_float(table: Any) -> Any:
    return table.astype(np.float64, copy=False)
