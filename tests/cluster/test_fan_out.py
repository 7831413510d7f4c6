"""Resamples on the workers of a Dask client."""

import os
import signal
import time
import warnings
from threading import Thread

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from dask_workers import cluster_of
from distributed import get_task_stream
from sklearn.exceptions import ConvergenceWarning

from smoothgraph import LogDegreeGraph, edge_stability


def stations():
    """Random walks over 30 nodes."""
    return np.cumsum(np.random.default_rng(0).normal(size=(30, 50)), axis=0)


TABLES = {
    "rows": (stations(), LogDegreeGraph(edges_per_node=4)),
    "columns": (
        pd.DataFrame(stations().T, columns=[f"s{i}" for i in range(30)]),
        LogDegreeGraph(beta=100.0, nodes="columns"),
    ),
    "sparse": (sp.csr_array(np.maximum(stations(), 0)), LogDegreeGraph(edges_per_node=4)),
}


@pytest.mark.parametrize("kind", TABLES)
def test_edges_are_as_stable_on_the_workers(cluster_client, kind):
    X, learner = TABLES[kind]
    here = edge_stability(X, learner, n_resamples=7, random_state=1)
    with cluster_client.as_current():
        there = edge_stability(X, learner, n_resamples=7, random_state=1)
    for name in ("indptr", "indices", "data"):
        np.testing.assert_array_equal(getattr(here.frequency, name), getattr(there.frequency, name))
    np.testing.assert_array_equal(here.learner.dual_, there.learner.dual_)
    np.testing.assert_array_equal(here.learner.node_names_, there.learner.node_names_)


def test_a_random_state_is_left_as_without_workers(cluster_client):
    here, there = np.random.RandomState(3), np.random.RandomState(3)
    edge_stability(stations(), n_resamples=3, random_state=here)
    with cluster_client.as_current():
        edge_stability(stations(), n_resamples=3, random_state=there)
    assert here.randint(2**31) == there.randint(2**31)


def test_resamples_are_learned_on_the_workers(cluster_client):
    with cluster_client.as_current(), get_task_stream(cluster_client) as tasks:
        edge_stability(stations(), n_resamples=6, random_state=0)
    assert len([task for task in tasks.data if task["key"].startswith("learn-")]) == 6


def test_resamples_outlive_the_worker_that_has_the_table():
    """The only one, which is started again."""
    X, learner = TABLES["rows"]
    here = edge_stability(X, learner, n_resamples=100, random_state=1).frequency
    with cluster_of(1) as client, client.as_current():
        [victim] = client.run(os.getpid).values()
        scheduler = client.cluster.scheduler
        killer = Thread(target=kill_when, args=(victim, lambda: len(scheduler.tasks) > 1))
        killer.start()
        there = edge_stability(X, learner, n_resamples=100, random_state=1).frequency
        killer.join()
        assert victim not in client.run(os.getpid).values()
    assert abs(here - there).max() == 0


def kill_when(pid, there_is_work):
    while not there_is_work():
        time.sleep(0.005)
    time.sleep(0.1)
    os.kill(pid, signal.SIGKILL)


def test_a_large_table_does_not_travel_with_every_resample(cluster_client):
    """Dask would warn of a task of more than 10 MB."""
    X = np.random.default_rng(0).normal(size=(20, 80_000))
    assert X.nbytes > 12e6
    with cluster_client.as_current():
        edge_stability(X, LogDegreeGraph(beta=1.0), n_resamples=2, random_state=0)


def test_warnings_of_workers_are_given_here(cluster_client):
    hasty = LogDegreeGraph(beta=100.0, tol=1e-14, max_iter=1)

    def warnings_of_resamples():
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            edge_stability(stations(), hasty, n_resamples=4, random_state=0)
        assert {warning.category for warning in caught} == {ConvergenceWarning}
        return sorted(str(warning.message) for warning in caught)

    here = warnings_of_resamples()
    with cluster_client.as_current():
        assert warnings_of_resamples() == here
    assert len(here) == 5
