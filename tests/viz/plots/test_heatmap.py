import numpy as np
import pytest
import scipy.sparse as sp
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure

from smoothgraph.viz import draw_adjacency


def cells(ax):
    return np.ma.filled(ax.images[0].get_array(), 0)


def shuffle(W, seed=0):
    order = np.random.default_rng(seed).permutation(len(W))
    return W[np.ix_(order, order)], order


def chain(m):
    return np.eye(m, k=1) + np.eye(m, k=-1)


def lines(ax):
    """Return the heights of the horizontal lines."""
    return [] if not ax.collections else [p.vertices[0, 1] for p in ax.collections[0].get_paths()]


def test_a_shuffled_chain_is_drawn_as_a_chain():
    """The Fiedler vector of a chain is monotone."""
    W, _ = shuffle(chain(12))
    np.testing.assert_array_equal(cells(draw_adjacency(W)), chain(12))


def test_nodes_with_heavy_edges_between_them_are_side_by_side():
    """All pairs have an edge, so only the weights distinguish the two groups."""
    W = np.where(np.equal.outer(np.arange(12) % 2, np.arange(12) % 2), 10.0, 1.0) * (1 - np.eye(12))
    drawn = cells(draw_adjacency(W))
    assert np.all(drawn[:6, 6:] == 1)
    assert np.all(drawn[6:, :6] == 1)


def test_components_follow_each_other_from_large_to_small():
    W, _ = shuffle(sp.block_diag([chain(2), chain(5), np.zeros((1, 1)), chain(4)]).toarray())
    ax = draw_adjacency(W)
    expected = sp.block_diag([chain(5), chain(4), chain(2), np.zeros((1, 1))]).toarray()
    np.testing.assert_array_equal(cells(ax), expected)
    assert lines(ax) == [5, 9, 11]
    assert ax.get_xlabel() == "12 nodes in 4 components"


def test_labels_sort_the_nodes_and_name_the_blocks(rng):
    W = np.triu(rng.random((9, 9)), k=1)
    W = W + W.T
    labels = np.array(["$b", "a", None, "a", "$b", "a", "a", "$b", None])
    ax = draw_adjacency(W, labels=labels)
    assert [text.get_text() for text in ax.get_yticklabels()] == ["$b", "a", "no label"]
    assert [text.get_text() for text in ax.get_xticklabels()] == ["$b", "a", "no label"]
    ax.figure.draw_without_rendering()
    assert not any(text.get_parse_math() for text in ax.get_yticklabels())
    assert lines(ax) == [3, 7]
    bounds = [0, 3, 7, 9]
    groups = [labels == "$b", labels == "a", labels == None]  # noqa: E711
    for a in range(3):
        for b in range(3):
            block = cells(ax)[bounds[a] : bounds[a + 1], bounds[b] : bounds[b + 1]]
            np.testing.assert_allclose(np.sort(block.ravel()), np.sort(W[np.ix_(groups[a], groups[b])].ravel()))


def test_numbers_sort_the_nodes():
    W, order = shuffle(chain(30) * np.arange(30)[:, None] * np.arange(30))
    ax = draw_adjacency(W, labels=order + 0.5)
    np.testing.assert_array_equal(cells(ax), chain(30) * np.arange(30)[:, None] * np.arange(30))
    assert lines(ax) == []


def test_many_labels_have_no_lines():
    ax = draw_adjacency(chain(60), labels=[f"label {k // 2}" for k in range(60)])
    assert lines(ax) == []
    assert list(ax.get_yticks()) == []


def test_small_groups_have_no_name():
    labels = ["large"] * 99 + ["small"]
    ax = draw_adjacency(chain(100), labels=labels)
    assert [text.get_text() for text in ax.get_yticklabels()] == ["large"]
    assert lines(ax) == [99]


@pytest.mark.parametrize("labels", [None, "given"])
def test_many_nodes_are_summed_in_cells(labels):
    """A dense array of all pairs would take 3.2 GB."""
    m = 20_000
    W = sp.diags_array([np.full(m - 1, 0.5), np.full(m - 700, 2.0)], offsets=[1, 700]).tocsr()
    labels = labels and np.arange(m) * 4 // m
    ax = draw_adjacency(W + W.T, labels=labels)
    assert cells(ax).shape == (500, 500)
    assert cells(ax).sum() == pytest.approx(2 * W.sum())
    np.testing.assert_allclose(cells(ax), cells(ax).T)
    assert "40 x 40" in ax.figure.axes[1].get_ylabel()
    ax.figure.draw_without_rendering()


def test_weights_over_decades_have_a_logarithmic_scale():
    W = chain(40)
    assert not isinstance(draw_adjacency(W).images[0].norm, LogNorm)
    ends = np.arange(39)
    W[ends, ends + 1] = W[ends + 1, ends] = np.geomspace(1e-6, 1, 39)
    assert isinstance(draw_adjacency(W).images[0].norm, LogNorm)


@pytest.mark.parametrize("m", [1, 4])
def test_no_edges(m):
    ax = draw_adjacency(np.zeros((m, m)), labels=["x"] * m)
    ax.figure.draw_without_rendering()
    assert len(ax.images) == 0
    assert ax.get_xlim() == (0, m)


def test_the_given_axes_are_drawn_on():
    ax = Figure().subplots()
    assert draw_adjacency(chain(4), ax=ax) is ax


def test_a_label_for_every_node():
    with pytest.raises(ValueError, match="one label for each of the 4 nodes, got 3"):
        draw_adjacency(chain(4), labels=[1, 2, 3])
