"""Graphs over time, with a slider that goes through them in their order."""

import numpy as np
import pytest
import scipy.sparse as sp

from smoothgraph.support.input_error import InputError
from smoothgraph.viz import write_report

TIMES = ["January", "February", "March"]


def path_graph(*nodes):
    """The path through some of five nodes."""
    ones = np.ones(len(nodes) - 1)
    W = sp.coo_array((ones, (nodes[:-1], nodes[1:])), shape=(5, 5))
    return (W + W.T).tocsr()


@pytest.fixture
def months():
    """Graphs of 4, 1, and 3 edges; one edge of the last is not in the one before, and two are."""
    return [path_graph(0, 1, 2, 3, 4), path_graph(1, 2), path_graph(3, 1, 2, 4)]


def test_the_slider_goes_through_time(open_report, months):
    shown = open_report(months, times=TIMES)
    slider = shown.page.get_by_role("slider", name="Time")
    assert shown.text("#summary") == "5 nodes, 3 times"
    assert [shown.text("#sparsest"), shown.text("#densest")] == ["January", "March"]
    for key, time, W in zip(("Home", "ArrowRight", "ArrowRight"), TIMES, months, strict=True):
        slider.press(key)
        assert shown.text("#density-label") == slider.get_attribute("aria-valuetext") == time
        assert shown.drawn_edges() == set(zip(*map(np.ndarray.tolist, sp.triu(W).nonzero()), strict=True))
    assert "time=2" in shown.page.url


def test_the_chart_counts_edges_and_new_edges(open_report, months):
    shown = open_report(months, times=TIMES)
    floor = float(shown.page.locator("#chart .axis").first.get_attribute("y1"))
    heights = {
        name: [
            floor - float(circle.get_attribute("cy")) for circle in shown.page.locator(f"#chart circle.{name}").all()
        ]
        for name in ("first", "second")
    }
    assert np.array(heights["first"]) / heights["first"][0] == pytest.approx(np.array([4, 1, 3]) / 4)
    assert np.array(heights["second"]) / heights["first"][0] == pytest.approx(np.array([0, 2]) / 4)


def test_play_goes_to_the_last_graph_and_stops(open_report, months):
    shown = open_report(months, times=TIMES)
    button = shown.page.locator("#play")
    button.click()
    assert button.text_content() == "Stop"
    shown.wait_until("({ density }) => density === 2")
    shown.wait_until("() => document.getElementById('play').textContent === 'Play'")


def test_densities_have_no_button_to_play(open_report, graphs):
    assert not open_report(graphs).page.locator("#play").is_visible()


def test_nodes_that_are_joined_at_any_time_lie_together(open_report):
    """The layout is that of all graphs: one graph alone would leave the nodes of the other where they fall."""
    clique = np.ones((6, 6)) - np.eye(6)
    early, late = (sp.block_diag([first * clique, second * clique]).tocsr() for first, second in ((1, 0), (0, 1)))
    shown = open_report([early, late], times=["early", "late"])
    places = np.array([shown.place(node) for node in range(12)])
    centers = places[:6].mean(axis=0), places[6:].mean(axis=0)
    radius = max(
        np.linalg.norm(places[:6] - centers[0], axis=1).max(), np.linalg.norm(places[6:] - centers[1], axis=1).max()
    )
    assert np.linalg.norm(centers[0] - centers[1]) > 1.5 * radius


def test_every_graph_has_a_time(tmp_path, months):
    with pytest.raises(InputError, match="one time per graph, 3, got 2"):
        write_report(tmp_path / "report.html", months, times=TIMES[:2])
