"""``smoothgraph check``, and its findings as notes of other commands."""

import shlex

import numpy as np
import pytest
from command_line import refused, smoothgraph, succeeds, summary
from messy import CITIES, sensors, tidy

from smoothgraph import LogDegreeGraph
from smoothgraph.io import read_graph


@pytest.fixture
def messy_csv(tmp_path):
    """Sensors with a counter, a sentinel, a dead sensor, and a total in the last row."""
    frame = sensors()
    frame.iloc[7, 1] = -999
    frame.insert(0, "day", [str(k) for k in range(1, 201)])
    frame["dead"] = 1.5
    path = tmp_path / "it's messy.csv"
    frame.to_csv(path, index=False)
    return path


def clean_graph():
    frame = sensors()
    frame.iloc[7, 1] = np.nan
    z = (frame - frame.mean()) / frame.std(ddof=0)
    return LogDegreeGraph(3, nodes="columns", missing="pairwise").fit(z).adjacency_.toarray()


def test_the_command_of_check_learns_the_right_graph(messy_csv, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    facts = summary("check", messy_csv)
    assert facts["roles"]["nodes"] == CITIES
    assert {finding["check"] for finding in facts["findings"]} == {"time", "dead", "sentinel"}
    program, *arguments = shlex.split(facts["command"])
    assert program == "smoothgraph"
    succeeds(*arguments, "-k", 3)
    graph = read_graph("graph.graphml")
    assert graph.names == CITIES
    np.testing.assert_allclose(graph.adjacency.toarray(), clean_graph(), rtol=1e-9)


def test_the_page_says_it_in_words(messy_csv):
    said = succeeds("check", messy_csv).stdout
    for words in ("8 nodes, the columns", "--keep day", "--missing -999", "'dead' never changes", "smoothgraph learn"):
        assert words in said
    assert succeeds("check", messy_csv, "--quiet").output == ""


def test_what_the_user_says_is_in_the_command_once(messy_csv):
    options = ["--nodes", "columns", "--missing", "-999", "--keep", "dead", "--standardize", "--no-header"]
    command = shlex.split(summary("check", messy_csv, *options[:-1])["command"])
    for option in options[:-1]:
        assert command.count(option) == 1, option


@pytest.mark.parametrize("command", ["learn", "densities", "report"])
def test_other_commands_say_it_in_notes(command, messy_csv, tmp_path):
    target = ("--out", tmp_path / "report.html") if command == "report" else ()
    said = succeeds(command, messy_csv, "--nodes", "columns", *target).stderr
    for words in ("--keep day", "--keep dead", "--missing -999"):
        assert words in said


def test_distances_are_not_checked(tmp_path):
    Z = np.abs(np.subtract.outer(np.arange(12.0), np.arange(12.0)))
    np.save(tmp_path / "z.npy", Z)
    result = succeeds("learn", tmp_path / "z.npy", "--metric", "precomputed", "-k", 3)
    assert "Note: Column" not in result.stderr


def test_a_tidy_table_is_not_taken_for_nodes(tmp_path):
    tidy().to_csv(tmp_path / "tidy.csv", index=False)
    assert "--long date,city,level --nodes columns" in refused("learn", tmp_path / "tidy.csv")
    assert summary("learn", tmp_path / "tidy.csv", "--nodes", "rows")["nodes"] == 320


def test_rows_and_columns_are_dropped_by_name(tmp_path):
    frame = sensors(30)
    frame.insert(0, "site", [f"site {k}" for k in range(30)])
    frame.loc[30] = ["Total", *frame[CITIES].sum()]
    frame.to_csv(tmp_path / "sites.csv", index=False)
    assert "--drop Total" in succeeds("learn", tmp_path / "sites.csv").stderr
    succeeds("learn", tmp_path / "sites.csv", "--drop", "Total", "--drop", "Rome", "--out", tmp_path / "g.npz")
    graph = read_graph(tmp_path / "g.npz")
    assert graph.names == frame["site"].tolist()[:-1]
    expected = LogDegreeGraph().fit(frame[CITIES].drop(columns="Rome")[:-1])
    np.testing.assert_allclose(graph.adjacency.toarray(), expected.adjacency_.toarray(), rtol=1e-9)
    assert "'Totl'" in refused("learn", tmp_path / "sites.csv", "--drop", "Totl")


def test_words_can_mean_missing(tmp_path):
    (tmp_path / "t.csv").write_text("a,b\n1,5\nnone yet,6\n2,-1\n3,7\n")
    said = succeeds("learn", tmp_path / "t.csv", "--missing", "none yet", "--missing", "-1.0", "-k", 2).stderr
    assert "Missing values: 2" in said


def test_check_starts_without_what_learns(messy_csv):
    import subprocess
    import sys

    code = (
        "import sys; from smoothgraph.cli import main\n"
        f"sys.argv = ['smoothgraph', 'check', {str(messy_csv)!r}]\n"
        "try: main()\nexcept SystemExit as end: assert not end.code\n"
        "print({'numba', 'sklearn', 'matplotlib'} & set(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stderr.strip() == "set()"


def test_what_is_to_be_kept_must_be_there(messy_csv):
    assert "did you mean 'dead'?" in refused("learn", messy_csv, "--nodes", "columns", "--keep", "deed")


def test_a_broken_file_is_refused_with_a_sentence(tmp_path):
    assert "does not exist" in refused("check", tmp_path / "gone.csv")
    assert smoothgraph("check").exit_code == 2
