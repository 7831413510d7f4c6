"""Fitting a graph learner to rows that are on the workers of a Dask cluster."""

import hashlib
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from smoothgraph.candidates.choice import NeighborChoice
from smoothgraph.candidates.nodes import NodeData, check_node_count
from smoothgraph.cluster.client import Client, active_client
from smoothgraph.cluster.futures import gather
from smoothgraph.cluster.row_source import as_rows
from smoothgraph.cluster.worker_source import WorkerSource
from smoothgraph.cluster.workers import BYTES_PER_PAIR, check_memory, wait_for_workers
from smoothgraph.pairs.euclidean import SEARCHABLE
from smoothgraph.support.input_error import InputError
from smoothgraph.support.stages import stage

_COPIES = 3  # of the rows: as read, in order, and on their way
_PAIRS_PER_EDGE = 3  # candidate pairs that are found for each edge asked for


@dataclass(frozen=True, eq=False)
class NodesOnWorkers:
    """Rows that the workers of the active client read: a Dask array."""

    rows: Any
    client: Client
    merge: bool  # identical rows, which workers cannot

    @classmethod
    def open(cls, learner: Any, X: Any) -> "NodesOnWorkers":
        """The rows of ``X``, if the graph can be learned there; nothing is read to find out."""
        client, choice = active_client(), learner.choice()
        if client is None:
            raise InputError(
                "X is to be read by Dask workers, but no Dask client is active; make one first, such as "
                "distributed.Client(n_workers=4) or Client('tcp://scheduler:8786'), or give the data in memory."
            )
        _check_possible(learner, choice)
        wait_for_workers(client)  # who may be needed to count the rows
        rows = as_rows(X)
        check_node_count(rows)
        choice.check_density(rows.shape[0])
        n_pairs = int(_PAIRS_PER_EDGE * choice.density * rows.shape[0] / 2)
        check_memory(client, int(_COPIES * rows.nbytes + BYTES_PER_PAIR * n_pairs), "The graph of these rows")
        choice.way(rows.shape[0])  # which tells of a wrong choice
        learner.n_features_in_ = rows.shape[1]
        return cls(rows, client, learner.merge_identical)

    def digest(self) -> str:
        """A hash of the rows, chunk by chunk."""
        from dask.delayed import delayed  # an extra

        chunks = [delayed(_hash)(chunk) for chunk in self.rows.to_delayed().ravel()]
        whole = hashlib.blake2b(repr(self.rows.shape).encode(), digest_size=16)
        for part in gather(self.client, self.client.compute(chunks), "rows"):
            whole.update(part)
        return whole.hexdigest()

    def find_pairs(
        self, choice: NeighborChoice, state: dict[str, np.ndarray] | None = None, folder: Path | None = None
    ) -> NodeData:
        """The candidate pairs that the workers find, or those of a checkpoint."""
        with stage("index"):
            source = WorkerSource(self.rows, choice.measure.name, self.client, folder)
        m = self.rows.shape[0]
        candidates = choice.search(source, m, state)
        if self.merge and candidates.pairs.distance_range[0] == 0:
            warnings.warn(
                "Some rows are identical. Dask workers do not merge them: each is a node of its own. Drop duplicates "
                "before the fit if there are many.",
                stacklevel=5,
            )
        return NodeData(None, np.arange(m), candidates)


def _check_possible(learner: Any, choice: NeighborChoice) -> None:
    """Raise an InputError for what needs all pairs or all rows in one place."""
    wrong = {
        "nodes='columns'": learner.nodes != "rows",
        f"metric={choice.measure.name!r}": choice.measure.metric not in SEARCHABLE,
        "metric_params": bool(choice.measure.params),
        "missing='pairwise'": learner.missing != "error",
        "a neighbors transformer": not isinstance(learner.neighbors, str),
        f"{type(learner).__name__} without exact zeros": not choice.exact_zeros,
    }
    found = [name for name, is_wrong in wrong.items() if is_wrong]
    if found:
        raise InputError(
            f"On Dask workers {' and '.join(found)} is not possible; rows must be the nodes, the metric one of "
            f"{', '.join(SEARCHABLE)}, and the model one with exact zeros. Otherwise give the data in memory."
        )


def _hash(chunk: np.ndarray) -> bytes:
    return hashlib.blake2b(np.ascontiguousarray(chunk).data, digest_size=16).digest()
