import logging
import os
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from logging.handlers import BufferingHandler

import dask
import numpy as np
import pytest
from command_line import refused
from distributed import LocalCluster

from smoothgraph.cluster import client as client_module
from smoothgraph.cluster.client import active_client, connect
from smoothgraph.cluster.futures import run_tasks
from smoothgraph.support.input_error import InputError

ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def settings_of_worker():
    return {name: os.environ.get(name) for name in ONE_THREAD}


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(client_module, "_SECONDS_TO_CONNECT", 1)


def is_running(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_nothing_imports_distributed_before_it_is_asked_for():
    code = """
import sys
import smoothgraph.cli
from smoothgraph import edge_stability
from smoothgraph.cluster.client import active_client, connect
assert active_client() is None
with connect(None, None) as client:
    assert client is None
sys.exit("distributed" in sys.modules or "dask" in sys.modules)
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_workers_that_cannot_start_are_told_in_a_sentence():
    with (
        dask.config.set({"distributed.worker.preload": ["no_such_module"]}),
        pytest.raises(InputError, match="Expected 1 worker processes to start, but Dask says"),
        connect(None, 1),
    ):
        pass


def test_the_current_client_is_active(cluster_client):
    assert active_client() is None
    with cluster_client.as_current():
        assert active_client() is cluster_client
    assert active_client() is None


def test_no_client_is_active_inside_a_task(cluster_client):
    """Else tasks that wait for tasks could fill all workers."""

    def inside():
        from distributed import get_client

        from smoothgraph.cluster.client import active_client

        get_client()
        return active_client() is None

    assert cluster_client.submit(inside, pure=False).result()


@pytest.fixture
def log():
    """The records of this package; a new cluster raises the level of pytest's own handler."""
    handler, logger = BufferingHandler(1000), logging.getLogger("smoothgraph")
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    yield handler.buffer
    logger.setLevel(level)
    logger.removeHandler(handler)


def test_workers_are_started_and_end(monkeypatch, log):
    for name in ONE_THREAD:
        monkeypatch.delenv(name, raising=False)
    with connect(None, 2) as client:
        assert active_client() is client
        assert list(client.nthreads().values()) == [1, 1]
        pids = set(client.run(os.getpid).values())
        assert len(pids | {os.getpid()}) == 3
        for settings in client.run(settings_of_worker).values():
            assert settings == dict.fromkeys(ONE_THREAD, "1")
        link = client.dashboard_link
    assert active_client() is None
    assert client.status == "closed"
    assert not any(map(is_running, pids))
    assert f"dashboard: {link}" in [record.getMessage() for record in log]


def test_a_scheduler_that_was_there_goes_on(cluster_client):
    address = cluster_client.scheduler.address
    with connect(address, None) as client:
        assert active_client() is client
        assert client is not cluster_client
        assert client.submit(sum, (1, 2), pure=False).result() == 3
    assert client.status == "closed"
    assert cluster_client.submit(sum, (1, 2), pure=False).result() == 3


def test_a_scheduler_without_workers_is_reported():
    with (
        LocalCluster(n_workers=0, dashboard_address="127.0.0.1:0") as cluster,
        pytest.warns(UserWarning, match="no workers yet"),
        connect(cluster.scheduler_address, None),
    ):
        pass


def test_one_place_at_a_time(tmp_path):
    both = pytest.raises(ValueError, match=r"got both: tcp://10\.0\.0\.1:8786 and 2; leave one")
    with both, connect("tcp://10.0.0.1:8786", 2):
        pass
    np.save(tmp_path / "x.npy", np.eye(3))
    assert "got both" in refused("learn", tmp_path / "x.npy", "--scheduler", "10.0.0.1:8786", "--workers", 2)


@pytest.mark.parametrize("workers", [0, -1, 1.5])
def test_a_number_of_workers_is_a_count(workers):
    with pytest.raises(ValueError, match="workers must be"), connect(None, workers):
        pass


@pytest.mark.parametrize("address", ["nowhere", "post://10.0.0.1:8786", "tls://127.0.0.1:8786"])
def test_what_is_no_address_is_named(address):
    with pytest.raises(ConnectionError, match=f"'{address}'.*dask scheduler"):
        connect(address, None).__enter__()


def test_an_address_where_nothing_listens(tmp_path, impatient):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{unused.getsockname()[1]}"
        np.save(tmp_path / "x.npy", np.eye(3))
        out = tmp_path / "out.parquet"
        sentence = refused("learn", tmp_path / "x.npy", "--out", out, "--scheduler", address)
    assert f"Expected a Dask scheduler at '{address}'" in sentence
    assert "dask scheduler" in sentence
    assert not out.exists()


@pytest.mark.parametrize("greeting", [b"", b"SSH-2.0-OpenSSH_9.6\r\n" * 2])
def test_an_address_where_something_else_listens(greeting, impatient):
    def greet():
        connection, _ = other.accept()
        connection.sendall(greeting)
        return connection

    with socket.create_server(("127.0.0.1", 0)) as other, ThreadPoolExecutor() as threads:
        greeted = threads.submit(greet)
        address = f"127.0.0.1:{other.getsockname()[1]}"
        with pytest.raises(ConnectionError, match=f"'{address}'.*dask scheduler"):
            connect(address, None).__enter__()
        greeted.result().close()


def test_without_dask_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert active_client() is None
    for place in ((None, 2), ("tcp://10.0.0.1:8786", None)):
        with pytest.raises(ImportError, match=r"pip install 'smoothgraph\[dask\]'"):
            connect(*place).__enter__()


def test_every_task_is_done_once_each(cluster_client):
    tasks = [(i, j) for i in range(5) for j in range(3)]
    results = list(run_tasks(cluster_client, divmod, [(i, j + 1) for i, j in tasks]))
    assert sorted(results) == sorted(divmod(i, j + 1) for i, j in tasks)
    assert list(run_tasks(cluster_client, divmod, [])) == []


def test_the_error_of_a_task_drops_the_others(cluster_client, tmp_path):
    def fails_or_waits(number):
        if number == 0:
            raise KeyError("of task 0")
        while not (tmp_path / "go").exists():
            time.sleep(0.01)

    try:
        with pytest.raises(KeyError, match="of task 0") as raised:
            list(run_tasks(cluster_client, fails_or_waits, [(i,) for i in range(20)]))
        deadline = time.monotonic() + 10
        while cluster_client.run_on_scheduler(number_of_tasks):
            assert time.monotonic() < deadline, "the scheduler still has tasks"
            time.sleep(0.01)
        assert raised.tb is not None  # whose frames would keep the tasks
    finally:
        (tmp_path / "go").touch()


def number_of_tasks(dask_scheduler):
    return sum(str(key).startswith("fails_or_waits") for key in dask_scheduler.tasks)
