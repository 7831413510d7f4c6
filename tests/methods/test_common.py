"""What all graph methods promise: the models, ``smoothgraph.methods`` and ``paper.methods``."""

import numpy as np
import pandas as pd
import pytest
from scipy.sparse.csgraph import connected_components
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks

from paper.methods import DaitchGraph, EpsilonGraph, GraphicalLassoGraph, LinearNeighborhoodGraph
from smoothgraph import GaussianGraph, JointGraph, L2DegreeGraph, LogDegreeGraph, methods
from smoothgraph.estimators.graph_method import GraphMethod
from smoothgraph.methods import (
    AdaptiveNeighborsGraph,
    CombinatorialLaplacianGraph,
    ContinuousNeighborsGraph,
    GabrielGraph,
    KNeighborsGraph,
    LakeTenenbaumGraph,
    LocalGaussianGraph,
    MutualNeighborsGraph,
    NNKGraph,
    PerplexityGraph,
    RelativeNeighborhoodGraph,
    SelfTunedGraph,
    SigRepGraph,
    UMAPGraph,
)

# Each method, and the power of the scale of the data by which its weights grow.
METHODS = [
    (LogDegreeGraph(4, tol=1e-10), 0),
    (L2DegreeGraph(4, tol=1e-10), 0),
    (GaussianGraph(), 0),
    (AdaptiveNeighborsGraph(4), 0),
    (CombinatorialLaplacianGraph(tol=1e-10), -2),
    (ContinuousNeighborsGraph(4), 0),
    (DaitchGraph(tol=1e-8), 0),
    (EpsilonGraph(weights="gaussian"), 0),
    (GabrielGraph(), 0),
    (GraphicalLassoGraph(tol=1e-10), 0),
    (KNeighborsGraph(4), 0),
    (KNeighborsGraph(4, weights="gaussian"), 0),
    (LakeTenenbaumGraph(tol=1e-10), -2),
    (LinearNeighborhoodGraph(4), 0),
    (LocalGaussianGraph(4), 0),
    (MutualNeighborsGraph(4), 0),
    (MutualNeighborsGraph(4, spanning_tree=True), 0),
    (NNKGraph(4), 0),
    (PerplexityGraph(6), 0),
    (RelativeNeighborhoodGraph(), 0),
    (SelfTunedGraph(4), 0),
    (SigRepGraph(4), 0),
    (UMAPGraph(4), 0),
]
LIKELIHOODS = (CombinatorialLaplacianGraph, LakeTenenbaumGraph)


def over_methods(*names, kind=object):
    """Parametrize a test over all methods of a kind by the first values of their entries."""
    cases = [
        pytest.param(*entry[: len(names)], id=type(entry[0]).__name__)
        for entry in METHODS
        if isinstance(entry[0], kind)
    ]
    return pytest.mark.parametrize(names, cases)


every_method = over_methods("method")


@pytest.fixture(scope="module")
def X():
    """Return two blobs of 12 nodes with 7 signals; no two distances are equal."""
    rng = np.random.default_rng(5)
    return np.repeat(rng.normal(size=(2, 7)), 12, axis=0) + rng.normal(size=(24, 7))


def fit_clone(method, X):
    return clone(method).fit(X)


def assert_same_graph(W, expected):
    np.testing.assert_allclose(W.toarray(), expected.toarray(), atol=1e-4 * expected.max(), rtol=1e-4)


def test_every_method_of_the_folder_is_here():
    assert set(methods.__all__) <= {type(method).__name__ for method, _ in METHODS}
    assert methods.__all__ == sorted(methods.__all__)


@pytest.mark.filterwarnings("ignore::smoothgraph.DensityWarning")
@parametrize_with_checks(
    [
        CombinatorialLaplacianGraph(),
        EpsilonGraph(),
        GraphicalLassoGraph(0.5),
        KNeighborsGraph(),
        KNeighborsGraph(weights="gaussian"),
        ContinuousNeighborsGraph(4),
        LakeTenenbaumGraph(),
        NNKGraph(4),
        RelativeNeighborhoodGraph(),
        SelfTunedGraph(4),
        SigRepGraph(),
    ]
)
def test_scikit_learn_conventions(estimator, check):
    check(estimator)


@pytest.mark.parametrize(
    ("graph", "message"),
    [
        (KNeighborsGraph(0), "n_neighbors must be a finite number >= 1"),
        (KNeighborsGraph(2.5), "n_neighbors must be an integer"),
        (KNeighborsGraph(weights="heat"), "weights must be 'binary' or 'gaussian', got 'heat'"),
        (KNeighborsGraph(sigma=1.0), r"sigma=1.0 goes with weights='gaussian'"),
        (KNeighborsGraph(weights="gaussian", sigma=0), "sigma must be a finite number > 0"),
        (EpsilonGraph(-1.0), "radius must be a finite number > 0"),
        (GraphicalLassoGraph(0), "alpha must be a finite number > 0"),
        (GraphicalLassoGraph(tol=0), "tol must be a finite number > 0"),
        (GraphicalLassoGraph(max_iter=0), "max_iter must be a finite number >= 1"),
        (JointGraph(strength=0), "strength"),
        (JointGraph(max_iter=0), "max_iter"),
        (JointGraph(LogDegreeGraph(metric="cosine")), "metric='sqeuclidean'"),
        (JointGraph(LogDegreeGraph(missing="pairwise")), "missing='error'"),
        (SigRepGraph(3, beta=1.0), "either edges_per_node or beta, not both"),
        (SigRepGraph(alpha=0), "alpha must be a finite number > 0"),
        (SigRepGraph(beta=-1.0), "beta must be a finite number > 0"),
        (SigRepGraph(max_iter=0), "max_iter must be a finite number >= 1"),
        *((method(l1=-0.1), "l1 must be a finite number >= 0") for method in LIKELIHOODS),
        *((method(l1="large"), "l1 must be") for method in LIKELIHOODS),
        *((method(tol=0), "tol must be a finite number > 0") for method in LIKELIHOODS),
        *((method(max_iter=0), "max_iter must be") for method in LIKELIHOODS),
    ],
)
def test_bad_settings_are_refused(graph, message, X):
    with pytest.raises(ValueError, match=message):
        graph.fit(X)


