import numpy as np
import pytest

from smoothgraph import EdgeSet
from smoothgraph.plotting import draw_graph


@pytest.mark.parametrize("labels", [None, np.array([0, 1, 1, 2])])
def test_every_edge_and_node_is_drawn(labels, rng):
    edges = EdgeSet.all_pairs(4)
    w = np.array([1.0, 0.0, 0.5, 0.0, 2.0, 0.0])
    positions = rng.normal(size=(4, 2))
    ax = draw_graph(edges.adjacency(w), positions, labels=labels)
    lines, *points = ax.collections
    assert len(lines.get_segments()) == 3
    drawn = np.concatenate([group.get_offsets() for group in points])
    assert {tuple(p) for p in np.asarray(drawn)} == {tuple(p) for p in positions}
    assert (ax.get_legend() is None) == (labels is None)


def test_a_graph_without_edges_is_drawn(rng):
    ax = draw_graph(EdgeSet.all_pairs(3).adjacency(np.zeros(3)), rng.normal(size=(3, 2)))
    assert len(ax.collections[0].get_segments()) == 0
