"""Options that many commands share: --threads, --verbose, --tol, --from, -k."""

import re
from pathlib import Path

import numpy as np
import pytest
from command_line import refused, smoothgraph, succeeds, summary

from smoothgraph import LogDegreeGraph
from smoothgraph.io import read_graph, write_graph

LINE = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \S")


@pytest.fixture
def table(tmp_path, rng):
    np.save(tmp_path / "table.npy", rng.normal(size=(40, 3)))
    return tmp_path / "table.npy"


def test_verbose_prints_lines_for_a_log_on_standard_error(table):
    loud = succeeds("stability", table, "-k", "3", "--resamples", "10", "--verbose", "--out", "-")
    lines = [line for line in loud.stderr.splitlines() if LINE.match(line)]
    assert any(line.endswith("resamples: 10 of 10") for line in lines)
    assert not any(LINE.match(line) for line in loud.stdout.splitlines())
    for options in ((), ("--verbose", "--quiet")):
        said = succeeds("stability", table, "-k", "3", "--resamples", "2", *options)
        assert not any(LINE.match(line) for line in said.stderr.splitlines())


@pytest.mark.parametrize(
    "command", [("learn", "-k", "4"), ("densities", "-k", "4"), ("windows", "--every", "1", "-k", "4")]
)
def test_tol_is_the_gap_to_reach(table, command):
    name, *options = command
    assert "tol" in refused(name, table, *options, "--tol", "-1")
    facts = summary(name, table, *options, "--tol", "1e-10")
    assert (facts["densities"][0] if name == "densities" else facts)["relative_duality_gap"] <= 1e-10


def test_one_thread_learns_the_same_graph(table, tmp_path):
    for threads in (1, 2):
        succeeds("learn", table, "--threads", threads, "--out", tmp_path / f"{threads}.npz")
    one, two = (read_graph(tmp_path / f"{threads}.npz").adjacency.toarray() for threads in (1, 2))
    np.testing.assert_allclose(one, two, rtol=1e-6)
    assert smoothgraph("learn", table, "--threads", "0").exit_code == 2


def test_from_names_a_format_wherever_a_file_is_read(table, tmp_path):
    plain = tmp_path / "plain"
    plain.write_bytes(table.read_bytes())
    facts = summary("learn", plain, "--from", "npy", "--out", tmp_path / "edges", "--to", "tsv")
    for command in (("info",), ("cluster", "--clusters", "2")):
        assert summary(*command, tmp_path / "edges", "--from", "tsv")["nodes"] == facts["nodes"]
    assert summary("info", tmp_path / "edges", "--format", "tsv")["edges"] == facts["edges"]
    assert summary("diff", *[tmp_path / "edges"] * 2, "--from", "tsv")["shared_edges"] == facts["edges"]


# Each command with the files that it writes, on a table and two graphs.
WRITERS = {
    "learn": ("learn {table} --out {a}.npz --out-nodes {b}.csv --picture {c}.png", 3),
    "report of a table": ("report {table} -k 3 --out {a}.html", 1),
    "report of a graph": ("report {graph} --out {a}.html", 1),
    "draw": ("draw {graph} --out {a}.svg", 1),
    "densities": ("densities {table} -k 3 --out {a}.csv --picture {b}.png", 2),
    "stability": ("stability {table} -k 3 --resamples 2 --out {a}.csv --out-shares {b}.npz", 2),
    "windows": ("windows {table} --every 1 -k 3 --out {a}.csv --report {b}.html", 2),
    "join": ("join {table} {table} -k 3 --out {a}.npz", 1),
    "cluster": ("cluster {graph} --clusters 2 --out {a}.csv", 1),
    "propagate": ("propagate {graph} --labels kind --out {a}.csv", 1),
    "diff": ("diff {graph} {graph} --out {a}.csv --picture {b}.png", 2),
    "convert": ("convert {graph} {a}.gexf", 1),
    "sample": ("sample places --out {a}.csv", 1),
}


@pytest.mark.parametrize("command", WRITERS)
def test_no_file_is_replaced_without_force(table, tmp_path, command):
    line, count = WRITERS[command]
    graph = tmp_path / "graph.npz"
    write_graph(graph, LogDegreeGraph(3).fit(np.load(table)), attributes={"kind": ["x", "y", *[""] * 38]})
    words = line.format(table=table, graph=graph, **{name: tmp_path / name for name in "abc"}).split()
    targets = [Path(word) for word in words if Path(word).parent == tmp_path and word not in (str(table), str(graph))]
    assert len(targets) == count
    for target in targets:
        target.write_text("precious")
        assert "--force" in refused(*words)
        assert target.read_text() == "precious"
        target.unlink()
    assert not any(target.exists() for target in targets), "nothing is written beside what is kept"
    for target in targets:
        target.write_text("worthless")
    succeeds(*words, "--force")
    assert all(target.read_bytes() != b"worthless" for target in targets)


def test_files_that_are_read_are_never_replaced(table, tmp_path):
    graph, about = tmp_path / "graph.npz", tmp_path / "about.csv"
    write_graph(graph, LogDegreeGraph(3).fit(np.load(table)), attributes={"kind": ["x", "y", *[""] * 38]})
    about.write_text("node,kind\n" + "".join(f"{k},a\n" for k in range(40)))
    for words in (
        ("convert", graph, graph),
        ("learn", table, "--prior", graph, "--out", graph),
        ("propagate", graph, "--labels", "kind", "--node-table", about, "--out", about),
        ("diff", graph, about, "--out", about),
    ):
        assert "it is a file to be read" in refused(*words, "--force")


def test_what_holds_nothing_needs_no_force(table, tmp_path):
    empty = tmp_path / "graph.csv"
    empty.touch()
    succeeds("learn", table, "--out", empty)
    assert empty.stat().st_size > 0
    succeeds("learn", table, "--out", "/dev/null", "--to", "csv")
