"""The connection to a Dask cluster."""

import asyncio
import logging
import sys
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from smoothgraph.support.checks import check_count
from smoothgraph.support.child_processes import spare_children_interrupts
from smoothgraph.support.input_error import InputError
from smoothgraph.support.optional import load_optional
from smoothgraph.support.stages import logger

Client = Any  # distributed.Client, which may not be installed

_SECONDS_TO_CONNECT = 8

# After this time, a local cluster gives up a lost worker for good, even if the worker is back,
# was lost once more and is about to be started again.
PATIENT = {"distributed.deploy.lost-worker-timeout": "1 day"}


def check_open(client: Client) -> None:
    """Raise a ConnectionError if the client was closed."""
    if getattr(client, "status", None) in ("closing", "closed"):
        raise connection_lost()


def connection_lost() -> ConnectionError:
    """Return the error to raise when the cluster does not answer any more."""
    return ConnectionError(
        "The connection to the Dask cluster is gone: the client was closed, its work canceled, or "
        "the scheduler ended. What was not gathered or written is lost with it; connect again and "
        "fit again (with a checkpoint, the fit resumes where it was)."
    )


def active_client() -> Client | None:
    """Return the current client if there is one.

    Inside a task it is None: a task must not wait for other tasks.
    """
    distributed = sys.modules.get("distributed")
    if distributed is None or _is_inside_a_task(distributed):
        return None
    try:
        return distributed.default_client()
    except ValueError:
        return None


@contextmanager
def connect(scheduler: str | None, workers: int | None) -> Iterator[Client | None]:
    """Connect to the scheduler at an address, or start worker processes on this machine.

    The client is current inside the block; it is None if neither is asked for. At the end of the block, processes
    that were started end, and a scheduler at an address stays.
    """
    if scheduler is not None and workers is not None:
        raise InputError(
            "Expected the address of a scheduler or a number of workers to start, got both: "
            f"{scheduler} and {workers}; leave one of them out."
        )
    if scheduler is None and workers is None:
        yield None
        return
    with _client_at(scheduler) if scheduler is not None else _local_client(workers) as client:
        if client.dashboard_link:
            logger.info("dashboard: %s", client.dashboard_link)
        yield client


def _is_inside_a_task(distributed: Any) -> bool:
    try:
        distributed.get_worker()
    except ValueError:
        return False
    return True


def _distributed() -> Any:
    return load_optional("distributed", needed_by="a Dask cluster", extra="dask")


@contextmanager
def _client_at(scheduler: str) -> Iterator[Client]:
    _check_reachable(scheduler)
    with _distributed().Client(scheduler, timeout=_SECONDS_TO_CONNECT) as client:
        if not client.nthreads():
            warnings.warn(
                f"The scheduler at {scheduler} has no workers yet: tasks wait a while for one to "
                f"join (dask worker {scheduler}).",
                stacklevel=5,
            )
        yield client


@contextmanager
def _local_client(workers: int | None) -> Iterator[Client]:
    """Start processes with one thread each, which share the memory of the machine."""
    distributed = _distributed()
    import dask  # which distributed needs

    n_workers = check_count("workers", workers, minimum=1)
    with (
        dask.config.set(PATIENT),
        _start_workers(distributed, n_workers) as cluster,
        distributed.Client(cluster, direct_to_workers=True) as client,
    ):
        yield client


def _start_workers(distributed: Any, n_workers: int) -> Any:
    try:
        with spare_children_interrupts():
            return distributed.LocalCluster(
                n_workers=n_workers,
                threads_per_worker=1,
                dashboard_address="127.0.0.1:0",
                silence_logs=logging.CRITICAL,  # our own messages say what matters
            )
    except RuntimeError as error:
        raise InputError(
            f"Expected {n_workers} worker processes to start, but Dask says: {error} Check the memory, the clock and "
            "Dask's configuration, or go without workers."
        ) from error


def _check_reachable(address: str) -> None:
    """Raise a ConnectionError unless a Dask scheduler answers.

    A client by itself would wait forever for a port where something else listens.
    """
    distributed = _distributed()

    async def reach() -> None:
        options = distributed.Security().get_connection_args("client")
        connection = distributed.comm.connect(address, _SECONDS_TO_CONNECT, **options)
        await (await asyncio.wait_for(connection, _SECONDS_TO_CONNECT + 1)).close()

    try:
        with ThreadPoolExecutor(1) as thread:  # the calling thread may have an event loop
            thread.submit(asyncio.run, reach()).result()
    except (OSError, ValueError, TypeError, MemoryError) as error:
        # TypeError: the address needs certificates. MemoryError: a greeting was read as a size.
        raise ConnectionError(
            f"Expected a Dask scheduler at {address!r}, but none answered: "
            f"{str(error) or 'something else seems to listen there'}. Check the address, such as "
            "tcp://10.0.0.1:8786, and that the scheduler runs (dask scheduler)."
        ) from error
