import numpy as np
import pytest
import scipy.sparse as sp

from smoothgraph import edge_stability


def pairs_of(W):
    upper = sp.triu(W, k=1).tocoo()
    return set(zip(upper.row.tolist(), upper.col.tolist(), strict=True))


def visible_nodes(shown):
    return shown.call(
        "({ sigma, graph }) => graph.nodes().filter((n) => !sigma.getNodeDisplayData(n).hidden).map(Number)"
    )


def settled(shown):
    """Wait for the drawing, which follows in the next frame."""
    shown.page.wait_for_timeout(60)
    return shown


def entry(shown, label):
    return shown.page.locator("#legend li button", has_text=label)


@pytest.fixture
def kinds():
    return np.array(["cold", "mild", "warm"] * 10)


def test_the_legend_hides_and_shows_categories(open_report, ordered, kinds):
    W = ordered[1].adjacency_
    shown = open_report(ordered[1], attributes={"kind": kinds})
    entry(shown, "mild").click()
    kept = np.flatnonzero(kinds != "mild")
    assert visible_nodes(settled(shown)) == kept.tolist()
    assert shown.drawn_edges() == {(i, j) for i, j in pairs_of(W) if {i, j} <= set(kept.tolist())}
    assert entry(shown, "mild").get_attribute("aria-pressed") == "false"
    count = len(shown.drawn_edges())
    assert shown.text("#shown") == f"20 of 30 nodes, {count} of {W.nnz // 2} edges"
    assert shown.page.locator("#strongest tr").count() == min(count, 50)
    entry(shown, "mild").click()
    assert visible_nodes(settled(shown)) == list(range(30))
    assert shown.drawn_edges() == pairs_of(W)


def test_the_card_of_a_hidden_node_closes(open_report, ordered, kinds, positions):
    shown = open_report(ordered[1], attributes={"kind": kinds}, positions=positions)
    shown.click(4)
    entry(shown, kinds[4]).click()
    assert not shown.page.locator("#card").is_visible()


def test_other_colors_show_all_categories_again(open_report, ordered, kinds):
    shown = open_report(ordered[1], attributes={"kind": kinds})
    entry(shown, "cold").click()
    shown.page.get_by_label("Color by").select_option(label="nothing")
    assert visible_nodes(settled(shown)) == list(range(30))


def test_a_search_finds_hidden_nodes(open_report, ordered, kinds):
    shown = open_report(ordered[1], attributes={"kind": kinds}, names=[f"n{k:02}" for k in range(30)])
    entry(shown, "cold").click()
    shown.page.locator("#search").fill("n03")
    shown.page.keyboard.press("Enter")
    assert shown.text("#card h2") == "n03"
    assert visible_nodes(settled(shown)) == list(range(30))


@pytest.mark.parametrize("step", [0, 30, 100])
def test_the_threshold_of_weights(open_report, ordered, step):
    W = ordered[1].adjacency_
    shown = open_report(ordered[1])
    shown.page.locator("#weight").fill(str(step))
    weights = np.sort(sp.triu(W).data.astype(np.float32))
    least = 0 if step == 0 else weights[int(step / 100 * (len(weights) - 1))]
    assert len(settled(shown).drawn_edges()) == np.count_nonzero(weights >= least)
    single = W.toarray().astype(np.float32)
    assert shown.drawn_edges() == pairs_of(sp.csr_array(np.where(single >= least, single, 0)))
    if step == 0:
        assert shown.text("#weight-label") == "all"
        return
    assert float(shown.text("#weight-label").removeprefix("at least ")) == pytest.approx(least, rel=1e-3)
    shown.page.get_by_role("button", name="Show all").click()
    assert settled(shown).drawn_edges() == pairs_of(W)


