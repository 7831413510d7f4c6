"""``python -m paper compare``."""

import json

import pytest
from pictures import assert_drawn
from typer.testing import CliRunner

from paper.commands import app
from paper.comparison.method_grids import METHODS


def compare(*arguments, **environment):
    """Return the outcome of the command, on a wide terminal and without a data folder."""
    env = {"SMOOTHGRAPH_DATA": None, "COLUMNS": "200", "TERMINAL_WIDTH": "200"} | environment
    return CliRunner().invoke(app, ["compare", *map(str, arguments)], env=env)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("comparison")
    result = compare("k-NN", "log-degree", "--quick", "--out", folder, "--jobs", 1)
    assert result.exit_code == 0, result.output
    assert "k-NN" in result.output
    assert "quick.md" in result.output
    return folder


def test_compare_writes_page_results_and_figures(folder):
    files = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert files == {
        "quick.md",
        "quick-results/k-NN.json",
        "quick-results/log-degree.json",
        "figures/quick-f-measures.png",
        "figures/quick-quality-and-time.png",
    }
    text = (folder / "quick.md").read_text(encoding="utf-8")
    for figure in (folder / "figures").iterdir():
        assert f"(figures/{figure.name})" in text
        assert_drawn(figure)


def test_compare_does_not_compute_again_what_is_there(folder):
    path = folder / "quick-results" / "k-NN.json"
    summary = json.loads(path.read_text(encoding="utf-8"))
    best = summary["results"]["100"]["Barabási-Albert"]["heat"]["f_measure"]
    before = best["mean"]
    best["mean"] = 0.9876  # as no computation would have it
    path.write_text(json.dumps(summary), encoding="utf-8")
    result = compare("k-NN", "--quick", "--out", folder)
    assert result.exit_code == 0, result.output
    assert "0.988" in (folder / "quick.md").read_text(encoding="utf-8")
    best["mean"] = before
    path.write_text(json.dumps(summary), encoding="utf-8")


def test_compare_shows_all_that_the_folder_has(folder):
    result = compare("k-NN", "--quick", "--out", folder, "--json")
    rows = json.loads(result.stdout)
    assert {row["method"] for row in rows} == {"k-NN", "log-degree"}
    by_method = {row["method"]: row for row in rows}
    assert by_method["k-NN"]["largest_gap"] is None
    assert by_method["k-NN"]["F 100 error"] is None  # of a single draw
    assert "NaN" not in result.stdout
    assert 0 <= by_method["log-degree"]["largest_gap"] <= 1e-6


def test_compare_tells_which_results_earlier_code_computed(folder):
    path = folder / "quick-results" / "log-degree.json"
    before = path.read_bytes()
    path.write_text(json.dumps(json.loads(before) | {"sources": "earlier code"}), encoding="utf-8")
    rows = json.loads(compare("k-NN", "--quick", "--out", folder, "--json").stdout)
    path.write_bytes(before)
    assert {row["method"]: row["code"] for row in rows} == {"k-NN": "present", "log-degree": "earlier"}
    text = (folder / "quick.md").read_text(encoding="utf-8")
    assert "earlier version of the code:** log-degree." in text


def test_names_are_known_in_any_case(folder):
    assert compare("K-nn", "LOG-DEGREE", "--quick", "--out", folder).exit_code == 0


def test_compare_names_the_methods_if_one_is_unknown(tmp_path):
    result = compare("log-degre", "--out", tmp_path)
    assert result.exit_code == 2
    for name in ("log-degre", *METHODS, "weather"):
        assert name in result.output
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("names", [["weather"], ["k-NN", "weather"]])
def test_compare_looks_for_the_stations_before_it_computes(tmp_path, names):
    out = tmp_path / "out"
    result = compare(*names, "--quick", "--out", out, "--data-dir", tmp_path)
    assert result.exit_code == 2
    assert "molene.npz" in result.output
    assert "Traceback" not in result.output
    assert not out.exists()


def test_help_of_compare_lists_the_methods():
    result = compare("--help")
    assert result.exit_code == 0
    for name in (*METHODS, "weather"):
        assert name in result.output
