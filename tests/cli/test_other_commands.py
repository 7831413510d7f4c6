"""The commands densities, info, convert and report; the version and the help."""

import csv

import numpy as np
import pytest
from command_line import refused, smoothgraph, succeeds, summary
from pictures import assert_drawn
from reports import report_text

import smoothgraph as package
from smoothgraph import LogDegreeGraph, PairSet, density_path
from smoothgraph.io import read_graph, write_graph

COMMANDS = ["learn", "check", "densities", "report", "stability", "windows", "join", "cluster"]
COMMANDS += ["propagate", "diff", "draw", "info", "convert", "sample", "demo"]
NAMES = ["a", "b, c", "été", "<d>", "5"]


@pytest.fixture
def table(tmp_path, rng):
    np.save(tmp_path / "table.npy", rng.normal(size=(40, 3)))
    return tmp_path / "table.npy"


@pytest.fixture
def graph(tmp_path, rng):
    """Five named nodes, of which one has no edge."""
    edges = PairSet.from_pairs([0, 0, 1, 2], [1, 2, 2, 3], 5)
    W = edges.adjacency(rng.uniform(0.1, 1, 4))
    write_graph(tmp_path / "graph.npz", W, names=NAMES, info={"model": "log-degree"})
    return tmp_path / "graph.npz"


# -- densities --------------------------------------------------------------------


