"""``smoothgraph learn`` on Dask workers."""

import logging
import os
import signal
import subprocess
import sys
import time

import dask
import numpy as np
import pandas as pd
import psutil
import pytest
from command_line import refused, succeeds, summary
from distributed import Client, LocalCluster

from smoothgraph import LogDegreeGraph
from smoothgraph.cluster.futures import gather
from smoothgraph.io import read_graph
from smoothgraph.support.connectivity import n_components


@pytest.fixture(scope="module")
def X():
    return np.random.default_rng(0).normal(size=(4_500, 3))


@pytest.fixture(scope="module")
def rows(X, tmp_path_factory):
    path = tmp_path_factory.mktemp("rows") / "rows.npy"
    np.save(path, X)
    return path


def start_cluster(n_workers, **options):
    """Start workers with one thread each, which do not log that some of them die."""
    return LocalCluster(
        n_workers=n_workers,
        threads_per_worker=1,
        dashboard_address="127.0.0.1:0",
        silence_logs=logging.CRITICAL,
        **options,
    )


@pytest.fixture(scope="module")
def scheduler():
    with start_cluster(2) as cluster:
        yield cluster.scheduler_address


@pytest.fixture(scope="module")
def expected(X):
    """What is learned in memory; there are enough nodes to search among them there, too."""
    return LogDegreeGraph(6).fit(X).adjacency_


def assert_is_the_graph(W, expected):
    """The same graph up to the density, which a search meets within 1% at either place."""
    assert abs(W.nnz / expected.nnz - 1) <= 0.02
    assert abs(W - expected).max() <= 0.02 * expected.max()


@pytest.mark.parametrize("suffix", ["parquet", "zarr"])
def test_workers_write_their_parts(suffix, rows, expected, scheduler, tmp_path):
    out = tmp_path / f"graph.{suffix}"
    facts = summary("learn", rows, "--scheduler", scheduler, "-k", 6, "--out", out)
    graph = read_graph(out)
    assert_is_the_graph(graph.adjacency, expected)
    assert out.is_dir()
    assert list(tmp_path.iterdir()) == [out]
    assert facts["written"] == str(out)
    assert facts["nodes"] == 4_500
    assert facts["edges"] == graph.adjacency.nnz // 2
    assert facts["proved_optimal"] is True
    assert facts["components"] == n_components(graph.adjacency)
    assert "isolated_nodes" not in facts  # which nobody counts before the graph is in one place
    assert graph.info["file"] == "rows.npy"
    assert graph.info["relative_duality_gap"] == facts["relative_duality_gap"]


def test_workers_join_components(scheduler, tmp_path):
    rng = np.random.default_rng(0)
    np.save(tmp_path / "rows.npy", np.vstack([rng.normal(size=(2_200, 3)), 100 + rng.normal(size=(2_200, 3))]))
    out = tmp_path / "graph.parquet"
    facts = summary("learn", tmp_path / "rows.npy", "--scheduler", scheduler, "--connected", "-k", 6, "--out", out)
    assert facts["components"] == n_components(read_graph(out).adjacency) == 1
    assert facts["bridges"] >= 1


def test_any_other_file_is_written_here(rows, expected, scheduler, tmp_path):
    out = tmp_path / "graph.csv"
    facts = summary("learn", rows, "--scheduler", scheduler, "-k", 6, "--out", out)
    assert_is_the_graph(read_graph(out).adjacency, expected)
    assert facts["components"] >= 1
    assert facts["isolated_nodes"] == 0


def test_workers_that_were_started_are_used_and_end(X, expected, tmp_path):
    """Of a folder of Parquet files; the facts are a table, and where to look is a note."""
    folder = tmp_path / "rows"
    folder.mkdir()
    for k, part in enumerate(np.split(X, [1_500])):
        pd.DataFrame(part, columns=list("abc")).to_parquet(folder / f"{k}.parquet")
    before = set(psutil.Process().children(recursive=True))
    out = tmp_path / "graph.parquet"
    result = succeeds("learn", folder, "--workers", 2, "-k", 6, "--out", out)
    graph = read_graph(out)
    assert_is_the_graph(graph.adjacency, expected)
    assert "edges per node" in result.stdout
    assert "Note: The dashboard of the workers is at http://127.0.0.1:" in result.stderr
    assert not any(p.is_running() for p in set(psutil.Process().children(recursive=True)) - before)


