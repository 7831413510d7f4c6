"""Groups: every node has a share of its weight for each other group, and the graph is the optimum with these shares."""

import warnings

import cvxpy as cp
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from engines import brute_force
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import pdist, squareform
from sklearn import config_context
from sklearn.base import clone
from sklearn.datasets import load_digits
from sklearn.neighbors import KNeighborsTransformer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from smoothgraph import GroupWarning, L2DegreeGraph, LogDegreeGraph, PrimalDual, SmoothGraph
from smoothgraph.support.input_error import InputError


def apart(m, n_groups, seed=0, distance=3.0):
    """The same cloud in every group, moved by a vector of the group."""
    rng = np.random.default_rng(seed)
    groups = rng.permutation(np.arange(m) % n_groups)
    return rng.normal(size=(m, 3)) + distance * rng.normal(size=(n_groups, 3))[groups], groups


def shares_of(W, groups):
    """The share of each node's weight that goes to each group, computed anew."""
    weights = np.stack([W[:, groups == g].sum(axis=1) for g in np.unique(groups)], axis=1)
    return weights / weights.sum(axis=1, keepdims=True)


def least_share(W, groups):
    """The smallest share of a node for a group that is not its own."""
    shares = shares_of(W, groups)
    shares[groups[:, None] == np.unique(groups)] = np.inf
    return shares.min()


def neighbors(graph):
    return np.diff(graph.adjacency_.indptr)


def objective(W, Z, groups, *, alpha, beta, share):
    """The model in matrix form, with a sum over nodes and one over nodes and other groups."""
    i, j = np.triu_indices(len(Z), 1)
    degrees = W.sum(axis=1)
    value = 2 * Z[i, j] @ W[i, j] + beta * np.sum(W[i, j] ** 2) - alpha * np.sum(np.log(degrees))
    for g in np.unique(groups):
        others = groups != g
        value -= 0.01 * alpha * np.sum(np.log(W[others][:, groups == g].sum(axis=1) - share * degrees[others]))
    return value


def reference_optimum(Z, groups, *, alpha, beta, share):
    """The optimal value by a general solver, from the weights between nodes and groups."""
    m = len(Z)
    i, j = np.triu_indices(m, 1)
    w = cp.Variable(len(i), nonneg=True)
    ends = np.concatenate([i, j]), np.concatenate([j, i])
    e = np.tile(np.arange(len(i)), 2)

    def sums(other_end):
        return sp.csr_array((other_end[ends[1]].astype(float), (ends[0], e)), shape=(m, len(i))) @ w

    degrees = sums(np.ones(m))
    value = 2 * Z[i, j] @ w + beta * cp.sum_squares(w) - alpha * cp.sum(cp.log(degrees))
    for g in np.unique(groups):
        others = np.flatnonzero(groups != g)
        value -= 0.01 * alpha * cp.sum(cp.log(sums(groups == g)[others] - share * degrees[others]))
    model = cp.Problem(cp.Minimize(value))
    model.solve(solver=cp.CLARABEL, tol_gap_abs=1e-9, tol_gap_rel=1e-9, tol_feas=1e-9)
    assert model.status == "optimal"
    return model.value


@pytest.mark.parametrize(
    ("sizes", "share"), [((15, 15), 0.2), ((12, 10, 8), 0.3), ((26, 2), 0.1), ((27, 1), 0.4), ((20, 1, 1), 0.2)]
)
def test_the_optimum_is_that_of_a_general_solver(sizes, share, rng):
    groups = np.repeat(np.arange(len(sizes)), sizes)
    X = rng.normal(size=(len(groups), 3)) + 2 * groups[:, None]
    Z, model = squareform(pdist(X, "sqeuclidean")), {"alpha": 1.5, "beta": 0.7}
    graph = LogDegreeGraph(**model, group_share=share, tol=1e-10).fit(X, groups=groups)
    assert graph.dual_gap_ <= 1e-10
    W = graph.adjacency_.toarray()
    expected = reference_optimum(Z, groups, **model, share=share)
    np.testing.assert_allclose(objective(W, Z, groups, **model, share=share), expected, rtol=1e-6)
    assert least_share(W, groups) > share


def test_edges_follow_from_the_multipliers_and_no_pair_is_missing():
    X, groups = apart(90, 3)
    graph = LogDegreeGraph(6, tol=1e-9).fit(X, groups=groups)
    assert graph.is_exact_
    u = graph.group_dual_[:, groups]
    v = u + u.T - 2 * squareform(pdist(X, "sqeuclidean"))
    np.fill_diagonal(v, 0)
    np.testing.assert_allclose(graph.adjacency_.toarray(), np.maximum(v, 0) * graph.theta_ / 2, atol=1e-7)


