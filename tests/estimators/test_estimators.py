import pickle

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from scipy.spatial.distance import pdist, squareform
from sklearn.base import clone
from sklearn.cluster import SpectralClustering
from sklearn.datasets import load_digits, load_iris, make_blobs
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import adjusted_rand_score
from sklearn.neighbors import kneighbors_graph
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from smoothgraph import (
    DensityWarning,
    DoublyStochasticGraph,
    GaussianGraph,
    L2DegreeGraph,
    LogDegreeGraph,
    Newton,
    Pairs,
    PrimalDual,
    Problem,
    density_path,
    models,
)

SPARSE = [LogDegreeGraph, L2DegreeGraph, DoublyStochasticGraph]
ALL = [*SPARSE, GaussianGraph]


@pytest.fixture(scope="module")
def X():
    return load_digits().data[:200]


@pytest.mark.filterwarnings("ignore::smoothgraph.DensityWarning")
@parametrize_with_checks([learner() for learner in ALL])
def test_scikit_learn_conventions(estimator, check):
    check(estimator)


@pytest.mark.parametrize("learner", ALL)
def test_fitted_attributes(learner, X):
    graph = learner().fit(X)
    W, L = graph.adjacency_, graph.laplacian_
    assert W.format == L.format == "csr"
    assert W.shape == L.shape == (200, 200)
    assert (W != W.T).nnz == 0
    assert np.all(W.diagonal() == 0)
    assert np.all(W.data > 0)
    np.testing.assert_allclose(L.sum(axis=1), 0, atol=1e-9 * W.max())
    np.testing.assert_allclose(graph.edges_per_node_, W.nnz / 200)
    assert 0 <= graph.dual_gap_ <= 1e-6
    assert graph.is_exact_ is True
    assert graph.dual_.shape == (200,)
    assert graph.n_features_in_ == 64
    np.testing.assert_array_equal(graph.node_names_, np.arange(200))


@pytest.mark.parametrize("learner", SPARSE)
@pytest.mark.parametrize("k", [4, 12])
def test_edges_per_node(learner, k, X):
    assert abs(learner(edges_per_node=k).fit(X).edges_per_node_ - k) <= 0.01 * k


def test_defaults_depend_on_the_number_of_nodes(X):
    assert abs(LogDegreeGraph().fit(X).edges_per_node_ - 10) <= 0.1
    assert LogDegreeGraph().fit(X[:9]).edges_per_node_ <= 4.5


@pytest.mark.parametrize("m", [2, 5, 7, 11])
def test_the_default_density_can_be_had_with_few_nodes(m):
    for seed in range(5):  # a DensityWarning is an error
        LogDegreeGraph().fit(np.random.default_rng(seed).normal(size=(m, 5)))


def test_weights_are_those_of_the_core(X):
    pairs = Pairs.of(X)
    asked = LogDegreeGraph(edges_per_node=6, tol=1e-10).fit(X)
    core = Newton(tol=1e-10).solve(models.log_degree(pairs.scale(asked.theta_)))
    np.testing.assert_allclose(asked.adjacency_.toarray(), core.adjacency.toarray(), atol=1e-4)
    own = LogDegreeGraph(alpha=2.0, beta=1e5).fit(X)
    core = Newton().solve(models.log_degree(pairs, alpha=2.0, beta=1e5))
    np.testing.assert_array_equal(own.adjacency_.toarray(), core.adjacency.toarray())
    np.testing.assert_allclose(own.theta_, 1 / np.sqrt(2e5))
    assert LogDegreeGraph(beta=1e5).fit(X).theta_ == pytest.approx(1 / np.sqrt(1e5))
    l2 = L2DegreeGraph(alpha=500.0, total_weight=33.0).fit(X)
    np.testing.assert_allclose(l2.adjacency_.sum(), 33.0)
    gaussian = GaussianGraph(sigma=20.0).fit(X)
    np.testing.assert_allclose(squareform(gaussian.adjacency_.toarray(), checks=False), np.exp(-pairs.z / 800))
    np.testing.assert_allclose(GaussianGraph().fit(X).sigma_, np.sqrt(np.median(pairs.z) / 2))
    sinkhorn = DoublyStochasticGraph(sigma=20.0, degree=2.0).fit(X)
    np.testing.assert_allclose(sinkhorn.adjacency_.sum(axis=1), 2.0, rtol=1e-5)


