import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import tiny_experiment
from tiny_experiment import Settings, computed

import smoothgraph
from paper import runner
from paper.provenance import source_hash
from paper.runner import is_current, read_json, run, write_json

TESTS = Path(tiny_experiment.__file__).parent
KILLED_RUN = """
import sys
from pathlib import Path
import tiny_experiment
from paper.runner import run
folder, data = map(Path, sys.argv[1:])
run("tiny", tiny_experiment, tiny_experiment.FULL, folder, data_dir=data, n_jobs=1)
"""


@pytest.fixture
def data(tmp_path):
    folder = tmp_path / "data"
    folder.mkdir()
    return folder


@pytest.fixture
def results(tmp_path):
    return tmp_path / "results"


def run_tiny(results, data, settings=tiny_experiment.FULL, n_jobs=1):
    return run("tiny", tiny_experiment, settings, results, data_dir=data, n_jobs=n_jobs)


def files_in(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def finished_parts(results):
    return sorted((results / "tiny.parts").glob("*/[!.]*.json"))


def expected_sums(settings):
    rngs = [np.random.default_rng([settings.seed, number]) for number in range(settings.count)]
    return [sum(float(rng.normal(size=n).sum()) for n in settings.sizes) for rng in rngs]


def test_the_summary_says_what_was_run_and_found(results, data):
    summary = run_tiny(results, data, Settings(count=3, sizes=(2, 4)))
    assert summary["experiment"] == "tiny"
    assert summary["settings"] == {"count": 3, "sizes": [2, 4], "seed": 0}
    assert summary["sources"] == source_hash(tiny_experiment.SOURCES)
    assert summary["versions"]["smoothgraph"] == smoothgraph.__version__
    assert summary["versions"]["numpy"] == np.__version__
    assert summary["processes"] == 1
    assert summary["results"] == {"numbers": [0, 1, 2], "sums": expected_sums(Settings(count=3, sizes=(2, 4)))}
    assert json.loads((results / "tiny.json").read_text(encoding="utf-8")) == summary
    assert files_in(results) == ["tiny.json"]


def test_what_is_finished_is_not_computed_again(results, data):
    first = run_tiny(results, data)
    assert computed(data) == [0, 1, 2, 3]
    before = (results / "tiny.json").read_bytes()
    assert run_tiny(results, data) == first
    assert computed(data) == [0, 1, 2, 3]
    assert (results / "tiny.json").read_bytes() == before


@pytest.fixture
def change_code(monkeypatch):
    """Let the present code be another one."""
    return lambda name: monkeypatch.setattr(runner, "source_hash", lambda _: name)


def test_results_of_other_code_are_computed_again(results, data, change_code):
    change_code("the first version")
    first = run_tiny(results, data)
    assert is_current(first, tiny_experiment)
    change_code("the second version")
    assert not is_current(first, tiny_experiment)
    second = run_tiny(results, data)
    assert computed(data) == [0, 0, 1, 1, 2, 2, 3, 3]
    assert read_json(results / "tiny.json")["sources"] == second["sources"] == "the second version"
    assert files_in(results) == ["tiny.json"]


def test_results_that_do_not_say_what_computed_them_are_computed_again(results, data):
    old = run_tiny(results, data)
    del old["sources"]
    write_json(results / "tiny.json", old)
    assert not is_current(old, tiny_experiment)
    assert "sources" in run_tiny(results, data)
    assert computed(data) == [0, 0, 1, 1, 2, 2, 3, 3]


def test_pieces_of_other_code_are_not_used(results, data, change_code):
    change_code("the first version")
    (data / "fail 3").touch()
    with pytest.raises(RuntimeError):
        run_tiny(results, data)
    (data / "fail 3").unlink()
    (data / "computed").unlink()
    change_code("the second version")
    run_tiny(results, data)
    assert computed(data) == [0, 1, 2, 3]


@pytest.mark.parametrize("other", [Settings(seed=1), Settings(sizes=(3, 6)), Settings(count=5)])
def test_other_settings_are_computed_anew(results, data, other):
    run_tiny(results, data)
    summary = run_tiny(results, data, other)
    assert computed(data) == sorted([*range(4), *range(other.count)])
    assert summary["results"]["sums"] == expected_sums(other)
    assert read_json(results / "tiny.json") == summary
    assert files_in(results) == ["tiny.json"]


def test_other_settings_do_not_use_pieces_of_a_stopped_run(results, data):
    (data / "fail 3").touch()
    with pytest.raises(RuntimeError):
        run_tiny(results, data)
    (data / "fail 3").unlink()
    other = Settings(seed=1)
    assert run_tiny(results, data, other)["results"]["sums"] == expected_sums(other)


def test_a_stopped_run_goes_on_after_one_with_other_settings(results, data):
    (data / "fail 3").touch()
    with pytest.raises(RuntimeError):
        run_tiny(results, data)
    (data / "fail 3").unlink()
    run_tiny(results, data, Settings(seed=1))
    (data / "computed").unlink()
    assert run_tiny(results, data)["results"]["sums"] == expected_sums(tiny_experiment.FULL)
    assert computed(data) == [3]
    assert files_in(results) == ["tiny.json"]


def test_a_killed_run_goes_on_where_it_was(tmp_path, results, data):
    undisturbed = run_tiny(tmp_path / "undisturbed", data)
    (data / "computed").unlink()
    (data / "hold 2").touch()
    kill_once_piece_2_has_started(results, data)
    assert computed(data) == [0, 1, 2]
    kept = {path: path.read_bytes() for path in finished_parts(results)}
    assert len(kept) == 2
    assert not (results / "tiny.json").exists()
    # what a kill in the middle of writing would have left
    next(iter(kept)).with_name(".half-written.json").write_text('{"result": {"val')
    (data / "hold 2").unlink()
    summary = run_tiny(results, data)
    assert computed(data) == [0, 1, 2, 2, 3]
    assert summary["results"] == undisturbed["results"]
    assert summary["settings"] == undisturbed["settings"]
    assert files_in(results) == ["tiny.json"]


def kill_once_piece_2_has_started(results, data):
    path = os.pathsep.join([str(TESTS), os.environ.get("PYTHONPATH", "")])
    process = subprocess.Popen(
        [sys.executable, "-c", KILLED_RUN, str(results), str(data)], env=os.environ | {"PYTHONPATH": path}
    )
    try:
        deadline = time.monotonic() + 120
        while 2 not in computed(data):
            assert process.poll() is None, "the run ended before it could be killed"
            assert time.monotonic() < deadline, "the run never came to piece 2"
            time.sleep(0.02)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == -signal.SIGKILL


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_an_exception_leaves_the_finished_pieces_and_no_summary(results, data, n_jobs):
    (data / "fail 3").touch()
    with pytest.raises(RuntimeError, match="piece 3 failed"):
        run_tiny(results, data, n_jobs=n_jobs)
    kept = finished_parts(results)
    assert not (results / "tiny.json").exists()
    others = [path for path in results.rglob("*") if path.is_file() and path not in kept]
    assert all(path.name.startswith(".") for path in others)  # cut off while writing
    if n_jobs == 1:  # else those under way when it fails may be lost
        assert len(kept) == 3
    (data / "fail 3").unlink()
    (data / "computed").unlink()
    assert run_tiny(results, data)["results"]["sums"] == expected_sums(Settings())
    assert len(computed(data)) == 4 - len(kept)
    assert files_in(results) == ["tiny.json"]


@pytest.mark.parametrize("content", ["", '{"result": {"val', "[1, 2]", "\x00\x01"])
def test_a_damaged_piece_is_named(results, data, content):
    (data / "fail 3").touch()
    with pytest.raises(RuntimeError):
        run_tiny(results, data)
    (data / "fail 3").unlink()
    damaged = finished_parts(results)[0]
    damaged.write_text(content)
    with pytest.raises(ValueError, match=f"{damaged.name}, but .* delete it and run again"):
        run_tiny(results, data)
    assert not (results / "tiny.json").exists()
    damaged.unlink()  # as the message says
    assert run_tiny(results, data)["results"]["sums"] == expected_sums(Settings())


@pytest.mark.parametrize("content", ["", '{"experiment": "ti', "[]", "{}"])
def test_a_damaged_summary_is_computed_again(results, data, content):
    expected = run_tiny(results, data)["results"]
    (results / "tiny.json").write_text(content)
    assert run_tiny(results, data)["results"] == expected
    assert read_json(results / "tiny.json")["results"] == expected


def test_nan_in_a_piece_is_refused_and_not_kept(results, data):
    (data / "nan 0").touch()
    with pytest.raises(ValueError, match="not JSON compliant"):
        run_tiny(results, data)
    assert [path for path in results.rglob("*") if path.is_file()] == []


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_nothing_is_written_for_what_json_does_not_know(tmp_path, value):
    path = tmp_path / "file.json"
    write_json(path, {"x": 1.0})
    with pytest.raises(ValueError, match="not JSON compliant"):
        write_json(path, {"x": value})
    assert read_json(path) == {"x": 1.0}
    assert files_in(tmp_path) == ["file.json"]


def tiny_with(**changes):
    """The tiny experiment, changed."""
    return SimpleNamespace(**(vars(tiny_experiment) | changes))


def test_nan_in_the_summary_is_refused_and_the_pieces_are_kept(results, data):
    nan = tiny_with(collect=lambda *_: {"mean": np.nan})
    with pytest.raises(ValueError, match="not JSON compliant"):
        run("tiny", nan, tiny_experiment.FULL, results, data_dir=data, n_jobs=1)
    assert not (results / "tiny.json").exists()
    assert len(finished_parts(results)) == 4


def test_results_do_not_depend_on_the_number_of_processes(tmp_path, data):
    alone = run_tiny(tmp_path / "1", data, n_jobs=1)
    together = run_tiny(tmp_path / "2", data, n_jobs=2)
    assert computed(data) == sorted([*range(4), *range(4)])  # both were computed
    assert (alone["processes"], together["processes"]) == (1, 2)
    for key in ("experiment", "settings", "versions", "results"):
        assert alone[key] == together[key]


def test_where_seconds_are_measured_one_process_runs(results, data):
    timed = tiny_with(IN_PARALLEL=False)
    summary = run("tiny", timed, tiny_experiment.FULL, results, data_dir=data, n_jobs=2)
    assert summary["processes"] == 1


def test_text_is_kept_as_it_is(tmp_path):
    path = tmp_path / "new" / "file.json"
    write_json(path, {"graph": "Erdős-Rényi"})
    assert "Erdős-Rényi" in path.read_text(encoding="utf-8")
    assert read_json(path) == {"graph": "Erdős-Rényi"}
    assert read_json(tmp_path / "none.json") is None