@given(seed=st.integers(0, 2**32 - 1), m=st.integers(6, 40))
def test_the_shares_hold_or_are_warned_of(seed, m):
    rng = np.random.default_rng(seed)
    n_groups = int(rng.integers(2, 5))
    groups = rng.integers(0, n_groups, size=m)
    groups[:n_groups] = np.arange(n_groups)
    X = rng.normal(size=(m, 2)) * np.exp(rng.normal(size=(m, 1))) + 5 * rng.normal(size=(n_groups, 2))[groups]
    share = float(rng.uniform(0.01, 0.99 / (n_groups - 1)))
    scale, beta = str(rng.choice(["local", "global"])), float(10 ** rng.uniform(-1, 2))
    graph = LogDegreeGraph(alpha=1.0, beta=beta, scale=scale, group_share=share)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        graph.fit(X, groups=groups)
    told = any(issubclass(warning.category, GroupWarning) for warning in caught)
    assert told or least_share(graph.adjacency_.toarray(), groups) >= share * (1 - 1e-8)
    np.testing.assert_allclose(graph.group_shares_, shares_of(graph.adjacency_.toarray(), groups), atol=1e-12)


def test_one_group_is_the_plain_model():
    X, _ = apart(60, 1)
    plain = LogDegreeGraph(6).fit(X)
    with pytest.warns(GroupWarning, match="All nodes are in the same group, 'all'") as told:
        graph = LogDegreeGraph(6).fit(X, groups=np.full(60, "all"))
    assert told[0].filename == __file__
    np.testing.assert_array_equal(graph.adjacency_.toarray(), plain.adjacency_.toarray())
    assert not hasattr(graph, "groups_")


def test_a_learner_without_groups_names_those_with_groups():
    X, groups = apart(60, 2)
    for method in ("fit", "fit_transform"):
        with pytest.raises(InputError, match="L2DegreeGraph takes no groups; use LogDegreeGraph or SmoothGraph"):
            getattr(L2DegreeGraph(6), method)(X, groups=groups)


def test_where_groups_do_not_differ_little_changes():
    """The shares are met anyway: the terms of the barrier that ask for them are a hundredth of the others."""
    X, groups = apart(300, 2, distance=0.0)
    plain = LogDegreeGraph(10).fit(X).adjacency_.toarray()
    W = LogDegreeGraph(10, group_share=0.05).fit(X, groups=groups).adjacency_.toarray()
    assert np.abs(W - plain).sum() < 0.1 * plain.sum()


def test_neither_labels_nor_their_type_nor_the_order_of_nodes_nor_the_unit_matters(rng):
    X, groups = apart(80, 3)
    options = {"edges_per_node": 6, "scale": "local", "tol": 1e-10}

    def learn(X, groups):
        return LogDegreeGraph(**options).fit(X, groups=groups).adjacency_.toarray()

    expected, names = learn(X, groups), np.array(["north", "south", "west"])
    for labels in (names[groups], pd.Series(pd.Categorical(names[groups])), list(names[groups]), 2.5 - groups):
        np.testing.assert_allclose(learn(X, labels), expected, atol=1e-7)
    np.testing.assert_allclose(learn(1024 * X, groups), expected, atol=1e-7)
    order = rng.permutation(80)
    np.testing.assert_allclose(learn(X[order], groups[order]), expected[np.ix_(order, order)], atol=1e-5)


@pytest.mark.parametrize("n_members", [1, 2])
def test_a_tiny_group_becomes_hubs_and_that_is_warned_of(n_members):
    X, _ = apart(200, 1)
    groups = np.where(np.arange(200) < n_members, "tiny", "large")
    with pytest.warns(GroupWarning, match=rf"group 'tiny' \(size {n_members}\) have .* neighbors on average"):
        graph = LogDegreeGraph(6).fit(X, groups=groups)
    assert graph.is_exact_
    assert least_share(graph.adjacency_.toarray(), groups) > 0.1
    assert neighbors(graph)[n_members:].min() >= 1
    np.testing.assert_allclose(graph.edges_per_node_, 6, rtol=0.01)


def test_a_floor_counts_the_neighbors_of_whole_nodes():
    X, groups = apart(60, 2)
    X[:3] *= 5
    plain = LogDegreeGraph(alpha=1.0, beta=30.0).fit(X, groups=groups)
    graph = LogDegreeGraph(alpha=1.0, beta=30.0, min_edges=5).fit(X, groups=groups)
    assert neighbors(plain).min() < 5 <= neighbors(graph).min()
    assert graph.node_weights_.shape == (60,)
    assert graph.node_weights_.min() == 1 < graph.node_weights_.max()
    assert least_share(graph.adjacency_.toarray(), groups) > 0.1


