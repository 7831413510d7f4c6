"""Hundreds of files that cannot be read: a sentence, exit code 2, nothing written."""

import tempfile
from pathlib import Path

import pytest
from command_line import refused, smoothgraph
from hypothesis import given
from hypothesis import strategies as st
from malformed import GRAPH_CAUSES, TABLE_CAUSES, malformed_graphs, malformed_tables


@pytest.fixture
def inputs(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "out").mkdir()
    return tmp_path / "in"


def test_no_table_that_cannot_be_read_does_any_harm(inputs, tmp_path):
    tables = malformed_tables(inputs)
    assert len(tables) >= 150
    out = tmp_path / "out"
    for label, path in tables:
        said = refused("learn", path, "--out", out / "graph.csv", "--picture", out / "graph.png")
        assert said.startswith(f"{path}: "), label
        assert TABLE_CAUSES.get(label, "expected") in said, label
        assert list(out.iterdir()) == [], label


@pytest.mark.parametrize(("command", "name"), [("densities", "densities.csv"), ("report", "page.html")])
def test_the_other_commands_on_tables_do_no_harm_either(inputs, tmp_path, command, name):
    out = tmp_path / "out"
    for label, path in malformed_tables(inputs)[::10]:
        if command == "report" and smoothgraph("info", path).exit_code == 0:
            continue  # a graph, of which there is a report, too
        assert refused(command, path, "--out", out / name).startswith(f"{path}: "), label
        assert list(out.iterdir()) == [], label


def test_no_graph_that_cannot_be_read_does_any_harm(inputs, tmp_path):
    graphs = malformed_graphs(inputs)
    assert len(graphs) >= 50
    out = tmp_path / "out"
    for label, path in graphs:
        cause = GRAPH_CAUSES.get(label, "expected")
        for said in (refused("convert", path, out / "graph.npz"), refused("info", path)):
            assert said.startswith(f"{path}: "), label
            assert cause in said, label
        assert list(out.iterdir()) == [], label


CELLS = st.sampled_from(["1", "2.5", "-3e9", "", "NA", "inf", "x", '"', "a b", "2020-01-01", "é", "\0"])
TEXTS = st.lists(st.lists(CELLS, max_size=4).map(",".join), max_size=8).map("\n".join)


@given(
    st.one_of(st.binary(max_size=200), TEXTS.map(str.encode)),
    st.sampled_from(["csv", "tsv", "npy", "npz", "mtx", "h5", "h5ad", "parquet"]),
)
def test_whatever_is_in_a_file_the_end_is_a_graph_or_a_sentence(content, suffix):
    with tempfile.TemporaryDirectory() as folder:
        table, graph = Path(folder) / f"table.{suffix}", Path(folder) / "graph.csv"
        table.write_bytes(content)
        result = smoothgraph("learn", table, "--out", graph, "--quiet")
        assert result.exit_code in (0, 2), result.output
        assert graph.exists() == (result.exit_code == 0)
        assert "Traceback" not in result.output
        assert {path.name for path in Path(folder).iterdir()} <= {table.name, graph.name}
