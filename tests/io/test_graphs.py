"""Graphs come back as they were written, in every format."""

import io
import json
import sys

import networkx
import numpy as np
import pandas as pd
import pytest
import scipy.io
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from smoothgraph import LogDegreeGraph
from smoothgraph.io import GRAPH_FORMATS, FileError, GraphFile, read_graph, write_graph

WITH_ORDER = [name for name in GRAPH_FORMATS if name not in ("csv", "tsv")]
WITH_ATTRIBUTES = ["npz", "graphml", "gexf", "parquet", "geojson"]
WITH_INFO = ["npz", "graphml", "geojson", "mtx", "parquet"]

# Node 3 is isolated, and the weights have digits to lose.
W = np.zeros((4, 4))
W[0, 1] = W[1, 0] = 0.1 + 0.2
W[0, 2] = W[2, 0] = 5e-324
W[1, 2] = W[2, 1] = 1e300

NASTY_NAMES = [
    *("a,b", 'say "hi"', "two\nlines", "tab\there", "return\rhere", " space ", "é", "日本", "NA"),
    *("nan", "None", "true", "007", "1.0", "-1", "1e5", "0x1F", "#", "%", "'", "\\", ";", "|", "<&>"),
    *("source", "target", "weight", "\U0001d518", "a" * 3000, "\u2028", "inf", '"', "''", "=1+1", "null"),
]
NAMES = st.sampled_from(NASTY_NAMES) | st.text(
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"), min_size=1
)
WEIGHTS = st.floats(min_value=5e-324, max_value=1e300)


@st.composite
def graphs(draw):
    """A random adjacency, with or without names."""
    n_nodes = draw(st.integers(1, 7))
    result = np.zeros((n_nodes, n_nodes))
    for i in range(n_nodes):
        for j in range(i):
            if draw(st.booleans()):
                result[i, j] = result[j, i] = draw(WEIGHTS)
    named = st.lists(NAMES, min_size=n_nodes, max_size=n_nodes, unique=True)
    return result, draw(st.none() | named)


def by_name(graph, names):
    """Return the dense adjacency with the nodes in the order of the names."""
    order = [graph.ids.index(name) for name in names]
    return graph.adjacency.toarray()[np.ix_(order, order)]


@pytest.mark.slow
@given(graph=graphs())
@pytest.mark.parametrize("suffix", GRAPH_FORMATS)
def test_a_graph_comes_back_to_the_last_bit(suffix, graph, tmp_path_factory):
    adjacency, names = graph
    path = tmp_path_factory.getbasetemp() / f"graph.{suffix}"
    write_graph(path, adjacency, names=names)
    found = read_graph(path)
    ids = names or [str(k) for k in range(len(adjacency))]
    assert sorted(found.ids) == sorted(ids)
    np.testing.assert_array_equal(by_name(found, ids), adjacency)
    if suffix in WITH_ORDER or names is None:
        assert found.ids == ids


@pytest.mark.parametrize("suffix", GRAPH_FORMATS)
def test_all_nasty_names_at_once(suffix, tmp_path, rng):
    n_nodes = len(NASTY_NAMES)
    adjacency = np.triu(rng.random((n_nodes, n_nodes)) * (rng.random((n_nodes, n_nodes)) < 0.2), 1)
    adjacency += adjacency.T
    write_graph(tmp_path / f"graph.{suffix}", adjacency, names=NASTY_NAMES)
    found = read_graph(tmp_path / f"graph.{suffix}")
    np.testing.assert_array_equal(by_name(found, NASTY_NAMES), adjacency)


@pytest.mark.parametrize("suffix", GRAPH_FORMATS)
@pytest.mark.parametrize("n_nodes", [1, 3])
def test_a_graph_without_edges(suffix, n_nodes, tmp_path):
    write_graph(tmp_path / f"graph.{suffix}", np.zeros((n_nodes, n_nodes)))
    found = read_graph(tmp_path / f"graph.{suffix}")
    assert found.adjacency.shape == (n_nodes, n_nodes)
    assert found.adjacency.nnz == 0
    assert found.names is None


