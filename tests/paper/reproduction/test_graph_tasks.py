import numpy as np
import pytest
import scipy.sparse as sp

from paper.reproduction.curves import at, average
from paper.reproduction.graph_tasks import (
    GRAPHS,
    clustering_error,
    connectivity,
    edges_per_node,
    graphs_of,
    knn_path,
    label_propagation,
    mismatch,
    propagate_labels,
)


def graph_of(n_nodes, *pairs):
    W = sp.lil_array((n_nodes, n_nodes))
    for i, j in pairs:
        W[i, j] = W[j, i] = 1.0
    return W.tocsr()


def cliques(*sizes):
    return sp.csr_array(sp.block_diag([np.ones((n, n)) - np.eye(n) for n in sizes]))


# -- graphs --------------------------------------------------------------------


def test_knn_graphs_are_symmetric_binary_and_the_closest_to_the_density(rng):
    X = rng.normal(size=(60, 3))
    squared = np.sum((X[:, None] - X[None]) ** 2, axis=2)
    np.fill_diagonal(squared, np.inf)
    order = np.argsort(squared, axis=1)
    by_k = []
    for k in range(1, 11):
        joins = np.zeros((60, 60), dtype=bool)
        joins[np.arange(60)[:, None], order[:, :k]] = True
        by_k.append(joins | joins.T)
    reachable = np.array([W.sum() / 60 for W in by_k])
    densities = (2, 5, 10)
    for density, W in zip(densities, knn_path(X, densities), strict=True):
        assert (W != W.T).nnz == 0
        assert W.diagonal().sum() == 0
        assert set(W.data) == {1.0}
        k = np.argmin(np.abs(reachable - density))
        np.testing.assert_array_equal(W.toarray() > 0, by_k[k])
        np.testing.assert_allclose(edges_per_node(W), reachable[k])


def test_graphs_come_density_by_density_at_the_density_asked_for(rng):
    X = rng.normal(size=(80, 4))
    found = list(graphs_of(X, (4, 8)))
    assert [(name, density) for name, density, _ in found] == [(name, density) for density in (4, 8) for name in GRAPHS]
    for name, density, W in found:
        assert W.shape == (80, 80)
        assert (W != W.T).nnz == 0
        tolerance = 1.0 if name == "k-NN" else 0.1
        assert abs(edges_per_node(W) - density) <= tolerance
    assert connectivity(found[0][2])["isolated"] == 0


def test_connectivity_counts_isolated_nodes_as_components():
    W = graph_of(7, (0, 1), (1, 2), (3, 4))  # 5 and 6 alone
    assert connectivity(W) == {"components": 4, "isolated": 2}
    assert connectivity(cliques(3, 4)) == {"components": 2, "isolated": 0}
    assert edges_per_node(W) == 6 / 7


# -- label propagation ---------------------------------------------------------


def test_cliques_of_one_class_have_no_error():
    W, y = cliques(6, 6), np.repeat([0, 1], 6)
    found = list(propagate_labels(W, y, known=0.5, runs=8, seed=0))
    assert len(found) == 8
    for draw in found:
        assert draw.hidden.sum() == 6
        lonely = [c for c in (0, 1) if draw.hidden[y == c].all()]
        expected = np.isin(y, lonely)
        np.testing.assert_array_equal(draw.wrong, expected)
        np.testing.assert_array_equal(draw.unreachable, expected)


def test_nodes_out_of_reach_are_counted():
    """Two labels on cliques of 18 and 2: a clique with neither is out of reach."""
    W, y = cliques(18, 2), np.repeat([0, 1], [18, 2])
    draws = list(propagate_labels(W, y, known=0.1, runs=30, seed=0))
    counts = []
    for draw in draws:
        assert draw.hidden.sum() == 18
        without = [clique for clique in (0, 1) if draw.hidden[y == clique].all()]
        np.testing.assert_array_equal(draw.unreachable, np.isin(y, without))
        counts.append(sum(18 if clique == 0 else 2 for clique in without))
    assert set(counts) >= {0, 2}
    shares = label_propagation(W, y, known=0.1, runs=30, seed=0)
    np.testing.assert_allclose(shares["unreachable"], np.mean(counts) / 18)
    # what is reached in a clique of one class is right
    np.testing.assert_allclose(shares["label_error"], np.mean(counts) / 18)