@pytest.mark.parametrize(
    ("learner", "message"),
    [
        (LogDegreeGraph(edges_per_node=3, beta=1.0), "either edges_per_node or alpha and beta"),
        (L2DegreeGraph(edges_per_node=3, alpha=1.0), "either edges_per_node or alpha"),
        (DoublyStochasticGraph(edges_per_node=3, sigma=1.0), "either edges_per_node or beta"),
        (DoublyStochasticGraph(beta=3, sigma=1.0), "either beta .* or sigma"),
        (LogDegreeGraph(edges_per_node=500), "at most 199"),
        (LogDegreeGraph(edges_per_node=-1), "edges_per_node"),
        (LogDegreeGraph(nodes="both"), "nodes must be 'rows' or 'columns'"),
        (LogDegreeGraph(missing="drop"), "missing must be"),
        (LogDegreeGraph(tol=0), "tol"),
    ],
)
def test_contradictions_are_refused(learner, message, X):
    with pytest.raises(ValueError, match=message):
        learner.fit(X)


@pytest.mark.parametrize(
    "learner", [LogDegreeGraph(beta=1.0), L2DegreeGraph(alpha=0.5), DoublyStochasticGraph(beta=1.0)]
)
def test_another_solver(learner, X):
    X = X[:40] / 30
    solver = PrimalDual(tol=1e-7, max_iter=100_000)
    learner = clone(learner).set_params(tol=1e-10)
    by_newton = learner.fit(X).adjacency_.toarray()
    other = clone(learner).set_params(solver=solver).fit(X)
    assert other.dual_gap_ <= 1e-7
    assert other.is_exact_
    assert other.n_iter_ > learner.n_iter_
    np.testing.assert_allclose(other.adjacency_.toarray(), by_newton, atol=1e-3 * by_newton.max())


def test_another_solver_meets_a_density(X):
    X = X[:30] / 30
    solver = PrimalDual(tol=1e-6, max_iter=100_000)
    graph = LogDegreeGraph(edges_per_node=4, solver=solver).fit(X)
    assert abs(graph.edges_per_node_ - 4) <= 0.04 + 1 / 30
    np.testing.assert_allclose(graph.theta_, LogDegreeGraph(4).fit(X).theta_, rtol=0.05)


@pytest.mark.parametrize("solver", [3, Newton, "newton"])
def test_what_is_no_solver_is_refused(solver, X):
    with pytest.raises(ValueError, match=r"Expected a solver: a frozen dataclass with `tol` and `solve` .*, got "):
        LogDegreeGraph(solver=solver).fit(X)


def test_the_solver_has_its_own_tolerance(X):
    with pytest.warns(ConvergenceWarning, match="did not reach tol=1e-12"):
        LogDegreeGraph(beta=1e4, tol=0.1, solver=Newton(tol=1e-12, max_iter=1)).fit(X)


def test_degrees_of_their_own(X, rng):
    degree = rng.uniform(0.5, 2.0, 200)
    graph = DoublyStochasticGraph(8, degree=degree).fit(X)
    np.testing.assert_allclose(graph.adjacency_.sum(axis=1), degree, rtol=1e-4)
    assert (graph.transform(X) != graph.adjacency_).nnz == 0
    for n_new in (3, 200):  # a new node wants what the others have on average
        joined = graph.transform(X[:n_new] + 0.3)
        np.testing.assert_allclose(joined.sum(axis=1), degree.mean(), rtol=1e-6)
    again = clone(graph).fit(X)
    assert (again.adjacency_ != graph.adjacency_).nnz == 0
    with pytest.raises(ValueError, match=r"one parameter per node, \(50,\), got \(200,\)"):
        graph.fit(X[:50])


@pytest.mark.parametrize("learner", [*SPARSE, GaussianGraph])
def test_multipliers_have_the_unit_of_the_distances(learner, X):
    """They define the weights beside the priors and the distances, in all models."""
    graph = learner().fit(X)
    edge_prior, degree_prior = graph.priors_
    problem = Problem(Pairs.of(X), edge_prior=edge_prior, degree_prior=degree_prior)
    w = problem.pairs.pattern.weights_of(graph.adjacency_)
    assert problem.gap(w, graph.dual_) <= 1e-6
    np.testing.assert_allclose(problem.evaluate(graph.dual_).weights, w, atol=1e-3 * w.max())


