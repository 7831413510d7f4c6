import numpy as np
import pytest
import scipy.sparse as sp
from small_graphs import path

from paper.graphs.judging import CLASSIFIERS, cluster_indices, describe, is_error, label_errors
from paper.graphs.labeled_data import load


@pytest.fixture
def three_chains():
    """Two chains of four, and one of two nodes that no label reaches."""
    return sp.csr_array(sp.block_diag([path(4), path(4), path(2)])), np.array([0, 0, 0, 0, 1, 1, 1, 0, 1, 1])


@pytest.mark.filterwarnings("ignore::smoothgraph.tasks.UnreachableWarning")
@pytest.mark.parametrize("method", CLASSIFIERS)
def test_errors_are_counted_among_hidden_labels_and_unreached_nodes_are_wrong(method, three_chains):
    W, y = three_chains
    errors = label_errors(method, W, y, [np.array([0, 4]), np.array([1, 7, 8])])
    assert errors[0] == pytest.approx(100 * 3 / 8)
    assert errors[1] == pytest.approx(100 * 3 / 7)


@pytest.mark.parametrize("method", ["spectral", "normalized spectral", "Leiden"])
def test_clusters_that_are_the_classes_score_100(method):
    if method == "Leiden":
        pytest.importorskip("igraph")
    W = sp.csr_array(sp.block_diag([np.ones((5, 5)) - np.eye(5)] * 3))
    y = np.repeat(np.arange(3), 5)
    assert cluster_indices(method, W, y, 2) == {"ARI": [100, 100], "NMI": [100, 100]}


def test_what_can_be_counted(three_chains):
    W, y = three_chains
    W = sp.csr_array(sp.block_diag([W, sp.csr_array((1, 1))]))
    W.eliminate_zeros()
    found = describe(W, np.append(y, 0))
    assert (found["components"], found["isolated"]) == (4, 1)
    assert found["edges_per_node"] == pytest.approx(14 / 11)
    assert found["across"] == pytest.approx(100 / 7)


def test_errors_are_better_if_small_and_indices_if_large():
    assert is_error("Poisson, 5 per class")
    assert not is_error("spectral, NMI")


def test_draws_of_labels():
    data = load("digits", None)
    draws = data.draws("3 per class", 4, None)
    for known in draws:
        assert np.bincount(data.y[known]).tolist() == [3] * 10
        assert len(set(known.tolist())) == 30
    assert not np.array_equal(draws[0], draws[1])
    assert len(data.draws("10%", 1, None)[0]) == 180
    np.testing.assert_array_equal(data.draws("10%", 1, None)[0], data.draws("10%", 5, None)[0])