def test_densities_says_what_the_learners_say(table, tmp_path):
    out, picture = tmp_path / "path.csv", tmp_path / "path.png"
    rows = summary("densities", table, "--densities", "2,4,8", "--out", out, "--picture", picture)["densities"]
    graphs = density_path(np.load(table), [2, 4, 8])
    assert [row["edges"] for row in rows] == [g.adjacency_.nnz // 2 for g in graphs]
    assert all(row["relative_duality_gap"] <= 1e-6 for row in rows)
    with out.open(encoding="utf-8", newline="") as file:
        written = list(csv.DictReader(file))
    assert [int(row["components"]) for row in written] == [row["components"] for row in rows]
    assert_drawn(picture)


@pytest.mark.parametrize("model", ["smooth", "l2-degree"])
def test_the_table_of_a_path_fits_a_terminal_of_80_columns(model, table):
    result = smoothgraph("densities", table, "--densities", "2,3", "--model", model, columns=80)
    assert max(map(len, result.stdout.splitlines())) <= 80
    words = result.stdout.split()
    assert {"edges", "components", "isolated", "nodes", "bridges", "relative", "optimal"} <= set(words)
    assert "…" not in result.stdout
    for row in summary("densities", table, "--densities", "2,3", "--model", model)["densities"]:
        assert f"{row['edges_per_node']:.4g}" in words


@pytest.fixture
def islands(tmp_path, rng):
    np.save(tmp_path / "islands.npy", np.vstack([rng.normal(size=(30, 2)), 50 + rng.normal(size=(30, 2))]))
    return tmp_path / "islands.npy"


def test_densities_and_report_learn_the_graphs_that_the_options_describe(islands, tmp_path):
    options = ("--densities", "3,6", "--connected", "--scale", "local")
    graphs = density_path(np.load(islands), [3, 6], learner=LogDegreeGraph(connected=True, scale="local"))
    rows = summary("densities", islands, *options)["densities"]
    assert [row["bridges"] for row in rows] == [len(graph.bridges_) for graph in graphs]
    assert [row["components"] for row in rows] == [1, 1]
    assert [row["theta"] for row in rows] == pytest.approx([graph.theta_ for graph in graphs])
    assert all(len(graph.bridges_) > 0 for graph in graphs), "islands that bridges join"
    succeeds("report", islands, *options, "--out", tmp_path / "report.html")
    page = report_text(tmp_path / "report.html")
    assert '["scale","local"],["connected","yes"],["merge identical","no"]' in page


def test_a_report_of_the_density_that_the_data_choose(islands, tmp_path):
    out = tmp_path / "report.html"
    facts = summary("report", islands, "--densities", "auto", "--scale", "local", "--out", out)
    graph = LogDegreeGraph("auto", scale="local").fit(np.load(islands))
    assert facts["densities"] == f"{graph.edges_per_node_:.3g}"
    assert str(graph.density_choice_) in report_text(out)


def test_a_path_of_a_density_to_be_chosen_is_refused(table):
    assert "smoothgraph densities" in refused("densities", table, "--densities", "auto")


@pytest.mark.parametrize("model", ["log-degree", "smooth", "l2-degree", "doubly-stochastic"])
def test_densities_tells_what_auto_would_choose(islands, model):
    told = summary("densities", islands, "-k", "3", "--model", model)["auto"]
    learned = summary("learn", islands, "-k", "auto", "--model", model)
    assert learned["density_choice"].startswith(f"{told['edges_per_node']:.3g} edges per node")
    assert f"{told['tried'][0]['share_in_fragments']:.1%}" in learned["density_choice"]
    assert learned["density_choice"] in succeeds("densities", islands, "-k", "3", "--model", model).stderr


def test_densities_has_densities_of_its_own(tmp_path, rng):
    np.save(tmp_path / "few.npy", rng.normal(size=(6, 2)))
    rows = summary("densities", tmp_path / "few.npy")["densities"]
    assert [round(row["edges_per_node"]) for row in rows] == [2]


@pytest.mark.parametrize("densities", ["2;4", "", "0", "-1", "nan", "1e9"])
def test_densities_refuses_densities_that_are_none(table, densities):
    refused("densities", table, "--densities", densities)


# -- info --------------------------------------------------------------------


def test_info_measures_the_graph(graph):
    facts = summary("info", graph)
    W = read_graph(graph).adjacency
    assert facts["nodes"] == 5
    assert facts["edges"] == 4
    assert facts["edges_per_node"] == pytest.approx(8 / 5)
    assert facts["components"] == 2
    assert facts["isolated_nodes"] == 1
    assert facts["largest_weight"] == W.max()
    assert facts["model"] == "log-degree"
    assert "b, c" in facts["names"]


def test_info_of_a_graph_without_edges(tmp_path):
    write_graph(tmp_path / "none.npz", PairSet.all_pairs(3).adjacency(np.zeros(3)))
    assert summary("info", tmp_path / "none.npz")["isolated_nodes"] == 3
    assert "isolated nodes" in succeeds("info", tmp_path / "none.npz").stdout


def test_markup_in_names_is_only_text(tmp_path):
    names = ["[red]a[/red]", "[/]", "b"]
    W = PairSet.all_pairs(3).adjacency(np.ones(3))
    write_graph(tmp_path / "graph.npz", W, names=names)
    assert "[red]a[/red], [/]" in succeeds("info", tmp_path / "graph.npz").stdout


# -- convert -----------------------------------------------------------------


@pytest.mark.parametrize("suffix", ["csv", "tsv", "graphml", "gexf", "mtx", "parquet"])
def test_convert_there_and_back(graph, tmp_path, suffix):
    there, back = tmp_path / f"there.{suffix}", tmp_path / "back.npz"
    succeeds("convert", graph, there)
    succeeds("convert", there, back)
    first, last = read_graph(graph), read_graph(back)
    order = [last.names.index(name) for name in first.names]
    np.testing.assert_array_equal(last.adjacency.toarray()[np.ix_(order, order)], first.adjacency.toarray())


def test_convert_through_pipes(graph, tmp_path):
    text = succeeds("convert", graph, "-").stdout
    assert text.splitlines()[0] == "source,target,weight"
    succeeds("convert", "-", tmp_path / "graph.gexf", stdin=text.encode())
    assert sorted(read_graph(tmp_path / "graph.gexf").names) == sorted(NAMES)


def test_convert_refuses_an_unknown_format(graph, tmp_path):
    assert "graphml" in refused("convert", graph, tmp_path / "graph.docx")
    assert not (tmp_path / "graph.docx").exists()


# -- report ------------------------------------------------------------------


def test_report_is_one_page(table, tmp_path):
    out = tmp_path / "report.html"
    facts = summary("report", table, "--densities", "2,4", "--out", out)
    assert facts["nodes"] == 40
    assert facts["written"] == str(out)
    text = report_text(out)
    assert text.lower().startswith("<!doctype html>")
    assert "table.npy" in text
    assert {path.name for path in tmp_path.iterdir()} == {"table.npy", "report.html"}


# -- the program -------------------------------------------------------------


@pytest.mark.parametrize("argument", ["version", "--version"])
def test_the_version_is_a_command_and_an_option(argument):
    assert succeeds(argument).stdout.strip() == package.__version__


@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_help_names_the_commands(flag):
    said = succeeds(flag).stdout
    for command in (*COMMANDS, "version"):
        assert command in said
    assert "130" in said  # exit codes


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_each_command_has_an_example_that_parses(command):
    said = succeeds(command, "--help").stdout
    assert f"smoothgraph {command} " in said


def test_an_unknown_command_is_a_usage_error():
    assert smoothgraph("lern").exit_code == 2


# -- pipes, names and places -------------------------------------------------


def test_densities_through_a_pipe(table):
    result = succeeds("densities", table, "--densities", "2,4", "--out", "-")
    assert len(list(csv.DictReader(result.stdout.splitlines()))) == 2
    assert "edges per node" in result.stderr


@pytest.mark.parametrize(("command", "name"), [("report", "r.pdf"), ("densities", "p.xlsx")])
def test_a_file_gets_no_other_content_than_its_name_says(table, tmp_path, command, name):
    assert name in refused(command, table, "--out", tmp_path / name)
    assert not (tmp_path / name).exists()


def test_convert_says_what_it_wrote(graph, tmp_path):
    facts = summary("convert", graph, tmp_path / "graph.csv")
    assert facts == {"nodes": 5, "edges": 4, "written": str(tmp_path / "graph.csv")}


def test_info_lists_names_and_attributes(tmp_path):
    W = PairSet.all_pairs(7).adjacency(np.ones(21))
    names = [f"node {k}" for k in range(7)]
    write_graph(tmp_path / "g.npz", W, names=names, attributes={"class": list("aabbccd")})
    assert summary("info", tmp_path / "g.npz")["names"] == names
    said = succeeds("info", tmp_path / "g.npz").stdout
    assert "node 4, ..." in said
    assert "class" in said


def test_a_place_that_cannot_be_written_is_named(graph):
    said = refused("convert", graph, "/proc/nowhere/graph.csv")
    assert said.startswith("/proc/nowhere/graph.csv: ")
    assert "check the path" in said
