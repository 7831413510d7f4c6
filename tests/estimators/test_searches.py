"""Graphs of more nodes than all pairs are held of: proved exact, approximate, or as given."""

import logging

import numpy as np
import pytest
import scipy.sparse as sp
from engines import BruteForce, brute_force, make_engine, misled_and_shuffled
from helpers import uneven
from sklearn.impute import SimpleImputer
from sklearn.neighbors import KNeighborsTransformer
from sklearn.pipeline import make_pipeline

import smoothgraph as sg
from paper.datasets import load_usps
from smoothgraph.candidates import choice
from smoothgraph.candidates.fixed import estimate_violations
from smoothgraph.candidates.growing import GrowingCandidates
from smoothgraph.candidates.source import EngineSource
from smoothgraph.estimators.node_data import NodeData


def dense_solution(model, X, scale=1.0, tol=1e-13, **parameters):
    """The same problem on all pairs."""
    pairs = sg.Pairs.of(np.asarray(X, dtype=float)).scale(scale)
    return sg.Newton(tol=tol).solve(model(pairs, **parameters))


def assert_same_graph(one, other, rtol=1e-4):
    """The same edges, and the same weights relative to the largest at their nodes."""
    assert ((one != 0) != (other != 0)).nnz == 0
    assert abs(one - other).max() <= rtol * other.max()


@pytest.fixture(scope="module")
def usps(data_dir):
    X = load_usps(data_dir).X[:6000]
    fitted = sg.LogDegreeGraph(edges_per_node=10, tol=1e-13).fit(X)
    return X, fitted, dense_solution(sg.models.log_degree, X, fitted.theta_)


def test_usps_is_exact_over_all_pairs(usps):
    _, fitted, dense = usps
    assert fitted.neighbors_ == "exact search"
    assert fitted.is_exact_
    assert fitted.dual_gap_ <= 1e-13
    assert abs(fitted.edges_per_node_ - 10) <= 0.1
    assert_same_graph(fitted.adjacency_, dense.adjacency)


def test_usps_from_five_neighbors_ends_at_the_same_graph(usps):
    X, fitted, _ = usps
    graph = sg.LogDegreeGraph(alpha=1.0, beta=fitted.theta_**-2, tol=1e-13)
    candidates = GrowingCandidates(EngineSource(make_engine(X.astype(float))), 5, 1.0)
    assert 2 * candidates.pairs.n_pairs / len(X) < 10
    graph.learn(NodeData(X, np.arange(len(X)), candidates))
    assert graph.is_exact_
    assert_same_graph(graph.adjacency_ / fitted.theta_, fitted.adjacency_)


def test_a_start_too_sparse_for_the_density_is_extended():
    X = uneven(4500)
    candidates = GrowingCandidates(EngineSource(make_engine(X)), 5, 10.0)
    graph = sg.LogDegreeGraph(edges_per_node=10)
    graph.learn(NodeData(X, np.arange(len(X)), candidates))
    assert graph.is_exact_
    assert abs(graph.edges_per_node_ - 10) <= 0.1


@pytest.mark.parametrize("k", [3, 20])
def test_log_degree_is_exact(k):
    X = uneven(4500)
    fitted = sg.LogDegreeGraph(edges_per_node=k, tol=1e-13).fit(X)
    assert fitted.is_exact_
    assert abs(fitted.edges_per_node_ - k) <= 0.01 * k
    assert_same_graph(fitted.adjacency_, dense_solution(sg.models.log_degree, X, fitted.theta_).adjacency)


def test_given_parameters_are_exact_also_for_a_dense_graph():
    X = uneven(4500)
    typical = float(np.median(sg.distances(X[:500])))
    fitted = sg.LogDegreeGraph(alpha=1.0, beta=typical**2 / 4, tol=1e-13).fit(X)
    assert fitted.is_exact_
    assert fitted.edges_per_node_ > 30  # far more than the search begins with
    dense = dense_solution(sg.models.log_degree, X, alpha=1.0, beta=typical**2 / 4)
    assert_same_graph(fitted.adjacency_, dense.adjacency)


def test_l2_degree_is_exact():
    X = uneven(4500)
    fitted = sg.L2DegreeGraph(edges_per_node=8, tol=1e-13).fit(X)
    assert fitted.is_exact_
    dense = dense_solution(sg.models.l2_degree, X, alpha=fitted.alpha_)
    assert_same_graph(fitted.adjacency_, dense.adjacency)


def test_doubly_stochastic_is_exact():
    X = uneven(4500)
    fitted = sg.DoublyStochasticGraph(edges_per_node=8, tol=1e-11).fit(X)
    assert fitted.is_exact_
    dense = dense_solution(sg.models.doubly_stochastic, X, tol=1e-11, beta=fitted.beta_)
    # A gap of 1e-11 leaves weights uncertain by its root: those of a few edges are smaller.
    assert abs(fitted.adjacency_ - dense.adjacency).max() <= 1e-5 * dense.adjacency.max()


