"""Clusters for tests: one without any process, and ways to disturb real ones."""

import logging
import threading
from contextlib import contextmanager, nullcontext, suppress

import dask
import numpy as np
from distributed import Client, LocalCluster

from smoothgraph.cluster.client import PATIENT


class ClientInProcess:
    """What a Dask client does for blocks of edges, here and at once."""

    def submit(self, task, *arguments, actor=False, **_):
        result = task(*map(_resolved, arguments))
        return _Done(_Actor(result) if actor else result)

    def cancel(self, futures):
        pass

    def as_current(self):
        return nullcontext()

    def scheduler_info(self, **_):
        return {"workers": {"here": {"memory_limit": 0, "status": "running"}}}


class _Done:
    status = "finished"

    def __init__(self, result):
        self._result = result

    def result(self, **_):
        return self._result

    def done(self):
        return True


class _Actor:
    def __init__(self, instance):
        self._instance = instance

    def __getattr__(self, name):
        return lambda *arguments: _Done(getattr(self._instance, name)(*arguments))


def _resolved(argument):
    if isinstance(argument, list):
        return [_resolved(item) for item in argument]
    return argument.result() if isinstance(argument, _Done) else argument


@contextmanager
def cluster_of(n_workers, *, direct=True, **options):
    """A client of so many processes, which is current only inside ``client.as_current()``.

    It speaks to them ``direct``ly, or through the scheduler.
    """
    settings = {
        "threads_per_worker": 1,
        "dashboard_address": "127.0.0.1:0",
        "silence_logs": logging.CRITICAL,
    }
    cluster = LocalCluster(n_workers=n_workers, **(settings | options))
    try:
        with (
            dask.config.set(PATIENT),
            Client(cluster, set_as_default=False, direct_to_workers=direct) as client,
        ):
            yield client
    finally:
        with suppress(KeyError):  # of Dask, if it hears twice that a worker was killed
            cluster.close()


def fitted(client, learner, X):
    """The learner, fitted on the client's workers."""
    with client.as_current():
        return learner.fit(X)


def assert_same_graph(found, expected):
    """The same edges and certificate; weights and parameter up to rounding."""
    ours, theirs = found.adjacency_, expected.adjacency_
    np.testing.assert_array_equal(ours.indptr, theirs.indptr)
    np.testing.assert_array_equal(ours.indices, theirs.indices)
    np.testing.assert_allclose(ours.data, theirs.data, rtol=1e-8)
    np.testing.assert_allclose(found.dual_, expected.dual_, rtol=1e-8)
    for name in ("theta_", "alpha_", "beta_"):
        assert hasattr(found, name) == hasattr(expected, name)
        if hasattr(found, name):
            np.testing.assert_allclose(getattr(found, name), getattr(expected, name), rtol=1e-10)
    for name in ("is_exact_", "violations_", "neighbors_", "edges_per_node_"):
        assert getattr(found, name) == getattr(expected, name)


class Disturbance(logging.Handler):
    """``act()`` once while ``with`` lasts, some ``seconds`` after a stage has ended."""

    def __init__(self, stage, seconds, act):
        super().__init__(logging.INFO)
        self._stage, self._act = stage, act
        self._timer = threading.Timer(seconds, self._disturb)
        self._lasts = threading.Event()
        self.happened = False

    def emit(self, record):
        ended = getattr(record, "stage", None) == self._stage
        if ended and not self._timer.ident:
            self._timer.start()

    def _disturb(self):
        self._act()
        self.happened = self._lasts.is_set()

    def __enter__(self):
        logger = logging.getLogger("smoothgraph")
        self._level = logger.level
        logger.addHandler(self)
        logger.setLevel(logging.INFO)
        self._lasts.set()
        return self

    def __exit__(self, *_):
        self._lasts.clear()
        logger = logging.getLogger("smoothgraph")
        logger.removeHandler(self)
        logger.setLevel(self._level)
        self._timer.cancel()
        if self._timer.ident:
            self._timer.join()
