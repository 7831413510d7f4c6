"""The workers of a cluster: whether there are any, and how much memory they have."""

from time import monotonic, sleep
from typing import Any

from smoothgraph.cluster.client import Client, check_open

_TIMEOUT = "distributed.scheduler.no-workers-timeout"  # Dask's setting
_DEFAULT_TIMEOUT = 60  # seconds, if Dask's setting has no value
_SECONDS_BETWEEN_LOOKS = 0.2
BYTES_PER_PAIR = 2 * (4 + 8) * 4  # a column and a distance at both ends, and temporary copies


class NoWorkersError(RuntimeError):
    """A cluster has no workers."""


def wait_for_workers(client: Client) -> list[str]:
    """Return the addresses of the workers as soon as one of them can compute.

    Raises a NoWorkersError if no worker joins in time, or a MemoryError if all stay paused.
    """
    import dask  # an extra

    timeout = dask.utils.parse_timedelta(dask.config.get(_TIMEOUT) or _DEFAULT_TIMEOUT)
    began = monotonic()
    while not any(map(_computes, (workers := _workers(client)).values())):
        if monotonic() - began > timeout:
            if workers:
                raise out_of_memory(client)
            raise NoWorkersError(
                f"The cluster has no workers, and none came in {timeout:g} s; start at least one (if the cluster is "
                "adaptive, adapt(minimum=1)) and fit again. With a checkpoint, the fit resumes where it was."
            )
        sleep(_SECONDS_BETWEEN_LOOKS)
    return sorted(workers)


def _workers(client: Client) -> dict[str, Any]:
    check_open(client)
    return client.scheduler_info(n_workers=-1)["workers"]


def _computes(worker: dict[str, Any]) -> bool:
    """Whether a worker takes tasks or runs one; Dask pauses it if its memory is nearly full."""
    return worker["status"] == "running" or worker["metrics"].get("executing", 0) > 0


def memory_limits(client: Client) -> list[int]:
    """Return the memory limit of each worker; an empty list if one of them has no limit."""
    limits = [worker["memory_limit"] for worker in _workers(client).values()]
    return limits if all(limits) else []


def check_memory(client: Client, needed: int, what: str) -> None:
    """Raise a MemoryError if all workers together have less memory than ``needed`` bytes."""
    limits = memory_limits(client)
    if not limits or sum(limits) >= needed:
        return
    raise MemoryError(
        f"{what} takes about {_gigabytes(needed)} in all, but the {len(limits)} workers have "
        f"{_gigabytes(sum(limits))} together; give each of them at least "
        f"{_gigabytes(needed / len(limits))}, or take {-(-needed // min(limits))} such workers."
    )


def out_of_memory(client: Client) -> MemoryError:
    """Return the error to raise when workers die again and again, or all stay paused."""
    limits = memory_limits(client)
    has = f"have {_gigabytes(min(limits))} each" if limits else "have no limit set"
    more = _gigabytes(2 * min(limits)) if limits else "twice as much"
    return MemoryError(
        "Workers died repeatedly at the same task, or all of them are paused; most likely their "
        f"memory is too small. They {has}: give each at least {more}, or take twice as many."
    )


def _gigabytes(number: float) -> str:
    return f"{number / 2**30:.2g} GiB"