def test_degrees_of_their_own_reach_the_right_nodes():
    """The search stores nodes in another order, of which per-node parameters know nothing."""
    X = uneven(4500)
    degree = np.random.default_rng(2).uniform(0.5, 2.0, 4500)
    fitted = sg.DoublyStochasticGraph(8, degree=degree, tol=1e-9).fit(X)
    assert fitted.neighbors_ == "exact search"
    assert fitted.is_exact_
    assert abs(fitted.edges_per_node_ - 8) <= 0.08
    np.testing.assert_allclose(fitted.adjacency_.sum(axis=1), degree, rtol=1e-5)
    pairs = sg.Pairs.of(X)
    problem = sg.models.doubly_stochastic(pairs, beta=fitted.beta_, degree=degree)
    w = pairs.pattern.weights_of(fitted.adjacency_)
    assert problem.gap(w, fitted.dual_) <= 1e-6  # over all pairs


@pytest.mark.parametrize("engine", [brute_force, misled_and_shuffled])
@pytest.mark.parametrize("m", [300, 1000])
def test_any_engine_gives_the_exact_graph(engine, m):
    X = uneven(m)
    fitted = sg.LogDegreeGraph(edges_per_node=6, neighbors=engine, tol=1e-13).fit(X)
    assert fitted.neighbors_ == "exact search"
    assert fitted.is_exact_
    assert abs(fitted.edges_per_node_ - 6) <= 0.06
    dense = dense_solution(sg.models.log_degree, X, fitted.theta_)
    assert_same_graph(fitted.adjacency_, dense.adjacency)
    np.testing.assert_allclose(fitted.theta_ * fitted.dual_, dense.u, rtol=1e-4)
    joined = fitted.transform(X[:20] + 0.01)
    assert joined.shape == (20, m)


def test_an_engine_may_have_any_distance():
    X = uneven(500)
    fitted = sg.LogDegreeGraph(
        6, neighbors=lambda table: BruteForce(table, "cityblock"), metric="cityblock", tol=1e-13
    ).fit(X)
    assert fitted.is_exact_
    pairs = sg.Pairs.of(X, metric="cityblock").scale(fitted.theta_)
    dense = sg.Newton(tol=1e-13).solve(sg.models.log_degree(pairs))
    assert_same_graph(fitted.adjacency_, dense.adjacency)


@pytest.mark.parametrize("learner", [sg.GaussianGraph(), sg.DoublyStochasticGraph(sigma=1.0)])
def test_an_engine_cannot_prove_a_dense_graph(learner):
    with pytest.raises(ValueError, match="exact zeros"):
        learner.set_params(neighbors=brute_force).fit(uneven(100))


def test_order_of_the_rows_does_not_matter():
    X = uneven(4500)
    shuffled = np.random.default_rng(1).permutation(len(X))
    one = sg.LogDegreeGraph(alpha=1.0, beta=1.0, tol=1e-13).fit(X)
    other = sg.LogDegreeGraph(alpha=1.0, beta=1.0, tol=1e-13).fit(X[shuffled])
    assert_same_graph(other.adjacency_, one.adjacency_[shuffled][:, shuffled])
    np.testing.assert_allclose(other.dual_, one.dual_[shuffled], rtol=1e-4)


def test_cosine_and_sparse_rows():
    X = sp.random_array((4500, 60), density=0.2, rng=np.random.default_rng(0), format="csr")
    X = X[np.diff(X.indptr) > 0]
    fitted = sg.LogDegreeGraph(edges_per_node=6, metric="cosine", tol=1e-13).fit(X)
    assert fitted.is_exact_
    pairs = sg.Pairs.of(X, metric="cosine").scale(fitted.theta_)
    dense = sg.Newton(tol=1e-13).solve(sg.models.log_degree(pairs))
    assert_same_graph(fitted.adjacency_, dense.adjacency)


def test_duplicates_and_names_are_kept():
    pd = pytest.importorskip("pandas")
    X = uneven(2300)
    table = pd.DataFrame(np.vstack([X, X]), index=[f"n{i}" for i in range(2 * len(X))])
    fitted = sg.LogDegreeGraph(edges_per_node=6).fit(table)
    assert fitted.is_exact_
    assert list(fitted.node_names_[:2]) == ["n0", "n1"]
    twins = fitted.adjacency_[np.arange(len(X)), np.arange(len(X)) + len(X)]
    assert np.all(np.asarray(twins) > 0)


def test_new_nodes_join_and_density_path_reuses_the_pairs():
    X = uneven(4600)
    sparse, dense = sg.density_path(X[:4500], [5, 15])
    assert sparse.is_exact_
    assert dense.is_exact_
    assert sparse.transform(X[4500:]).shape == (100, 4500)
    np.testing.assert_allclose(sparse.transform(X[:50]).toarray(), sparse.adjacency_[:50].toarray(), atol=0)


def test_approximate_says_so_and_estimates_what_is_missing():
    X = uneven(6000)
    fitted = sg.LogDegreeGraph(edges_per_node=10, neighbors="approximate", tol=1e-13).fit(X)
    assert fitted.neighbors_ == "approximate search"
    assert not fitted.is_exact_
    u, z = fitted.dual_, sg.distances(X)
    i, j = np.triu_indices(len(X), 1)
    active = 2 * z < u[i] + u[j]
    missing = np.sum(active) - fitted.adjacency_.nnz // 2
    assert missing <= 0.05 * np.sum(active)
    off = abs(fitted.violations_.pairs - missing)
    assert off <= 5 * fitted.violations_.standard_error + 1e-9