@pytest.mark.parametrize("suffix", GRAPH_FORMATS)
def test_numbers_stay_numbers(suffix, tmp_path):
    path = tmp_path / f"graph.{suffix}"
    for names in (None, range(4), ["0", "1", "2", "3"]):
        write_graph(path, W, names=names)
        assert read_graph(path).names is None
    write_graph(path, W, names=[3, 1, 2, 0])
    np.testing.assert_array_equal(by_name(read_graph(path), ["3", "1", "2", "0"]), W)


@pytest.mark.parametrize("suffix", WITH_ATTRIBUTES)
def test_attributes_are_kept(suffix, tmp_path):
    attributes = {
        "label": np.array([3, 1, 2, 1]),
        "id": np.array(["w", "x", "", "é\n"]),
        "viz_": np.array([0.1 + 0.2, np.nan, -1.5, 1e300]),
        "name": np.array(["p", "q", "r", "s"]),
        "day": np.array(["2020-01-01"] * 4, dtype="datetime64[D]"),
        "good": [True, False, True, True],
    }
    write_graph(tmp_path / f"graph.{suffix}", W, names=list("abcd"), attributes=attributes)
    found = read_graph(tmp_path / f"graph.{suffix}").attributes
    assert set(found) == set(attributes)
    np.testing.assert_array_equal(found["label"], attributes["label"])
    np.testing.assert_array_equal(found["id"], attributes["id"])
    np.testing.assert_array_equal(found["viz_"], attributes["viz_"])
    assert found["name"].tolist() == list("pqrs")
    assert found["day"].tolist() == ["2020-01-01"] * 4
    assert found["good"].tolist() == [1, 0, 1, 1]


@pytest.mark.parametrize("suffix", ["graphml", "gexf", "geojson"])
def test_coordinates_become_an_attribute_per_column(suffix, tmp_path):
    write_graph(tmp_path / f"g.{suffix}", W, attributes={"xy": np.arange(8.0).reshape(4, 2)})
    found = read_graph(tmp_path / f"g.{suffix}").attributes
    assert found["xy_0"].tolist() == [0, 2, 4, 6]
    assert found["xy_1"].tolist() == [1, 3, 5, 7]


@pytest.mark.parametrize("suffix", ["npz", "parquet"])
def test_coordinates_are_kept(suffix, tmp_path):
    write_graph(tmp_path / f"g.{suffix}", W, attributes={"xy": np.arange(8.0).reshape(4, 2)})
    assert read_graph(tmp_path / f"g.{suffix}").attributes["xy"].tolist() == np.arange(8.0).reshape(4, 2).tolist()


def test_other_programs_find_the_name_and_the_label_of_a_node_in_graphml(tmp_path):
    names = ["Oslo", "Rome", "<x>", "é"]
    write_graph(tmp_path / "g.graphml", W, names=names, attributes={"label": [1, 2, 3, 4]})
    graph = networkx.read_graphml(tmp_path / "g.graphml")
    assert [(node, data["name"], data["label"]) for node, data in graph.nodes(data=True)] == [
        (name, name, name) for name in names
    ]
    assert read_graph(tmp_path / "g.graphml").attributes.keys() == {"label"}


def features(path):
    content = json.loads(path.read_text(encoding="utf-8"), parse_constant=pytest.fail)  # no NaN
    assert content["type"] == "FeatureCollection"
    return content["features"]


@pytest.mark.parametrize("labels", [("lat", "lon"), ("Latitude", "LONGITUDE"), ("latitude_deg", "lng")])
def test_geojson_has_points_and_lines_with_the_longitude_first(labels, tmp_path):
    attributes = dict(zip(labels, ([60.0, 42, -12, np.nan], [10.5, 12, -77, 0]), strict=True))
    write_graph(tmp_path / "g.geojson", W, names=list("wxyz"), attributes=attributes | {"kind": ["a", "", "b", "c"]})
    points, lines = features(tmp_path / "g.geojson")[:4], features(tmp_path / "g.geojson")[4:]
    assert points[0]["geometry"] == {"type": "Point", "coordinates": [10.5, 60]}
    assert points[0]["properties"] == {"name": "w", labels[0]: 60, labels[1]: 10.5, "kind": "a"}
    assert points[3]["geometry"] is None
    assert lines[0]["geometry"] == {"type": "LineString", "coordinates": [[10.5, 60], [12, 42]]}
    assert lines[0]["properties"] == {"source": "w", "target": "x", "weight": W[0, 1]}
    assert len(lines) == 3


