"""``python -m paper reproduce``."""

import json

import pytest
from pictures import assert_drawn
from typer.testing import CliRunner

from paper.commands import app
from paper.reproduction.registry import EXPERIMENTS


def reproduce(*arguments, **environment):
    """Return the outcome of the command, on a wide terminal and without a data folder."""
    env = {"SMOOTHGRAPH_DATA": None, "COLUMNS": "200", "TERMINAL_WIDTH": "200"} | environment
    return CliRunner().invoke(app, ["reproduce", *map(str, arguments)], env=env)


def test_reproduce_writes_report_results_and_figures(tmp_path):
    result = reproduce("filters", "signals", "--quick", "--out", tmp_path)
    assert result.exit_code == 0, result.output
    for word in ("filters", "signals", "quick.md"):
        assert word in result.output
    files = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
    assert files == {
        "quick.md",
        "quick-results/filters.json",
        "quick-results/signals.json",
        "figures/quick-filters.png",
        "figures/quick-signals.png",
    }
    text = (tmp_path / "quick.md").read_text(encoding="utf-8")
    for figure in ("quick-filters.png", "quick-signals.png"):
        assert f"(figures/{figure})" in text
        assert_drawn(tmp_path / "figures" / figure)


def test_reproduce_does_not_compute_again_what_is_there(tmp_path):
    reproduce("filters", "--quick", "--out", tmp_path)
    path = tmp_path / "quick-results" / "filters.json"
    summary = json.loads(path.read_text(encoding="utf-8"))
    summary["results"]["heat"][0] = 0.12345  # as no computation would have it
    path.write_text(json.dumps(summary), encoding="utf-8")
    result = reproduce("filters", "--quick", "--out", tmp_path)
    assert result.exit_code == 0, result.output
    assert json.loads(path.read_text(encoding="utf-8")) == summary


def test_reproduce_computes_again_what_earlier_code_computed(tmp_path):
    reproduce("filters", "--quick", "--out", tmp_path)
    path = tmp_path / "quick-results" / "filters.json"
    before = path.read_bytes()
    summary = json.loads(before)
    summary["results"]["heat"][0] = 0.12345
    path.write_text(json.dumps(summary | {"sources": "earlier code"}), encoding="utf-8")
    assert reproduce("filters", "--quick", "--out", tmp_path).exit_code == 0
    again = json.loads(path.read_text(encoding="utf-8"))
    for key in ("sources", "results"):
        assert again[key] == json.loads(before)[key]


def test_reproduce_adds_to_the_report(tmp_path):
    """The report is of everything in the folder, not of the last call."""
    reproduce("signals", "--quick", "--out", tmp_path)
    reproduce("filters", "--quick", "--out", tmp_path)
    text = (tmp_path / "quick.md").read_text(encoding="utf-8")
    assert text.index("## The filters") < text.index("## Smooth signals")


@pytest.mark.parametrize("names", [["tabel2"], ["filters", "tabel2"]])
def test_reproduce_names_the_experiments_if_one_is_unknown(tmp_path, names):
    result = reproduce(*names, "--out", tmp_path)
    assert result.exit_code == 2
    assert "tabel2" in result.output
    for name in ("all", *EXPERIMENTS):
        assert name in result.output
    assert "Traceback" not in result.output
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["usps", "mnist", "coil20", "timing"])
def test_reproduce_says_what_to_do_without_data(tmp_path, name):
    out, empty = tmp_path / "out", tmp_path / "empty"
    empty.mkdir()
    result = reproduce(name, "--quick", "--out", out, "--data-dir", empty, "--jobs", 1)
    assert result.exit_code == 2
    assert isinstance(result.exception, SystemExit)
    assert f"{empty}/" in result.output
    for remedy in ("--data-dir", "SMOOTHGRAPH_DATA"):
        assert remedy in result.output
    assert "Traceback" not in result.output
    assert not (out / "quick-results" / f"{name}.json").exists()


def test_reproduce_says_so_from_other_processes_too(tmp_path):
    result = reproduce("mnist", "--quick", "--out", tmp_path, "--data-dir", tmp_path, "--jobs", 2)
    assert result.exit_code == 2
    assert "mnist.npz" in result.output
    assert "Traceback" not in result.output


def test_reproduce_takes_the_folder_from_the_environment(tmp_path):
    folder = tmp_path / "from the variable"
    arguments = ("coil20", "--quick", "--out", tmp_path / "out", "--jobs", 1)
    result = reproduce(*arguments, SMOOTHGRAPH_DATA=str(folder))
    assert result.exit_code == 2
    assert str(folder) in result.output


def test_reproduce_looks_for_all_data_before_it_computes(tmp_path):
    out = tmp_path / "out"
    result = reproduce("filters", "coil20", "--quick", "--out", out, "--data-dir", tmp_path)
    assert result.exit_code == 2
    assert "coil20_32.npz" in result.output
    assert not out.exists()


def test_help_of_reproduce_lists_the_experiments():
    result = reproduce("--help")
    assert result.exit_code == 0
    for name in ("all", *EXPERIMENTS):
        assert name in result.output
