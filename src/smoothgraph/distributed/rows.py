"""The rows of a distributed fit as chunks with coordinates, each computed where it lies."""

import re
from collections.abc import Iterator
from itertools import accumulate
from time import monotonic, sleep
from typing import Any, NamedTuple
from uuid import uuid4

import numpy as np

from smoothgraph._optional import load_optional
from smoothgraph.distances import check_data
from smoothgraph.distributed.client import Client
from smoothgraph.distributed.needs import enough_workers, too_small
from smoothgraph.neighbors.coordinates import Projection, sampled_rows
from smoothgraph.neighbors.euclidean import as_euclidean
from smoothgraph.neighbors.measure import canonical
from smoothgraph.progress import tracked

Future = Any  # distributed.Future, which may not be installed
Array = Any  # dask.array.Array

_SECONDS_BETWEEN_LOOKS = 2.0  # at who is still there, while results are awaited
_SECONDS_OF_REST = 0.005


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


def submitted(client: Client, name: str, task: Any, *arguments: Any) -> Future:
    """A future of ``task(*arguments)``, called ``name`` where Dask shows what is done."""
    return client.submit(task, *arguments, key=f"{name}-{uuid4().hex}")


def itself(given: Any) -> Any:
    """As a task: what is sent once, and again to workers that come later."""
    return given


def finished_futures(client: Client, futures: list[Future], description: str) -> Iterator[Future]:
    """The futures as each is done; the error of one is raised, and the others are dropped."""
    distributed = load_optional("distributed", needed_by="a Dask cluster", extra="dask")
    done = _while_there_are_workers(client, distributed.as_completed(futures, loop=client.loop))
    try:
        for future in tracked(done, description, total=len(futures)):
            if future.status in ("error", "cancelled"):
                future.result()
            yield future
    except distributed.KilledWorker as error:
        client.cancel(futures)
        raise too_small(client) from error
    except BaseException:
        client.cancel(futures)
        raise


def _while_there_are_workers(client: Client, done: Any) -> Iterator[Future]:
    """The futures as each is done; a NoWorkersError if nobody is left to compute them."""
    looked = monotonic()
    while not done.is_empty():
        if done.has_ready():
            yield next(done)
        elif monotonic() - looked < _SECONDS_BETWEEN_LOOKS:
            sleep(_SECONDS_OF_REST)
        else:
            enough_workers(client)
            looked = monotonic()


def results_of(client: Client, futures: list[Future], description: str) -> list[Any]:
    """What the futures hold, in their order, once all are done."""
    for _ in finished_futures(client, futures, description):
        pass
    return client.gather(futures)


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
        X, factor = as_euclidean(rows, metric)
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
    X = canonical(as_euclidean(canonical(rows), metric)[0])
    coordinates = projection.coordinates(X)
    return Chunk(X, coordinates.points, coordinates.error)
