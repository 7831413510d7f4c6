import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import load_digits, load_iris

from smoothgraph import LogDegreeGraph, SmoothGraph, density_path
from smoothgraph.viz import draw_density_choice, draw_path


def data(ax):
    names = [text.get_text() for text in ax.texts]
    lines = [np.column_stack(line.get_data()).tolist() for line in ax.lines]
    return dict(zip(names, lines, strict=True))


def graph_with(n_edges, m=10):
    """Return a graph of m nodes whose first ones form a chain."""
    W = np.zeros((m, m))
    ends = np.arange(n_edges)
    W[ends, ends + 1] = W[ends + 1, ends] = 1.0
    return sp.csr_array(W)


def test_counts_over_density_sorted():
    parts, edges = draw_path([graph_with(9), graph_with(0), graph_with(4)])
    assert data(parts) == {"components": [[0, 10], [0.8, 6], [1.8, 1]], "isolated nodes": [[0, 10], [0.8, 5], [1.8, 0]]}
    assert data(edges) == {"edges": [[0, 0], [0.8, 4], [1.8, 9]]}
    assert parts.get_xlabel() == edges.get_xlabel() == "edges per node"


def test_the_graphs_of_a_density_path():
    graphs = density_path(load_iris().data, [4, 12, 8])
    _, edges = draw_path(graphs)
    drawn = np.array(data(edges)["edges"])
    np.testing.assert_allclose(drawn[:, 0], sorted(g.edges_per_node_ for g in graphs))
    assert drawn[:, 1].tolist() == sorted(g.adjacency_.nnz // 2 for g in graphs)


@pytest.mark.parametrize("m", [10, 5000])
def test_counts_have_whole_ticks(m):
    parts, edges = draw_path([graph_with(9, m), graph_with(2, m)])
    parts.figure.draw_without_rendering()
    for ax in (parts, edges):
        low, high = ax.get_ylim()
        assert low == 0
        assert all(tick == round(tick) for tick in ax.get_yticks() if low <= tick <= high)


def test_names_of_equal_lines_do_not_cover_each_other():
    parts, _ = draw_path([graph_with(0), graph_with(0)])
    parts.figure.draw_without_rendering()
    first, second = (text.get_window_extent() for text in parts.texts)
    assert first.y0 > second.y0 + 5


def test_one_graph_and_none():
    draw_path([graph_with(3)])[0].figure.draw_without_rendering()
    with pytest.raises(ValueError, match="at least one graph"):
        draw_path([])


def test_the_choice_of_a_density_is_drawn_and_marked():
    graph = SmoothGraph().fit(load_digits().data[:500])
    choice = graph.density_choice_
    assert choice.fragments[0] > 0, "fragments to show"
    for given in (graph, choice):
        ax = draw_density_choice(given)
        ax.figure.draw_without_rendering()
        curve, mark = ax.lines
        np.testing.assert_array_equal(curve.get_xydata(), np.column_stack([choice.densities, choice.fragments]))
        assert set(mark.get_xdata()) == {choice.chosen}
        assert [text.get_text() for text in ax.texts] == [f"chosen: {choice.chosen:.3g}"]
        assert ax.get_xlim()[1] > choice.chosen


def test_a_density_that_was_not_chosen_is_not_drawn():
    with pytest.raises(ValueError, match="edges_per_node='auto', got LogDegreeGraph"):
        draw_density_choice(LogDegreeGraph(4).fit(load_iris().data))
