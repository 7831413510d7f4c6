"""What a cluster must have for a graph: workers, and memory on each of them."""

from time import monotonic, sleep
from typing import Any

from smoothgraph.cluster.client import Client, check_open

_TIMEOUT = "distributed.scheduler.no-workers-timeout"  # the setting of Dask for this
_SECONDS_TO_RETURN = 60  # if it has no value
_SECONDS_BETWEEN_LOOKS = 0.2
_BYTES_PER_EDGE = 2 * (4 + 8) * 4  # at both ends a column and a distance, and copies of the work


class NoWorkersError(RuntimeError):
    """A cluster has no workers."""


def enough_workers(client: Client) -> list[str]:
    """The addresses of the workers, once one of them can compute.

    If that takes long, a NoWorkersError, or a MemoryError where all are full.
    """
    began, seconds = monotonic(), _seconds_to_return()
    while not any(map(_computes, (workers := _workers(client)).values())):
        if monotonic() - began > seconds and workers:
            raise too_small(client)
        if monotonic() - began > seconds:
            raise NoWorkersError(
                f"The cluster has no workers, and none came in {seconds:g} s; start at least one "
                "(if the cluster is adaptive, adapt(minimum=1)) and fit again. With a checkpoint "
                "it goes on where it was."
            )
        sleep(_SECONDS_BETWEEN_LOOKS)
    return sorted(workers)


def _workers(client: Client) -> dict[str, Any]:
    check_open(client)
    return client.scheduler_info(n_workers=-1)["workers"]


def _computes(worker: dict[str, Any]) -> bool:
    """Whether it takes tasks, or is at one: Dask pauses a worker whose memory is nearly full."""
    return worker["status"] == "running" or worker["metrics"].get("executing", 0) > 0


def _seconds_to_return() -> float:
    import dask  # an extra

    return dask.utils.parse_timedelta(dask.config.get(_TIMEOUT) or _SECONDS_TO_RETURN)


def memory_limits(client: Client) -> list[int]:
    """The memory that each worker may use; none if some may use any."""
    limits = [worker["memory_limit"] for worker in _workers(client).values()]
    return limits if all(limits) else []


def check_memory(client: Client, needed: int, what: str) -> None:
    """A MemoryError if all workers together have less memory than ``needed`` bytes."""
    limits = memory_limits(client)
    if not limits or sum(limits) >= needed:
        return
    raise MemoryError(
        f"{what} takes about {_gigabytes(needed)} in all, but the {len(limits)} workers have "
        f"{_gigabytes(sum(limits))} together; give each of them at least "
        f"{_gigabytes(needed / len(limits))}, or take {-(-needed // min(limits))} such workers."
    )


def too_small(client: Client) -> MemoryError:
    """What to say when workers die again and again."""
    limits = memory_limits(client)
    has = f"have {_gigabytes(min(limits))} each" if limits else "have no limit set"
    return MemoryError(
        "Workers died again and again at the same work, or none goes on; most likely their memory "
        "is too small. "
        f"They {has}: give each at least "
        f"{_gigabytes(2 * min(limits)) if limits else 'twice as much'}, or take twice as many."
    )


def bytes_of_edges(n_edges: int) -> int:
    """What so many candidate edges take on the workers."""
    return n_edges * _BYTES_PER_EDGE


def _gigabytes(number: float) -> str:
    return f"{number / 2**30:.2g} GiB"
