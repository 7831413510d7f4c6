"""Chunks of rows on the workers, with the coordinates that the search needs."""

from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np

from smoothgraph.cluster.client import Client
from smoothgraph.cluster.futures import Future, gather, identity, submit
from smoothgraph.pairs.euclidean import UndefinedRowError, as_euclidean, check_metric
from smoothgraph.search.coordinates import Coordinates, Projection, sample_rows
from smoothgraph.search.tiled_rows import canonical_rows

Array = Any  # dask.array.Array, which may not be installed


class Chunk(NamedTuple):
    """Euclidean rows, their coordinates and their numbers, as arrays, whose size Dask can tell."""

    X: np.ndarray
    coordinates: Coordinates
    ids: np.ndarray

    def take(self, rows: np.ndarray) -> "Chunk":
        """Return some of the rows."""
        return Chunk(self.X[rows], self.coordinates.take(rows), self.ids[rows])

    @classmethod
    def concatenate(cls, chunks: "list[Chunk]") -> "Chunk":
        """Join the rows of several chunks."""
        X, coordinates, ids = zip(*chunks, strict=True)
        return cls(np.concatenate(X), Coordinates.concatenate(coordinates), np.concatenate(ids))


def make_chunks(table: Array, metric: str, client: Client) -> list[Future]:
    """Return futures of the :class:`Chunk` of each chunk of a Dask array.

    Raises a ValueError for the first row that is not finite or for which ``metric`` is undefined.
    """
    check_metric(metric)
    read = client.compute(list(table.to_delayed().ravel()))
    firsts = [0, *accumulate(table.chunks[0])][:-1]
    asked = [
        submit(client, "facts", _inspect, rows, metric, first, sampled)
        for rows, first, sampled in zip(read, firsts, sample_chunks(table), strict=True)
    ]
    facts = gather(client, asked, "rows")
    problems = [found for found in facts if isinstance(found, ValueError)]
    if problems:
        raise min(problems, key=lambda problem: isinstance(problem, UndefinedRowError))
    largest, sample = zip(*facts, strict=True)
    projection = Projection.choose(np.concatenate(sample), max(largest))
    shared = submit(client, "projection", identity, projection)
    return [
        submit(client, "coordinates", _project, rows, metric, first, shared)
        for rows, first in zip(read, firsts, strict=True)
    ]


def sample_chunks(table: Array, *size: int) -> list[np.ndarray]:
    """Draw rows of a table; return those of each chunk, counted from its first row."""
    sampled, ends = sample_rows(len(table), *size), np.cumsum(table.chunks[0])
    parts = np.split(sampled, np.searchsorted(sampled, ends[:-1]))
    return [part - first for part, first in zip(parts, ends - table.chunks[0], strict=True)]


def _inspect(rows: np.ndarray, metric: str, first: int, sampled: np.ndarray) -> tuple[float, np.ndarray] | ValueError:
    """Return the largest magnitude and some of the rows, by which a projection is chosen."""
    finite = np.isfinite(rows).all(axis=1)
    if not np.all(finite):
        return ValueError(
            f"X contains NaN or infinity, first in node {first + int(np.argmin(finite))}; drop "
            "such nodes, or fill in the values."
        )
    try:
        X = _euclidean_rows(rows, metric)
    except UndefinedRowError as error:
        return UndefinedRowError(metric, first + error.row)
    return float(np.max(np.abs(X), initial=0.0)), X[sampled]


def _project(rows: np.ndarray, metric: str, first: int, projection: Projection) -> Chunk:
    X = _euclidean_rows(rows, metric)
    return Chunk(X, projection.coordinates(X), np.arange(first, first + len(X)))


def _euclidean_rows(rows: np.ndarray, metric: str) -> np.ndarray:
    """Return Euclidean rows, in double precision if they are computed."""
    rows = rows if metric == "sqeuclidean" else rows.astype(float)
    return canonical_rows(as_euclidean(rows, metric))
