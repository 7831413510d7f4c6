"""Clusters for tests, and ways to disturb them."""

import logging
import threading
from contextlib import contextmanager, suppress

import dask
import numpy as np
from distributed import Client, LocalCluster

from smoothgraph.cluster.client import PATIENT


@contextmanager
def cluster_of(n_workers, *, direct=True, **options):
    """A client of so many processes, which is current only inside ``client.as_current()``.

    It speaks to them ``direct``ly, or through the scheduler.
    """
    settings = {"threads_per_worker": 1, "dashboard_address": "127.0.0.1:0", "silence_logs": logging.CRITICAL}
    cluster = LocalCluster(n_workers=n_workers, **(settings | options))
    try:
        with dask.config.set(PATIENT), Client(cluster, set_as_default=False, direct_to_workers=direct) as client:
            yield client
    finally:
        with suppress(KeyError):  # of Dask, if it hears twice that a worker was killed
            cluster.close()


def fitted(client, learner, X):
    """The learner, fitted on the client's workers."""
    with client.as_current():
        return learner.fit(X)


def assert_same_graph(found, expected):
    """Assert that two fits to ``tol=1e-10`` are the same graph, as far as that proves it.

    The gap is a sum over the m nodes relative to m, and quadratic in the error of each: one node's multiplier, or the
    weight of one of its edges, may be off by about ``sqrt(2 tol m)`` of its size in either fit.
    """
    ours, theirs = found.adjacency_, expected.adjacency_
    within = 2 * np.sqrt(2 * 1e-10 * theirs.shape[0])
    largest = theirs.max()
    assert abs(ours - theirs).max() <= within * largest
    certain = theirs > 2 * within * largest
    assert (certain != certain.multiply(ours > 0)).nnz == 0
    if not hasattr(found, "beta_"):  # fixed degrees hardly determine the multipliers of some nodes
        np.testing.assert_allclose(found.dual_, expected.dual_, rtol=within)
    for name in ("theta_", "alpha_", "beta_"):
        assert hasattr(found, name) == hasattr(expected, name)
        if hasattr(found, name):
            np.testing.assert_allclose(getattr(found, name), getattr(expected, name), rtol=1e-10)
    assert found.is_exact_ == expected.is_exact_
    np.testing.assert_allclose(found.edges_per_node_, expected.edges_per_node_, rtol=1e-3)


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
