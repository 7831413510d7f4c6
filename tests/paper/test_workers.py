"""Experiments and comparisons on the workers of a Dask client."""

import json
import os
import signal
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
import tiny_experiment
from dask_workers import cluster_of
from tiny_experiment import computed
from typer.testing import CliRunner

from paper.commands import app
from paper.comparison.method_grids import METHODS
from paper.runner import run


@pytest.fixture(scope="module")
def cluster_client():
    """Return a client of two processes."""
    with cluster_of(2) as client:
        yield client


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

    return {"compute": compute_with_pid, "collect": lambda _, results: [result["pid"] for _, result in results]}


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


def succeed(*arguments):
    env = {"COLUMNS": "200", "TERMINAL_WIDTH": "200"}
    result = CliRunner().invoke(app, [str(a) for a in arguments], env=env)
    assert result.exit_code == 0, result.output
    return result


def quick_results(folder, name):
    return json.loads((folder / "quick-results" / f"{name}.json").read_text("utf-8"))


def without_seconds(results):
    """The results, of which the time is another every time."""
    if not isinstance(results, dict):
        return results
    return {key: without_seconds(of) for key, of in results.items() if key != "seconds"}


def test_compare_on_workers_of_its_own(tmp_path):
    succeed("compare", "k-NN", "--quick", "--out", tmp_path, "--workers", 2)
    there = quick_results(tmp_path, "k-NN")
    experiment = METHODS["k-NN"].experiment
    here = run("k-NN", experiment, experiment.QUICK, tmp_path / "here", n_jobs=1)
    assert (here["processes"], there["processes"]) == (1, 2)
    assert without_seconds(there["results"]) == without_seconds(here["results"])


def test_reproduce_on_a_scheduler(cluster_client, tmp_path):
    address = cluster_client.scheduler.address
    succeed("reproduce", "choices", "--quick", "--out", tmp_path, "--scheduler", address)
    assert quick_results(tmp_path, "choices")["processes"] == 2


@pytest.mark.parametrize("command", ["compare", "reproduce"])
def test_help_lists_the_options_for_workers(command):
    text = succeed(command, "--help").output
    for words in ("Dask workers", "--scheduler", "--workers", "Dask workers must see it"):
        assert words in text