def test_warnings_point_at_the_caller(X):
    with pytest.warns(DensityWarning) as density:
        LogDegreeGraph(edges_per_node=1).fit(X)
    with pytest.warns(ConvergenceWarning) as convergence:
        LogDegreeGraph(beta=1e4, tol=1e-12, max_iter=1).fit(X)
    assert density[0].filename == convergence[0].filename == __file__


def test_not_converging_warns_and_says_the_gap(X):
    with pytest.warns(ConvergenceWarning, match="relative duality gap is"):
        graph = LogDegreeGraph(beta=1e4, tol=1e-12, max_iter=1).fit(X)
    assert graph.is_exact_ is False


def test_verbose_prints_one_line(X, capsys):
    LogDegreeGraph(beta=1e4, verbose=True).fit(X)
    assert "[LogDegreeGraph]" in capsys.readouterr().out


@pytest.mark.parametrize("learner", ALL)
def test_sparse_data(learner, X):
    dense, sparse = learner().fit(X), learner().fit(sp.csr_matrix(X))
    np.testing.assert_allclose(
        dense.adjacency_.toarray(), sparse.adjacency_.toarray(), atol=1e-3 * dense.adjacency_.max()
    )


def test_metrics_are_used_as_they_are(X):
    Z = squareform(pdist(X, "cosine"))
    given = LogDegreeGraph(beta=0.01, metric="precomputed").fit(Z).adjacency_
    named = LogDegreeGraph(beta=0.01, metric="cosine").fit(X).adjacency_
    np.testing.assert_allclose(given.toarray(), named.toarray(), atol=1e-6 * named.max())


def test_a_sparse_precomputed_matrix_is_the_candidate_set(X):
    candidates = kneighbors_graph(X, 15, mode="distance")
    graph = LogDegreeGraph(edges_per_node=5, metric="precomputed").fit(candidates)
    allowed = (candidates + candidates.T).toarray() > 0
    assert np.all(allowed[graph.adjacency_.nonzero()])
    assert graph.is_exact_ is False


def test_pandas_names_are_kept(X):
    table = pd.DataFrame(X, index=[f"image {i}" for i in range(200)], columns=[f"pixel {j}" for j in range(64)])
    graph = LogDegreeGraph().fit(table)
    assert graph.node_names_[3] == "image 3"
    assert graph.feature_names_in_[5] == "pixel 5"
    sensors = LogDegreeGraph(nodes="columns", edges_per_node=4).fit(table.iloc[:, 2:7])
    assert list(sensors.node_names_) == [f"pixel {j}" for j in range(2, 7)]
    assert sensors.adjacency_.shape == (5, 5)


def test_columns_are_the_rows_of_the_transpose(X):
    table = X[:, np.ptp(X, axis=0) > 0]
    fitted, new = table[:, :40], table[:, 40:43]
    columns = LogDegreeGraph(nodes="columns").fit(fitted)
    rows = LogDegreeGraph().fit(fitted.T)
    np.testing.assert_allclose(columns.adjacency_.toarray(), rows.adjacency_.toarray(), atol=1e-9)
    np.testing.assert_allclose(columns.transform(new).toarray(), rows.transform(new.T).toarray())
    with pytest.raises(ValueError, match="must have 200 rows"):
        columns.transform(new[:50])
    Z = squareform(pdist(X[:20]))
    given = LogDegreeGraph(4, metric="precomputed", nodes="columns").fit(Z)
    with pytest.raises(ValueError, match="must have 20 rows"):
        given.transform(Z[:7, :3])


@pytest.mark.parametrize("container", [np.asarray, sp.csr_array])
def test_constant_columns_are_named(container, rng):
    table = rng.normal(size=(30, 6))
    table[:, [1, 4]] = 0.0, 7.0
    with pytest.warns(UserWarning, match="2 of 6 columns are constant: 1, 4"):
        LogDegreeGraph(2, nodes="columns").fit(container(table))
    with pytest.warns(UserWarning, match="^1 of 3 columns is constant: 1"):
        LogDegreeGraph(1, nodes="columns").fit(container(table[:, :3]))
    LogDegreeGraph(2).fit(table.T)  # rows are what they are