def test_geojson_takes_places_from_one_attribute_too(tmp_path):
    latlon = np.array([[60, 10], [42, 12], [-12, -77], [0, 0]])
    for name, places in (("latlon", latlon), ("lonlat", latlon[:, ::-1])):
        write_graph(tmp_path / "g.geojson", W, attributes={name: places})
        assert features(tmp_path / "g.geojson")[2]["geometry"]["coordinates"] == [-77, -12]


INFO = {"model": "log-degree é\n", "gap": 1e-7, "alpha": None, "steps": [1, 2], "deep": {"x": True}}


@pytest.mark.parametrize("suffix", WITH_INFO)
def test_the_info_is_kept(suffix, tmp_path):
    path = tmp_path / f"graph.{suffix}"
    write_graph(path, W, info={**INFO, "n": np.int64(3), "path": np.array([1.5, 2])})
    assert read_graph(path).info == {**INFO, "n": 3, "path": [1.5, 2.0]}
    write_graph(path, W)
    assert read_graph(path).info == {}


def test_info_must_be_json(tmp_path):
    with pytest.raises(FileError, match=r"graph\.npz: expected info that JSON can hold"):
        write_graph(tmp_path / "graph.npz", W, info={"a": object()})
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("suffix", WITH_ATTRIBUTES)
def test_what_was_read_can_be_written_again(suffix, tmp_path):
    given = GraphFile(sp.csr_array(W), list("abcd"), {"y": np.arange(4)}, {"gap": 0.5})
    write_graph(tmp_path / "first.npz", given)
    found = read_graph(tmp_path / "first.npz")
    write_graph(tmp_path / f"second.{suffix}", found)
    again = read_graph(tmp_path / f"second.{suffix}")
    np.testing.assert_array_equal(again.adjacency.toarray(), W)
    assert again.names == list("abcd")
    assert again.attributes["y"].tolist() == [0, 1, 2, 3]
    write_graph(tmp_path / f"third.{suffix}", found, names="wxyz", attributes={}, info={})
    third = read_graph(tmp_path / f"third.{suffix}")
    assert (third.names, third.attributes, third.info) == (list("wxyz"), {}, {})


def test_the_names_of_a_learner_are_written(tmp_path):
    X = pd.DataFrame([[0.0], [1.0], [1.5], [2.5]], index=["a", "b", "c", "d"], columns=["x"])
    learner = LogDegreeGraph(edges_per_node=1.5).fit(X)
    write_graph(tmp_path / "graph.npz", learner)
    found = read_graph(tmp_path / "graph.npz")
    assert found.names == ["a", "b", "c", "d"]
    np.testing.assert_array_equal(found.adjacency.toarray(), learner.adjacency_.toarray())
    write_graph(tmp_path / "graph.npz", LogDegreeGraph(edges_per_node=1.5).fit(X.to_numpy()))
    assert read_graph(tmp_path / "graph.npz").names is None


# -- read by other programs --------------------------------------------------


def test_scipy_reads_npz_and_mtx(tmp_path):
    write_graph(tmp_path / "g.npz", W, names=list("abcd"), attributes={"y": range(4)}, info=INFO)
    write_graph(tmp_path / "g.mtx", W, names=["n" * 400 + str(k) for k in range(4)], info=INFO)
    found = sp.load_npz(tmp_path / "g.npz")
    assert isinstance(found, sp.csr_array)
    np.testing.assert_array_equal(found.toarray(), W)
    np.testing.assert_array_equal(scipy.io.mmread(tmp_path / "g.mtx").toarray(), W)
    lines = (tmp_path / "g.mtx").read_text().splitlines()
    assert lines[0].endswith("real symmetric")
    assert max(map(len, lines)) <= 1024  # the most that the format allows


