import json
import zlib

import numpy as np
import pytest
import scipy.sparse as sp

from smoothgraph import LogDegreeGraph
from smoothgraph.support.input_error import InputError
from smoothgraph.viz import explore
from smoothgraph.viz.html_report import shown_graphs


def ring(m):
    i = np.arange(m)
    W = sp.coo_array((np.ones(m), (i, (i + 1) % m)), shape=(m, m))
    return (W + W.T).tocsr()


def test_the_widget_tells_the_nodes_that_are_selected_in_the_browser():
    widget = explore(ring(5), names=list("abcde"))
    heard = []
    widget.observe(lambda change: heard.append(change["new"]), "selection")
    widget._selected = [4, 1]  # as the browser sets it, in the order of clicks
    assert widget.selection == [1, 4]
    assert widget.selected_names == ["b", "e"]
    assert heard == [[1, 4]]


@pytest.mark.parametrize("given", [[3, 1, 1], (1, 3), np.array([1, 3]), np.flatnonzero([0, 1, 0, 1, 0])])
def test_python_selects_nodes(given):
    widget = explore(ring(5))
    widget.selection = given
    assert widget.selection == [1, 3] == widget._selected
    widget.selection = []
    assert widget._selected == []


@pytest.mark.parametrize("wrong", [[5], [-1], [0.5], ["a"], 3, np.array([True, False, True, False, False])])
def test_what_is_not_the_number_of_a_node_is_refused(wrong):
    widget = explore(ring(5))
    widget.selection = [2]
    with pytest.raises(InputError, match=r"Expected .*numbers of nodes"):
        widget.selection = wrong
    assert widget.selection == [2]


def test_the_nodes_of_a_region_are_selected_together(monkeypatch):
    monkeypatch.setattr(shown_graphs, "MOST_NODES", 50)
    monkeypatch.setattr(shown_graphs, "MOST_REGIONS", 10)
    widget = explore(ring(60))
    widget._selected = [0, 3]
    first = widget.selection
    assert len(first) > 2
    widget.selection = first[:1]
    assert set(widget.selection) < set(first)
    assert widget._selected in ([0], [3])
    assert len(widget.selected_names) == len(widget.selection)
    widget._selected = list(range(10))
    assert widget.selection == list(range(60))


def test_the_widget_has_the_graph(rng):
    graph = LogDegreeGraph(4).fit(rng.normal(size=(30, 3)))
    inside = zlib.decompress(graph.explore(title="<b>")._payload)
    text = json.loads(inside[4 : 4 + int.from_bytes(inside[:4], "little")])
    assert text["names"] == [str(k) for k in range(30)]
    assert ["edges", str(graph.adjacency_.nnz // 2)] in text["graphs"][0]["facts"]


def test_its_script_sets_no_global_names():
    """The page's styles and libraries are all inside the module and the shadow root."""
    script = explore(ring(4))._esm
    assert ":root" not in script
    assert "prefers-color-scheme: dark) {" not in script.partition("const CONTENT = ")[2].split("\n")[0]
    assert "export default" in script


def test_a_widget_that_is_too_low_is_refused():
    with pytest.raises(InputError, match="height of at least 240 pixels, got 100"):
        explore(ring(4), height=100)
