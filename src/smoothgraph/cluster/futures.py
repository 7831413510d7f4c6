"""Tasks on the workers: submit them under a name, and wait while some worker can compute them."""

import asyncio
from collections.abc import Callable, Collection, Iterable, Iterator
from concurrent.futures import CancelledError
from time import monotonic, sleep
from typing import Any, TypeVar
from uuid import uuid4

from smoothgraph.cluster.client import Client, connection_lost
from smoothgraph.cluster.workers import out_of_memory, wait_for_workers
from smoothgraph.support.optional import load_optional
from smoothgraph.support.progress import track

Future = Any  # distributed.Future, which may not be installed
Result = TypeVar("Result")

# Dask advises to scatter large arguments instead; but what is scattered is lost with its worker.
_LARGE = "distributed.admin.large-graph-warning-threshold"
_SECONDS_BETWEEN_CHECKS = 2.0  # that there are workers
_SECONDS_BETWEEN_POLLS = 0.005


def submit(client: Client, name: str, task: Any, *arguments: Any) -> Future:
    """Return a future of ``task(*arguments)``, which Dask shows as ``name``."""
    import dask  # an extra

    with dask.config.set({_LARGE: "1 TiB"}):
        return client.submit(task, *arguments, key=f"{name}-{uuid4().hex}")


def identity(value: Any) -> Any:
    """Return the value: as a task, Dask sends it once, and again if its worker dies."""
    return value


def run_tasks(client: Client, task: Callable[..., Result], arguments: Iterable[tuple[Any, ...]]) -> Iterator[Result]:
    """Yield ``task(*a)`` for every ``a`` in ``arguments``, computed by the workers, as each ends.

    Tasks of a worker that dies run again on others. The error of a task is raised here, and drops the tasks that
    are still to do; so does closing the iterator.
    """
    waiting = {client.submit(task, *given, pure=False) for given in arguments}
    for future in _completed(client, waiting):
        waiting.remove(future)  # so that the worker drops the result
        yield fetch(client, [future])[0]


def wait_for(client: Client, futures: list[Future], description: str) -> Iterator[Future]:
    """Yield the futures as each ends; the error of one is raised, and drops the others."""
    yield from track(_completed(client, futures), description, total=len(futures))


def gather(client: Client, futures: list[Future], description: str) -> list[Any]:
    """Return the results of the futures, in their order, once all have ended."""
    for _ in wait_for(client, futures, description):
        pass
    return fetch(client, futures)


def fetch(client: Client, futures: list[Future]) -> list[Any]:
    """Return the results of the futures, in their order; lost ones are computed again.

    This is faster than :func:`gather`, but shows no progress.
    """
    distributed = load_optional("distributed", needed_by="a Dask cluster", extra="dask")
    results = asyncio.run_coroutine_threadsafe(client.gather(futures, asynchronous=True), client.loop.asyncio_loop)
    while True:
        try:
            return results.result(_SECONDS_BETWEEN_CHECKS)
        except TimeoutError:
            if results.done():  # the error of a task
                raise
            wait_for_workers(client)
        except CancelledError:
            raise connection_lost() from None
        except distributed.KilledWorker as error:
            raise out_of_memory(client) from error


def _completed(client: Client, futures: Collection[Future]) -> Iterator[Future]:
    """Yield the futures as each ends; raise an error if no worker is left to compute them."""
    distributed = load_optional("distributed", needed_by="a Dask cluster", extra="dask")
    completed, checked = distributed.as_completed(futures, loop=client.loop), monotonic()
    try:
        while not completed.is_empty():
            if completed.has_ready():
                future = next(completed)
                if future.status == "cancelled":
                    raise connection_lost()
                if future.status == "error":
                    future.result()
                yield future
            elif monotonic() - checked < _SECONDS_BETWEEN_CHECKS:
                sleep(_SECONDS_BETWEEN_POLLS)
            else:
                wait_for_workers(client)
                checked = monotonic()
    except distributed.KilledWorker as error:
        client.cancel(list(futures))
        raise out_of_memory(client) from error
    except BaseException:
        client.cancel(list(futures))
        raise