def test_networkx_reads_graphml_and_gexf(tmp_path):
    for suffix, read in (("graphml", networkx.read_graphml), ("gexf", networkx.read_gexf)):
        write_graph(tmp_path / f"g.{suffix}", W, names=list("abcd"), attributes={"y": range(4)})
        found = read(tmp_path / f"g.{suffix}")
        assert list(found) == list("abcd")
        assert not found.is_directed()
        assert found["a"]["b"]["weight"] == 0.1 + 0.2
        assert found.nodes["c"]["y"] == 2


def test_pandas_reads_csv_and_parquet(tmp_path):
    pytest.importorskip("pyarrow")
    write_graph(tmp_path / "g.csv", W, names=list("abcd"))
    write_graph(tmp_path / "g.parquet", W, names=list("abcd"))
    rows = [["a", "b", 0.1 + 0.2], ["a", "c", 5e-324], ["b", "c", 1e300]]
    assert (tmp_path / "g.csv").read_text() == (
        "source,target,weight\na,b,0.30000000000000004\na,c,5e-324\nb,c,1e+300\nd,,\n"
    )
    assert pd.read_parquet(tmp_path / "g.parquet").to_numpy().tolist() == rows
    write_graph(tmp_path / "g.parquet", W)
    assert pd.read_parquet(tmp_path / "g.parquet")["source"].tolist() == [0, 0, 1]


# -- written by other programs -----------------------------------------------


def test_graphs_of_networkx(tmp_path):
    graph = networkx.karate_club_graph()
    for suffix, write in (("graphml", networkx.write_graphml), ("gexf", networkx.write_gexf)):
        write(graph, tmp_path / f"g.{suffix}")
        found = read_graph(tmp_path / f"g.{suffix}")
        np.testing.assert_array_equal(found.adjacency.toarray(), networkx.to_numpy_array(graph))
        assert found.names is None
        assert found.attributes["club"][0] == "Mr. Hi"
        assert found.info == {}


@pytest.mark.parametrize("suffix", ["graphml", "gexf"])
def test_graphs_without_weights_and_with_directions(suffix, tmp_path):
    path = tmp_path / f"g.{suffix}"
    write = {"graphml": networkx.write_graphml, "gexf": networkx.write_gexf}[suffix]
    write(networkx.path_graph(3), path)
    assert read_graph(path).adjacency.toarray().tolist() == [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    write(networkx.DiGraph([(0, 1), (1, 0)]), path)
    assert read_graph(path).adjacency.toarray().tolist() == [[0, 1], [1, 0]]
    write(networkx.DiGraph([(0, 1)]), path)
    with pytest.raises(FileError, match=rf"g\.{suffix}: .*must be symmetric"):
        read_graph(path)
    write(networkx.Graph([(0, 1), (1, 1)]), path)
    assert read_graph(path).adjacency.toarray().tolist() == [[0, 1], [1, 0]]


def test_what_networkx_warns_of_is_read_all_the_same(tmp_path):
    networkx.write_graphml(networkx.path_graph(2), tmp_path / "g.graphml")
    text = (tmp_path / "g.graphml").read_text()
    key = '<key id="d0" for="node" attr.name="kind"/><graph '
    (tmp_path / "g.graphml").write_text(text.replace("<graph ", key, 1))
    with pytest.warns(UserWarning, match="No key type"):
        assert read_graph(tmp_path / "g.graphml").adjacency.nnz == 2


def test_labels_of_other_gexf_files_are_an_attribute(tmp_path):
    graph = networkx.Graph([("n0", "n1")])
    networkx.set_node_attributes(graph, {"n0": "Ann", "n1": "Bob"}, "label")
    networkx.write_gexf(graph, tmp_path / "g.gexf")
    found = read_graph(tmp_path / "g.gexf")
    assert found.names == ["n0", "n1"]
    assert found.attributes["label"].tolist() == ["Ann", "Bob"]


def test_matrices_of_scipy(tmp_path):
    sp.save_npz(tmp_path / "g.npz", sp.coo_matrix(W))
    np.testing.assert_array_equal(read_graph(tmp_path / "g.npz").adjacency.toarray(), W)
    for matrix in (W, sp.coo_array(W + np.eye(4))):  # loops are dropped
        scipy.io.mmwrite(tmp_path / "g.mtx", matrix)
        np.testing.assert_array_equal(read_graph(tmp_path / "g.mtx").adjacency.toarray(), W)


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        (np.triu(W), "must be symmetric"),
        (-W, "must be >= 0"),
        (W[:3], "square adjacency matrix"),
        (np.where(W > 1, np.nan, W), "NaN"),
    ],
)
def test_other_matrices_are_refused_with_the_name_of_the_file(matrix, message, tmp_path):
    sp.save_npz(tmp_path / "g.npz", sp.csr_array(matrix))
    scipy.io.mmwrite(tmp_path / "g.mtx", sp.csr_array(matrix))
    for name in ("g.npz", "g.mtx"):
        with pytest.raises(FileError, match=rf"{name}: .*{message}"):
            read_graph(tmp_path / name)


