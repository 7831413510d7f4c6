"""A learned graph that stays on the workers until it is gathered or written."""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import numpy as np
import scipy.sparse as sp

from smoothgraph.cluster.futures import Future
from smoothgraph.cluster.partitions import Triples, edge_triples
from smoothgraph.io.atomic import atomic_folder
from smoothgraph.io.errors import FileError
from smoothgraph.io.file_format import PARTS_FORMATS
from smoothgraph.io.graph_file import Edges, to_json
from smoothgraph.pairs.in_memory import Pairs
from smoothgraph.support.adjacency import add_edges

if TYPE_CHECKING:
    from smoothgraph.cluster.pairs_on_workers import PairsOnWorkers


class GraphOnWorkers:
    """The edges with a weight, in parts on the workers; ``bridges`` between components are here."""

    def __init__(self, pairs: "PairsOnWorkers", weights: Sequence[Future], bridges: Triples) -> None:
        self._pairs, self._weights, self._bridges = pairs, weights, bridges
        self._checkpoint: Any = None

    @property
    def n_nodes(self) -> int:
        """The number of nodes."""
        return self._pairs.n_nodes

    @property
    def n_parts(self) -> int:
        """The number of parts that the edges are in."""
        return len(self._weights)

    @cached_property
    def n_edges(self) -> int:
        """The number of edges."""
        return sum(self._pairs._ask("edges", _count, self._weights)) + len(self._bridges[0])

    def gather(self) -> sp.csr_array:
        """The adjacency in the memory of this process: symmetric, zero diagonal."""
        adjacency = add_edges(self._pairs.adjacency(self._weights), self._bridges)
        self.release_checkpoint()
        return adjacency

    def to_parquet(self, folder: Path | str, *, info: Mapping[str, Any] | None = None) -> None:
        """Write a folder of Parquet files, one by each worker, which ``read_graph`` reads.

        The folder is written whole or not at all; one that exists is an error. All workers must see its parent
        folder under the same path. ``info`` is anything that JSON can hold.
        """
        self._write(folder, "parquet", info or {})

    def to_zarr(self, folder: Path | str, *, info: Mapping[str, Any] | None = None) -> None:
        """Write a Zarr group, with a group of source, target and weight for each part."""
        self._write(folder, "zarr", info or {})

    def keep(self, checkpoint: Any) -> None:
        """Remember the checkpoint of the fit until the edges are elsewhere."""
        self._checkpoint = checkpoint

    def release_checkpoint(self) -> None:
        """Remove the checkpoint of the fit: the edges are elsewhere, or not wanted."""
        if self._checkpoint is not None:
            self._checkpoint.remove()

    def _write(self, folder: Path | str, kind: str, info: Mapping[str, Any]) -> None:
        parts, layout = PARTS_FORMATS[kind], self._pairs.layout
        common = {"graph": uuid4().hex, "n_nodes": self.n_nodes, "info": json.loads(to_json(info))}
        with atomic_folder(Path(folder).absolute()) as temporary:
            targets = [partial(write_part, temporary, kind, common | {"part": k}) for k in range(self.n_parts)]
            names = [layout.order[nodes] for nodes in layout.nodes]
            more = [self._bridges, *layout.same(None)][: self.n_parts]  # the first part has the bridges
            counts = self._pairs._ask("write", _write_edges, names, self._weights, more, targets)
            for part in range(len(counts)):
                if not parts.part_path(temporary, part).exists():
                    raise FileError(
                        f"{folder}: expected a folder that all workers share, but part {part} was "
                        "written elsewhere; write to such a folder"
                    )
            parts.write_common(temporary, common | {"edges_of_parts": counts})
        self.release_checkpoint()

    def __repr__(self) -> str:
        return f"GraphOnWorkers({self.n_nodes} nodes, {self.n_edges} edges, {self.n_parts} parts)"


def write_part(folder: Path, kind: str, about: dict[str, Any], edges: Triples) -> int:
    """Write edges between nodes in any order, as often as a worker is asked to, and return their number."""
    i, j, weights = edges
    parts = PARTS_FORMATS[kind]
    path = parts.part_path(folder, about["part"])
    if not folder.is_dir():
        raise FileError(
            f"{folder.parent}: expected a folder that all workers see, but one of them "
            "does not see what is made there; write to a folder that they share"
        )
    ends = np.asarray(i, dtype=np.int64), np.asarray(j, dtype=np.int64)
    try:
        parts.write_part(path, Edges(np.minimum(*ends), np.maximum(*ends), weights), about)
    except OSError as error:
        raise FileError(
            f"{path}: a worker cannot write it ({error.strerror or error}); check the place, "
            "its permissions and its space"
        ) from error
    return len(weights)


def _count(pairs: Pairs, w: np.ndarray) -> int:
    return int(np.count_nonzero(w[pairs.counted]))


def _write_edges(
    pairs: Pairs, names: np.ndarray, w: np.ndarray, more: Triples | None, write: Callable[..., int]
) -> int:
    edges = edge_triples(pairs, names, w)
    return write(edges if more is None else tuple(map(np.concatenate, zip(edges, more, strict=True))))
