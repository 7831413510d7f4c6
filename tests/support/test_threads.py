"""What threads of one process share: the threads of BLAS, and the filters of warnings."""

import warnings
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from time import sleep

import numpy as np
import pytest
import scipy.linalg
from threadpoolctl import threadpool_info, threadpool_limits

from smoothgraph import LogDegreeGraph, edge_stability
from smoothgraph.support.threads import in_threads, limit_threads, one_blas_thread, run_blocks
from smoothgraph.tasks import MatrixCompletion, SpectralGraphClustering


def blas_threads():
    return [library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"]


@pytest.fixture
def two_blas_threads():
    with threadpool_limits(2, user_api="blas"):
        yield blas_threads()


def test_blas_is_as_before_after_overlapping_blocks(two_blas_threads):
    one_blas_thread.__enter__()
    one_blas_thread.__enter__()
    assert set(blas_threads()) == {1}
    one_blas_thread.__exit__()  # of the block that began first
    assert set(blas_threads()) == {1}
    one_blas_thread.__exit__()
    assert blas_threads() == two_blas_threads


def test_overlapping_fits_leave_the_process_as_it_was(two_blas_threads):
    X = np.random.default_rng(0).normal(size=(4_200, 4))
    filters = list(warnings.filters)
    with ThreadPoolExecutor(3) as threads:
        fits = list(threads.map(lambda seed: LogDegreeGraph(6).fit(np.roll(X, seed, axis=0)), range(3)))
    assert all(fit.is_exact_ for fit in fits)
    assert blas_threads() == two_blas_threads
    assert warnings.filters == filters
    with pytest.warns(UserWarning, match="still heard"):
        warnings.warn("still heard", stacklevel=1)


def test_the_warnings_of_resamples_in_threads_reach_their_caller():
    """And those of a fit that runs meanwhile are heard as well."""
    X = np.random.default_rng(0).normal(size=(30, 8))
    filters, learner = list(warnings.filters), LogDegreeGraph(4, max_iter=1, tol=1e-15)
    with ThreadPoolExecutor(2) as threads, pytest.warns(UserWarning, match=r"did not reach tol=1e-15") as heard:
        list(threads.map(lambda seed: edge_stability(X, learner, n_resamples=3, random_state=seed), range(2)))
    assert len(heard) >= 2 * 4
    assert warnings.filters == filters


def test_blocks_within_blocks_do_not_wait_for_themselves():
    blocks = [(k, k + 1) for k in range(8)]

    def outer(first, last):
        return sum(run_blocks(blocks, lambda a, b: a * b + first + last))

    assert run_blocks(blocks, outer) == [outer(*block) for block in blocks]


def test_limited_threads_run_one_task_at_a_time():
    running, most, lock = 0, 0, Lock()

    def task(_):
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        sleep(0.01)
        with lock:
            running -= 1

    with limit_threads(1):
        list(in_threads(task, range(4)))
        assert {pool["num_threads"] for pool in threadpool_info()} == {1}
    assert most == 1


CHAIN = np.diag(np.ones(29), k=1) + np.diag(np.ones(29), k=-1)


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("svd", lambda: MatrixCompletion(rows=CHAIN, columns=None, rank_strength=0.1).fit(np.outer(range(30), [1, 2]))),
        ("eigh", lambda: SpectralGraphClustering(2).fit(CHAIN)),
    ],
)
def test_small_factorizations_have_one_thread(name, call, two_blas_threads, monkeypatch):
    """More of them spin while they wait for each other, which takes long if the cores are busy."""
    seen, original = set(), getattr(scipy.linalg, name)

    def observed(*arguments, **options):
        seen.update(blas_threads())
        return original(*arguments, **options)

    monkeypatch.setattr(scipy.linalg, name, observed)
    call()
    assert seen == {1}
    assert blas_threads() == two_blas_threads
