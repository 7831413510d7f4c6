import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_rgb
from scipy.sparse.csgraph import connected_components

from smoothgraph.viz import draw_graph
from smoothgraph.viz.palettes import find_palette

PALETTE = [f"#{3 * k + 1:02x}{3 * k + 2:02x}{3 * k + 3:02x}" for k in range(10)]
CIVIDIS = find_palette("okabe-ito").scale


def color_by(shown, label):
    shown.page.get_by_label("Color by").select_option(label=label)
    return np.array(shown.colors())


def legend(shown):
    """Return the legend as a dictionary from labels to numbers of nodes."""
    labels = shown.page.locator("#legend li bdi").all_text_contents()
    counts = shown.page.locator("#legend li .count").all_text_contents()
    return dict(zip(labels, map(int, counts), strict=True))


def assert_one_color_each(colors, groups):
    """Check that nodes have the same color if and only if they are in the same group."""
    same_color = colors[:, None] == colors
    same_group = np.asarray(groups)[:, None] == np.asarray(groups)
    np.testing.assert_array_equal(same_color, same_group)


def test_nothing_is_colored_at_first(open_report, ordered):
    shown = open_report(ordered[1])
    assert len(set(shown.colors())) == 1
    assert not shown.page.locator("#legend").is_visible()


def test_the_first_attribute_colors_the_page(open_report, ordered):
    attributes = {"half": np.arange(30) % 2, "third": np.arange(30) % 3}
    shown = open_report(ordered[1], attributes=attributes)
    assert_one_color_each(np.array(shown.colors()), attributes["half"])
    assert legend(shown) == {"0": 15, "1": 15}


def test_categories_get_distinct_colors_and_counts(open_report, ordered):
    kind = np.array(["cold", "mild", "warm"] * 10)
    shown = open_report(ordered[1], attributes={"kind": kind})
    colors = color_by(shown, "kind")
    assert_one_color_each(colors, kind)
    assert legend(shown) == {"cold": 10, "mild": 10, "warm": 10}
    swatches = shown.page.evaluate(
        """(color) => {
            const sample = document.createElement("i");
            sample.style.background = color;
            const all = [sample, ...document.querySelectorAll(".swatch")];
            return all.map((element) => element.style.background);
        }""",
        colors[1],
    )
    assert swatches.index(swatches[0], 1) == 2, "the second swatch is that of mild"


def test_the_legend_has_the_most_frequent_and_the_rest(open_report, ordered):
    counts = [1, 5, 3, 1, *[1] * 4, *[2] * 8]
    kind = np.repeat(list("abcdefghijklmnop"), counts)
    assert len(kind) == 30
    shown = open_report(ordered[1], attributes={"kind": kind}, palette=PALETTE)
    rare = ["a", "d", "e", "f", "g", "h"]
    groups = np.where(np.isin(kind, rare), "other", kind)
    assert_one_color_each(color_by(shown, "kind"), groups)
    frequent = {"b": 5, "c": 3} | dict.fromkeys("ijklmnop", 2)
    assert legend(shown) == frequent | {"other (6)": 6}
    assert shown.colors()[1:9] == ["rgb(1,2,3)"] * 5 + ["rgb(4,5,6)"] * 3


def test_the_colors_are_those_of_the_pictures(open_report, ordered):
    kind = np.array(["cold", "mild", "warm"] * 10)
    shown = open_report(ordered[1], attributes={"kind": kind, "value": np.linspace(0, 1, 30)}, palette="okabe-ito")
    ax = draw_graph(ordered[1], labels=kind, palette="okabe-ito")
    in_picture = [tuple((255 * color[:3]).round().astype(int)) for color in ax.collections[1].get_facecolors()]
    assert [tuple(map(int, color[4:-1].split(","))) for color in shown.colors()] == in_picture
    colors = color_by(shown, "value")
    ends = [tuple(255 * np.array(to_rgb(color))) for color in (CIVIDIS[0], CIVIDIS[-1])]
    np.testing.assert_allclose([tuple(map(int, c[4:-1].split(","))) for c in (colors[0], colors[-1])], ends)