def test_warm_start_gives_the_same_graph(X):
    graph = LogDegreeGraph(edges_per_node=5, warm_start=True, tol=1e-9).fit(X)
    graph.set_params(edges_per_node=6).fit(X)
    cold = LogDegreeGraph(edges_per_node=6, tol=1e-9).fit(X)
    np.testing.assert_allclose(graph.edges_per_node_, cold.edges_per_node_, rtol=0.01)
    graph.set_params(edges_per_node=None, beta=1e4).fit(X)
    cold = LogDegreeGraph(beta=1e4, tol=1e-9).fit(X)
    np.testing.assert_allclose(graph.adjacency_.toarray(), cold.adjacency_.toarray(), atol=1e-3 * cold.adjacency_.max())
    graph.fit(X[:50])  # other nodes: starts afresh
    assert graph.adjacency_.shape == (50, 50)


@pytest.mark.parametrize("learner", ALL)
def test_pickle_and_clone(learner, X):
    graph = learner().fit(X)
    again = pickle.loads(pickle.dumps(graph))
    assert (again.adjacency_ != graph.adjacency_).nnz == 0
    assert clone(graph).get_params() == graph.get_params()


@pytest.mark.filterwarnings("ignore:Graph is not fully connected")  # nor should it be
def test_pipeline_from_data_to_clusters():
    X, y = make_blobs(n_samples=150, centers=3, cluster_std=0.4, random_state=0)
    pipeline = make_pipeline(
        LogDegreeGraph(edges_per_node=10), SpectralClustering(3, affinity="precomputed", random_state=0)
    )
    assert adjusted_rand_score(y, pipeline.fit_predict(X)) > 0.8


def test_missing_values(X, rng):
    holes = np.where(rng.random(X.shape) < 0.1, np.nan, X)
    with pytest.raises(ValueError, match="missing='pairwise'"):
        LogDegreeGraph().fit(holes)
    graph = LogDegreeGraph(edges_per_node=6, missing="pairwise", tol=1e-10).fit(holes)
    full = LogDegreeGraph(edges_per_node=6).fit(X)
    assert graph.is_exact_
    shared = ((graph.adjacency_ > 0).multiply(full.adjacency_ > 0)).nnz
    assert shared > 0.5 * full.adjacency_.nnz
    np.testing.assert_allclose(graph.transform(holes).toarray(), graph.adjacency_.toarray(), atol=1e-3)


class TestDensityPath:
    def test_the_densities_in_the_order_asked_for(self, X):
        graphs = density_path(X, [8, 2, 4, 2])
        assert [round(g.edges_per_node_) for g in graphs] == [8, 2, 4, 2]
        for graph in graphs:
            assert graph.is_exact_
            assert graph.n_features_in_ == 64
            assert graph.transform(X[:3]).shape == (3, 200)

    def test_each_is_the_graph_of_a_separate_fit(self, X):
        for learner in SPARSE:
            path = density_path(X, [3, 9], learner=learner(tol=1e-9))
            for graph in path:
                alone = clone(graph).fit(X)
                np.testing.assert_allclose(alone.edges_per_node_, graph.edges_per_node_, rtol=0.011)

    def test_any_iterable_of_densities(self, X):
        assert len(density_path(X, (k for k in (3, 6)))) == 2

    def test_names_are_kept(self, X):
        table = pd.DataFrame(X, index=[f"n{i}" for i in range(200)])
        assert density_path(table, [3])[0].node_names_[7] == "n7"


def test_usps_meets_every_density(usps_1001):
    path = density_path(usps_1001, range(2, 31))
    for k, graph in zip(range(2, 31), path, strict=True):
        assert abs(graph.edges_per_node_ - k) <= 0.01 * k
        assert np.all(np.diff(graph.adjacency_.indptr) > 0)


@pytest.mark.parametrize("learner", SPARSE)
@pytest.mark.parametrize("scale", [1e-100, 1e-50, 1e50, 1e100])
def test_any_scale_of_the_data(learner, scale, X):
    graph = learner(edges_per_node=5).fit(scale * X)
    assert abs(graph.edges_per_node_ - 5) <= 0.05
    assert graph.dual_gap_ <= 1e-6


