import numpy as np
import pytest

HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "</script><script>alert(1)</script>",
    '"><svg onload=alert(1)>',
    "'); alert(1); ('",
    "$& $1 \\1 {{title}} <!-- slot: payload -->",
    "<!--<script>",
    "&lt;b&gt; &amp;",
    "مرحبا بالعالم",
    "\u202eright to left",
    "👩‍🔬 🧪",
]


def neighbors(W, node):
    """Return the neighbors of a node and their weights, the strongest first."""
    row = W[[node]].toarray()[0].astype(np.float32)
    order = np.argsort(-row, kind="stable")[: np.count_nonzero(row)]
    return order.tolist(), row[order]


def card_neighbors(shown):
    names = shown.page.locator("#card li button").all_text_contents()
    weights = [float(text) for text in shown.page.locator("#card li .weight").all_text_contents()]
    return names, weights


def assert_card(shown, graph, node):
    names = graph.node_names_
    order, weights = neighbors(graph.adjacency_, node)
    assert shown.text("#card h2") == names[node]
    shown_names, shown_weights = card_neighbors(shown)
    assert shown_names == [names[k] for k in order[:8]]
    np.testing.assert_allclose(shown_weights, weights[:8], rtol=1e-3)
    facts = shown.descriptions("#card dl")
    assert facts["neighbors"] == str(len(order))
    assert float(facts["weighted degree"]) == pytest.approx(weights.sum(), rel=1e-3)


def highlights(shown):
    """Return the nodes that stand out."""
    return shown.call(
        """({ sigma, graph }) => graph.nodes()
            .filter((node) => sigma.getNodeDisplayData(node).highlighted).map(Number)"""
    )


def assert_flown_to(shown, node):
    camera = shown.camera()
    at = shown.call("({ sigma }, node) => sigma.getNodeDisplayData(String(node))", node)
    assert (camera["x"], camera["y"]) == (pytest.approx(at["x"]), pytest.approx(at["y"]))
    assert camera["ratio"] < 1


def test_hovering_shows_the_card_and_lights_the_neighbors(open_report, ordered, positions):
    graph = ordered[2]
    shown = open_report(graph, positions=positions)
    node = int(np.argmax(np.diff(graph.adjacency_.indptr)))
    order, _ = neighbors(graph.adjacency_, node)
    assert len(order) > 8
    shown.hover(node)
    assert_card(shown, graph, node)
    assert highlights(shown) == sorted([node, *order])
    assert "faded" in shown.page.locator("#graph").get_attribute("class")


def test_leaving_a_node_hides_its_card(open_report, ordered, positions):
    shown = open_report(ordered[1], positions=positions)
    shown.hover(4)
    shown.page.mouse.move(*shown.empty_place())
    shown.page.wait_for_selector("#card", state="hidden")
    assert highlights(shown) == []
    assert "faded" not in (shown.page.locator("#graph").get_attribute("class") or "")


def test_a_click_keeps_the_card_until_escape(open_report, ordered, positions):
    shown = open_report(ordered[1], positions=positions)
    shown.click(4)
    shown.page.mouse.move(*shown.empty_place())
    x, y = shown.place(9)
    shown.page.mouse.move(x, y)
    assert_card(shown, ordered[1], 4)
    shown.page.keyboard.press("Escape")
    assert not shown.page.locator("#card").is_visible()
    assert highlights(shown) == []


def test_a_click_beside_the_nodes_releases_the_card(open_report, ordered, positions):
    shown = open_report(ordered[1], positions=positions)
    shown.click(4)
    shown.page.mouse.click(*shown.empty_place())
    shown.page.wait_for_selector("#card", state="hidden")


def test_a_kept_card_follows_the_slider(open_report, graphs, ordered, positions):
    shown = open_report(graphs, positions=positions)
    shown.click(4)
    shown.page.locator("#density").fill("2")
    assert_card(shown, ordered[2], 4)
    assert highlights(shown) == sorted([4, *neighbors(ordered[2].adjacency_, 4)[0]])


def test_names_in_the_card_lead_to_their_cards(open_report, ordered):
    graph = ordered[1]
    shown = open_report(graph)
    shown.click(4)
    strongest = neighbors(graph.adjacency_, 4)[0][0]
    shown.page.locator("#card li button").first.click()
    assert_card(shown, graph, strongest)
    assert_flown_to(shown, strongest)


