"""The commands draw and report, of graphs that have been learned before."""

from xml.etree import ElementTree

import numpy as np
import pytest
from command_line import refused, smoothgraph, succeeds, summary
from pictures import SVG, assert_drawn, points_of
from reports import report_text

from smoothgraph.cli.graph_nodes import describe_nodes
from smoothgraph.io import read_graph, write_graph

FORMATS = ["npz", "graphml", "gexf", "csv", "tsv", "mtx", "parquet"]
KEEP_ATTRIBUTES = ["npz", "graphml", "gexf"]


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """Two groups of stations, far from each other; the graph of a sparse fit has a bridge."""
    rng = np.random.default_rng(1)
    path = tmp_path_factory.mktemp("table") / "stations.csv"
    north, east = rng.uniform(47, 49, 24), rng.uniform(-5, -1, 24)
    group = np.repeat([0, 50], 12)
    rows = [f"s{k},{north[k]:.4f},{east[k]:.4f},kind{k % 3},{north[k] + group[k]},{east[k]}" for k in range(24)]
    path.write_text("\n".join(["name,lat,lon,kind,a,b", *rows]))
    return path


@pytest.fixture(scope="module")
def graphs(table, tmp_path_factory):
    """The graph of the table in every format, by suffix."""
    folder = tmp_path_factory.mktemp("graphs")
    options = ("--coordinates", "lat,lon", "--label", "kind", "-k", 3, "--connected")
    succeeds("learn", table, *options, "--out", folder / "graph.npz", "--picture", folder / "learned.svg")
    for suffix in FORMATS[1:]:
        succeeds("convert", folder / "graph.npz", folder / f"graph.{suffix}")
    return folder


def texts_of(path):
    return [text.text for text in ElementTree.parse(path).getroot().iter(f"{SVG}text")]


