import numpy as np
import pandas as pd
import pytest
from scipy.sparse.csgraph import connected_components
from scipy.spatial.distance import cdist
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.estimator_checks import parametrize_with_checks
from time_varying_oracles import cvxpy_graphs

from smoothgraph import LogDegreeGraph, PairSet, TimeVaryingGraph
from smoothgraph.estimators.time_varying import window_distances
from smoothgraph.generate import generative, random_geometric, smooth_signals
from smoothgraph.support.input_error import InputError

both = pytest.mark.parametrize("coupling", ["l2", "l1"])


@pytest.mark.filterwarnings("ignore::smoothgraph.DensityWarning")
@parametrize_with_checks([TimeVaryingGraph()])
def test_scikit_learn_conventions(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def series():
    """180 readings of 15 sensors, whose graph is another one from reading 100 on."""
    before, after = (random_geometric(15, random_state=seed) for seed in (1, 2))
    first = smooth_signals(before, 100, generative(), noise=0.1, random_state=0)
    second = smooth_signals(after, 80, generative(), noise=0.1, random_state=1)
    return np.hstack([first, second]).T


def dense(graph):
    return np.array([W.toarray() for W in graph.adjacencies_])


@both
def test_fitted_attributes(coupling, series):
    graph = TimeVaryingGraph(4, window=20, coupling=coupling).fit(series)
    weights = dense(graph)
    assert weights.shape == (9, 15, 15)
    np.testing.assert_array_equal(weights, weights.transpose(0, 2, 1))
    assert np.all(weights >= 0)
    assert np.all(weights.sum(axis=2) > 0)  # no node is isolated, in no window
    for W, L in zip(graph.adjacencies_, graph.laplacians_, strict=True):
        assert W.format == L.format == "csr"
        np.testing.assert_allclose(L.toarray(), np.diag(W.sum(axis=1)) - W.toarray())
    np.testing.assert_allclose(graph.adjacency_.toarray(), weights.mean(axis=0))
    np.testing.assert_allclose(graph.laplacian_.toarray(), np.mean([L.toarray() for L in graph.laplacians_], axis=0))
    np.testing.assert_allclose(graph.changes_, np.abs(np.diff(weights, axis=0)).sum(axis=(1, 2)) / 2)
    np.testing.assert_allclose(graph.edges_per_node_, np.count_nonzero(weights) / (9 * 15))
    assert abs(graph.edges_per_node_ - 4) <= 0.04
    assert graph.n_components_ == connected_components(weights.sum(axis=0))[0]
    assert 0 <= graph.dual_gap_ <= 1e-6
    assert graph.dual_.shape == (9, 15)
    np.testing.assert_array_equal(graph.window_bounds_, np.arange(0, 181, 20))
    np.testing.assert_array_equal(graph.node_names_, np.arange(15))
    assert graph.n_features_in_ == 15


def test_l1_finds_the_window_where_the_graph_switches(series):
    graph = TimeVaryingGraph(4, window=20, gamma=10.0, coupling="l1").fit(series)
    assert np.argmax(graph.changes_) == 4
    assert graph.window_bounds_[5] == 100
    quiet = np.delete(graph.changes_, 4)
    assert graph.changes_[4] > 10 * quiet.max()


def test_stronger_coupling_changes_less(series):
    totals = [
        TimeVaryingGraph(alpha=1.0, beta=100.0, gamma=gamma, window=20).fit(series).changes_.sum()
        for gamma in (0.0, 1.0, 10.0, 100.0)
    ]
    assert np.all(np.diff(totals) < 0)


@both
def test_without_coupling_every_window_is_a_log_degree_graph(coupling, series):
    options = {"alpha": 2.0, "beta": 50.0, "tol": 1e-11}
    graph = TimeVaryingGraph(gamma=0.0, window=60, coupling=coupling, **options).fit(series)
    for t, W in enumerate(graph.adjacencies_):
        alone = LogDegreeGraph(nodes="columns", **options).fit(series[60 * t : 60 * t + 60])
        np.testing.assert_allclose(W.toarray(), alone.adjacency_.toarray(), atol=1e-5)


@both
def test_strong_coupling_is_one_graph_of_the_mean_distances(coupling, series):
    options = {"alpha": 2.0, "beta": 50.0, "tol": 1e-11}
    graph = TimeVaryingGraph(gamma=1e7, window=60, coupling=coupling, **options).fit(series)
    pooled = LogDegreeGraph(nodes="columns", **options).fit(series / np.sqrt(3))
    for W in graph.adjacencies_:
        np.testing.assert_allclose(W.toarray(), pooled.adjacency_.toarray(), atol=1e-5)


@both
def test_one_window_is_a_log_degree_graph(coupling, series):
    graph = TimeVaryingGraph(4, window=180, coupling=coupling).fit(series)
    alone = LogDegreeGraph(4, nodes="columns").fit(series)
    assert len(graph.adjacencies_) == 1
    assert graph.changes_.size == 0
    np.testing.assert_allclose(graph.adjacencies_[0].toarray(), alone.adjacency_.toarray(), atol=1e-4)


@pytest.fixture(scope="module")
def uneven():
    """60 readings of two crowds of 18 sensors; those of the second differ ten times as much from each other."""
    rng = np.random.default_rng(3)
    return np.hstack([width * (rng.normal(size=(60, 1)) + rng.normal(size=(60, 18))) for width in (1.0, 10.0)])


def scaled_distances(readings, window):
    """The distances of every window, divided by the scales and squared, and the scales."""
    z = np.array([cdist(part.T, part.T, "sqeuclidean") for part in np.split(readings, len(readings) // window)])
    scale = np.sqrt(np.sort(z.mean(axis=0), axis=1)[:, 15])  # the nearest is the node itself
    return (z / np.outer(scale, scale)) ** 2, scale


@both
def test_local_scales_divide_the_distances_of_all_windows(coupling, uneven):
    few = uneven[:, 9:27]
    graph = TimeVaryingGraph(beta=0.3, window=20, coupling=coupling, scale="local", gamma=0.5, tol=1e-11).fit(few)
    z, scale = scaled_distances(few, 20)
    np.testing.assert_allclose(graph.scale_, scale)
    pattern = PairSet.all_pairs(18)
    strength = 0.5 * (0.3 if coupling == "l2" else np.sqrt(0.3))
    z = z[:, pattern.rows, pattern.cols]
    _, w = cvxpy_graphs(pattern, z, beta=0.3, strength=strength, coupling=coupling)
    np.testing.assert_allclose(dense(graph)[:, pattern.rows, pattern.cols], w, atol=2e-4 * w.max())


def test_one_window_with_local_scales_is_a_log_degree_graph_with_them(uneven):
    graph = TimeVaryingGraph(4, window=60, scale="local").fit(uneven)
    alone = LogDegreeGraph(4, nodes="columns", scale="local").fit(uneven)
    np.testing.assert_allclose(graph.scale_, alone.scale_)
    np.testing.assert_allclose(graph.adjacency_.toarray(), alone.adjacency_.toarray(), atol=1e-4)


def test_strong_coupling_with_local_scales_is_one_graph_of_the_mean_local_distances(uneven):
    options = {"beta": 0.3, "tol": 1e-11}
    graph = TimeVaryingGraph(gamma=1e7, window=20, scale="local", **options).fit(uneven)
    z, _ = scaled_distances(uneven, 20)
    pooled = LogDegreeGraph(metric="precomputed", **options).fit(z.mean(axis=0))
    for W in graph.adjacencies_:
        np.testing.assert_allclose(W.toarray(), pooled.adjacency_.toarray(), atol=1e-5)


def test_with_local_scales_both_crowds_have_as_many_neighbors(uneven):
    ratio = {}
    for scale in ("global", "local"):
        neighbors = np.count_nonzero(dense(TimeVaryingGraph(6, window=20, scale=scale).fit(uneven)), axis=2).mean(
            axis=0
        )
        ratio[scale] = neighbors[:18].mean() / neighbors[18:].mean()
    assert ratio["global"] > 3
    assert 0.7 < ratio["local"] < 1.4


def test_a_scale_that_is_none_is_refused(series):
    with pytest.raises(ValueError, match="scale must be 'global' or 'local', got 'nearby'"):
        TimeVaryingGraph(4, scale="nearby").fit(series)


def test_windows_may_begin_where_the_caller_says(series):
    n = len(series)
    equal = TimeVaryingGraph(beta=30.0, window=n // 4).fit(series)
    same = TimeVaryingGraph(beta=30.0, window=equal.window_bounds_[:-1]).fit(series)
    np.testing.assert_allclose(same.adjacency_.toarray(), equal.adjacency_.toarray(), atol=1e-9)
    uneven = TimeVaryingGraph(beta=30.0, gamma=0, window=[0, n // 4]).fit(series)
    for W, part in zip(uneven.adjacencies_, (series[: n // 4], series[n // 4 :]), strict=True):
        scaled = part * np.sqrt(n / 2 / len(part))  # as if of the mean length
        alone = LogDegreeGraph(alpha=1.0, beta=30.0, nodes="columns").fit(scaled)
        np.testing.assert_allclose(W.toarray(), alone.adjacency_.toarray(), atol=1e-4)


@pytest.mark.parametrize("window", [[], [1, 5], [0, 5, 5], [0, 10**6], [0.0, 5.0], [[0, 5]]])
def test_windows_that_begin_nowhere_are_refused(window, series):
    with pytest.raises(ValueError, match="first signal of every window"):
        TimeVaryingGraph(window=window).fit(series)


def test_a_shorter_rest_joins_the_last_window(series):
    options = {"beta": 50.0, "gamma": 0.0, "window": 50, "tol": 1e-11}
    graph = TimeVaryingGraph(**options).fit(series)
    np.testing.assert_array_equal(graph.window_bounds_, [0, 50, 100, 180])
    last = LogDegreeGraph(beta=50.0, nodes="columns", tol=1e-11)
    last.fit(series[100:] * np.sqrt(50 / 80))
    np.testing.assert_allclose(graph.adjacencies_[2].toarray(), last.adjacency_.toarray(), atol=1e-5)


@both
def test_node_order_does_not_matter(coupling, series, rng):
    order = rng.permutation(15)
    learner = TimeVaryingGraph(4, window=30, coupling=coupling, tol=1e-11)
    ours, theirs = dense(clone(learner).fit(series)), dense(clone(learner).fit(series[:, order]))
    np.testing.assert_allclose(theirs, ours[:, order][:, :, order], atol=1e-4)


@both
def test_reversed_time_gives_reversed_graphs(coupling, series):
    learner = TimeVaryingGraph(4, window=30, coupling=coupling, tol=1e-11)
    ours, theirs = dense(clone(learner).fit(series)), dense(clone(learner).fit(series[::-1]))
    np.testing.assert_allclose(theirs[::-1], ours, atol=1e-4)


@both
@pytest.mark.parametrize("factor", [1e-6, 1e6])
def test_units_do_not_matter(coupling, factor, series):
    """With a density asked for, gamma means the same in any unit."""
    learner = TimeVaryingGraph(4, window=30, coupling=coupling, tol=1e-11)
    ours, scaled = clone(learner).fit(series), clone(learner).fit(factor * series)
    np.testing.assert_allclose(dense(scaled), dense(ours), atol=1e-4)
    np.testing.assert_allclose(scaled.theta_ * factor**2, ours.theta_, rtol=1e-4)


def test_rows_as_nodes_are_the_transposed_table(series):
    by_columns = TimeVaryingGraph(4, window=30).fit(series)
    by_rows = TimeVaryingGraph(4, window=30, nodes="rows").fit(series.T)
    np.testing.assert_array_equal(dense(by_rows), dense(by_columns))


def test_data_frames_keep_their_names(series):
    table = pd.DataFrame(series, columns=[f"sensor {i}" for i in range(15)])
    graph = TimeVaryingGraph(4, window=60).fit(table)
    assert graph.node_names_[3] == graph.feature_names_in_[3] == "sensor 3"


def test_constant_series_and_two_nodes():
    graph = TimeVaryingGraph(beta=1.0, window=5).fit(np.ones((20, 6)))
    np.testing.assert_allclose(dense(graph)[dense(graph) > 0], np.sqrt(1 / 5), rtol=1e-3)
    pair = TimeVaryingGraph(beta=1.0, window=5).fit(np.c_[np.ones(20), np.zeros(20)])
    assert dense(pair).shape == (4, 2, 2)


def test_not_converging_warns_and_says_the_gap(series):
    with pytest.warns(ConvergenceWarning, match="relative duality gap is"):
        TimeVaryingGraph(beta=50.0, gamma=5.0, window=20, tol=1e-12, max_iter=1).fit(series)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"window": 181}, "window of 181 signals is longer than the series, n_samples=180"),
        ({"window": 0}, "window"),
        ({"window": 2.5}, "window"),
        ({"coupling": "l0"}, "coupling must be 'l2' or 'l1', got 'l0'"),
        ({"gamma": -1.0}, "gamma"),
        ({"gamma": np.nan}, "gamma"),
        ({"beta": 0.0}, "beta"),
        ({"edges_per_node": 3, "beta": 1.0}, "either edges_per_node or alpha and beta"),
        ({"edges_per_node": 15}, "at most 14"),
        ({"nodes": "both"}, "nodes must be 'rows' or 'columns'"),
        ({"tol": 0}, "tol"),
    ],
)
def test_contradictions_are_refused(options, message, series):
    with pytest.raises(ValueError, match=message):
        TimeVaryingGraph(**options).fit(series)


def test_missing_numbers_are_refused(series):
    broken = series.copy()
    broken[3, 2] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        TimeVaryingGraph().fit(broken)


def test_more_distances_than_fit_into_memory_are_refused():
    with pytest.raises(ValueError, match="4,995,000,000 distances"):
        window_distances(np.zeros((1000, 10_000)), np.arange(10_001), 1)


@pytest.mark.parametrize("coupling", ["l2", "l1"])
@pytest.mark.parametrize("seed", [1, 2])
def test_one_window_far_out_of_scale_does_not_spoil_the_others(coupling, seed):
    X = np.random.default_rng(seed).normal(size=(120, 12))
    X[35, 3], X[35, 4] = 1e7, -2e7
    options = {"alpha": 1.0, "beta": 1.0, "gamma": 0.5, "window": 10, "coupling": coupling}
    assert TimeVaryingGraph(**options).fit(X).dual_gap_ <= 1e-6  # a warning is an error


def test_without_gaps_pairwise_distances_change_nothing(rng):
    X = rng.normal(size=(40, 6))
    plain, pairwise = (TimeVaryingGraph(2, missing=missing).fit(X) for missing in ("error", "pairwise"))
    for one, other in zip(plain.adjacencies_, pairwise.adjacencies_, strict=True):
        np.testing.assert_allclose(one.toarray(), other.toarray(), atol=1e-6)


def test_gaps_leave_the_values_that_both_nodes_have(rng):
    X = rng.normal(size=(20, 4))
    X[3, 0] = X[15, 2] = np.nan
    z = window_distances(X.T, np.array([0, 10, 20]), 10, missing="pairwise")
    for t, window in enumerate((X[:10], X[10:])):
        pairs = ((i, j) for i in range(4) for j in range(i + 1, 4))
        expected = [10 * np.nanmean((window[:, i] - window[:, j]) ** 2) for i, j in pairs]
        np.testing.assert_allclose(z[t], expected)


def test_a_pair_without_values_in_a_window_has_its_mean_distance(rng):
    X = rng.normal(size=(30, 4))
    X[10:20, 1] = np.nan
    z = window_distances(X.T, np.array([0, 10, 20, 30]), 10, missing="pairwise")
    with_1 = [0, 3, 4]
    np.testing.assert_allclose(z[1, with_1], z[[0, 2]][:, with_1].mean(axis=0))
    graph = TimeVaryingGraph(2, missing="pairwise").fit(X)
    assert all(np.diff(W.indptr).min() > 0 for W in graph.adjacencies_)
    X[:, 2] = np.nan
    with pytest.raises(InputError, match="share no signal in any window"):
        TimeVaryingGraph(2, missing="pairwise").fit(X)
    with pytest.raises(InputError, match="NaN"):
        TimeVaryingGraph(2).fit(X)
