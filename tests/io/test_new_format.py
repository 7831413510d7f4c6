"""The format on the page "Add a file format" works as the page says."""

import runpy
from pathlib import Path

import numpy as np
import pytest
from command_line import succeeds

from smoothgraph.io import FileError, read_graph, read_table, write_graph
from smoothgraph.io.file_format import GRAPH_FORMATS, PARTS_FORMATS, TABLE_FORMATS, GraphFormat, register
from smoothgraph.io.graph_file import Edges

PAGE = Path(__file__).parents[2] / "docs" / "json_format.py"
W = np.array([[0, 0.1 + 0.2, 0], [0.1 + 0.2, 0, 0], [0, 0, 0]])


@pytest.fixture
def json_format():
    """The class Json, registered as long as the test runs."""
    yield runpy.run_path(str(PAGE))["Json"]
    for formats in (TABLE_FORMATS, GRAPH_FORMATS, PARTS_FORMATS):
        del formats["json"]


@pytest.mark.usefixtures("json_format")
def test_tables_and_graphs(tmp_path):
    (tmp_path / "table.json").write_text("[[1, 2], [3, 4.5]]")
    assert read_table(tmp_path / "table.json").values.tolist() == [[1, 2], [3, 4.5]]
    write_graph(tmp_path / "graph.json", W, names=list("abc"), info={"gap": 0.5})
    found = read_graph(tmp_path / "graph.json")
    np.testing.assert_array_equal(found.adjacency.toarray(), W)
    assert (found.names, found.info) == (list("abc"), {"gap": 0.5})
    write_graph(tmp_path / "empty.json", np.zeros((2, 2)))
    assert read_graph(tmp_path / "empty.json").adjacency.shape == (2, 2)
    succeeds("convert", tmp_path / "graph.json", tmp_path / "graph.csv")
    assert read_graph(tmp_path / "graph.csv").names == list("abc")


@pytest.mark.usefixtures("json_format")
def test_errors_name_the_file(tmp_path):
    for text in ("", "{}", "[[1, Infinity]]", '["a"]'):
        (tmp_path / "table.json").write_text(text)
        with pytest.raises(FileError, match=r"table\.json: .*expected"):
            read_table(tmp_path / "table.json")
        with pytest.raises(FileError, match=r"table\.json: .*expected"):
            read_graph(tmp_path / "table.json")


@pytest.mark.usefixtures("json_format")
def test_parts(tmp_path):
    parts, common = PARTS_FORMATS["json"], {"graph": "this", "n_nodes": 3, "info": {}}
    for k, edges in enumerate([Edges([0], [1], [0.1 + 0.2]), Edges([], [], [])]):
        columns = Edges(*map(np.array, edges))
        parts.write_part(parts.part_path(tmp_path, k), columns, common | {"part": k})
    parts.write_common(tmp_path, common | {"edges_of_parts": [1, 0]})
    np.testing.assert_array_equal(read_graph(tmp_path).adjacency.toarray(), W)


def test_a_suffix_belongs_to_one_format(json_format):
    class Other(json_format):
        name = "other"

    with pytest.raises(ValueError, match=r"got \.json, which belongs to json; choose another"):
        register(Other)
    register(json_format)  # as a notebook does that is run again


@pytest.mark.parametrize("labels", [{"suffixes": ("toy",)}, {"suffixes": ".toy"}, {"suffixes": (".TOY",)}, {}])
def test_suffixes_are_in_lowercase_with_their_dots(labels):
    members = {"name": "toy", "write_graph": lambda *_: None, "read_graph": lambda *_: None} | labels
    with pytest.raises(ValueError, match=r"expected a name .* with their dots .*, got name = 'toy' and suffixes = "):
        register(type("Toy", (GraphFormat,), members))
    assert "toy" not in GRAPH_FORMATS


def test_a_format_has_a_name():
    members = {"suffixes": (".toy",), "write_graph": lambda *_: None, "read_graph": lambda *_: None}
    with pytest.raises(ValueError, match=r"expected a name such as 'csv' .* got name = None"):
        register(type("Toy", (GraphFormat,), members))