@pytest.mark.parametrize("scale", [1e-12, 1e-4, 1e8])
def test_warm_start_on_data_of_another_scale(scale, X):
    graph = LogDegreeGraph(edges_per_node=5, warm_start=True).fit(X).fit(scale * X)
    assert abs(graph.edges_per_node_ - 5) <= 0.05


def test_parameters_of_an_earlier_fit_do_not_stay(X):
    graph = DoublyStochasticGraph(edges_per_node=5).fit(X)
    graph.set_params(edges_per_node=None, sigma=20.0).fit(X)
    assert not hasattr(graph, "beta_")


def test_default_density_fits_the_candidates(X):
    graph = LogDegreeGraph(metric="precomputed").fit(kneighbors_graph(X, 3, mode="distance"))
    assert graph.edges_per_node_ <= 10


@pytest.mark.slow
def test_too_many_pairs_for_the_memory_is_said():
    with pytest.raises(ValueError, match="Merge nodes at the same place"):
        LogDegreeGraph().fit(np.zeros((30_001, 1)))
    with pytest.raises(ValueError, match="sparse matrix of distances"):
        GaussianGraph().fit(np.zeros((30_001, 1)))


def test_tiny_data():
    graph = LogDegreeGraph(edges_per_node=4 / 3).fit([[0.0], [1.0], [3.0]])
    assert graph.adjacency_.nnz == 4
    two = LogDegreeGraph().fit(load_iris().data[[0, 60]])
    assert two.adjacency_.nnz == 2


@pytest.mark.filterwarnings("ignore::smoothgraph.DensityWarning")
@pytest.mark.parametrize("learner", ALL)
def test_constant_data(learner):
    graph = learner().fit(np.ones((12, 3)))
    np.testing.assert_allclose(graph.adjacency_.data, graph.adjacency_.data[0], rtol=1e-3)


def test_text_in_a_table_is_named(rng):
    table = pd.DataFrame(rng.normal(size=(20, 2)), columns=["a", "b"])
    table["species"] = "setosa"
    table["day"] = pd.Timestamp("2024-01-01")
    with pytest.raises(ValueError, match=r"'species', 'day' hold something else; leave them out"):
        LogDegreeGraph().fit(table)
    table = table[["a", "b"]].astype(object)  # numbers in a column of objects are fine
    LogDegreeGraph().fit(table)


def test_missing_values_of_distances_are_no_option():
    with pytest.raises(ValueError, match=r"missing='pairwise' measures rows .* giving a sparse matrix"):
        LogDegreeGraph(metric="precomputed", missing="pairwise").fit(np.ones((4, 4)) - np.eye(4))


def test_a_kernel_too_narrow_for_some_nodes_names_them():
    X = pd.DataFrame({"x": [0.0, 0.1, 0.2, 500.0, 900.0]}, index=list("abcde"))
    with pytest.warns(UserWarning, match=r"2 of 5 nodes \(d, e\) have no neighbor: with sigma=1 .* larger sigma"):
        GaussianGraph(sigma=1.0).fit(X)


@pytest.mark.parametrize(("nodes", "expected"), [("rows", [3, 5, 7, 9]), ("columns", ["a", "b", "c"])])
def test_the_coordinates_of_a_dataarray_name_the_nodes(nodes, expected, rng):
    xarray = pytest.importorskip("xarray")
    coordinates = {"station": ["a", "b", "c"], "year": [3, 5, 7, 9]}
    array = xarray.DataArray(rng.normal(size=(4, 3)), dims=["year", "station"], coords=coordinates)
    graph = LogDegreeGraph(1.5, nodes=nodes).fit(array)
    assert graph.node_names_.tolist() == expected
    assert LogDegreeGraph(1.5).fit(array.drop_vars("year")).node_names_.tolist() == [0, 1, 2, 3]


def test_a_density_is_not_taken_for_the_width_of_a_kernel():
    with pytest.raises(TypeError, match="positional"):
        GaussianGraph(10)


@pytest.mark.parametrize("learner", ALL)
def test_the_same_data_give_the_same_graph_again(learner, X):
    one, other = learner().fit(X).adjacency_, learner().fit(X.copy()).adjacency_
    np.testing.assert_array_equal(one.toarray(), other.toarray())