@every_method
def test_the_graph_is_one(method, X):
    graph = fit_clone(method, X)
    W, L = graph.adjacency_, graph.laplacian_
    assert W.format == L.format == "csr"
    assert W.shape == L.shape == (24, 24)
    assert W.dtype == L.dtype == np.float64
    assert W.nnz > 0
    assert np.all(W.data > 0)
    assert (W != W.T).nnz == 0
    assert np.all(W.diagonal() == 0)
    np.testing.assert_allclose(L.sum(axis=1), 0, atol=1e-9 * W.max())
    np.testing.assert_allclose(L.diagonal(), W.sum(axis=1))
    assert graph.edges_per_node_ == W.nnz / 24
    assert graph.n_components_ == connected_components(W, directed=False)[0]
    assert graph.n_features_in_ == 7
    np.testing.assert_array_equal(graph.node_names_, np.arange(24))


@every_method
def test_a_table_gives_its_names(method, X):
    table = pd.DataFrame(X, index=[f"n{i}" for i in range(24)], columns=list("abcdefg"))
    graph = fit_clone(method, table)
    assert list(graph.node_names_) == list(table.index)
    assert list(graph.feature_names_in_) == list(table.columns)
    assert_same_graph(graph.adjacency_, fit_clone(method, X).adjacency_)
    columns = clone(method).set_params(nodes="columns").fit(table.T)
    assert list(columns.node_names_) == list(table.index)
    assert_same_graph(columns.adjacency_, graph.adjacency_)


@every_method
@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda table: table.mask(table == table.iloc[3, 2]), "NaN"),
        (lambda table: table.assign(species="setosa"), "'species' holds something else"),
        (lambda table: table.iloc[:1], "at least two nodes, got n_samples=1"),
    ],
)
def test_what_is_no_table_of_nodes_is_refused(method, spoil, message, X):
    table = pd.DataFrame(X, columns=list("abcdefg"))
    with pytest.raises(ValueError, match=message):
        fit_clone(method, spoil(table))


@every_method
def test_nodes_are_rows_or_columns(method, X):
    with pytest.raises(ValueError, match="nodes must be 'rows' or 'columns', got 'cells'"):
        clone(method).set_params(nodes="cells").fit(X)


@every_method
def test_the_order_of_nodes_does_not_matter(method, X):
    order = np.random.default_rng(1).permutation(24)
    W = fit_clone(method, X).adjacency_
    assert_same_graph(fit_clone(method, X[order]).adjacency_, W[order][:, order])


@pytest.mark.parametrize("scale", [1e-6, 1000.0])
@over_methods("method", "power")
def test_the_scale_of_the_data(method, power, scale, X):
    W = fit_clone(method, X).adjacency_
    assert_same_graph(fit_clone(method, scale * X).adjacency_, scale**power * W)


@every_method
def test_fit_leaves_the_data_and_the_settings_alone(method, X):
    own, estimator = X.copy(), clone(method)
    before = estimator.get_params()
    assert estimator.fit(own) is estimator
    np.testing.assert_array_equal(own, X)
    assert estimator.get_params() == before


@every_method
def test_fit_transform_gives_the_adjacency(method, X):
    estimator = clone(method)
    weights = estimator.fit_transform(X).toarray()
    np.testing.assert_array_equal(weights, estimator.adjacency_.toarray())
    np.testing.assert_array_equal(weights, fit_clone(method, X).adjacency_.toarray())


@every_method
def test_a_second_fit_forgets_the_first(method, X):
    estimator = clone(method).fit(X).fit(X[4:])
    assert (estimator.adjacency_ != fit_clone(method, X[4:]).adjacency_).nnz == 0
    assert len(estimator.node_names_) == 20


@pytest.mark.parametrize("scale", [1e-130, 1e130])
@over_methods("method", "power")
def test_extreme_scales_give_the_same_graph(method, power, scale, X):
    if abs(scale**power) in (0, np.inf) or not np.isfinite(scale ** abs(power)):
        pytest.skip("the weights themselves are beyond the range of numbers")
    W, expected = fit_clone(method, scale * X).adjacency_, fit_clone(method, X).adjacency_
    assert_same_graph(W / scale**power, expected)


@pytest.mark.parametrize("scale", [1e-170, 1e153, 1e300])
@over_methods("method", kind=GraphMethod)
def test_scales_whose_squares_are_no_numbers_are_refused(method, scale, X):
    with pytest.raises(ValueError, match="rescale"):
        fit_clone(method, scale * X)


@every_method
def test_an_offset_of_all_nodes_does_not_matter(method):
    if isinstance(method, LakeTenenbaumGraph | SigRepGraph):
        pytest.skip("the mean of a signal counts in this model")
    X = np.random.default_rng(5).normal(size=(24, 20))  # enough for the search to use products
    X = np.round(X * 2**20) / 2**20  # so that an offset loses no digits
    assert_same_graph(fit_clone(method, X + 2.0**27).adjacency_, fit_clone(method, X).adjacency_)
