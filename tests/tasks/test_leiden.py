import random
import sys

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.metrics import adjusted_rand_score
from small_graphs import connected_graph

from smoothgraph.tasks import LeidenGraphClustering


@pytest.fixture
def blocks(rng):
    """Three dense graphs of 20 nodes, joined by two weak edges."""
    W = np.array(sp.block_diag([connected_graph(20, rng, 0.5) for _ in range(3)]).toarray())
    W[0, 20] = W[20, 0] = W[20, 40] = W[40, 20] = 1e-3
    return W, np.repeat(np.arange(3), 20)


def modularity(W, labels):
    degrees, total = W.sum(axis=1), W.sum()
    together = labels[:, None] == labels
    return float(((W - np.outer(degrees, degrees) / total) * together).sum() / total)


def test_communities_that_are_plain_to_see_are_found(blocks):
    pytest.importorskip("igraph")
    W, truth = blocks
    model = LeidenGraphClustering(resolution=0.3, random_state=0).fit(W)
    assert adjusted_rand_score(truth, model.labels_) == 1
    assert model.modularity_ == pytest.approx(modularity(W, model.labels_))


def test_a_higher_resolution_gives_more_clusters(blocks):
    pytest.importorskip("igraph")
    W, _ = blocks
    counts = [
        len(set(LeidenGraphClustering(resolution=r, random_state=0).fit_predict(W).tolist())) for r in (0.01, 1.0, 20.0)
    ]
    assert counts == sorted(counts)
    assert counts[0] < counts[-1]


def test_a_seed_gives_the_same_clusters_and_leaves_the_generator_alone(blocks):
    igraph = pytest.importorskip("igraph")
    W, _ = blocks
    first, second = (LeidenGraphClustering(resolution=4.0, random_state=3).fit_predict(W) for _ in range(2))
    np.testing.assert_array_equal(first, second)
    random.seed(5)
    drawn = igraph.Graph.Erdos_Renyi(n=30, p=0.2).get_edgelist()
    LeidenGraphClustering().fit(W)
    random.seed(5)
    assert igraph.Graph.Erdos_Renyi(n=30, p=0.2).get_edgelist() == drawn


def test_without_igraph_it_is_said_how_to_install_it(blocks, monkeypatch):
    monkeypatch.setitem(sys.modules, "igraph", None)
    with pytest.raises(ImportError, match=r"pip install 'smoothgraph\[igraph\]'"):
        LeidenGraphClustering().fit(blocks[0])


def test_bad_resolutions_are_refused(blocks):
    with pytest.raises(ValueError, match="resolution must be a finite number > 0"):
        LeidenGraphClustering(resolution=0).fit(blocks[0])
