import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure

from smoothgraph.viz import draw_histograms


def heights(ax):
    return [bar.get_height() for bar in ax.patches]


def random_graph(seed, m, density, decades):
    rng = np.random.default_rng(seed)
    W = np.triu(10.0 ** rng.uniform(-decades, 0, (m, m)) * (rng.random((m, m)) < density), k=1)
    return W + W.T


@given(
    seed=st.integers(0, 1000),
    m=st.integers(1, 120),
    density=st.sampled_from([0.0, 0.05, 1.0]),
    decades=st.sampled_from([0, 1, 6, 200]),
)
@settings(max_examples=25)
def test_every_node_and_every_edge_is_in_a_bar(seed, m, density, decades):
    W = random_graph(seed, m, density, decades)
    nodes, edges = draw_histograms(W)
    assert sum(heights(nodes)) == m
    assert sum(heights(edges)) == np.count_nonzero(W) // 2


def test_bars_stand_on_the_numbers_of_neighbors():
    W = np.zeros((5, 5))
    W[0, 1] = W[1, 0] = W[1, 2] = W[2, 1] = 1.0
    ax, _ = draw_histograms(W)
    by_count = {bar.get_x() + bar.get_width() / 2: bar.get_height() for bar in ax.patches}
    assert by_count == {0: 2, 1: 2, 2: 1}
    assert ax.get_title() == "5 nodes, 2 isolated"
    assert all(tick == round(tick) for tick in ax.get_xticks())


def test_a_graph_without_edges_is_drawn():
    nodes, edges = draw_histograms(np.zeros((3, 3)))
    nodes.figure.draw_without_rendering()
    assert heights(nodes) == [3]
    assert edges.get_title() == "0 edges"


def test_no_isolated_nodes_is_said_too():
    assert draw_histograms(1 - np.eye(3))[0].get_title() == "3 nodes, none isolated"


def test_many_neighbors_share_bars_of_whole_width():
    ax, _ = draw_histograms(1 - np.eye(200))
    widths = {bar.get_width() for bar in ax.patches}
    assert len(ax.patches) <= 41
    assert len(widths) == 1
    assert widths.pop() % 1 == 0


@pytest.mark.parametrize(("decades", "scale"), [(0, "linear"), (1, "linear"), (4, "log")])
def test_weights_over_decades_have_a_logarithmic_axis(decades, scale):
    assert draw_histograms(random_graph(0, 40, 0.5, decades))[1].get_xscale() == scale


def test_axes_that_are_given():
    axes = Figure().subplots(2, 1)
    assert list(draw_histograms(1 - np.eye(3), axes=axes)) == list(axes)
    with pytest.raises(ValueError, match="Expected 2 axes, got 1"):
        draw_histograms(1 - np.eye(3), axes=axes[0])