def test_the_threshold_of_stability(open_report, rng):
    X = rng.normal(size=(25, 20)).cumsum(axis=0)
    result = edge_stability(X, n_resamples=7, random_state=0)
    shown = open_report(result)
    shown.page.locator("#stability").fill("85")
    W, shares = result.learner.adjacency_.toarray(), result.frequency.toarray()
    assert settled(shown).drawn_edges() == pairs_of(sp.csr_array(W * (shares.astype(np.float32) >= 0.85)))
    assert 0 < len(shown.drawn_edges()) < len(pairs_of(sp.csr_array(W)))


def test_without_stability_there_is_no_threshold_for_it(open_report, ordered):
    assert not open_report(ordered[1]).page.locator("#stability").is_visible()


def test_doubtful_edges_are_dashed_and_can_be_hidden(open_report, ordered):
    W = ordered[1].adjacency_
    shares = W.copy()
    shares.data = np.where(W.data > np.median(W.data), 1.0, 0.25)
    shown = open_report(ordered[1], stability=shares)
    doubtful = pairs_of(sp.csr_array(W.toarray() * (shares.toarray() < 0.5)))
    dashed = shown.call(
        """({ sigma, graph }) => graph.edges().filter((e) => sigma.getEdgeDisplayData(e).dashes)
            .map((e) => graph.extremities(e).map(Number))"""
    )
    assert {tuple(sorted(ends)) for ends in dashed} == doubtful
    assert shown.text("#legend li .count") == str(len(doubtful))
    entry(shown, "doubtful edge").click()
    assert settled(shown).drawn_edges() == pairs_of(W) - doubtful


def distances(point, starts, ends):
    """Return the distances from a point to segments."""
    along = ends - starts
    share = np.clip(np.sum((point - starts) * along, axis=1) / np.sum(along**2, axis=1), 0, 1)
    return np.linalg.norm(point - starts - share[:, None] * along, axis=1)


def lonely_place(W, places):
    """Return an edge, and a point three pixels beside it that is far from all other edges."""
    i, j = np.nonzero(np.triu(W))
    best = None
    for e in range(len(i)):
        along = places[j[e]] - places[i[e]]
        point = places[i[e]] + 0.45 * along + 3 * np.array([-along[1], along[0]]) / np.linalg.norm(along)
        others = np.arange(len(i)) != e
        room = min(distances(point, places[i[others]], places[j[others]]).min(), np.linalg.norm(along) / 3)
        if best is None or room > best[0]:
            best = room, i[e], j[e], point
    assert best[0] > 12
    return best[1:]


def test_the_edge_under_the_pointer_says_what_it_joins(open_report, ordered, positions):
    W = ordered[1].adjacency_.toarray()
    shares = sp.csr_array((W > 0) * 0.75)
    shown = open_report(ordered[1], positions=positions, stability=shares)
    places = np.array([shown.place(node) for node in range(30)])
    i, j, point = lonely_place(W, places)
    shown.page.mouse.move(*point)
    shown.page.wait_for_selector("#edge-tip:not([hidden])")
    names = ordered[1].node_names_
    assert shown.text("#edge-tip p").split(" \N{EN DASH} ") == [names[k] for k in sorted((i, j))]
    facts = shown.descriptions("#edge-tip dl")
    assert float(facts["weight"]) == pytest.approx(W[i, j], rel=1e-3)
    assert facts["stability"] == "75%"
    shown.page.mouse.move(*shown.place(4))
    shown.page.wait_for_selector("#edge-tip", state="hidden")


def test_any_column_can_be_searched(open_report, ordered, kinds):
    year = 1990.0 + np.arange(30)
    shown = open_report(ordered[1], attributes={"kind": kinds, "year": year})
    shown.page.locator("#search").fill("MILD")
    texts = shown.page.locator("#suggestions li").all_text_contents()
    names = np.array(ordered[1].node_names_)
    assert texts == [f"{name}kind: mild" for name in names[kinds == "mild"][:8]]
    shown.page.locator("#search").fill("2003")
    shown.page.keyboard.press("Enter")
    assert shown.text("#card h2") == names[13]