# -- writing -----------------------------------------------------------------


@pytest.mark.parametrize("suffix", GRAPH_FORMATS)
@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["a", "b", "", "d"], "node 2: expected a name, .*got ''"),
        (["a", "b", "c\0", "d"], r"node 2: expected a name, .*got 'c\\x00'"),
        (["a", "b", "\ud800", "d"], "node 2: expected a name"),
        (["a", "b", "c", "a"], "node 0 and node 3: expected names that are all different, got 'a'"),
        (["a", "b"], "expected one name per node, 4, got 2"),
    ],
)
def test_invalid_names_are_refused(suffix, names, message, tmp_path):
    with pytest.raises(FileError, match=rf"graph\.{suffix}: {message}"):
        write_graph(tmp_path / f"graph.{suffix}", W, names=names)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("suffix", ["graphml", "gexf"])
def test_text_that_xml_cannot_hold_is_refused(suffix, tmp_path):
    with pytest.raises(FileError, match=r"node 'c\\x01': expected a name that XML can hold"):
        write_graph(tmp_path / f"graph.{suffix}", W, names=["a", "b", "c\x01", "d"])
    with pytest.raises(FileError, match=r"node 'b', attribute 'y': expected text that XML can"):
        write_graph(tmp_path / f"graph.{suffix}", W, names="abcd", attributes={"y": ["", "\x02", "", ""]})


@pytest.mark.parametrize("suffix", sorted(set(GRAPH_FORMATS) - {"graphml", "gexf"}))
def test_other_formats_hold_control_characters(suffix, tmp_path):
    names = ["a", "b", "c\x01", "\x1b[0m"]
    write_graph(tmp_path / f"graph.{suffix}", W, names=names)
    np.testing.assert_array_equal(by_name(read_graph(tmp_path / f"graph.{suffix}"), names), W)


def test_attributes_are_counted(tmp_path):
    with pytest.raises(FileError, match=r"an attribute 'y' with one entry per node, 4, got shape"):
        write_graph(tmp_path / "graph.npz", W, attributes={"y": range(3)})


def test_invalid_graphs_are_refused(tmp_path):
    with pytest.raises(ValueError, match="must be symmetric"):
        write_graph(tmp_path / "graph.npz", np.triu(W))
    with pytest.raises(FileError, match=r"graph\.xls: expected a name that ends in"):
        write_graph(tmp_path / "graph.xls", W)
    assert list(tmp_path.iterdir()) == []


def test_an_interruption_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "graph.csv"
    write_graph(path, W)
    before = path.read_bytes()

    def interrupt(self, other):
        raise KeyboardInterrupt

    monkeypatch.setattr(type(path), "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_graph(path, 2 * np.minimum(W, 1))
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("suffix", GRAPH_FORMATS)
def test_standard_output(suffix, tmp_path, monkeypatch):
    stream = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(stream))
    write_graph("-", W, names=list("abcd"), format=suffix)
    (tmp_path / f"graph.{suffix}").write_bytes(stream.getvalue())
    found = read_graph(tmp_path / f"graph.{suffix}")
    np.testing.assert_array_equal(by_name(found, list("abcd")), W)


def test_standard_output_is_csv_and_all_or_nothing(monkeypatch):
    stream = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(stream))
    with pytest.raises(FileError, match="standard output: node 1: expected a name"):
        write_graph("-", W, names=["a", "", "c", "d"])
    assert stream.getvalue() == b""
    write_graph("-", W)
    assert stream.getvalue().startswith(b"source,target,weight\n0,1,")