def contrast(first, second):
    """Return the contrast of two colors as WCAG defines it."""
    light = []
    for color in (first, second):
        parts = np.array(color) / 255
        linear = np.where(parts <= 0.03928, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
        light.append(linear @ [0.2126, 0.7152, 0.0722] + 0.05)
    return max(light) / min(light)


def test_no_color_vanishes_in_the_dark(open_report, ordered):
    kind = np.array([f"kind {k % 20:02}" for k in range(30)])
    shown = open_report(ordered[1], attributes={"kind": kind, "value": np.linspace(0, 1, 30)})
    shown.page.emulate_media(color_scheme="dark")
    surface = shown.page.evaluate("() => getComputedStyle(document.getElementById('stage')).backgroundColor")
    surface = [int(part) for part in surface[4:-1].split(",")]
    assert np.mean(surface) < 60
    for label in ("kind", "value"):
        colors = {tuple(map(int, color[4:-1].split(","))) for color in color_by(shown, label)}
        assert len(colors) >= 20
        assert min(contrast(color, surface) for color in colors) > 2.9


def test_missing_categories_are_gray(open_report, ordered):
    kind = np.array(["a", "b", None] * 10, dtype=object)
    shown = open_report(ordered[1], attributes={"kind": kind})
    assert_one_color_each(color_by(shown, "kind"), ["?" if k is None else k for k in kind])
    assert legend(shown) == {"a": 10, "b": 10, "missing": 10}


def test_numbers_go_from_dark_to_bright(open_report, ordered):
    values = np.linspace(-2.5, 7.25, 30)[::-1].copy()
    values[3] = np.nan
    shown = open_report(ordered[1], attributes={"value": values})
    colors = color_by(shown, "value")
    assert shown.page.locator("#legend .ends span").all_text_contents() == ["-2.5", "7.25"]
    assert legend(shown) == {"missing": 1}
    light = np.array([np.sum(np.array(color[4:-1].split(","), dtype=int)) for color in np.delete(colors, 3)])
    assert np.all(np.diff(light[np.argsort(np.delete(values, 3))][10:]) >= 0)
    assert not colors[3].startswith("rgb")


@pytest.mark.parametrize("values", [np.full(30, np.nan), np.full(30, 0.5)])
def test_numbers_that_are_all_the_same_or_missing(open_report, ordered, values):
    shown = open_report(ordered[1], attributes={"value": values})
    assert len(set(color_by(shown, "value"))) == 1


def test_components_follow_the_slider(open_report, graphs, ordered):
    shown = open_report(graphs)
    color_by(shown, "component")
    for step, graph in enumerate(ordered):
        shown.page.locator("#density").fill(str(step))
        _, labels = connected_components(graph.adjacency_)
        sizes = np.sort(np.bincount(labels))[::-1]
        shown_sizes = list(legend(shown).values())
        assert shown_sizes[: min(len(sizes), 20)] == sizes[:20].tolist()
        assert sum(shown_sizes) == 30


def test_numbers_of_neighbors_follow_the_slider(open_report, graphs, ordered):
    shown = open_report(graphs)
    for step, graph in enumerate(ordered):
        shown.page.locator("#density").fill(str(step))
        counts = np.diff(graph.adjacency_.indptr)
        assert_one_color_each(color_by(shown, "number of neighbors"), counts)
        ends = shown.page.locator("#legend .ends span").all_text_contents()
        assert ends == [str(counts.min()), str(counts.max())]


def test_a_pandas_category_keeps_its_order(open_report, ordered):
    kind = pd.Categorical(["low", "mid", "high"] * 10, categories=["low", "mid", "high", "none"])
    shown = open_report(ordered[1], attributes={"kind": kind})
    color_by(shown, "kind")
    assert list(legend(shown)) == ["low", "mid", "high"]
