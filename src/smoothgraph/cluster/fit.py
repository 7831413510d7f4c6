"""Fitting a graph learner to rows that are on the workers of a Dask cluster."""

import hashlib
import shutil
from pathlib import Path
from typing import Any

import numpy as np

from smoothgraph.candidates.choice import NeighborChoice, searched
from smoothgraph.cluster.candidates import SearchOnWorkers
from smoothgraph.cluster.client import Client, active_client
from smoothgraph.cluster.needs import bytes_of_edges, check_memory, enough_workers
from smoothgraph.cluster.source import as_rows
from smoothgraph.cluster.tasks import results_of
from smoothgraph.estimators.checkpoint import Checkpoint
from smoothgraph.estimators.node_data import NodeData, check_node_count
from smoothgraph.search.euclidean import SEARCHABLE
from smoothgraph.support.stages import stage

_COPIES = 3  # of the rows: as read, in order, and on their way
_EDGES_PER_NODE_FOUND = 3  # candidate edges per edge asked for


def read_on_workers(learner: Any, X: Any) -> NodeData:
    """The candidate edges of the rows of ``X``, searched for by the active client's workers."""
    return _searched(learner, _checked_rows(learner, X), None)


def read_with_checkpoint(
    learner: Any, X: Any, settings: dict[str, str]
) -> tuple["WorkersCheckpoint", NodeData]:
    """The learner's checkpoint, and the candidate edges, from it if it has them."""
    rows = _checked_rows(learner, X)
    checkpoint = WorkersCheckpoint(learner.checkpoint, _digest(rows, _client()), settings)
    return checkpoint, _searched(learner, rows, checkpoint)


def _checked_rows(learner: Any, X: Any) -> Any:
    """The rows as a Dask array, if the graph can be learned: nothing is read before."""
    client, choice = _client(), learner._choice()
    _check_possible(learner, choice)
    enough_workers(client)  # who may be needed to count the rows
    rows = as_rows(X)
    check_node_count(rows)
    choice.check_density(rows.shape[0])
    check_memory(client, _bytes_needed(rows, choice.density), "The graph of these rows")
    choice.way(rows.shape[0])  # which tells of a wrong choice
    return rows


def _searched(learner: Any, rows: Any, checkpoint: "WorkersCheckpoint | None") -> NodeData:
    state = None if checkpoint is None else checkpoint.load()
    with stage("index"):
        folder = None if checkpoint is None else checkpoint.edges
        search = SearchOnWorkers(rows, learner.metric, _client(), folder)
    learner.n_features_in_, m = rows.shape[1], rows.shape[0]
    return NodeData(None, np.arange(m), searched(search, learner._choice(), m, state))


class WorkersCheckpoint(Checkpoint):
    """A checkpoint with a folder beside it, where workers keep their edges."""

    @property
    def edges(self) -> Path:
        """The folder, which all workers must see."""
        return self.path.with_name(self.path.name + ".edges").absolute()

    def remove(self) -> None:
        """The run is over."""
        super().remove()
        shutil.rmtree(self.edges, ignore_errors=True)


def _client() -> Client:
    client = active_client()
    if client is None:
        raise ValueError(
            "X is to be read by Dask workers, but no Dask client is active; make one first, such "
            "as distributed.Client(n_workers=4) or Client('tcp://scheduler:8786'), or give the "
            "data in memory."
        )
    return client


def _check_possible(learner: Any, choice: NeighborChoice) -> None:
    """A ValueError for what needs all pairs or all rows in one place."""
    wrong = {
        "nodes='columns'": learner.nodes != "rows",
        f"metric={learner.metric!r}": learner.metric not in SEARCHABLE,
        "missing='pairwise'": learner.missing != "error",
        "a neighbours transformer": not isinstance(learner.neighbors, str),
        f"{type(learner).__name__} without exact zeros": not choice.exact_zeros,
    }
    found = [name for name, is_wrong in wrong.items() if is_wrong]
    if found:
        raise ValueError(
            f"On Dask workers {' and '.join(found)} is not possible; rows must be the nodes, the "
            f"metric one of {', '.join(SEARCHABLE)}, and the model one with exact zeros. Otherwise "
            "give the data in memory."
        )


def _bytes_needed(rows: Any, density: float) -> int:
    edges = int(_EDGES_PER_NODE_FOUND * density * rows.shape[0] / 2)
    return int(_COPIES * rows.nbytes + bytes_of_edges(edges))


def _digest(rows: Any, client: Client) -> str:
    """A hash of the rows, chunk by chunk."""
    from dask.delayed import delayed  # an extra

    hashes = client.compute([delayed(_hash)(chunk) for chunk in rows.to_delayed().ravel()])
    parts = results_of(client, hashes, "rows")
    whole = hashlib.blake2b(repr(rows.shape).encode(), digest_size=16)
    for part in parts:
        whole.update(part)
    return whole.hexdigest()


def _hash(chunk: np.ndarray) -> bytes:
    return hashlib.blake2b(np.ascontiguousarray(chunk).data, digest_size=16).digest()
