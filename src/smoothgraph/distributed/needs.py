"""What a cluster must have for a graph: workers, and memory on each of them."""

from smoothgraph.distributed.client import Client

_TIMEOUT = "distributed.scheduler.no-workers-timeout"  # the setting of Dask for this
_SECONDS_TO_RETURN = 60  # if it has no value
_BYTES_PER_EDGE = 2 * (4 + 8) * 4  # at both ends a column and a distance, and copies of the work


class NoWorkersError(RuntimeError):
    """A cluster has lost all of its workers."""


def enough_workers(client: Client) -> list[str]:
    """The addresses of the workers; a NoWorkersError if there are none for a while."""
    while not (workers := _workers(client)):
        seconds = _seconds_to_return()
        try:
            client.wait_for_workers(1, timeout=seconds)
        except TimeoutError:
            raise NoWorkersError(
                f"The cluster has no workers left, and none came back in {seconds:g} s; start at "
                "least one and fit again (with a checkpoint it goes on where it was)."
            ) from None
    return workers


def _workers(client: Client) -> list[str]:
    return sorted(client.scheduler_info(n_workers=-1)["workers"])


def _seconds_to_return() -> float:
    import dask  # an extra

    return dask.utils.parse_timedelta(dask.config.get(_TIMEOUT) or _SECONDS_TO_RETURN)


def memory_limits(client: Client) -> list[int]:
    """The memory that each worker may use, where it is limited."""
    workers = client.scheduler_info(n_workers=-1)["workers"].values()
    return [worker["memory_limit"] for worker in workers if worker["memory_limit"]]


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
        f"Workers died again and again at the same work; most likely their memory is too small. "
        f"They {has}: give each at least "
        f"{_gigabytes(2 * min(limits)) if limits else 'twice as much'}, or take twice as many."
    )


def bytes_of_edges(n_edges: int) -> int:
    """What so many candidate edges take on the workers."""
    return n_edges * _BYTES_PER_EDGE


def _gigabytes(number: float) -> str:
    return f"{number / 2**30:.2g} GiB"
