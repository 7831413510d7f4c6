"""Candidate pairs that workers search for, keep and save."""

from collections.abc import Sequence
from copy import copy
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np

from smoothgraph.candidates.source import FirstPairs, likely_share
from smoothgraph.cluster.client import Client
from smoothgraph.cluster.futures import Future, gather, submit
from smoothgraph.cluster.gathered_pairs import gather_few, on_workers
from smoothgraph.cluster.pairs_on_workers import PairsOnWorkers
from smoothgraph.cluster.partitions import (
    Bounds,
    Triples,
    load_partition,
    make_partition,
    save_partition,
    take_pairs,
    take_triples,
)
from smoothgraph.cluster.worker_search import SearchOnWorkers
from smoothgraph.cluster.workers import BYTES_PER_PAIR, memory_limits, wait_for_workers
from smoothgraph.io.errors import FileError
from smoothgraph.pairs.local_scale import NEIGHBOR
from smoothgraph.pairs.seam import CandidatePairs

_REGIONS_PER_WORKER = 2  # so that one of them does not keep the others waiting


class WorkerSource:
    """Finds pairs among rows on workers; with a ``folder``, pairs can be saved there."""

    def __init__(self, rows: Any, metric: str, client: Client, folder: Path | None) -> None:
        self._client, self._folder, self._submit = client, folder, partial(submit, client)
        self._saved = self._loaded = 0  # generations of the pairs in the folder
        self._n_partitions = len(wait_for_workers(client))
        n_regions = _REGIONS_PER_WORKER * self._n_partitions
        self._search = SearchOnWorkers.of(rows, metric, client, n_regions)

    @property
    def scale(self) -> np.ndarray | None:
        return None if self._search.scale is None else self._search.scale[self._place]

    def with_scale(self, scale: np.ndarray) -> "WorkerSource":
        scaled = copy(self)
        scaled._search = self._search.with_scale(scale[self._search.order])
        return scaled

    def localize(self, k: int, share: float) -> FirstPairs:
        rank = min(NEIGHBOR, self._search.n_nodes - 1)
        found, near = self._search.nearest(max(k, rank), likely_share(share), rank)
        pairs = PairsOnWorkers.of(self._client, self._search.order, *self._partitions(found))
        level = np.full(len(near), -np.inf)
        if share == 1:
            level = near[self._place]
            more = self._search.pairs_within_either(near)
            pairs = self._join(pairs, more, self._balance(pairs, more))
        first = FirstPairs.localize(self, pairs, level)
        return first._replace(pairs=gather_few(on_workers(first.pairs)))

    @property
    def most_pairs(self) -> float:
        limits = memory_limits(self._client)
        return sum(limits) / BYTES_PER_PAIR if limits else np.inf

    def nearest(self, k: int, share: float) -> FirstPairs:
        found, near = self._search.nearest(k, likely_share(share))
        pairs = PairsOnWorkers.of(self._client, self._search.order, *self._partitions(found))
        return FirstPairs(self, gather_few(pairs), near[self._place], np.full(len(near), -np.inf))

    def between(self, label: np.ndarray, level: np.ndarray, nodes: np.ndarray) -> Triples:
        order = self._search.order
        i, j, z = self._search.between(label[order], level[order], self._place[nodes])
        return order[i], order[j], z

    def within(self, reach: np.ndarray, nodes: np.ndarray) -> Triples:
        order = self._search.order
        i, j, z = self._search.within(reach[order], self._place[nodes])
        return order[i], order[j], z

    def extend(
        self, pairs: CandidatePairs, reach: np.ndarray, nodes: np.ndarray | None, share: float
    ) -> CandidatePairs:
        """As promised; without ``nodes``, partitions change so that they have about equally many pairs."""
        known = on_workers(pairs)
        stored = None if nodes is None else np.sort(self._place[nodes])
        found = self._search.pairs_within(reach[self._search.order], stored, share)
        bounds = known.layout.bounds if nodes is not None else self._balance(known, found)
        return gather_few(self._join(known, found, bounds))

    def save(self, pairs: CandidatePairs) -> dict[str, np.ndarray]:
        assert self._folder is not None, "pairs are saved with a checkpoint"
        self._folder.mkdir(parents=True, exist_ok=True)
        self._saved += 1
        parts, layout = on_workers(pairs).parts, on_workers(pairs).layout
        paths = [str(self._path(self._saved, part)) for part in range(len(parts))]
        layout.ask("save", save_partition, parts, layout.nodes, paths)
        if not all(Path(path).exists() for path in paths):
            raise FileError(
                f"{self._folder}: expected a folder that all workers see, under the same path; put "
                "the checkpoint on a disk that they share"
            )
        forgotten = self._saved - 2  # of which no checkpoint knows any more
        if forgotten != self._loaded:  # from which lost pairs would be computed again
            for part in range(len(parts)):
                self._path(forgotten, part).unlink(missing_ok=True)
        return {"bounds": np.array(layout.bounds), "saved": np.array(self._saved), "order": layout.order}

    def load(self, state: dict[str, np.ndarray]) -> CandidatePairs:
        self._saved = self._loaded = int(state["saved"])
        bounds = [(int(first), int(last)) for first, last in state["bounds"]]
        paths = [str(self._path(self._saved, part)) for part in range(len(bounds))]
        made = [self._submit("load", load_partition, path) for path in paths]
        return gather_few(PairsOnWorkers.of(self._client, state["order"], bounds, made))

    # -- partitions of what was found ----------------------------------------

    def _partitions(self, found: list[Future]) -> tuple[list[Bounds], list[Future]]:
        """The bounds of partitions of about equal size, and partitions of the pairs of each region."""
        bounds = group_regions(self._search.bounds, self._n_partitions, self._region_sizes)
        made = [
            self._make(bound, [self._submit("nearest", take_triples, part, bound) for part in found])
            for bound in bounds
        ]
        return bounds, made

    def _balance(self, known: PairsOnWorkers, found: dict[tuple[int, int], Future]) -> list[Bounds]:
        """The bounds of partitions with about equally many pairs, of those known and those found."""
        ends = self._region_sizes * 2 * known.n_pairs / known.n_nodes + self._count_ends(found)
        return group_regions(self._search.bounds, self._n_partitions, ends)

    def _join(
        self, known: PairsOnWorkers, found: dict[tuple[int, int], Future], bounds: Sequence[Bounds]
    ) -> PairsOnWorkers:
        """The pairs known and those found, in partitions with these bounds."""
        made = [self._make(bound, self._known(known, bound) + self._new(found, bound)) for bound in bounds]
        return PairsOnWorkers.of(self._client, self._search.order, bounds, made)

    def _make(self, bounds: Bounds, parts: list[Future]) -> Future:
        return self._submit("partition", make_partition, bounds, parts)

    def _known(self, pairs: PairsOnWorkers, bounds: Bounds) -> list[Future]:
        """The pairs at the nodes within ``bounds`` that are known already.

        Those of a checkpoint are in the order of another search.
        """
        layout = pairs.layout
        same_order = layout.order is self._search.order
        return [
            self._submit("known", take_pairs, part, nodes if same_order else self._place[layout.order[nodes]], bounds)
            for own, part, nodes in zip(layout.bounds, pairs.parts, layout.nodes, strict=True)
            if not same_order or (own[0] < bounds[1] and bounds[0] < own[1])
        ]

    def _new(self, found: dict[tuple[int, int], Future], bounds: Bounds) -> list[Future]:
        """The pairs at the nodes within ``bounds`` that were found between two regions."""
        return [
            self._submit("found", take_triples, part, bounds)
            for regions, part in found.items()
            if any(self._overlaps(region, bounds) for region in regions)
        ]

    def _overlaps(self, region: int, bounds: Bounds) -> bool:
        first, last = self._search.bounds[region]
        return first < bounds[1] and bounds[0] < last

    def _count_ends(self, found: dict[tuple[int, int], Future]) -> np.ndarray:
        """How many ends of the pairs each region has."""
        asked = [self._submit("count", _count, part) for part in found.values()]
        counts, ends = gather(self._client, asked, "pairs"), np.zeros(len(self._region_sizes))
        for side in zip(*found, strict=True):
            np.add.at(ends, np.array(side), counts)
        return ends

    # -- numbers -------------------------------------------------------------

    @property
    def _region_sizes(self) -> np.ndarray:
        return np.array([last - first for first, last in self._search.bounds])

    @cached_property
    def _place(self) -> np.ndarray:
        return np.argsort(self._search.order)

    def _path(self, generation: int, part: int) -> Path:
        assert self._folder is not None, "pairs are saved with a checkpoint"
        return self._folder / f"pairs-{generation}-{part}.npz"


def _count(found: Triples) -> int:
    return len(found[2])


def group_regions(regions: Sequence[Bounds], number: int, sizes: np.ndarray) -> list[Bounds]:
    """Join consecutive regions into at most ``number`` ranges of about equal size."""
    middles = np.cumsum(sizes) - sizes / 2
    groups: dict[int, Bounds] = {}
    for (first, last), group in zip(regions, middles * number // np.sum(sizes), strict=True):
        groups[group] = (groups.get(group, (first, last))[0], last)
    return list(groups.values())
