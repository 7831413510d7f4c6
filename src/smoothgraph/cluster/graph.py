"""A learned graph that stays on the workers until it is written or gathered."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from smoothgraph.cluster.problem import RemoteWeights
from smoothgraph.cluster.writing import write_parts
from smoothgraph.estimators.checkpoint import Checkpoint
from smoothgraph.pairs.pattern import EdgeSet
from smoothgraph.search.between import Pairs


@dataclass(frozen=True, eq=False)
class RemoteGraph:
    """The edges with a weight, in parts on the workers; node ``i`` there is ``order[i]`` here."""

    weights: RemoteWeights
    order: np.ndarray
    n_edges: int
    checkpoint: Checkpoint | None = None  # of the fit, which goes once the edges are elsewhere

    @property
    def n_nodes(self) -> int:
        """The number of nodes."""
        return len(self.order)

    @property
    def n_parts(self) -> int:
        """In how many parts the edges are."""
        return len(self.weights.edges.bounds)

    def gather(self) -> sp.csr_array:
        """The adjacency, here: symmetric, zero diagonal."""
        i, j, w = Pairs.joined(self.weights.pairs())
        edges, weights = EdgeSet.with_values(self.order[i], self.order[j], w, self.n_nodes)
        self.release_checkpoint()
        return edges.adjacency(weights)

    def to_parquet(self, folder: Path | str, *, info: Mapping[str, Any] | None = None) -> None:
        """Write a folder of Parquet files, one part by each worker, which ``read_graph`` reads.

        Whole or not at all: what exists already is refused. All workers must see the folder that
        it is made in, under the same path. ``info`` is what JSON can hold.
        """
        write_parts(self, folder, "parquet", info or {})
        self.release_checkpoint()

    def to_zarr(self, folder: Path | str, *, info: Mapping[str, Any] | None = None) -> None:
        """The same as a Zarr group, with a group of source, target and weight for each part."""
        write_parts(self, folder, "zarr", info or {})
        self.release_checkpoint()

    def release_checkpoint(self) -> None:
        """Remove the checkpoint of the fit: the edges are elsewhere, or not wanted."""
        if self.checkpoint is not None:
            self.checkpoint.remove()

    def __repr__(self) -> str:
        return f"RemoteGraph({self.n_nodes} nodes, {self.n_edges} edges, {self.n_parts} parts)"
