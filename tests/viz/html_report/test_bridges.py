import numpy as np
import pytest


def edge_colors(shown):
    """Return the colors of the visible edges by their ends."""
    found = shown.call(
        """({ sigma, graph }) => graph.edges().map((edge) => [edge, sigma.getEdgeDisplayData(edge)])
            .filter(([, look]) => !look.hidden)
            .map(([edge, look]) => [graph.extremities(edge).map(Number), look.dashes ?? look.color])"""
    )
    return {
        tuple(sorted(ends)): color.partition("(")[2].rsplit(",", 1)[0] if "rgba" in color else color[4:-1]
        for ends, color in found
    }


def bridges_of(graph):
    return {tuple(sorted(ends)) for ends in graph.bridges_.tolist()}


def legend(shown):
    labels = shown.page.locator("#legend li bdi").all_text_contents()
    counts = shown.page.locator("#legend li .count").all_text_contents()
    return dict(zip(labels, map(int, counts), strict=True))


def bar_colors(shown):
    """Return the colors of the bars in the card, by the heading above them."""
    return shown.page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll("#card h3")].map((heading) => [
            heading.textContent,
            [...heading.nextElementSibling.querySelectorAll(".bar")]
                .map((bar) => getComputedStyle(bar).backgroundColor),
        ]))"""
    )


def test_bridges_have_a_color_of_their_own_at_every_density(open_report, islands):
    X, sparse, dense = islands
    shown = open_report([sparse, dense], positions=X)
    for step, graph in enumerate((sparse, dense)):
        shown.page.locator("#density").fill(str(step))
        shown.page.wait_for_timeout(50)
        colors = edge_colors(shown)
        own = {colors[ends] for ends in bridges_of(graph)}
        others = {color for ends, color in colors.items() if ends not in bridges_of(graph)}
        assert len(own) == 1
        assert not own & others
        assert legend(shown) == {"bridge": len(graph.bridges_)}
        assert shown.descriptions("#statistics")["bridges"] == str(len(graph.bridges_))


def test_the_legend_of_the_labels_has_the_bridges_too(open_report, islands):
    X, _, dense = islands
    shown = open_report(dense, positions=X, attributes={"island": np.repeat(list("abc"), 12), "x": X[:, 0]})
    assert legend(shown) == {"a": 12, "b": 12, "c": 12, "bridge": 2}
    shown.page.get_by_label("Color by").select_option(label="x")
    assert legend(shown) == {"bridge": 2}
    shown.page.get_by_label("Color by").select_option(label="nothing")
    assert shown.page.locator("#legend").is_visible()
    assert legend(shown) == {"bridge": 2}


def test_the_card_lists_bridges_apart(open_report, islands):
    X, _, dense = islands
    a, b = dense.bridges_[0].tolist()
    shown = open_report(dense, positions=X)
    shown.click(a)
    headings = shown.page.locator("#card h3").all_text_contents()
    assert headings == ["Strongest neighbors", "Bridges"]
    bridged = [str(other) for ends in dense.bridges_.tolist() if a in ends for other in ends if other != a]
    assert sorted(shown.page.locator("#card ol").nth(1).locator("button").all_text_contents()) == sorted(bridged)
    assert not set(bridged) & set(shown.page.locator("#card ol").nth(0).locator("button").all_text_contents())
    assert shown.descriptions("#card dl")["neighbors"] == str(np.count_nonzero(dense.adjacency_[[a]].toarray()))
    colors = bar_colors(shown)
    assert not set(colors["Strongest neighbors"]) & set(colors["Bridges"])
    shown.page.locator("#card ol").nth(1).locator("button", has_text=str(b)).first.click()
    assert shown.text("#card h2") == str(b)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_legend_shows_the_color_of_the_bridges(open_report, islands, scheme):
    X, _, dense = islands
    shown = open_report(dense, positions=X)
    shown.page.emulate_media(color_scheme=scheme)
    shown.page.wait_for_timeout(50)
    swatch = shown.page.evaluate("() => document.querySelector('#legend .swatch').style.borderColor")
    theme = shown.page.evaluate("() => getComputedStyle(document.documentElement).getPropertyValue('--bridge')")
    assert [int(part) for part in swatch[4:-1].split(",")] == [int(part) for part in theme.split()]


def test_a_report_without_bridges_says_nothing_of_them(open_report, ordered):
    shown = open_report(ordered[1])
    assert not shown.page.locator("#legend").is_visible()
    assert "bridges" not in shown.descriptions("#statistics")
    shown.click(4)
    assert shown.page.locator("#card h3").all_text_contents() == ["Strongest neighbors"]