def test_the_safe_graph_of_two_batches():
    X, y = load_digits(return_X_y=True)
    X, y, batch = X[:600], y[:600], np.arange(600) % 2
    X = X + 20 * batch[:, None] * np.eye(64)[0]
    plain, graph = SmoothGraph().fit(X), SmoothGraph().fit(X, groups=batch)
    assert least_share(plain.adjacency_.toarray(), batch) == 0
    assert least_share(graph.adjacency_.toarray(), batch) > 0.1
    assert graph.n_components_ == 1
    cross = graph.adjacency_.toarray() * (batch[:, None] != batch)
    assert np.sum(cross * (y[:, None] == y)) > 0.9 * np.sum(cross)


def test_identical_rows_of_different_groups_stay_apart(rng):
    X, groups = apart(60, 2)
    X, groups = np.vstack([X, X[:20]]), np.concatenate([groups, groups[:10], 1 - groups[10:20]])
    graph = LogDegreeGraph(6, merge_identical=True).fit(X, groups=groups)
    np.testing.assert_array_equal(graph.dual_[60:70], graph.dual_[:10])
    assert np.all(graph.dual_[70:] != graph.dual_[10:20])
    assert graph.group_shares_.shape == graph.group_dual_.shape == (80, 2)
    assert graph.group_shares_[np.arange(80), 1 - groups].min() > 0.1
    sparse = LogDegreeGraph(6, merge_identical=True).fit(sp.csr_array(X), groups=groups)
    np.testing.assert_allclose(sparse.adjacency_.toarray(), graph.adjacency_.toarray(), atol=1e-6)


def test_bridges_join_what_groups_leave_apart():
    X, groups = apart(120, 2, distance=1.0)
    X[:60] += 100
    apart_ = LogDegreeGraph(5).fit(X, groups=groups)
    joined = LogDegreeGraph(5, connected=True).fit(X, groups=groups)
    assert apart_.n_components_ > 1 == joined.n_components_
    assert len(joined.bridges_) == apart_.n_components_ - 1


def test_missing_values_other_metrics_and_precomputed_distances():
    X, groups = apart(70, 2)
    expected = LogDegreeGraph(6, tol=1e-9).fit(X, groups=groups).adjacency_.toarray()
    Z = squareform(pdist(X, "sqeuclidean"))
    learned = LogDegreeGraph(6, tol=1e-9, metric="precomputed").fit(Z, groups=groups).adjacency_.toarray()
    np.testing.assert_allclose(learned, expected, atol=1e-6)
    blocks = LogDegreeGraph(alpha=1.0, beta=10.0, metric="cityblock").fit(X, groups=groups)
    assert least_share(blocks.adjacency_.toarray(), groups) > 0.1
    X[3, 1] = np.nan
    graph = LogDegreeGraph(6, missing="pairwise").fit(X, groups=groups)
    assert least_share(graph.adjacency_.toarray(), groups) > 0.1
    columns = LogDegreeGraph(6, nodes="columns", missing="pairwise").fit(X.T, groups=groups)
    np.testing.assert_array_equal(columns.adjacency_.toarray(), graph.adjacency_.toarray())


def test_nodes_without_a_pair_with_a_group_are_named():
    X, groups = apart(60, 2, distance=50.0)
    X = pd.DataFrame(X, index=[f"cell {k}" for k in range(60)])
    graph = LogDegreeGraph(4, neighbors=KNeighborsTransformer(n_neighbors=8))
    with pytest.warns(GroupWarning, match=r"60 of 60 nodes have less than 0.1 .*: cell 0, cell 1, .* Give candidate"):
        graph.fit(X, groups=groups)
    assert np.all(np.isnan(graph.group_dual_[np.arange(60), 1 - groups]))
    assert graph.violations_ is None


def test_another_fit_starts_from_the_last_one():
    X, groups = apart(100, 2)
    graph = LogDegreeGraph(alpha=1.0, beta=20.0, warm_start=True, merge_identical=True).fit(X, groups=groups)
    first, n_iter = graph.adjacency_.toarray(), graph.n_iter_
    graph.fit(X, groups=groups)
    assert graph.n_iter_ <= 2 < n_iter
    np.testing.assert_allclose(graph.adjacency_.toarray(), first, atol=1e-6)
    graph.fit(X, groups=np.roll(groups, 1))
    assert least_share(graph.adjacency_.toarray(), np.roll(groups, 1)) > 0.1
    graph.fit(X)
    assert not hasattr(graph, "group_dual_")
    np.testing.assert_allclose(
        graph.adjacency_.toarray(), LogDegreeGraph(alpha=1.0, beta=20.0).fit(X).adjacency_.toarray(), atol=1e-4
    )


