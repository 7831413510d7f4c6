"""The page on a phone, on paper, under its address, and with very many nodes."""

import numpy as np
import pytest
import scipy.sparse as sp

PHONE = {"width": 390, "height": 780}


@pytest.fixture
def kinds():
    return np.array(["cold", "mild", "warm"] * 10)


def overlap(first, second):
    """Return whether two boxes overlap."""
    return all(
        first[at] < second[at] + second[size] and second[at] < first[at] + first[size]
        for at, size in (("x", "width"), ("y", "height"))
    )


def on_phone(open_report, *arguments, **options):
    shown = open_report(*arguments, **options)
    shown.page.set_viewport_size(PHONE)
    shown.page.reload()
    shown.requests.pop()
    return shown


def test_a_phone_shows_the_graph_first(open_report, graphs, kinds):
    shown = on_phone(open_report, graphs, attributes={"kind": kinds})
    page = shown.page
    assert page.evaluate("() => document.documentElement.scrollWidth") <= PHONE["width"]
    stage = page.locator("#stage").bounding_box()
    assert stage["height"] > PHONE["height"] / 2
    legend = page.locator("#legend").bounding_box()
    assert legend["width"] * legend["height"] < 0.05 * stage["width"] * stage["height"], "the legend is folded"
    page.locator("#legend-title").click()
    assert page.locator("#legend li").count() == 3
    assert page.locator("#legend li").first.is_visible()
    page.locator("#legend-title").click()
    assert not page.locator("#legend li").first.is_visible()


def test_the_card_leaves_room_on_a_phone(open_report, ordered, positions):
    shown = on_phone(open_report, ordered[2], positions=positions)
    shown.page.locator("#search").fill(ordered[2].node_names_[4])
    shown.page.keyboard.press("Enter")
    shown.camera()
    card = shown.page.locator("#card").bounding_box()
    assert card["height"] <= 0.45 * PHONE["height"]
    assert card["width"] == PHONE["width"]
    assert card["y"] + card["height"] == pytest.approx(PHONE["height"]), "at the lower edge of the screen"
    x, y = shown.place(4)
    assert not overlap(card, {"x": x, "y": y, "width": 1, "height": 1}), "the node is in sight"
    shown.page.get_by_label("Close").click()
    assert not shown.page.locator("#card").is_visible()


def test_on_a_wide_screen_the_legend_is_open(open_report, ordered, kinds):
    assert open_report(ordered[1], attributes={"kind": kinds}).page.locator("#legend li").first.is_visible()


def test_paper_has_a_light_picture_and_no_controls(open_report, graphs, kinds):
    shown = open_report(graphs, attributes={"kind": kinds}, notes="Some notes.")
    shown.page.emulate_media(color_scheme="dark")
    shown.page.evaluate("() => dispatchEvent(new Event('beforeprint'))")
    shown.page.emulate_media(media="print", color_scheme="dark")
    shown.page.wait_for_function("() => document.getElementById('printed').naturalWidth > 0")
    for control in ("#search", "#color-by", "#save", "#filter", "#legend", "#zoom-in", "#graph"):
        assert not shown.page.locator(control).is_visible()
    for part in ("#printed", "h1", "#notes", "#statistics", "#settings"):
        assert shown.page.locator(part).is_visible()
    mean = shown.page.evaluate(
        """() => {
            const picture = document.getElementById("printed");
            const canvas = document.createElement("canvas");
            [canvas.width, canvas.height] = [picture.naturalWidth, picture.naturalHeight];
            const context = canvas.getContext("2d");
            context.drawImage(picture, 0, 0);
            const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
            return data.reduce((sum, part) => sum + part, 0) / data.length;
        }"""
    )
    assert 200 < mean < 255, "something is drawn on white"
    assert shown.page.evaluate("() => getComputedStyle(document.body).color") == "rgb(28, 36, 48)"
    assert len(shown.page.pdf()) > 10_000


def reopen(shown):
    """Open the address of the page anew."""
    shown.page.wait_for_timeout(300)  # the address follows the camera after a while
    address = shown.page.url
    shown.page.goto("about:blank")
    shown.page.goto(address)
    shown.requests[1:] = []
    return shown


def test_the_address_keeps_the_state(open_report, graphs, kinds, positions):
    shown = open_report(graphs, attributes={"kind": kinds, "value": np.arange(30.0)}, positions=positions)
    assert "#" not in shown.page.url
    shown.page.locator("#density").fill("2")
    shown.page.locator("#weight").fill("40")
    shown.page.locator("#legend li button", has_text="mild").click()
    shown.click(3)
    shown.page.get_by_label("Zoom in").click()
    shown.camera()
    shown.page.wait_for_timeout(300)
    parts = ["#density-label", "#weight-label", "#shown", "#card h2"]
    before = {part: shown.text(part) for part in parts}, shown.drawn_edges(), shown.camera()
    reopen(shown)
    assert {part: shown.text(part) for part in parts} == before[0]
    assert shown.drawn_edges() == before[1]
    assert shown.camera()["ratio"] == pytest.approx(before[2]["ratio"], abs=1e-3)
    assert shown.page.locator("#legend li button", has_text="mild").get_attribute("aria-pressed") == "false"


def test_an_address_from_elsewhere_does_no_harm(open_report, graphs):
    shown = open_report(graphs)
    shown.page.evaluate("() => { location.hash = 'density=99&node=-3&color=<b>&weight=x&hide=%00&x=1&y=2&zoom=0' }")
    shown.page.wait_for_timeout(50)
    assert shown.call("({ density }) => density") == 1
    assert not shown.page.locator("#card").is_visible()
    shown.page.evaluate("() => { location.hash = 'density=0&node=7' }")
    shown.page.wait_for_selector("#card.kept")
    assert shown.call("({ density }) => density") == 0


def test_more_than_twenty_thousand_nodes_are_shown_as_regions(open_report):
    side = 145
    chain = sp.diags_array(np.ones(side - 1), offsets=1)
    grid = sp.kron(chain, sp.eye_array(side)) + sp.kron(sp.eye_array(side), chain)
    row = np.repeat(np.arange(side), side)
    places = np.column_stack([row, np.tile(np.arange(side), side)])
    shown = open_report(sp.csr_array(grid + grid.T), positions=places, attributes={"row": row.astype(float)})
    count = shown.call("({ graph }) => graph.order")
    assert 2000 < count <= 5000
    assert shown.text("#summary") == f"{side * side:,} nodes in {count:,} regions"
    assert f"{count:,} regions of the {side * side:,} nodes" in shown.text("#limits")
    assert shown.descriptions("#statistics")["edges"] == f"{2 * side * (side - 1):,}"
    shown.click(10)
    assert "nodes in the region" in shown.descriptions("#card dl")
    assert int(shown.descriptions("#card dl")["neighbors"]) >= 2


@pytest.mark.parametrize("corner", [1, -1])
def test_the_legend_avoids_the_nodes(open_report, corner):
    """All nodes but one are in the lower right corner, or in the lower left one."""
    places = np.random.default_rng(0).uniform([0.9, 0], [1, 0.1], (30, 2)) * [corner, 1]
    places[0] = [0, 0.6]
    shown = open_report(sp.csr_array((30, 30)), positions=places, attributes={"kind": ["a", "b", "c"] * 10})
    shown.page.wait_for_timeout(300)
    legend = shown.page.locator("#legend").bounding_box()
    covered = [
        node
        for node in range(30)
        if overlap(legend, dict(zip(("x", "y"), shown.place(node), strict=True), width=1, height=1))
    ]
    assert not covered
