"""Blocks of rows on all cores: the kernels release the GIL, threads run them."""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ContextDecorator, contextmanager
from functools import cache
from itertools import pairwise
from threading import Lock, current_thread
from typing import Any, TypeVar

import numpy as np
from threadpoolctl import threadpool_limits

Item = TypeVar("Item")
Result = TypeVar("Result")

# Below this many edges a thread costs more than it saves.
_EDGES_WORTH_A_THREAD = 1_000_000
_NAME = "smoothgraph"  # of its threads

_most_threads: int | None = None


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(_n_cores(), thread_name_prefix=_NAME)


@contextmanager
def limit_threads(most: int) -> Iterator[None]:
    """Inside, at most so many threads compute, in our kernels and in BLAS and OpenMP."""
    global _most_threads
    before, _most_threads = _most_threads, most
    _pool.cache_clear()
    _n_cores.cache_clear()
    try:
        with threadpool_limits(most):
            yield
    finally:
        _most_threads = before
        _pool.cache_clear()
        _n_cores.cache_clear()


@cache
def _n_cores() -> int:
    """The cores of this process; fewer if OMP_NUM_THREADS, as Dask and joblib set it, or ``limit_threads`` says so."""
    has_affinity = hasattr(os, "sched_getaffinity")
    cores = len(os.sched_getaffinity(0)) if has_affinity else os.cpu_count() or 1
    asked = os.environ.get("OMP_NUM_THREADS", "")
    cores = min(cores, int(asked)) if asked.isdigit() and int(asked) > 0 else cores
    return cores if _most_threads is None else min(cores, _most_threads)


if hasattr(os, "register_at_fork"):  # a forked child inherits the pool but not its threads
    os.register_at_fork(after_in_child=_pool.cache_clear)


def row_blocks(indptr: np.ndarray) -> list[tuple[int, int]]:
    """Consecutive row ranges with about equally many edges, one per useful thread."""
    n_edges = int(indptr[-1])
    n_blocks = min(_n_cores(), n_edges // _EDGES_WORTH_A_THREAD)
    if n_blocks < 2:
        return [(0, len(indptr) - 1)]
    cuts = np.searchsorted(indptr, np.linspace(0, n_edges, n_blocks + 1)[1:-1])
    bounds = [0, *cuts.tolist(), len(indptr) - 1]
    return list(pairwise(bounds))


def run_blocks(blocks: list[tuple[int, int]], task: Callable[[int, int], Any]) -> list[Any]:
    """``[task(first, last) for first, last in blocks]``, in threads if there are several."""
    if len(blocks) == 1 or current_thread().name.startswith(_NAME):  # one of these threads would wait for itself
        return [task(*block) for block in blocks]
    return list(_pool().map(lambda block: task(*block), blocks))


def in_threads(task: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
    """``task(item)`` for every item, in order, on all cores; BLAS stays on the calling one.

    For tasks that release the GIL and do not use these threads themselves.
    """
    with one_blas_thread:
        yield from _pool().map(task, items)


class _OneBlasThread(ContextDecorator):
    """BLAS on one thread while a ``with`` block lasts, and as before once the last of overlapping blocks has ended.

    It is for many small calls: threads of BLAS spin while they wait for each other, which takes long if the cores are
    busy. As a decorator, it does the same for a function.
    """

    def __init__(self) -> None:
        self._lock, self._n_blocks = Lock(), 0

    def __enter__(self) -> None:
        with self._lock:
            if self._n_blocks == 0:
                self._limits = threadpool_limits(1, user_api="blas")
            self._n_blocks += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._n_blocks -= 1
            if self._n_blocks == 0:
                self._limits.restore_original_limits()


one_blas_thread = _OneBlasThread()