def test_without_out_there_are_facts_only(rows, scheduler, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = succeeds("learn", rows, "--scheduler", scheduler)
    assert "4,500" in result.stdout
    assert "Nothing was written" in result.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("where", ["here", "on workers"])
def test_a_checkpoint_of_other_data_is_refused(where, rows, scheduler, tmp_path):
    """So it was looked at; one that belongs to the data is continued."""
    checkpoint = tmp_path / "state.npz"
    np.savez(checkpoint, belongs_to="something else")
    options = ["--scheduler", scheduler] if where == "on workers" else []
    sentence = refused("learn", rows, "--checkpoint", checkpoint, *options)
    assert "belongs to other data" in sentence
    checkpoint.unlink()
    succeeds("learn", rows, "--checkpoint", checkpoint, *options)
    assert list(tmp_path.iterdir()) == []


NOT_ON_WORKERS = {
    "--nodes": ["columns"],
    "--names": ["a"],
    "--label": ["a"],
    "--coordinates": ["a,b"],
    "--drop": ["a"],
    "--standardize": [],
    "--header": [],
    "--key": ["X"],
    "--format": ["npy"],
    "--picture": ["graph.png"],
}


@pytest.mark.parametrize("option", NOT_ON_WORKERS)
def test_what_workers_cannot_do_is_refused_before_any_are_started(option, rows):
    sentence = refused("learn", rows, "--workers", 2, option, *NOT_ON_WORKERS[option])
    assert option in sentence
    assert "leave out --scheduler and --workers" in sentence


def test_standard_input_is_refused():
    assert "standard input" in refused("learn", "-", "--workers", 2, stdin="1,2\n3,4\n")


def test_a_table_that_workers_cannot_read_is_refused(tmp_path):
    (tmp_path / "table.csv").write_text("1,2\n3,4\n")
    sentence = refused("learn", tmp_path / "table.csv", "--workers", 2)
    for kind in ("Parquet", "Zarr", ".npy", "table.csv"):
        assert kind in sentence


def test_a_table_that_is_not_there_is_refused(tmp_path):
    sentence = refused("learn", tmp_path / "none.parquet", "--workers", 2)
    assert "none.parquet: expected a file or a folder" in sentence


@pytest.mark.parametrize("name", ["graph.parquet", "graph.zarr"])
def test_what_exists_is_kept(name, rows, tmp_path):
    (tmp_path / name).mkdir()
    sentence = refused("learn", rows, "--workers", 2, "--out", tmp_path / name)
    assert f"{name}: expected a name that is free" in sentence


def test_the_graph_and_json_cannot_share_standard_output(rows):
    assert "--out - and --json" in refused("learn", rows, "--workers", 2, "--out", "-", "--json")


def test_workers_that_are_too_small_are_told_how_large_they_should_be(rows):
    unguarded = {f"distributed.worker.memory.{name}": False for name in ("pause", "terminate")}
    with (
        dask.config.set(unguarded),
        start_cluster(1, processes=False, protocol="tcp://", memory_limit="4kB") as cluster,
    ):
        sentence = refused("learn", rows, "--scheduler", cluster.scheduler_address)
    assert "takes about" in sentence
    assert "workers have" in sentence


def test_workers_that_die_of_a_task_are_reported_in_a_sentence():
    def die():
        with Client(cluster, set_as_default=False) as client:
            gather(client, [client.submit(os._exit, 1, pure=False)], "tasks")

    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 0}),
        start_cluster(1) as cluster,
        pytest.raises(MemoryError, match=r"Workers died repeatedly .* memory"),
    ):
        die()


def seconds_of_work(processes):
    return sum(process.cpu_times().user for process in processes)


def test_an_interruption_leaves_no_processes_and_no_files(tmp_path):
    np.save(tmp_path / "many.npy", np.random.default_rng(0).normal(size=(60_000, 30)))
    before = set(tmp_path.iterdir())
    arguments = ["learn", "many.npy", "--workers", "2", "--out", "graph.parquet"]
    process = subprocess.Popen(
        [sys.executable, "-m", "smoothgraph", *arguments],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # as from a terminal
    )
    assert process.stderr.readline().startswith("Note: The dashboard of the workers")
    workers = psutil.Process(process.pid).children(recursive=True)
    assert len(workers) >= 2
    idle = seconds_of_work(workers)
    while seconds_of_work(workers) < idle + 0.5:  # packages that are imported swallow interrupts
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in said
    gone_by = time.monotonic() + 30
    while any(worker.is_running() for worker in workers) and time.monotonic() < gone_by:
        time.sleep(0.1)
    assert not any(worker.is_running() for worker in workers)
    assert set(tmp_path.iterdir()) == before