def test_in_scikit_learn():
    X, groups = apart(40, 2)
    graph = clone(SmoothGraph(5, group_share=0.2))
    W = graph.fit_transform(X, groups=groups)
    assert least_share(W.toarray(), groups) > 0.2
    with config_context(enable_metadata_routing=True):
        pipeline = make_pipeline(StandardScaler(), SmoothGraph(5).set_fit_request(groups=True))
        learned = pipeline.fit(X, groups=groups)[-1]
    assert least_share(learned.adjacency_.toarray(), groups) > 0.1


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ([0, 1], r"one label per node, \(20,\), got shape \(2,\)"),
        (np.zeros((20, 2)), r"one label per node, \(20,\), got shape \(20, 2\)"),
        ([np.nan] + 19 * [1.0], "node 0 has none"),
        (19 * ["a"] + [None], "node 19 has none"),
        (pd.Series(19 * ["a"] + [pd.NA]), "node 19 has none"),
        (pd.Categorical(19 * ["a"] + [np.nan]), "node 19 has none"),
        (np.array([1, "a"] * 10, dtype=object), "labels of one kind"),
    ],
)
def test_impossible_groups(groups, message, rng):
    with pytest.raises(ValueError, match=message):
        LogDegreeGraph(4).fit(rng.normal(size=(20, 2)), groups=groups)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"group_share": 1.0}, "group_share must be below 1/1"),
        ({"group_share": 0}, "group_share must be"),
        ({"alpha": 1.0, "beta": 0.0}, "beta must be a finite number > 0"),
    ],
)
def test_impossible_shares(options, message, rng):
    with pytest.raises(ValueError, match=message):
        LogDegreeGraph(**options).fit(rng.normal(size=(20, 2)), groups=np.arange(20) % 2)


@pytest.mark.parametrize(
    ("options", "n_nodes", "message"),
    [
        ({"neighbors": brute_force}, 50, "groups need pairs of every two groups: use neighbors='auto'"),
        ({"metric": "absolute_correlation"}, 10_001, r"do not fit into memory \(of 10000 they do\)"),
    ],
)
def test_pairs_that_no_search_finds_between_groups(options, n_nodes, message, rng):
    with pytest.raises(ValueError, match=message):
        LogDegreeGraph(4, **options).fit(rng.normal(size=(n_nodes, 3)), groups=np.arange(n_nodes) % 2)


def test_what_knows_no_groups_says_so(rng):
    X, groups = apart(40, 2)
    graph = LogDegreeGraph(5).fit(X, groups=groups)
    for call in (graph.transform, graph.partial_fit):
        with pytest.raises(ValueError, match="takes no groups, but the last fit had some"):
            call(X[:3])
    with pytest.raises(TypeError, match="PrimalDual"):
        LogDegreeGraph(alpha=1.0, solver=PrimalDual()).fit(X, groups=groups)


def searched():
    """More nodes than those of which all pairs are candidates, and one group that is smaller than the others."""
    X, groups = apart(4100, 2, distance=1.0)
    groups[:300] = 2
    return X, groups


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"metric": "cityblock", "scale": "local", "connected": True},
        {"metric": "euclidean", "neighbors": "approximate"},
    ],
)
def test_a_search_finds_every_edge_between_groups(options):
    X, groups = searched()
    graph = LogDegreeGraph(8, **options).fit(X, groups=groups)
    Z = squareform(pdist(X, options.get("metric", "sqeuclidean")))
    if "scale" in options:
        Z = (Z / np.outer(graph.scale_, graph.scale_)) ** 2
    toward = graph.group_dual_[:, groups]
    slack = toward + toward.T - 2 * Z
    np.fill_diagonal(slack, -np.inf)
    W = graph.adjacency_.toarray()
    if options.get("connected"):
        W[tuple(graph.bridges_.T)] = W[tuple(graph.bridges_.T[::-1])] = 0
    missed = (slack > 1e-9 * np.max(np.abs(toward))) & (W == 0)
    if graph.is_exact_:
        assert not np.any(missed)
    else:
        assert np.sum(missed) / 2 <= graph.violations_.pairs + 4 * graph.violations_.standard_error
    assert graph.is_exact_ == ("neighbors" not in options)
    assert least_share(W, groups) > 0.1
    assert graph.n_components_ == 1 or not options.get("connected")
