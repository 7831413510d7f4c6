"""The rows of a distributed fit as chunks with coordinates, each computed where it lies."""

import re
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np

from smoothgraph.cluster.client import Client
from smoothgraph.cluster.tasks import Future, itself, results_of, submitted
from smoothgraph.pairs.distances import check_data
from smoothgraph.search.coordinates import Projection, sampled_rows
from smoothgraph.search.euclidean import as_euclidean
from smoothgraph.search.measure import canonical

Array = Any  # dask.array.Array


class Chunk(NamedTuple):
    """Consecutive rows, their coordinates and the errors of these; plain arrays have a size."""

    X: np.ndarray
    points: np.ndarray
    error: np.ndarray


class Rows(NamedTuple):
    """All rows of a table as futures of chunks.

    The distance of two rows is ``factor |x - y|^2``; coordinates are multiples of ``unit``.
    """

    chunks: list[Future]
    sizes: tuple[int, ...]
    factor: float
    unit: float

    @property
    def firsts(self) -> list[int]:
        """The number of each chunk's first row."""
        return _firsts(self.sizes)


class _Facts(NamedTuple):
    """What is asked of a chunk: what is wrong with it, or some rows and the largest entry."""

    not_finite: ValueError | None
    undefined: ValueError | None
    factor: float
    largest: float
    sample: np.ndarray | None


def rows_of(table: Array, metric: str, client: Client) -> Rows:
    """The rows of a Dask array whose squared distances are ``metric``, projected as in memory.

    What is wrong with them is told as :func:`check_data` and :func:`as_euclidean` tell it.
    """
    read = client.compute(list(table.to_delayed().ravel()))
    sizes, sampled = table.chunks[0], sampled_rows(table.shape[0])
    firsts = _firsts(sizes)
    cuts = np.searchsorted(sampled, [*firsts, table.shape[0]])
    asked = [
        submitted(client, "facts", _facts, rows, metric, first, sampled[begin:end] - first)
        for rows, first, begin, end in zip(read, firsts, cuts[:-1], cuts[1:], strict=True)
    ]
    facts = results_of(client, asked, "rows")
    for problems in ([f.not_finite for f in facts], [f.undefined for f in facts]):
        for problem in filter(None, problems):
            raise problem
    projection = Projection.of(
        np.concatenate([f.sample for f in facts]), max(f.largest for f in facts)
    )
    shared = submitted(client, "projection", itself, projection)
    chunks = [submitted(client, "coordinates", _chunk, rows, metric, shared) for rows in read]
    return Rows(chunks, sizes, facts[0].factor, projection.unit)


def _firsts(sizes: tuple[int, ...]) -> list[int]:
    return [0, *accumulate(sizes)][:-1]


def _facts(rows: np.ndarray, metric: str, first: int, sampled: np.ndarray) -> _Facts:
    rows = canonical(rows)
    try:
        if not np.all(np.isfinite(rows)):
            check_data(rows)
    except ValueError as problem:
        return _Facts(_among_all(problem, first), None, 1.0, 0.0, None)
    try:
        X, factor = _as_euclidean(rows, metric)
    except ValueError as problem:
        return _Facts(None, _among_all(problem, first), 1.0, 0.0, None)
    return _Facts(None, None, factor, float(np.max(np.abs(X), initial=0.0)), X[sampled])


def _among_all(problem: ValueError, first: int) -> ValueError:
    """The problem of a chunk, with the number that its row has among all."""
    message = re.sub(
        r"\b(row|node) (\d+)", lambda row: f"{row[1]} {first + int(row[2])}", str(problem)
    )
    return ValueError(message)


def _chunk(rows: np.ndarray, metric: str, projection: Projection) -> Chunk:
    X = canonical(_as_euclidean(canonical(rows), metric)[0])
    coordinates = projection.coordinates(X)
    return Chunk(X, coordinates.points, coordinates.error)


def _as_euclidean(rows: np.ndarray, metric: str) -> tuple[np.ndarray, float]:
    """In double precision, as in memory, if rows are changed."""
    return as_euclidean(rows if metric == "sqeuclidean" else rows.astype(float), metric)