def test_auto_never_switches_in_silence(monkeypatch, caplog):
    monkeypatch.setattr(choice, "_MOST_EXACT", 4200)
    with caplog.at_level(logging.WARNING, logger="smoothgraph"):
        fitted = sg.LogDegreeGraph(edges_per_node=5).fit(uneven(4300))
    assert fitted.neighbors_ == "approximate search"
    assert "approximate" in caplog.text
    with caplog.at_level(logging.WARNING, logger="smoothgraph"):
        caplog.clear()
        exact = sg.LogDegreeGraph(edges_per_node=5, neighbors="exact").fit(uneven(4300))
    assert exact.is_exact_
    assert not caplog.text


def test_the_log_tells_the_stages(caplog):
    with caplog.at_level(logging.INFO, logger="smoothgraph"):
        sg.LogDegreeGraph(edges_per_node=5).fit(uneven(4300))
    stages = [record.stage for record in caplog.records if hasattr(record, "stage")]
    assert stages[:4] == ["index", "neighbors", "solve", "pairs"]
    assert "exact search" in caplog.text


def test_a_transformer_names_the_pairs():
    X = uneven(500)
    fitted = sg.LogDegreeGraph(edges_per_node=5, neighbors=KNeighborsTransformer(n_neighbors=12)).fit(X)
    pattern = KNeighborsTransformer(n_neighbors=12).fit_transform(X)
    allowed = (pattern + pattern.T) != 0
    assert fitted.neighbors_ == "KNeighborsTransformer"
    assert not np.any(fitted.adjacency_.toarray()[~allowed.toarray()])
    mask = sg.PairSet.from_mask(pattern)
    pairs = sg.Pairs.of(X, mask).scale(fitted.theta_)
    expected = sg.Newton(tol=1e-9).solve(sg.models.log_degree(pairs)).adjacency
    assert abs(fitted.adjacency_ - expected).max() <= 1e-3 * expected.max()
    assert fitted.violations_.pairs > 0
    assert not fitted.is_exact_


def test_what_other_pairs_would_be_is_not_guessed():
    """Of rows with missing values, and of a model that would give a weight to all pairs."""
    X = uneven(200)
    X[3, 5] = np.nan
    filled = make_pipeline(SimpleImputer(), KNeighborsTransformer(n_neighbors=12))
    for learner, table in (
        (sg.LogDegreeGraph(edges_per_node=5, missing="pairwise", neighbors=filled), X),
        (sg.DoublyStochasticGraph(sigma=3.0, neighbors=KNeighborsTransformer(n_neighbors=12)), uneven(200)),
    ):
        fitted = learner.fit(table)
        assert fitted.violations_ is None
        assert not fitted.is_exact_


@pytest.mark.parametrize("neighbors", ["nearest", 5, None])
def test_unknown_neighbors_are_refused(neighbors):
    with pytest.raises(ValueError, match="transformer"):
        sg.LogDegreeGraph(neighbors=neighbors).fit(uneven(50))


def test_a_transformer_must_give_a_square_sparse_matrix():
    from sklearn.preprocessing import StandardScaler

    with pytest.raises(ValueError, match="sparse 50 x 50"):
        sg.LogDegreeGraph(neighbors=StandardScaler()).fit(uneven(50))


def test_dense_models_say_why_they_need_fewer_nodes(monkeypatch):
    monkeypatch.setattr(choice, "MOST_ALL_PAIRS", 100)
    with pytest.raises(ValueError, match="exact zeros"):
        sg.GaussianGraph().fit(uneven(200))
    with pytest.raises(ValueError, match="sqeuclidean"):
        sg.LogDegreeGraph(metric="canberra").fit(uneven(200))


@pytest.mark.parametrize("dense", [sg.GaussianGraph(sigma=1.0), sg.DoublyStochasticGraph(sigma=1.0)])
def test_models_that_join_all_nodes_refuse_an_approximate_search(dense):
    with pytest.raises(ValueError, match=r"gives a weight to all pairs; use neighbors='auto'"):
        dense.set_params(neighbors="approximate").fit(uneven(100))


def test_a_sample_without_a_missing_pair_leaves_room_for_some():
    """Of 1000 nodes none misses a pair: with 95% confidence, at most 3 in 1000 of all do."""
    X = np.random.default_rng(0).normal(size=(1500, 2))
    found = estimate_violations(EngineSource(make_engine(X)), sg.Pairs.of(X), np.full(1500, 0.01))
    assert (found.pairs, found.n_sampled) == (0, 1000)
    np.testing.assert_allclose(found.at_most, 3 / 1000 * 1500 / 2 * np.sqrt(1 - 1000 / 1500))
    assert str(found) == "0, at most 1.3 (from 1000 nodes, 95% confidence)"
