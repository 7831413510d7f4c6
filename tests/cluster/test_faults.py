"""Whatever dies, stops or is slow during a fit on workers: the graph is that of one machine."""

import os
import shutil
import signal
import subprocess
import sys
import time
from threading import Timer

import dask
import dask.array as da
import numpy as np
import psutil
import pytest
from dask_workers import Disturbance, assert_same_graph, cluster_of, fitted

from smoothgraph import LogDegreeGraph
from smoothgraph.cluster import gathered_pairs
from smoothgraph.cluster.futures import fetch, identity, submit
from smoothgraph.cluster.workers import NoWorkersError

N_WORKERS = 2


def table():
    rng = np.random.default_rng(0)
    centres = 3 * rng.normal(size=(30, 8))
    widths = 10 ** rng.uniform(-0.5, 0.2, size=(30, 1))
    place = rng.integers(30, size=2_500)
    return centres[place] + widths[place] * rng.normal(size=(2_500, 8))


def rows(X):
    return da.from_array(X, chunks=(700, -1))


def learner(**options):
    return LogDegreeGraph(alpha=1.0, beta=1.0, neighbors="exact", tol=1e-10, **options)


@pytest.fixture(autouse=True)
def _no_pairs_are_gathered(monkeypatch):
    """So that the workers are needed until the end, as with many pairs."""
    monkeypatch.setattr(gathered_pairs, "SHARE_OF_MEMORY", 0)


@pytest.fixture(scope="module")
def expected():
    return learner().fit(table())


@pytest.fixture(scope="module")
def client():
    """Of workers that are started again when they die."""
    with cluster_of(N_WORKERS) as client:
        yield client


@pytest.fixture
def workers(client):
    """All of them: addresses and processes."""
    client.wait_for_workers(N_WORKERS, timeout=60)
    return client.run(os.getpid)


STAGES = {"search": "index", "solve": "neighbors", "pairs": "solve"}


@pytest.mark.parametrize("stage", STAGES)
def test_a_worker_is_killed(stage, client, workers, expected):
    victim = workers[min(workers)]
    with Disturbance(STAGES[stage], 0.2, lambda: os.kill(victim, signal.SIGKILL)) as death:
        found = fitted(client, learner(), rows(table()))
    assert death.happened
    assert_same_graph(found, expected)


def test_a_worker_stands_still_for_a_while(client, workers, expected):
    victim = workers[max(workers)]
    going_on = Timer(3, os.kill, (victim, signal.SIGCONT))

    def stop():
        os.kill(victim, signal.SIGSTOP)
        going_on.start()

    with Disturbance("neighbors", 0.2, stop) as pause:
        found = fitted(client, learner(), rows(table()))
    going_on.join()
    assert pause.happened
    assert_same_graph(found, expected)


def test_a_worker_is_slow_and_dies_in_the_end(client, workers, expected):
    """The graph outlives it, though some of the edges were there."""
    slow = min(workers)
    client.run(os.nice, 19, workers=[slow])
    found = fitted(client, learner(), rows(table()))
    os.kill(workers[slow], signal.SIGKILL)
    assert_same_graph(found, expected)


def gone_for_good(client, number):
    """Kill so many workers, whom nobody starts again."""
    for nanny in list(client.cluster.workers.values())[:number]:
        nanny.close_gracefully()  # which by itself closes nothing
        os.kill(nanny.pid, signal.SIGKILL)


def test_one_worker_is_left(expected):
    with cluster_of(3, direct=False) as client:
        with Disturbance("neighbors", 0.2, lambda: gone_for_good(client, 2)) as death:
            found = fitted(client, learner(), rows(table()))
        assert death.happened
        assert len(client.scheduler_info()["workers"]) == 1
        assert_same_graph(found, expected)


@pytest.mark.parametrize("stage", ["search", "solve"])
def test_no_worker_is_left(stage):
    with (
        cluster_of(2) as client,
        dask.config.set({"distributed.scheduler.no-workers-timeout": "2s"}),
        Disturbance(STAGES[stage], 0.2, lambda: gone_for_good(client, 2)) as death,
        pytest.raises(NoWorkersError, match=r"has no workers, and none came in 2 s; start at least"),
    ):
        fitted(client, learner(), rows(table()))
    assert death.happened


def test_no_worker_is_left_to_fetch_from():
    with cluster_of(1) as client, dask.config.set({"distributed.scheduler.no-workers-timeout": "2s"}):
        future = submit(client, "answer", identity, 42)
        assert fetch(client, [future]) == [42]
        gone_for_good(client, 1)
        with pytest.raises(NoWorkersError, match="none came in 2 s"):
            fetch(client, [future])


