"""Partitions: what a worker keeps of the candidate pairs.

A partition owns a range of nodes and holds every pair that touches one of them, so that whatever is summed at its
own nodes is complete. Its nodes are its own and those at the other ends, in increasing order. A pair between two
partitions is held by both and counts in the one that owns its first end. All functions here run as tasks on the
workers.
"""

import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from smoothgraph.io import atomic_write
from smoothgraph.io.errors import FileError
from smoothgraph.pairs.in_memory import Pairs
from smoothgraph.pairs.pair_set import PairSet
from smoothgraph.search.engine import NearPairs

Triples = tuple[np.ndarray, np.ndarray, np.ndarray]  # i, j and z (or w) of some pairs
Bounds = tuple[int, int]  # the first node of a range, and the last + 1


class Partition(NamedTuple):
    """Pairs in local numbers, and the number of each local node among all nodes."""

    pairs: Pairs
    nodes: np.ndarray


def make_partition(bounds: Bounds, parts: Sequence[Triples]) -> Partition:
    """The partition that owns the nodes within ``bounds``, from pairs that may repeat."""
    i, j, z = NearPairs.concatenate(parts)
    ends = np.union1d(i, j)
    before, after = ends[ends < bounds[0]], ends[ends >= bounds[1]]
    nodes = np.concatenate([before, np.arange(*bounds), after]).astype(np.int32)
    local = np.searchsorted(nodes, i), np.searchsorted(nodes, j)
    pattern, values = PairSet.with_values(*local, z, len(nodes))
    own = len(before), len(before) + bounds[1] - bounds[0]
    return Partition(Pairs(pattern, values, own=own), nodes)


def take_triples(found: Triples, bounds: Bounds) -> Triples:
    """The pairs with an end within ``bounds``."""
    i, j, z = found
    here = ((bounds[0] <= i) & (i < bounds[1])) | ((bounds[0] <= j) & (j < bounds[1]))
    return i[here], j[here], z[here]


def take_pairs(pairs: Pairs, nodes: np.ndarray, bounds: Bounds) -> Triples:
    """The pairs of another partition with an end within ``bounds``."""
    ends = nodes[pairs.pattern.rows], nodes[pairs.pattern.cols]
    return take_triples((*ends, pairs.z), bounds)


def save_partition(pairs: Pairs, nodes: np.ndarray, path: str) -> None:
    """Write a partition to a file, whole or not at all."""
    with atomic_write(Path(path)) as temporary, temporary.open("wb") as file:
        np.savez(
            file, indptr=pairs.pattern.indptr, cols=pairs.pattern.cols, z=pairs.z, own=np.array(pairs.own), nodes=nodes
        )


def load_partition(path: str) -> Partition:
    """Read a partition from a file."""
    try:
        with np.load(path, allow_pickle=False) as file:
            state = {name: file[name] for name in file.files}
    except (OSError, ValueError, EOFError, zipfile.BadZipFile) as error:
        raise FileError(
            f"{path} does not hold the pairs of a checkpoint ({error}); delete the checkpoint and fit again"
        ) from error
    pattern = PairSet(len(state["nodes"]), state["indptr"], state["cols"])
    first, last = state["own"].tolist()
    return Partition(Pairs(pattern, state["z"], own=(first, last)), state["nodes"])


class Facts(NamedTuple):
    """What the client knows of a partition's pairs."""

    n_pairs: int
    low: float
    high: float
    fewest: int
    most: int

    @classmethod
    def of(cls, pairs: Pairs) -> "Facts":
        """Look at the pairs."""
        return cls(pairs.n_pairs, *pairs.distance_range, *pairs.pairs_per_node)


def counted_triples(pairs: Pairs, nodes: np.ndarray, values: np.ndarray) -> Triples:
    """The pairs that count in a partition, numbered among all nodes, and their values."""
    counted, pattern = pairs.counted, pairs.pattern
    return nodes[pattern.rows[counted]], nodes[pattern.cols[counted]], values[counted]


def edge_triples(pairs: Pairs, nodes: np.ndarray, w: np.ndarray) -> Triples:
    """The pairs that count in a partition and have a weight."""
    i, j, w = counted_triples(pairs, nodes, w)
    kept = w != 0
    return i[kept], j[kept], w[kept]
