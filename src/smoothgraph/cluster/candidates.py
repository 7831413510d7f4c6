"""Candidate edges that are searched for, kept and saved by workers."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from smoothgraph.cluster.client import Client
from smoothgraph.cluster.edges import FoundPairs, RemoteDistances, RemoteEdges
from smoothgraph.cluster.needs import bytes_of_edges, enough_workers, memory_limits
from smoothgraph.cluster.saving import load_block
from smoothgraph.cluster.search import RemoteSearch
from smoothgraph.cluster.tasks import Future, results_of, submitted
from smoothgraph.io.errors import FileError
from smoothgraph.search.between import Pairs

_REGIONS_PER_WORKER = 2  # so that one of them does not keep the others waiting


class SearchOnWorkers:
    """What a search in memory is to candidate edges; with a ``folder``, edges can be saved."""

    def __init__(self, rows: Any, metric: str, client: Client, folder: Path | None) -> None:
        self._client, self._folder = client, folder
        self._saved = self._loaded = 0  # generations of the edges in the folder
        n_workers = len(enough_workers(client))
        self._search = RemoteSearch.of(rows, metric, client, _REGIONS_PER_WORKER * n_workers)
        self._n_blocks = n_workers
        self.order = self._search.order

    @property
    def most_pairs(self) -> float:
        """How many pairs fit into the memory of all workers."""
        limits = memory_limits(self._client)
        return sum(limits) / bytes_of_edges(1) if limits else np.inf

    def neighbors(self, k: int, share: float) -> tuple[RemoteEdges, RemoteDistances, np.ndarray]:
        """The likely ``k`` nearest as edges, their distances, and how far each node's reach."""
        pairs, near = self._search.neighbors(k, share)
        bounds = grouped(self._search.bounds, self._n_blocks, self._n_nodes)
        parts = [FoundPairs(part, self._homes(a, bounds)) for a, part in enumerate(pairs)]
        edges = RemoteEdges.of_pairs(self._client, parts, bounds)
        return edges, RemoteDistances(edges), near

    def within(self, reach: np.ndarray, nodes: np.ndarray) -> Pairs:
        """The pairs of a few nodes with ``2 z_ij < reach_i + reach_j``, here."""
        return self._search.within(reach, nodes)

    def extended(
        self,
        edges: RemoteEdges,
        z: RemoteDistances,
        reach: np.ndarray,
        nodes: np.ndarray | None,
        share: float,
    ) -> tuple[RemoteEdges, RemoteDistances]:
        """The edges and all pairs within ``reach``, with their distances.

        If that is of all nodes, blocks change so that they have about equally many edges.
        """
        found, bounds = self._search.pairs_within(reach, nodes, share), edges.bounds
        if nodes is None:
            known = self._n_nodes * 2 * edges.n_edges / edges.n_nodes
            bounds = grouped(self._search.bounds, self._n_blocks, known + self._ends(found))
        parts = [
            FoundPairs(pairs, self._homes(a, bounds) | self._homes(b, bounds), elsewhere=False)
            for (a, b), pairs in found.items()
        ]
        found.clear()  # so that pairs can go when the blocks have them
        edges = RemoteEdges.of_pairs(self._client, parts, bounds, known=z.edges)
        return edges, RemoteDistances(edges)

    @property
    def _n_nodes(self) -> np.ndarray:
        """Of every region."""
        return np.array([last - first for first, last in self._search.bounds])

    def _ends(self, found: dict[tuple[int, int], Future]) -> np.ndarray:
        """How many ends of the pairs every region has."""
        counts = [submitted(self._client, "count", _number, pairs) for pairs in found.values()]
        counts, ends = results_of(self._client, counts, "pairs"), np.zeros(len(self._n_nodes))
        for side in zip(*found, strict=True):
            np.add.at(ends, np.array(side), counts)
        return ends

    def _homes(self, region: int, bounds: Sequence[tuple[int, int]]) -> set[int]:
        """The blocks with nodes of a region."""
        first, last = self._search.bounds[region]
        return {b for b, (begin, end) in enumerate(bounds) if begin < last and first < end}

    def saved(self, edges: RemoteEdges, z: RemoteDistances) -> dict[str, np.ndarray]:
        """Write the edges, a file for each block; what a checkpoint must know of them."""
        assert self._folder is not None, "edges are saved with a checkpoint"
        self._folder.mkdir(parents=True, exist_ok=True)
        self._saved += 1
        paths = [str(self._path(self._saved, block)) for block in range(len(edges.bounds))]
        z.edges.crew.call("save", [(path,) for path in paths])
        if not all(Path(path).exists() for path in paths):
            raise FileError(
                f"{self._folder}: expected a folder that all workers see, under the same path; put "
                "the checkpoint on a disk that they share"
            )
        forgotten = self._saved - 2  # of which no checkpoint knows any more
        for block in range(len(edges.bounds)):
            if forgotten != self._loaded:  # from which lost edges are computed again
                self._path(forgotten, block).unlink(missing_ok=True)
        return {"bounds": np.array(edges.bounds), "saved": np.array(self._saved)}

    def loaded(self, state: dict[str, np.ndarray]) -> tuple[RemoteEdges, RemoteDistances]:
        """The edges of a checkpoint."""
        self._saved = self._loaded = int(state["saved"])
        bounds = [(int(first), int(last)) for first, last in state["bounds"]]
        recipes = [
            self._client.submit(load_block, str(self._path(self._saved, block)), pure=False)
            for block in range(len(bounds))
        ]
        edges = RemoteEdges(self._client, recipes, bounds)
        return edges, RemoteDistances(edges)

    def _path(self, generation: int, block: int) -> Path:
        assert self._folder is not None, "edges are saved with a checkpoint"
        return self._folder / f"edges-{generation}-{block}.npz"


def _number(pairs: Pairs) -> int:
    return len(pairs.z)


def grouped(
    regions: Sequence[tuple[int, int]], number: int, sizes: np.ndarray
) -> list[tuple[int, int]]:
    """Consecutive regions joined into at most ``number`` blocks of about equal size."""
    middles = np.cumsum(sizes) - sizes / 2
    blocks: dict[int, tuple[int, int]] = {}
    for (first, last), block in zip(regions, middles * number // np.sum(sizes), strict=True):
        blocks[block] = (blocks.get(block, (first, last))[0], last)
    return list(blocks.values())