def test_all_workers_are_full():
    """Dask pauses them, which no fit may wait for without end."""
    with (
        cluster_of(1, memory_limit="700 MB") as client,
        dask.config.set({"distributed.scheduler.no-workers-timeout": "2s"}),
    ):
        client.run(fill_memory)
        while "paused" not in client.run(lambda dask_worker: dask_worker.status.name).values():
            time.sleep(0.05)
        with pytest.raises(MemoryError, match=r"too small. They have 0.65 GiB each: give each"):
            fitted(client, learner(), rows(table()))


def fill_memory(dask_worker):
    """Up to where Dask pauses a worker."""
    free = 0.87 * dask_worker.memory_manager.memory_limit - psutil.Process().memory_info().rss
    dask_worker.ballast = np.ones(int(free) // 8)


def test_a_closed_client_is_named():
    with cluster_of(1) as client:
        found = fitted(client, learner(), rows(table()[:300]))
    with pytest.raises(ConnectionError, match="the client was closed"):
        found.adjacency_  # noqa: B018


FIT = """
import sys
import numpy as np
from dask_workers import cluster_of, fitted
import dask.array as da
from smoothgraph import LogDegreeGraph
from smoothgraph.cluster import gathered_pairs

if __name__ == "__main__":
    gathered_pairs.SHARE_OF_MEMORY = 0
    with cluster_of(3) as client:
        learner = LogDegreeGraph(alpha=1.0, beta=1.0, neighbors="exact", tol=1e-10,
            checkpoint=sys.argv[2])
        fitted(client, learner, da.from_array(np.load(sys.argv[1]), chunks=(700, -1)))
"""


@pytest.fixture(scope="module")
def interrupted(tmp_path_factory):
    """The folder with the checkpoint of a fit by three workers, killed after its first state."""
    folder = tmp_path_factory.mktemp("interrupted")
    np.save(folder / "x.npy", table())
    (folder / "fit.py").write_text(FIT)
    checkpoint = folder / "state.npz"
    arguments = [sys.executable, folder / "fit.py", folder / "x.npy", checkpoint]
    tests = os.path.dirname(sys.modules["dask_workers"].__file__)
    process = subprocess.Popen(arguments, env=os.environ | {"PYTHONPATH": tests})
    while not checkpoint.exists() and process.poll() is None:
        time.sleep(0.01)
    assert process.poll() is None, "the fit ended before it was killed"
    process.kill()
    process.wait()
    return folder


@pytest.fixture
def checkpoint(interrupted, tmp_path):
    """A copy of the interrupted fit's."""
    shutil.copy(interrupted / "state.npz", tmp_path)
    shutil.copytree(interrupted / "state.npz.pairs", tmp_path / "state.npz.pairs")
    return tmp_path / "state.npz"


def test_an_interrupted_fit_goes_on_with_other_workers(client, workers, checkpoint, expected):
    found = fitted(client, learner(checkpoint=checkpoint), rows(table()))
    assert checkpoint.exists()  # as long as the graph is nowhere else
    os.kill(workers[min(workers)], signal.SIGKILL)
    assert_same_graph(found, expected)
    assert list(checkpoint.parent.iterdir()) == []


def test_it_goes_on_with_the_edges_that_were_saved(client, workers, checkpoint):
    saved = checkpoint.with_name("state.npz.pairs")
    for path in saved.iterdir():
        path.unlink()
    with pytest.raises(ValueError, match="does not hold the pairs of a checkpoint"):
        fitted(client, learner(checkpoint=checkpoint), rows(table()))


def test_a_checkpoint_of_other_data_or_parameters_is_refused(client, workers, checkpoint):
    other = learner(checkpoint=checkpoint)
    with pytest.raises(ValueError, match="belongs to other data or other parameters"):
        fitted(client, other, rows(np.flipud(table())))
    with pytest.raises(ValueError, match="belongs to other data or other parameters"):
        fitted(client, other.set_params(tol=1e-5), rows(table()))
    assert checkpoint.exists()


def test_a_file_that_cannot_be_written_is_no_lost_worker(client, workers, tmp_path):
    (tmp_path / "state.npz.pairs" / "pairs-1-0.npz").mkdir(parents=True)
    with pytest.raises(IsADirectoryError, match=r"pairs-1-0\.npz"):
        fitted(client, learner(checkpoint=tmp_path / "state.npz"), rows(table()))