def test_a_wrong_label_and_none_are_both_errors():
    """Nodes 0 and 1 of a clique are of another class than its rest; 16 to 19 are isolated."""
    W = sp.csr_array(sp.block_diag([cliques(16), sp.csr_array((4, 4))]))
    y = np.array([1] * 2 + [0] * 18)
    draws = list(propagate_labels(W, y, known=0.5, runs=20, seed=0))
    outvoted = [draw for draw in draws if draw.hidden[:2].all()]
    assert outvoted
    for draw in outvoted:
        alone = draw.hidden & (np.arange(20) >= 16)
        np.testing.assert_array_equal(draw.unreachable, alone)
        np.testing.assert_array_equal(draw.wrong, alone | (y == 1))
    shares = label_propagation(W, y, known=0.5, runs=20, seed=0)
    assert shares["label_error"] > shares["unreachable"] > 0


def test_known_labels_are_never_wrong_and_draws_can_be_repeated(rng):
    W, y = cliques(10, 10), rng.integers(0, 3, 20)
    first = list(propagate_labels(W, y, known=0.3, runs=5, seed=0))
    again = list(propagate_labels(W, y, known=0.3, runs=5, seed=0))
    for draw, same in zip(first, again, strict=True):
        assert not np.any(draw.wrong & ~draw.hidden)
        for a, b in zip(draw, same, strict=True):
            np.testing.assert_array_equal(a, b)
    assert len({tuple(draw.hidden) for draw in first}) > 1
    other = next(propagate_labels(W, y, known=0.3, runs=5, seed=1))
    assert tuple(other.hidden) not in {tuple(draw.hidden) for draw in first}


# -- clustering ----------------------------------------------------------------


def test_names_of_clusters_do_not_count(rng):
    y = rng.integers(0, 5, 100)
    assert mismatch(y, rng.permutation(5)[y]) == 0


def test_mismatch_by_hand():
    """Class 0 has 4 and 3, class 1 has 3 and 0: 3 + 3 fit, though 4 is the largest number."""
    y = np.repeat([0, 1], [7, 3])
    clusters = np.array([0, 0, 0, 0, 1, 1, 1, 0, 0, 0])
    np.testing.assert_allclose(mismatch(y, clusters), 0.4)


@pytest.mark.parametrize(("clusters", "expected"), [([0, 0, 0, 0], 0.5), ([0, 1, 2, 3], 0.5)])
def test_mismatch_with_other_numbers_of_clusters(clusters, expected):
    np.testing.assert_allclose(mismatch(np.array([0, 0, 1, 1]), np.array(clusters)), expected)


def test_cliques_are_found():
    W = cliques(8, 10, 12).tolil()
    W[0, 8] = W[8, 0] = W[10, 20] = W[20, 10] = 0.01
    y = np.repeat([0, 1, 2], [8, 10, 12])
    assert clustering_error(W.tocsr(), y, runs=1) == 0


def test_classes_across_the_cliques_are_not_found():
    """Half of each clique in each class: its clusters say nothing about the class."""
    y = np.tile([0, 1], 10)
    np.testing.assert_allclose(clustering_error(cliques(10, 10), y, runs=3), 0.5)


# -- curves --------------------------------------------------------------------


def rows_of(densities, shift):
    return [
        {"graph": graph, "density": k, "x": 10 * k + number + shift, "y": 1}
        for k in densities
        for number, graph in enumerate(GRAPHS)
    ]


def test_curves_are_mean_and_spread_over_the_draws():
    curves = average([rows_of((2, 4), shift) for shift in (-1, 1)])
    assert curves["densities"] == [2, 4]
    for number, graph in enumerate(GRAPHS):
        assert curves[graph]["x"] == {"mean": [20 + number, 40 + number], "std": [1, 1]}
        assert curves[graph]["y"] == {"mean": [1, 1], "std": [0, 0]}
    assert at(curves, "k-NN", "x", 4) == (42, 1)


def test_curves_are_in_the_order_of_density_whatever_that_of_the_rows():
    curves = average([rows_of((4, 2), 0)])
    assert curves["densities"] == [2, 4]
    assert at(curves, "log-degree", "x", 2) == (20, 0)
    assert at(curves, "log-degree", "x", 4) == (40, 0)