@pytest.mark.parametrize("suffix", FORMATS)
def test_a_graph_on_disk_is_drawn_as_it_was_learned(graphs, tmp_path, suffix):
    picture = tmp_path / "picture.svg"
    label = ["--label", "kind"] if suffix in KEEP_ATTRIBUTES else []
    facts = summary("draw", graphs / f"graph.{suffix}", "--out", picture, *label)
    W = read_graph(graphs / "graph.npz").adjacency
    assert facts == {"nodes": 24, "edges": W.nnz // 2, "written": str(picture)}
    assert {f"s{k}" for k in range(24)} <= set(texts_of(picture))
    if suffix in KEEP_ATTRIBUTES:
        assert {"kind0", "kind1", "kind2"} <= set(texts_of(picture))
    if suffix in ("npz", "graphml"):  # the legend of bridges takes room
        np.testing.assert_allclose(points_of(picture), points_of(graphs / "learned.svg"), atol=0.01)
    assert ("bridge" in texts_of(picture)) == (suffix not in ("gexf", "csv", "tsv")), "as far as the file keeps it"


def test_options_restyle_the_picture(graphs, tmp_path):
    options = ("--title", "Restyled", "--size", "90mm", "--palette", "gray", "--names", "kind", "--label", "kind")
    succeeds("draw", graphs / "graph.npz", "--out", tmp_path / "p.svg", *options)
    texts = texts_of(tmp_path / "p.svg")
    assert texts.count("kind0") > 1
    assert "Restyled" in texts
    assert "s1" not in texts
    succeeds("draw", graphs / "graph.npz", "--out", tmp_path / "p.svg", "--names", "none", "--force")
    assert "s1" not in texts_of(tmp_path / "p.svg")
    succeeds("draw", graphs / "graph.npz", "--out", tmp_path / "p.pdf")
    assert_drawn(tmp_path / "p.pdf")


def test_coordinates_are_chosen(graphs, tmp_path):
    W = read_graph(graphs / "graph.npz").adjacency
    rng = np.random.default_rng(0)
    plane = {"x": rng.normal(size=24), "y": rng.normal(size=24)}
    where = {"south": rng.uniform(0, 5, 24), "west": rng.uniform(100, 104, 24)}
    write_graph(tmp_path / "g.npz", W, attributes=plane | where)
    succeeds("draw", tmp_path / "g.npz", "--coordinates", "x,y", "--out", tmp_path / "plane.svg")
    points = points_of(tmp_path / "plane.svg")
    correlation = np.corrcoef(points.T, np.column_stack([plane["x"], -plane["y"]]).T)
    np.testing.assert_allclose([correlation[0, 2], correlation[1, 3]], 1)
    succeeds("draw", tmp_path / "g.npz", "--out", tmp_path / "map.svg")
    assert any(text and text.endswith("°S") for text in texts_of(tmp_path / "map.svg"))
    assert any(text and text.endswith("°W") for text in texts_of(tmp_path / "map.svg"))


def test_a_graph_without_places_gets_a_layout(graphs, tmp_path):
    succeeds("draw", graphs / "graph.csv", "--out", tmp_path / "p.png")
    assert_drawn(tmp_path / "p.png")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--label", "knid"), "'kind'"),
        (("--coordinates", "lat"), "name two"),
        (("--out", "p.jpg"), ".svg"),
        (("--palette", "rainbow"), "okabe-ito"),
    ],
)
def test_a_picture_that_cannot_be_drawn_is_refused(graphs, options, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert said in refused("draw", graphs / "graph.npz", *options)
    assert list(tmp_path.iterdir()) == []


def test_a_table_is_not_drawn(table, tmp_path):
    np.save(tmp_path / "t.npy", np.ones((4, 3)))
    assert "smoothgraph learn" in refused("draw", tmp_path / "t.npy")
    assert "smoothgraph learn" in refused("draw", table)


# -- report ------------------------------------------------------------------


@pytest.mark.parametrize("suffix", FORMATS)
def test_a_report_of_a_graph_on_disk(graphs, tmp_path, suffix):
    out = tmp_path / "report.html"
    look = ("--title", "My stations", "--notes", "First.\n\nSecond.", "--palette", "gray")
    facts = summary("report", graphs / f"graph.{suffix}", "--out", out, *look)
    assert facts["edges"] == read_graph(graphs / "graph.npz").adjacency.nnz // 2
    page = report_text(out)
    assert "<title>My stations</title>" in page
    assert '<p dir="auto">First.</p><p dir="auto">Second.</p>' in page
    assert '"s23"' in page
    if suffix in KEEP_ATTRIBUTES:
        assert '"name":"kind","kind":"category"' in page
        assert '"map":{"land"' in page
    if suffix in ("npz", "graphml", "mtx", "parquet"):
        assert '["model","log-degree"]' in page


def test_a_report_with_the_stability_of_its_edges(graphs, tmp_path):
    W = read_graph(graphs / "graph.npz")
    shares = W.adjacency.copy()
    shares.data[:] = 0.75
    write_graph(tmp_path / "shares.npz", shares, names=W.names)
    out = tmp_path / "report.html"
    succeeds("report", graphs / "graph.npz", "--stability", tmp_path / "shares.npz", "--out", out)
    assert '"stability":null' not in report_text(out)


def test_a_graph_is_not_learned_again(graphs, tmp_path):
    options = ("--densities", "2,4", "--standardize", "--model", "smooth")
    said = refused("report", graphs / "graph.npz", *options, "--out", tmp_path / "r.html")
    assert "--densities and --standardize and --model" in said
    assert not (tmp_path / "r.html").exists()


def test_a_report_of_a_table_is_a_map_if_its_nodes_have_places(table, tmp_path):
    out = tmp_path / "report.html"
    succeeds("report", table, "--coordinates", "lat,lon", "--densities", "3", "--out", out)
    assert '"map":{"land"' in report_text(out)


def test_a_graph_cannot_be_reported_from_a_pipe(graphs):
    edges = (graphs / "graph.csv").read_bytes()
    result = smoothgraph("report", "-", stdin=edges)
    assert result.exit_code == 2
    assert "holds a graph" in result.stderr


@pytest.mark.slow
def test_a_large_table_is_reported_by_regions(tmp_path, rng):
    np.save(tmp_path / "many.npy", rng.normal(size=(20_500, 2)))
    out = tmp_path / "report.html"
    facts = summary("report", tmp_path / "many.npy", "--out", out, "--densities", "3")
    assert facts["nodes"] == 20_500
    assert "regions of the 20,500 nodes" in report_text(out)


def places_of(path):
    """Return where a picture of the graph in a file has its nodes on the map."""
    nodes = describe_nodes(read_graph(path), names=None, label=None, places=[], title=path.name)
    assert nodes.on_map
    return nodes.coordinates


@pytest.mark.parametrize(
    ("columns", "write"),
    [
        ("lat,lon", lambda north, east: (f"{north:.3f}", f"{east:.3f}")),
        ("lat,degrees_west", lambda north, east: (f"{north:.3f}", f"{-east:.3f}")),
        ("lat,lon", lambda north, east: (f"{north:.3f}°N", f"{-east:.3f}°W")),
    ],
)
def test_degrees_west_lie_in_the_west(tmp_path, columns, write):
    rng = np.random.default_rng(0)
    places = np.column_stack([rng.uniform(30, 45, 12), rng.uniform(-120, -80, 12)]).round(3)
    cells = [",".join((f"s{k}", *write(*place), f"{place[0]}", f"{k % 5}")) for k, place in enumerate(places)]
    (tmp_path / "t.csv").write_text("\n".join([f"name,{columns},a,b", *cells]), encoding="utf-8")
    succeeds("learn", tmp_path / "t.csv", "--coordinates", columns, "-k", 3, "--out", tmp_path / "g.npz")
    np.testing.assert_allclose(places_of(tmp_path / "g.npz"), places)


def test_an_array_of_longitude_and_latitude_is_a_map(tmp_path, rng):
    lonlat = np.column_stack([rng.uniform(-120, -80, 12), rng.uniform(30, 45, 12)])
    np.savez(tmp_path / "t.npz", X=rng.normal(size=(12, 4)), lonlat=lonlat)
    succeeds("learn", tmp_path / "t.npz", "--coordinates", "lonlat", "-k", 3, "--out", tmp_path / "g.npz")
    np.testing.assert_array_equal(places_of(tmp_path / "g.npz"), lonlat[:, ::-1])
    succeeds("convert", tmp_path / "g.npz", tmp_path / "g.graphml")
    np.testing.assert_array_equal(places_of(tmp_path / "g.graphml"), lonlat[:, ::-1])
