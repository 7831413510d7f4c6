import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse.csgraph import connected_components
from sklearn.neighbors import kneighbors_graph

from smoothgraph.viz.node_regions import contract, find_regions


def random_graph(m, n_edges, seed):
    rng = np.random.default_rng(seed)
    i, j = rng.integers(m, size=(2, n_edges))
    W = sp.coo_array((rng.uniform(0.1, 1, n_edges), (i, j)), shape=(m, m)).tocsr()
    W = W + W.T
    return sp.csr_array(W - sp.diags_array(W.diagonal()))


@given(m=st.integers(1, 60), n_edges=st.integers(0, 120), most=st.integers(1, 60), seed=st.integers(0, 9))
def test_every_node_has_one_of_the_regions(m, n_edges, most, seed):
    region = find_regions(random_graph(m, n_edges, seed), most)
    assert sorted(set(region.tolist())) == list(range(region.max() + 1))
    assert region.max() + 1 <= max(most, 0)
    if most >= m:
        assert region.tolist() == list(range(m))


@pytest.fixture(scope="module")
def neighbors():
    X = np.random.default_rng(0).normal(size=(3000, 2))
    W = kneighbors_graph(X, 8, mode="connectivity")
    return X, sp.csr_array(W.maximum(W.T))


def test_regions_are_compact_and_of_similar_size(neighbors):
    X, W = neighbors
    region = find_regions(W, 300)
    sizes = np.bincount(region)
    assert 120 < len(sizes) <= 300
    assert sizes.max() < 5 * np.median(sizes)
    centers = np.column_stack([np.bincount(region, x) / sizes for x in X.T])
    within = np.mean(np.square(X - centers[region]))
    assert within < 0.03 * np.mean(np.square(X - X.mean(axis=0)))


def test_a_region_of_a_connected_graph_is_connected(neighbors):
    _, W = neighbors
    region = find_regions(W, 300)
    inside = W.tocoo()
    same = region[inside.row] == region[inside.col]
    parts = sp.coo_array((inside.data[same], (inside.row[same], inside.col[same])), shape=W.shape)
    assert connected_components(parts)[0] == region.max() + 1


def test_contracted_weights_are_sums():
    W = random_graph(30, 90, 1)
    region = np.arange(30) % 4
    dense = W.toarray()
    expected = [[dense[np.ix_(region == a, region == b)].sum() * (a != b) for b in range(4)] for a in range(4)]
    np.testing.assert_allclose(contract(W, region).toarray(), expected)


@pytest.mark.parametrize("name", ["star", "empty", "equal weights"])
def test_odd_graphs_are_grouped_too(name):
    m = 2000
    W = sp.lil_array((m, m))
    if name == "star":
        W[0, 1:] = 1
    if name == "equal weights":
        W.setdiag(1, 1)
    W = sp.csr_array(W)
    region = find_regions(sp.csr_array(W + W.T), 100)
    sizes = np.bincount(region)
    assert 30 <= len(sizes) <= 100
    assert sizes.max() < 5 * m / len(sizes)
