import sys

import numpy as np
import pytest
from helpers import needs_umap
from scipy.optimize import brentq
from scipy.spatial.distance import pdist, squareform
from sklearn.utils.estimator_checks import parametrize_with_checks

from paper.methods import UMAPGraph


@needs_umap
@parametrize_with_checks([UMAPGraph(n_neighbors=4)])
def test_scikit_learn_conventions(estimator, check):
    check(estimator)


def fuzzy_union(X, k):
    """Return the graph by its formula, from all distances."""
    distance = squareform(pdist(X))
    a = np.zeros_like(distance)
    for i, row in enumerate(distance):
        near = np.argsort(row)[1:k]
        beyond = row[near] - row[near].min()
        sigma = brentq(lambda s, d=beyond: np.exp(-d / s).sum() - np.log2(k), 1e-3, 1e3)
        a[i, near] = np.exp(-beyond / sigma)
    return a + a.T - a * a.T


@needs_umap
@pytest.mark.parametrize("k", [4, 15])
def test_the_weights_are_those_of_the_formula(k, rng):
    X = rng.normal(size=(60, 5))
    graph = UMAPGraph(k).fit(X)
    np.testing.assert_allclose(graph.adjacency_.toarray(), fuzzy_union(X, k), atol=1e-4)


@needs_umap
def test_a_seed_changes_nothing_while_neighbors_are_exact(rng):
    X = rng.normal(size=(40, 3))
    assert (UMAPGraph(random_state=1).fit(X).adjacency_ != UMAPGraph().fit(X).adjacency_).nnz == 0


@needs_umap
def test_few_nodes_have_few_neighbors(rng):
    X = rng.normal(size=(7, 3))
    many, all_but_one = UMAPGraph(15).fit(X), UMAPGraph(6).fit(X)
    assert (many.adjacency_ != all_but_one.adjacency_).nnz == 0
    assert UMAPGraph().fit(X[:3]).adjacency_.nnz > 0
    with pytest.raises(ValueError, match="at least three nodes, got n_samples=2"):
        UMAPGraph().fit(X[:2])


def test_a_node_has_more_neighbors_than_itself():
    with pytest.raises(ValueError, match="n_neighbors must be a finite number >= 2"):
        UMAPGraph(1).fit(np.eye(4))


@needs_umap
def test_all_nodes_at_one_place():
    W = UMAPGraph(4).fit(np.ones((12, 3))).adjacency_
    assert np.all(W.data == 1)
    assert np.all(W.diagonal() == 0)


def test_without_umap_it_is_said_how_to_install_it(rng, monkeypatch):
    monkeypatch.setitem(sys.modules, "umap", None)
    with pytest.raises(ImportError, match=r"pip install 'smoothgraph\[paper\]'"):
        UMAPGraph().fit(rng.normal(size=(9, 2)))
