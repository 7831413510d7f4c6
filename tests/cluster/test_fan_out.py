"""Experiments, comparisons and resamples on the workers of a Dask client."""

import json
import os
import signal
import time
import warnings
from pathlib import Path
from threading import Thread
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
import tiny_experiment
from command_line import smoothgraph, succeeds
from dask_workers import cluster_of
from distributed import get_task_stream
from sklearn.exceptions import ConvergenceWarning
from tiny_experiment import computed

from paper.comparison.method_grids import METHODS
from paper.runner import run
from smoothgraph import LogDegreeGraph, edge_stability


@pytest.fixture
def data(tmp_path):
    folder = tmp_path / "data"
    folder.mkdir()
    return folder


def run_tiny(folder, data, **changes):
    experiment = SimpleNamespace(**(vars(tiny_experiment) | changes))
    return run("tiny", experiment, tiny_experiment.FULL, folder, data_dir=data, n_jobs=1)


def with_pid(compute):
    """The tiny experiment, which now says where it was computed."""

    def compute_with_pid(settings, piece, data_dir):
        return compute(settings, piece, data_dir) | {"pid": os.getpid()}

    return {
        "compute": compute_with_pid,
        "collect": lambda _, results: [result["pid"] for _, result in results],
    }


def test_the_workers_find_what_this_process_finds(cluster_client, tmp_path, data):
    here = run_tiny(tmp_path / "here", data)
    with cluster_client.as_current():
        there = run_tiny(tmp_path / "there", data)
    assert computed(data) == sorted([*range(4), *range(4)])
    assert (here["processes"], there["processes"]) == (1, 2)
    for key in ("experiment", "settings", "versions", "results"):
        assert here[key] == there[key]
    assert [path.name for path in (tmp_path / "there").rglob("*")] == ["tiny.json"]


def test_pieces_are_computed_on_the_workers(cluster_client, tmp_path, data):
    with cluster_client.as_current():
        pids = run_tiny(tmp_path, data, **with_pid(tiny_experiment.compute))["results"]
    assert set(pids) <= set(cluster_client.run(os.getpid).values())


def test_where_seconds_are_measured_this_process_computes(cluster_client, tmp_path, data):
    timed = with_pid(tiny_experiment.compute) | {"IN_PARALLEL": False}
    with cluster_client.as_current():
        summary = run_tiny(tmp_path, data, **timed)
    assert summary["results"] == [os.getpid()] * 4
    assert summary["processes"] == 1


def test_only_this_process_writes_results(cluster_client, tmp_path, data, monkeypatch):
    """Workers on other machines are in a folder of their own, and so are these."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    folders = cluster_client.run(os.getcwd)
    monkeypatch.chdir(tmp_path)
    try:
        cluster_client.run(os.chdir, str(elsewhere))
        with cluster_client.as_current():
            run_tiny(Path("results"), Path("data"))
    finally:
        for worker, folder in folders.items():
            cluster_client.run(os.chdir, folder, workers=[worker])
    assert list(elsewhere.iterdir()) == []
    assert (tmp_path / "results" / "tiny.json").exists()


def test_a_worker_that_is_killed_does_not_end_the_run(cluster_client, tmp_path, data):
    def dies_once(settings, piece, data_dir):
        if piece["number"] == 2 and not (data_dir / "died").exists():
            (data_dir / "died").touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return tiny_experiment.compute(settings, piece, data_dir)

    with cluster_client.as_current():
        summary = run_tiny(tmp_path / "results", data, compute=dies_once)
    assert (data / "died").exists()
    assert summary["results"] == run_tiny(tmp_path / "undisturbed", data)["results"]
    cluster_client.wait_for_workers(2)


def test_the_error_of_a_piece_is_raised_and_the_run_goes_on_later(cluster_client, tmp_path, data):
    def fails_last(settings, piece, data_dir):
        if piece["number"] == 3:
            while len(list((tmp_path / "results").glob("tiny.parts/*/[!.]*.json"))) < 3:
                time.sleep(0.01)  # until the others are kept
        return tiny_experiment.compute(settings, piece, data_dir)

    (data / "fail 3").touch()
    with cluster_client.as_current(), pytest.raises(RuntimeError, match="piece 3 failed"):
        run_tiny(tmp_path / "results", data, compute=fails_last)
    assert not (tmp_path / "results" / "tiny.json").exists()
    (data / "fail 3").unlink()
    (data / "computed").unlink()
    with cluster_client.as_current():
        summary = run_tiny(tmp_path / "results", data)
    assert computed(data) == [3]
    assert summary["results"] == run_tiny(tmp_path / "undisturbed", data)["results"]


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
    assert len([task for task in tasks.data if "learned" in task["key"]]) == 6


def test_resamples_outlive_the_worker_that_has_the_table():
    """The only one, which is started again."""
    X, learner = TABLES["rows"]
    here = edge_stability(X, learner, n_resamples=200, random_state=1).frequency
    with cluster_of(1) as client, client.as_current():
        [victim] = client.run(os.getpid).values()
        scheduler = client.cluster.scheduler
        killer = Thread(target=kill_when, args=(victim, lambda: len(scheduler.tasks) > 1))
        killer.start()
        there = edge_stability(X, learner, n_resamples=200, random_state=1).frequency
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


def quick_results(folder, name):
    return json.loads((folder / "quick-results" / f"{name}.json").read_text("utf-8"))


def without_seconds(results):
    """The results, of which the time is another every time."""
    if not isinstance(results, dict):
        return results
    return {key: without_seconds(of) for key, of in results.items() if key != "seconds"}


def test_compare_on_workers_of_its_own(tmp_path):
    succeeds("compare", "k-NN", "--quick", "--out", tmp_path, "--workers", 2)
    there = quick_results(tmp_path, "k-NN")
    experiment = METHODS["k-NN"].experiment
    here = run("k-NN", experiment, experiment.QUICK, tmp_path / "here", n_jobs=1)
    assert (here["processes"], there["processes"]) == (1, 2)
    assert without_seconds(there["results"]) == without_seconds(here["results"])


def test_reproduce_on_a_scheduler(cluster_client, tmp_path):
    address = cluster_client.scheduler.address
    succeeds("reproduce", "choices", "--quick", "--out", tmp_path, "--scheduler", address)
    assert quick_results(tmp_path, "choices")["processes"] == 2


@pytest.mark.parametrize("command", ["compare", "reproduce"])
def test_help_says_where_it_is_computed(command):
    text = smoothgraph(command, "--help").output
    for words in ("Where it is computed", "--scheduler", "--workers", "Dask workers must see it"):
        assert words in text
