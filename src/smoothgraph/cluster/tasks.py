"""Tasks on the workers: named where Dask shows them, awaited while somebody can do them."""

import asyncio
from collections.abc import Callable, Collection, Iterable, Iterator
from concurrent.futures import CancelledError
from time import monotonic, sleep
from typing import Any, TypeVar
from uuid import uuid4

from smoothgraph.cluster.client import Client, disconnected
from smoothgraph.cluster.needs import enough_workers, too_small
from smoothgraph.support.optional import load_optional
from smoothgraph.support.progress import track

Future = Any  # distributed.Future, which may not be installed
Result = TypeVar("Result")

_SECONDS_BETWEEN_LOOKS = 2.0  # at who is still there, while results are awaited
_SECONDS_OF_REST = 0.005


def submitted(client: Client, name: str, task: Any, *arguments: Any) -> Future:
    """A future of ``task(*arguments)``, called ``name`` where Dask shows what is done."""
    return client.submit(task, *arguments, key=f"{name}-{uuid4().hex}")


def itself(given: Any) -> Any:
    """As a task: what is sent once, and again to workers that come later."""
    return given


def finished(
    client: Client, task: Callable[..., Result], arguments: Iterable[tuple[Any, ...]]
) -> Iterator[Result]:
    """``task(*a)`` for every ``a`` in ``arguments``, computed by the workers, as each is done.

    If a worker dies its tasks run again on others. The error of a task is raised here; tasks
    that are then, or when the iterator is closed, still to do are dropped.
    """
    waiting = {client.submit(task, *given, pure=False) for given in arguments}
    for future in _done(client, waiting):
        waiting.remove(future)  # and with it the worker's copy of the result
        yield result_of(client, future)


def finished_futures(client: Client, futures: list[Future], description: str) -> Iterator[Future]:
    """The futures as each is done; the error of one is raised, and the others are dropped."""
    yield from track(_done(client, futures), description, total=len(futures))


def _done(client: Client, futures: Collection[Future]) -> Iterator[Future]:
    distributed = load_optional("distributed", needed_by="a Dask cluster", extra="dask")
    done = distributed.as_completed(futures, loop=client.loop)
    try:
        for future in _while_there_are_workers(client, done):
            if future.status == "cancelled":
                raise disconnected()
            if future.status == "error":
                future.result()
            yield future
    except distributed.KilledWorker as error:
        client.cancel(list(futures))
        raise too_small(client) from error
    except BaseException:
        client.cancel(list(futures))
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
    return _gathered(client, futures)


def result_of(client: Client, future: Future) -> Any:
    """What a future holds that is done."""
    return _gathered(client, [future])[0]


def _gathered(client: Client, futures: list[Future]) -> list[Any]:
    """What the futures hold, which is computed again while somebody can, if workers died since."""
    waiting = asyncio.run_coroutine_threadsafe(
        client.gather(futures, asynchronous=True), client.loop.asyncio_loop
    )
    while True:
        try:
            return waiting.result(_SECONDS_BETWEEN_LOOKS)
        except TimeoutError:
            if waiting.done():  # an error of a task
                raise
            enough_workers(client)
        except CancelledError:
            raise disconnected() from None