def test_the_card_tells_the_attributes(open_report, ordered):
    level = np.linspace(-1, 1, 30) / 3
    level[6] = np.nan
    kind = np.array(["left", "right"] * 15, dtype=object)
    kind[7] = None
    code = 20_000_000 + np.arange(30)
    shown = open_report(ordered[1], attributes={"level": level, "kind": kind, "code": code})
    shown.click(5)
    facts = shown.descriptions("#card dl")
    assert float(facts["level"]) == pytest.approx(level[5], rel=1e-5)
    assert (facts["kind"], facts["code"]) == ("right", "20000005")
    shown.page.keyboard.press("Escape")
    shown.click(6)
    assert shown.descriptions("#card dl")["level"] == "missing"
    shown.page.keyboard.press("Escape")
    shown.click(7)
    assert shown.descriptions("#card dl")["kind"] == "missing"


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_enter_flies_to_the_node_and_opens_its_card(open_report, ordered, motion):
    shown = open_report(ordered[1], motion=motion)
    shown.page.get_by_label("Find a node").fill("SENSOR D2")
    shown.page.keyboard.press("Enter")
    node = list(ordered[1].node_names_).index("sensor d2")
    assert_card(shown, ordered[1], node)
    assert_flown_to(shown, node)


def test_suggestions_appear_while_typing(open_report, ordered):
    shown = open_report(ordered[1])
    shown.page.locator("#search").press_sequentially("d")
    suggested = shown.page.locator("#suggestions li")
    assert suggested.all_text_contents() == [f"sensor d{k}" for k in range(5)]
    suggested.nth(3).click()
    assert shown.text("#card h2") == "sensor d3"
    assert not shown.page.locator("#suggestions").is_visible()


def test_suggestions_obey_the_arrow_keys(open_report, ordered):
    shown = open_report(ordered[1])
    box = shown.page.locator("#search")
    box.fill("sensor b")
    for key in ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp"]:
        box.press(key)
    selected = shown.page.locator("#suggestions [aria-selected=true]")
    assert selected.text_content() == "sensor b1"
    assert box.get_attribute("aria-activedescendant") == selected.get_attribute("id")
    box.press("Enter")
    assert shown.text("#card h2") == "sensor b1"


def test_an_exact_name_comes_before_longer_ones(open_report, ordered):
    names = ["10", "100", "210", "1", *map(str, range(1000, 1026))]
    shown = open_report(ordered[1], names=names)
    shown.page.locator("#search").fill("1")
    suggested = shown.page.locator("#suggestions li").all_text_contents()
    assert suggested == ["1", "10", "100", "1000", "1001", "1002", "1003", "1004"]
    shown.page.keyboard.press("Enter")
    assert shown.text("#card h2") == "1"


def test_capitals_decide_between_equal_names(open_report, ordered):
    shown = open_report(ordered[1], names=["bern", "BERN", "Bern", *map(str, range(27))])
    shown.page.locator("#search").fill("Bern")
    assert shown.page.locator("#suggestions li").all_text_contents() == ["Bern", "bern", "BERN"]


def test_a_name_that_is_not_there(open_report, ordered):
    shown = open_report(ordered[1])
    before = shown.camera()
    shown.page.locator("#search").fill("<b>nobody</b>")
    shown.page.keyboard.press("Enter")
    assert shown.text("#not-found") == "No node has the name or the value <b>nobody</b>."
    assert not shown.page.locator("#card").is_visible()
    assert shown.camera() == before
    shown.page.locator("#search").fill("sensor a0")
    assert shown.text("#not-found") == ""


def test_hostile_texts_are_shown_literally(open_report, ordered):
    names = [*HOSTILE, *map(str, range(30 - len(HOSTILE)))]
    title = " ".join(HOSTILE)
    shown = open_report(
        ordered[1],
        names=names,
        title=title,
        attributes=dict.fromkeys(HOSTILE, names),
        settings={text: text for text in HOSTILE},
    )
    assert shown.page.title() == shown.text("h1") == title
    assert shown.page.locator("h1 *").count() == 0
    for node, text in enumerate(HOSTILE):
        assert shown.descriptions("#settings")[text] == text
        shown.page.select_option("#color-by", index=3 + node)
        assert shown.text("#legend h2") == text
        shown.page.locator("#search").fill(text)
        assert shown.page.locator("#suggestions li").first.text_content() == text
        shown.page.keyboard.press("Enter")
        assert shown.text("#card h2") == text
        assert set(shown.descriptions("#card dl").values()) >= {text}
        order, _ = neighbors(ordered[1].adjacency_, node)
        assert card_neighbors(shown)[0] == [names[k] for k in order[:8]]
        assert shown.page.locator("#card img, #card svg, #card b").count() == 0


def test_dates_and_numbers_are_names_too(open_report, ordered):
    days = np.datetime64("2026-03-01") + np.arange(30)
    shown = open_report(ordered[1], names=days)
    shown.click(4)
    assert shown.text("#card h2") == "2026-03-05"
