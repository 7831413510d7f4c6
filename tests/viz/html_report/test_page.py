import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

import smoothgraph
from smoothgraph import LogDegreeGraph


def pairs_of(W):
    upper = sp.triu(W, k=1).tocoo()
    return set(zip(upper.row.tolist(), upper.col.tolist(), strict=True))


def strongest_edges(W, count):
    """Return the ends and weights of the heaviest edges, as computed by NumPy."""
    upper = sp.triu(W, k=1).tocoo()
    weights = upper.data.astype(np.float32)
    order = np.lexsort([upper.col, upper.row, -weights])[:count]
    return upper.row[order], upper.col[order], weights[order]


def assert_statistics(shown, graph):
    W = graph.adjacency_
    statistics = shown.descriptions("#statistics")
    assert statistics["edges"] == str(W.nnz // 2)
    assert statistics["edges per node"] == f"{graph.edges_per_node_:.2f}"
    assert statistics["components"] == str(connected_components(W)[0])
    assert statistics["isolated nodes"] == str(np.sum(W.sum(axis=1) == 0))
    assert statistics["relative duality gap"] == f"{graph.dual_gap_:.1e}"
    assert statistics["proved optimal over all pairs"] == "yes"
    assert statistics["alpha"] == f"{graph.alpha_:.4g}"
    assert shown.drawn_edges() == pairs_of(W)


def test_the_page_opens_at_the_middle_density(open_report, graphs, ordered):
    shown = open_report(graphs, title="Sensors", settings={"file": "sensors.csv"})
    assert shown.page.title() == shown.text("h1") == "Sensors"
    assert shown.text("#summary") == "30 nodes, 3 densities"
    assert_statistics(shown, ordered[1])
    assert shown.descriptions("#settings") == {"file": "sensors.csv", "smoothgraph": smoothgraph.__version__}
    assert shown.call("({ density }) => density") == 1


def test_nodes_are_drawn_at_their_positions(open_report, graphs, positions):
    shown = open_report(graphs, positions=positions)
    places = np.array([shown.place(node) for node in range(30)]) * [1, -1]  # y points down
    scale = np.ptp(places, axis=0) / np.ptp(positions, axis=0)
    assert scale[0] == pytest.approx(scale[1], rel=1e-4)
    expected = (positions - positions[0]) * scale
    np.testing.assert_allclose(places - places[0], expected, atol=0.1)


def test_the_slider_changes_graph_and_statistics(open_report, graphs, ordered):
    shown = open_report(graphs)
    assert np.any(ordered[0].adjacency_.sum(axis=1) == 0), "a graph with isolated nodes"
    for step, graph in enumerate(ordered):
        shown.page.locator("#density").fill(str(step))
        assert_statistics(shown, graph)
        assert shown.text("#density-label") == f"{graph.edges_per_node_:.1f} edges per node"
        assert shown.call("({ density }) => density") == step


def test_the_slider_obeys_the_keyboard(open_report, graphs, ordered):
    shown = open_report(graphs)
    slider = shown.page.get_by_label("Density")
    slider.press("ArrowRight")
    assert_statistics(shown, ordered[2])
    slider.press("Home")
    assert_statistics(shown, ordered[0])
    assert slider.get_attribute("aria-valuetext") == shown.text("#density-label")


def test_the_chart_marks_the_density_in_view(open_report, graphs, ordered):
    shown = open_report(graphs)
    shown.page.locator("#density").fill("0")
    circles = shown.page.locator("#chart circle.first").all()
    radii = [float(circle.get_attribute("r")) for circle in circles]
    assert np.flatnonzero(radii == np.max(radii)).tolist() == [0]
    heights = np.array([float(circle.get_attribute("cy")) for circle in circles])
    counts = np.array([connected_components(graph.adjacency_)[0] for graph in ordered])
    floor = float(shown.page.locator("#chart .axis").first.get_attribute("y1"))
    np.testing.assert_allclose((floor - heights) / (floor - heights[0]), counts / counts[0])


def test_one_graph_has_no_slider_and_no_chart(open_report, ordered):
    shown = open_report(ordered[1])
    assert not shown.page.locator("#density").is_visible()
    assert shown.page.locator("#chart svg").count() == 0
    assert shown.text("#summary") == "30 nodes"
    assert_statistics(shown, ordered[1])


def test_the_table_has_the_strongest_edges(open_report, graphs, ordered):
    names = [f"n{k}" for k in range(30)]
    shown = open_report(graphs, names=names)
    for step, graph in enumerate(ordered):
        shown.page.locator("#density").fill(str(step))
        i, j, weights = strongest_edges(graph.adjacency_, 50)
        rows = [row.split("\t") for row in shown.page.locator("#strongest").inner_text().split("\n")]
        assert [row[:2] for row in rows] == [[names[a], names[b]] for a, b in zip(i, j, strict=True)]
        np.testing.assert_allclose([float(row[2]) for row in rows], weights, rtol=1e-3)


def test_a_row_of_the_table_leads_to_its_edge(open_report, ordered):
    graph = ordered[1]
    shown = open_report(graph)
    i, j, _ = strongest_edges(graph.adjacency_, 3)
    shown.page.locator("#strongest tr").nth(2).click()
    assert shown.text("#card h2") == graph.node_names_[i[2]]
    camera = shown.camera()
    ends = shown.call(
        "({ sigma }, nodes) => nodes.map((n) => sigma.getNodeDisplayData(String(n)))", [int(i[2]), int(j[2])]
    )
    assert camera["x"] == pytest.approx((ends[0]["x"] + ends[1]["x"]) / 2)
    assert camera["y"] == pytest.approx((ends[0]["y"] + ends[1]["y"]) / 2)
    assert camera["ratio"] < 1


def test_the_buttons_zoom_and_reset(open_report, graphs):
    shown = open_report(graphs)
    home = shown.camera()
    shown.page.get_by_label("Zoom in").click()
    assert shown.camera()["ratio"] < home["ratio"]
    shown.page.get_by_label("Zoom out").click()
    assert shown.camera()["ratio"] == pytest.approx(home["ratio"])
    shown.page.get_by_label("Zoom out").click()
    shown.camera()
    shown.page.get_by_label("Show the whole graph").click()
    assert shown.camera() == home


def test_the_wheel_zooms_and_dragging_moves(open_report, graphs):
    shown = open_report(graphs)
    home = shown.camera()
    shown.page.mouse.move(400, 400)
    shown.page.mouse.wheel(0, -300)
    shown.wait_until("({ sigma }) => sigma.getCamera().ratio < 1")
    zoomed = shown.camera()
    assert zoomed["ratio"] < home["ratio"]
    shown.page.mouse.down()
    shown.page.mouse.move(500, 450, steps=4)
    shown.page.mouse.up()
    shown.wait_until("({ sigma }, x) => sigma.getCamera().x !== x", zoomed["x"])
    assert shown.camera()["x"] < zoomed["x"]


def test_heavier_edges_are_drawn_thicker(open_report, ordered):
    W = ordered[1].adjacency_
    shown = open_report(ordered[1])
    i, j, _ = strongest_edges(W, W.nnz)
    sizes = [
        shown.call("({ sigma, graph }, e) => sigma.getEdgeDisplayData(graph.edge(e[0], e[1])).size", [int(a), int(b)])
        for a, b in zip(i, j, strict=True)
    ]
    assert np.all(np.diff(sizes) <= 0)
    assert sizes[0] > sizes[-1]


def test_a_dark_theme_is_followed(open_report, graphs):
    shown = open_report(graphs)
    looks = """({ sigma, graph }) => [
        getComputedStyle(document.getElementById("stage")).backgroundColor,
        sigma.getNodeDisplayData("0").borderColor,
        graph.edges().map((edge) => sigma.getEdgeDisplayData(edge).color).join(" "),
    ]"""
    light = shown.call(looks)
    shown.page.emulate_media(color_scheme="dark")
    shown.wait_until(f"(r, light) => ({looks})(r).every((look, k) => look !== light[k])", light)


def test_without_webgl_the_page_says_so_and_the_rest_works(open_report, graphs, ordered):
    shown = open_report(graphs, before="HTMLCanvasElement.prototype.getContext = () => null;")
    assert "WebGL" in shown.text("#no-webgl")
    assert shown.page.locator("#no-webgl").is_visible()
    shown.page.locator("#density").fill("2")
    assert shown.descriptions("#statistics")["edges"] == str(ordered[2].adjacency_.nnz // 2)
    shown.page.locator("#search").fill("sensor c3")
    shown.page.keyboard.press("Enter")
    assert shown.text("#card h2") == "sensor c3"
    assert len(shown.errors) == 1, "the library itself looks for WebGL"
    shown.errors.clear()


def test_with_webgl_nothing_is_said_of_it(open_report, graphs):
    assert not open_report(graphs).page.locator("#no-webgl").is_visible()


@pytest.mark.parametrize("n_nodes", [1, 4])
def test_a_graph_without_edges(open_report, n_nodes):
    shown = open_report(sp.csr_array((n_nodes, n_nodes)))
    assert shown.drawn_edges() == set()
    statistics = shown.descriptions("#statistics")
    assert statistics["isolated nodes"] == statistics["components"] == str(n_nodes)
    assert "relative duality gap" not in statistics
    shown.hover(0)
    assert shown.text("#card h2") == "0"
    assert shown.descriptions("#card dl")["neighbors"] == "0"


def test_nodes_without_names_are_called_by_their_numbers(open_report, positions):
    graph = LogDegreeGraph(edges_per_node=3).fit(positions)
    shown = open_report(graph)
    shown.click(7)
    assert shown.text("#card h2") == "7"


def test_only_the_scripts_of_the_page_run(open_report, graphs):
    shown = open_report(graphs)
    shown.page.evaluate(
        """() => {
            const added = document.createElement("script");
            added.textContent = "window.intruded = true";
            document.body.append(added);
        }"""
    )
    assert shown.page.evaluate("window.intruded") is None
    assert len(shown.errors) == 1
    assert "Content Security Policy" in shown.errors.pop()


def test_a_browser_that_cannot_decompress_says_so(open_report, graphs):
    shown = open_report(graphs, before="delete window.DecompressionStream;")
    assert shown.page.locator("#failure").is_visible()
    assert "This browser is too old" in shown.text("#failure")
    assert "This browser is too old" in shown.errors.pop()
