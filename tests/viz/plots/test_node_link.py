import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.text import Text
from sklearn.datasets import load_iris

from smoothgraph import LogDegreeGraph, PairSet
from smoothgraph.viz import draw_edges, draw_graph, layout
from smoothgraph.viz.palettes import MISSING as MISSING_HEX
from smoothgraph.viz.palettes import OTHER, find_palette
from smoothgraph.viz.plots.style import BRIDGE

MISSING = to_rgb(MISSING_HEX)

SQUARE = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, 0.0]])


def four_nodes(w=(1.0, 0.0, 0.5, 0.0, 2.0, 0.0)):
    return PairSet.all_pairs(4).adjacency(np.array(w))


def ring(m):
    W = np.eye(m, k=1) + np.eye(m, k=1 - m)
    return W + W.T


def segments(ax):
    return ax.collections[0].get_segments()


def colors(ax):
    return ax.collections[1].get_facecolors()[:, :3]


def legend(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def render(ax):
    ax.figure.figure.draw_without_rendering()


@pytest.mark.parametrize("labels", [None, np.array([0, 1, 1, 2])])
def test_every_edge_and_node_is_drawn(labels):
    ax = draw_graph(four_nodes(), SQUARE, labels=labels)
    drawn = {frozenset(map(tuple, line)) for line in segments(ax)}
    expected = [(0, 1), (0, 3), (1, 3)]
    assert drawn == {frozenset({tuple(SQUARE[i]), tuple(SQUARE[j])}) for i, j in expected}
    np.testing.assert_array_equal(ax.collections[1].get_offsets(), SQUARE)
    assert (ax.get_legend() is None) == (labels is None)


def test_heavier_edges_are_thicker_darker_and_on_top():
    lines = draw_graph(four_nodes(), SQUARE).collections[0]
    assert np.all(np.diff(lines.get_linewidths()) > 0)
    assert np.all(np.diff(lines.get_colors()[:, 3]) > 0)
    heaviest = {tuple(end) for end in lines.get_segments()[-1]}
    assert heaviest == {tuple(SQUARE[1]), tuple(SQUARE[3])}


def test_without_positions_the_layout_of_the_graph_is_drawn():
    learner = LogDegreeGraph(edges_per_node=6).fit(load_iris().data)
    ax = draw_graph(learner)
    np.testing.assert_array_equal(ax.collections[1].get_offsets(), layout(learner))
    assert len(segments(ax)) == learner.adjacency_.nnz // 2


def test_the_given_axes_are_drawn_on():
    ax = Figure().subplots()
    assert draw_graph(four_nodes(), SQUARE, ax=ax) is ax


def test_axes_of_a_subfigure_will_do():
    left, _ = Figure(layout="constrained").subfigures(1, 2)
    ax = draw_graph(four_nodes(), SQUARE, labels=[0.5, 1, 2, 3], names="abcd", ax=left.subplots())
    render(ax)


@pytest.mark.parametrize(
    ("W", "positions"),
    [
        (np.zeros((1, 1)), None),
        (np.zeros((3, 3)), None),
        (ring(5), np.zeros((5, 2))),
        (ring(5), np.column_stack([np.arange(5), np.zeros(5)])),
        (1e-300 * ring(5), None),
    ],
    ids=["one node", "no edges", "one place", "a line", "tiny weights"],
)
def test_odd_graphs_are_drawn(W, positions):
    ax = draw_graph(W, positions, labels=range(len(W)), names=range(len(W)))
    render(ax)
    assert len(ax.collections[1].get_offsets()) == len(W)
    assert len(segments(ax)) == np.count_nonzero(W) // 2


@pytest.mark.parametrize(
    ("labels", "texts"),
    [
        (["b", "a", "b", "c"], ["a", "b", "c"]),
        ([True, False, True, True], ["False", "True"]),
        (np.array([10, 9, 10, 2]), ["2", "9", "10"]),
        ([1.0, 3.0, np.nan, 1.0], ["1", "3", "no label"]),
        (["x", None, "", np.nan], ["x", "no label"]),
        (np.array(["x", "y", "", "y"]), ["x", "y", "no label"]),
        (pd.Series(["x", "y", pd.NA, "y"], dtype="string"), ["x", "y", "no label"]),
        (pd.Series([3, 1, pd.NA, 3], dtype="Int64"), ["1", "3", "no label"]),
        (pd.Categorical(["low", "high", "low", "mid"], ["low", "mid", "high", "none"]), None),
        (["$5 and $6", "_hidden", "$x^2$", "$\\broken$"], None),
        ([1, "a", 1, "b"], ["1", "a", "b"]),
    ],
)
def test_categories_get_a_legend(labels, texts):
    ax = draw_graph(four_nodes(), SQUARE, labels=labels)
    render(ax)
    if isinstance(labels, pd.Categorical):
        texts = ["low", "mid", "high"]
    assert legend(ax) == (sorted(labels) if texts is None else texts)
    assert not any(text.get_parse_math() for text in ax.get_legend().get_texts())


def test_equal_labels_have_equal_colors_and_the_legend_shows_them():
    ax = draw_graph(four_nodes(), SQUARE, labels=["b", "a", "b", None])
    drawn = colors(ax)
    np.testing.assert_array_equal(drawn[0], drawn[2])
    assert not np.array_equal(drawn[0], drawn[1])
    np.testing.assert_allclose(drawn[3], MISSING)
    in_legend = [to_rgb(dot.get_color()) for dot in ax.get_legend().legend_handles]
    np.testing.assert_allclose(in_legend, drawn[[1, 0, 3]])


def weights_in_legend(ax):
    """Return the weights that a legend explains, and the widths of their lines."""
    found = [part for part in ax.findobj(Legend) if part.get_title().get_text() == "weight"]
    texts = [float(text.get_text()) for part in found for text in part.get_texts()]
    return texts, [line.get_linewidth() for part in found for line in part.legend_handles]


def test_a_legend_says_what_widths_mean():
    W = four_nodes((1.0, 0.02, 0.5, 0.2, 0.9, 0.1))
    ax = draw_graph(W, SQUARE)
    weights, widths = weights_in_legend(ax)
    assert weights == [1.0, 0.2, 0.05]
    lines = ax.collections[0]
    drawn = lines.get_linewidths()
    assert widths[0] == pytest.approx(max(drawn))
    assert min(drawn) < widths[2] < widths[1] < widths[0]


def test_weights_that_are_alike_need_no_legend():
    assert weights_in_legend(draw_graph(ring(9))) == ([], [])


def test_a_figure_closes_around_what_is_drawn():
    wide = np.array([[0, 0], [4, 0], [4, 1], [0, 1.0]])
    ax = draw_graph(four_nodes(), wide, labels=list("abab"))
    render(ax)
    width, height = ax.figure.get_size_inches()
    assert width == pytest.approx(8)
    assert height < 3
    ax = draw_graph(four_nodes(), wide[:, ::-1])
    width, height = ax.figure.get_size_inches()
    assert width < height <= 8


@pytest.mark.parametrize(("size", "inches"), [(5, (5, None)), ((4, 3), (4, 3))])
def test_the_size_of_the_figure(size, inches):
    width, height = draw_graph(four_nodes(), SQUARE, title="A title", size=size).figure.get_size_inches()
    assert width == pytest.approx(inches[0])
    assert inches[1] is None or height == inches[1]
    assert draw_graph(four_nodes(), SQUARE, title="$A_title$").get_title() == "$A_title$"


@pytest.mark.parametrize("size", [0, -1, (3, np.nan), (np.inf, 3)])
def test_a_size_that_is_none_is_refused(size):
    with pytest.raises(ValueError, match="in inches > 0"):
        draw_graph(four_nodes(), size=size)


def test_axes_have_a_size_already():
    with pytest.raises(ValueError, match="axes or a size, got both"):
        draw_graph(four_nodes(), size=3, ax=Figure().subplots())


@pytest.mark.parametrize("count", [10, 20])
def test_every_category_has_a_color_of_its_own(count):
    ax = draw_graph(ring(count), labels=[f"label {k:02}" for k in range(count)])
    assert len(np.unique(colors(ax), axis=0)) == count
    assert MISSING not in [tuple(color) for color in colors(ax)]
    assert len(legend(ax)) == count


def test_categories_beyond_the_palette_share_a_gray():
    labels = [f"label {k:02}" for k in range(25)] * 2 + ["label 24"]
    ax = draw_graph(ring(51), labels=labels)
    assert len(np.unique(colors(ax), axis=0)) == 21
    assert legend(ax) == [*(f"label {k:02}" for k in range(19)), "label 24", "other (5)"]
    np.testing.assert_allclose(colors(ax)[20], to_rgb(OTHER))
    assert tuple(colors(ax)[24]) != to_rgb(OTHER), "the most frequent label"


@pytest.mark.parametrize("palette", ["gray", "#aa0000,#00bb00,#0000cc", ["#aa0000", "#00bb00", "#0000cc"]])
def test_a_palette_colors_categories_and_numbers(palette):
    found = find_palette(palette)
    ax = draw_graph(four_nodes(), SQUARE, labels=list("abca"), palette=palette)
    np.testing.assert_allclose(colors(ax), [to_rgb(found.categories[k]) for k in (0, 1, 2, 0)])
    ax = draw_graph(four_nodes(), SQUARE, labels=[0.5, 1.5, 1.0, 0.75], palette=palette)
    np.testing.assert_allclose(colors(ax)[:2], [to_rgb(found.scale[0]), to_rgb(found.scale[-1])])


@pytest.mark.parametrize("palette", ["rainbow", "#12", ["#123456"], "red,blue"])
def test_an_unknown_palette_is_refused(palette):
    with pytest.raises(ValueError, match=r"default, okabe-ito, gray, or two or more colors"):
        draw_graph(four_nodes(), palette=palette)


@pytest.mark.parametrize("missing", [np.nan, np.inf])
def test_numbers_get_a_scale(missing):
    ax = draw_graph(four_nodes(), SQUARE, labels=[0.5, 2.5, missing, 1.0])
    render(ax)
    assert ax.get_legend() is None
    scale = ax.figure.axes[1]
    assert scale.get_ylim() == (0.5, 2.5)
    np.testing.assert_allclose(colors(ax)[2], MISSING)
    light = colors(ax).sum(axis=1)
    assert light[0] < light[3] < light[1]


def test_more_than_twenty_whole_numbers_are_numbers():
    ax = draw_graph(ring(21), labels=range(21))
    assert len(ax.figure.axes) == 2
    assert ax.get_legend() is None


@pytest.mark.parametrize("labels", [[0.5] * 4, [np.nan] * 4, [None] * 4, [""] * 4])
def test_labels_that_say_nothing_are_drawn(labels):
    ax = draw_graph(four_nodes(), SQUARE, labels=labels)
    render(ax)
    assert len(np.unique(colors(ax), axis=0)) == 1


def test_names_stand_beside_their_nodes_as_they_are():
    names = ["$\\broken$", "_b", 3, "a name\nthat is much longer than the others"]
    ax = draw_graph(four_nodes(), SQUARE, names=names)
    render(ax)
    assert [text.get_text() for text in ax.texts][:3] == ["$\\broken$", "_b", "3"]
    assert ax.texts[3].get_text().startswith("a name that is")
    assert len(ax.texts[3].get_text()) < 30
    np.testing.assert_array_equal([text.xy for text in ax.texts], SQUARE)
    assert not any(text.get_parse_math() for text in ax.texts)


def test_names_cover_neither_each_other_nor_nodes():
    """The names are too long for all of them to stand to the right of their nodes."""
    positions = np.array([(x, y) for x in range(5) for y in range(8)]) * [1.2, 1.0]
    names = [f"a name of twenty {k}" for k in range(40)]
    ax = draw_graph(np.zeros((40, 40)), positions, names=names)
    render(ax)
    boxes = [text.get_window_extent() for text in ax.texts]
    nodes = ax.transData.transform(positions)
    assert boxes[0].width > np.diff(nodes[[0, 8], 0])
    assert not any(box.contains(*node) for box in boxes for node in nodes)
    assert sum(box.count_overlaps(boxes) - 1 for box in boxes) == 0


@pytest.mark.parametrize("inches", [3, 8])
def test_names_stay_in_the_picture(inches):
    ax = Figure(figsize=(inches, inches), layout="constrained").subplots()
    draw_graph(ring(12), names=["twenty letters or so"] * 12, ax=ax)
    render(ax)
    width, height = ax.figure.get_size_inches() * ax.figure.dpi
    for text in ax.texts:
        box = text.get_window_extent()
        assert 0 <= box.x0 < box.x1 <= width
        assert 0 <= box.y0 < box.y1 <= height


def test_there_is_room_for_names_to_the_left_and_right():
    ax = draw_graph(ring(4), SQUARE, names=["a name"] * 4)
    assert {text.get_ha() for text in ax.texts[:2]} == {"right"}
    assert {text.get_ha() for text in ax.texts[2:]} == {"left"}


def test_up_to_sixty_nodes_have_names():
    assert len(draw_graph(ring(60), names=range(60)).texts) == 60


def star(m):
    """A hub, 0, with m neighbors in a ring."""
    W = np.zeros((m + 1, m + 1))
    W[1:, 1:] = ring(m)
    W[0, 1:] = W[1:, 0] = 1
    return W


def test_of_many_nodes_the_hubs_have_names():
    ax = draw_graph(star(70), names=[f"n{k}" for k in range(71)])
    texts = [text.get_text() for text in ax.texts]
    assert texts[0] == "n0"
    assert len(texts) == 31
    assert texts[-1] == "names: 30 of the 30 nodes with most neighbors"


def test_names_without_room_are_left_out_and_counted():
    names = ["a name that is rather long"] * 40
    ax = draw_graph(np.zeros((40, 40)), np.random.default_rng(0).random((40, 2)), names=names, size=(2, 2))
    render(ax)
    *written, note = ax.texts
    assert note.get_text() == f"no room for {40 - len(written)} of 40 names"
    boxes = [text.get_window_extent() for text in written]
    assert sum(box.count_overlaps(boxes) - 1 for box in boxes) == 0


def test_a_name_that_stands_apart_has_a_line_to_its_node():
    positions = np.random.default_rng(3).random((40, 2))
    ax = draw_graph(np.zeros((40, 40)), positions, names=[f"node {k}" for k in range(40)], size=4)
    render(ax)
    names = [text for text in ax.texts if text.get_gid() != "note"]
    gaps, lines = [], []
    for text in names:
        node, box = ax.transData.transform(text.xy), Text.get_window_extent(text)
        gaps.append(np.linalg.norm(np.maximum(0, np.maximum(box.min - node, node - box.max))))
        lines.append(text.arrow_patch is not None)
    assert {True, False} <= set(lines)
    assert min(gap for gap, line in zip(gaps, lines, strict=True) if line) > max(
        gap for gap, line in zip(gaps, lines, strict=True) if not line
    )


def test_the_line_to_a_name_crosses_no_other_name():
    positions = np.random.default_rng(3).random((40, 2))
    ax = draw_graph(np.zeros((40, 40)), positions, names=[f"a node {k}" for k in range(40)], size=4)
    render(ax)
    names = [text for text in ax.texts if text.get_gid() != "note"]
    boxes = [Text.get_window_extent(text) for text in names]
    for text, box in zip(names, boxes, strict=True):
        if text.arrow_patch is None:
            continue
        node = ax.transData.transform(text.xy)
        nearest = np.clip(node, box.min, box.max)
        points = [node + share * (nearest - node) for share in np.linspace(0.3, 0.9, 12)]
        assert not any(other.contains(*point) for other in boxes if other is not box for point in points)


def test_of_very_many_edges_the_heaviest_are_drawn(monkeypatch, rng):
    monkeypatch.setattr("smoothgraph.viz.plots.edge_lines.MOST_LINES", 10)
    W = np.triu(rng.random((8, 8)), k=1)
    positions = rng.random((8, 2))
    ax = draw_graph(W + W.T, positions)
    heaviest = np.argsort(W[np.triu_indices(8, 1)])[-10:]
    ends = np.array(np.triu_indices(8, 1)).T[heaviest]
    np.testing.assert_array_equal(segments(ax), positions[ends])
    assert [text.get_text() for text in ax.texts] == ["the heaviest 10 of 28 edges"]


def test_notes_do_not_cover_each_other(monkeypatch, rng):
    monkeypatch.setattr("smoothgraph.viz.plots.edge_lines.MOST_LINES", 10)
    W = star(70)
    ax = draw_graph(W, rng.random((71, 2)), names=["a name of a node"] * 71)
    render(ax)
    first, second = (text.get_window_extent() for text in ax.texts if text.get_gid() == "note")
    assert not first.overlaps(second)


def test_a_large_graph_is_rasterized():
    """Otherwise, its PDF would have a line of text for each edge."""
    m = 6000
    chain = sp.diags_array(np.ones(m - 1), offsets=1)
    ax = draw_graph(chain + chain.T, np.random.default_rng(0).random((m, 2)))
    assert all(part.get_rasterized() for part in ax.collections)
    small = draw_graph(ring(10))
    assert not any(part.get_rasterized() for part in small.collections)


@pytest.fixture(scope="module")
def islands():
    """Three islands that two bridges join."""
    rng = np.random.default_rng(0)
    X = np.vstack([center + rng.normal(size=(15, 2)) for center in ([0, 0], [20, 0], [0, 20])])
    graph = LogDegreeGraph(4, connected=True).fit(X)
    assert len(graph.bridges_) == 2
    return X, graph


def pairs(lines):
    return {frozenset(map(tuple, line)) for line in lines.get_segments()}


@pytest.mark.parametrize(
    ("labels", "texts"),
    [
        (None, ["bridge"]),
        (np.arange(45) // 15, ["0", "1", "2", "bridge"]),
        (np.linspace(0.5, 1, 45), ["bridge"]),
        ([f"label {k:02}" for k in range(45)], [*(f"label {k:02}" for k in range(20)), "other (25)", "bridge"]),
    ],
    ids=["no labels", "categories", "numbers", "many categories"],
)
def test_bridges_look_different_and_are_in_the_legend(islands, labels, texts):
    X, graph = islands
    ax = draw_graph(graph, X, labels=labels)
    render(ax)
    edges, _, bridges = ax.collections
    assert pairs(bridges) == {frozenset(map(tuple, X[ends])) for ends in graph.bridges_}
    assert not pairs(edges) & pairs(bridges)
    assert len(edges.get_segments()) == graph.adjacency_.nnz // 2 - 2
    assert {tuple(color[:3]) for color in bridges.get_colors()} == {BRIDGE}
    assert BRIDGE not in {tuple(color[:3]) for color in edges.get_colors()}
    assert legend(ax) == texts
    mark = ax.get_legend().legend_handles[-1]
    assert (to_rgb(mark.get_color()), mark.get_linestyle()) == (BRIDGE, "--")


def test_the_legend_of_bridges_covers_neither_the_graph_nor_the_color_scale(islands):
    X, graph = islands
    ax = draw_graph(graph, X, labels=X[:, 0])
    render(ax)
    box = ax.get_legend().get_window_extent()
    assert not box.overlaps(ax.figure.axes[1].get_tightbbox())
    assert not any(box.contains(*node) for node in ax.transData.transform(X))


def test_without_bridges_nothing_is_said_of_them(islands):
    X, graph = islands
    apart = LogDegreeGraph(4).fit(X)
    for drawn in (apart, graph.adjacency_):
        ax = draw_graph(drawn, X)
        assert len(ax.collections) == 2
        assert ax.get_legend() is None


def test_edges_of_an_upper_triangle_are_drawn_once_and_loops_never():
    ax = Figure().subplots()
    draw_edges(ax, sp.coo_array(np.triu(ring(4)) + np.eye(4)), SQUARE)
    assert len(segments(ax)) == 4


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"positions": SQUARE[:3]}, r"shape \(4, 2\), got shape \(3, 2\)"),
        ({"positions": SQUARE.T}, r"shape \(4, 2\), got shape \(2, 4\)"),
        ({"positions": SQUARE * np.nan}, "NaN or infinity for 4 of 4 nodes"),
        ({"labels": SQUARE}, r"one label for each of the 4 nodes, got an array of shape \(4, 2\)"),
        ({"labels": ["a"]}, "one label for each of the 4 nodes, got 1"),
        ({"names": "abc"}, "one name for each of the 4 nodes, got 3"),
    ],
)
def test_what_does_not_fit_the_graph_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        draw_graph(four_nodes(), **arguments)
