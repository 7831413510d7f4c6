import tracemalloc

import numpy as np
import pytest
import scipy.linalg
import scipy.sparse as sp
import scipy.sparse.linalg
from hypothesis import given
from hypothesis import strategies as st
from small_graphs import laplacian, random_graph, ring

from smoothgraph import LogDegreeGraph
from smoothgraph.generate import (
    add_noise,
    filter_signals,
    generative,
    heat,
    non_uniform,
    random_geometric,
    smooth_signals,
    tikhonov,
)

METHODS = ("exact", "chebyshev")


def bump(lam):
    """A user-defined filter: a band in the middle."""
    return np.exp(-(((lam - 0.4) / 0.1) ** 2)) - 0.2 * lam


SMOOTH_FILTERS = {"tikhonov": tikhonov(), "heat": heat(), "bump": bump}


def normalized_laplacian(W):
    """``L / |L|_2``, or zeros."""
    L = laplacian(W)
    norm = np.linalg.norm(L, 2)
    return L / norm if norm > 0 else L


graphs = st.builds(
    random_graph, m=st.integers(2, 30), rng=st.integers(0, 1000), density=st.sampled_from([0.0, 0.05, 0.3, 1.0])
)


@pytest.mark.parametrize("method", METHODS)
@given(W=graphs, strength=st.floats(0, 100))
def test_tikhonov_solves_its_system(method, W, strength):
    x0 = np.random.default_rng(0).normal(size=len(W))
    expected = np.linalg.solve(np.eye(len(W)) + strength * normalized_laplacian(W), x0)
    x = filter_signals(W, tikhonov(strength), x0, method=method)
    np.testing.assert_allclose(x, expected, atol=1e-8)


@pytest.mark.parametrize("method", METHODS)
@given(W=graphs, time=st.floats(0, 100))
def test_heat_is_the_matrix_exponential(method, W, time):
    expected = scipy.linalg.expm(-time * normalized_laplacian(W))
    x = filter_signals(W, heat(time), np.eye(len(W)), method=method)
    np.testing.assert_allclose(x, expected, atol=1e-8)


@given(W=graphs)
def test_generative_covariance_is_the_pseudoinverse(W):
    H = filter_signals(W, generative(), np.eye(len(W)))
    expected = scipy.linalg.pinvh(normalized_laplacian(W))
    np.testing.assert_allclose(H @ H.T, expected, atol=1e-8 * max(1, expected.max()))


def test_generative_sample_covariance():
    graph = random_geometric(20, threshold=0.3, random_state=0)
    X = smooth_signals(graph, 200_000, generative(), random_state=0)
    expected = scipy.linalg.pinvh(normalized_laplacian(graph.adjacency.toarray()))
    np.testing.assert_allclose(X @ X.T / 200_000, expected, atol=0.02 * expected.max())


def test_generative_has_mean_zero_on_each_component():
    W = sp.block_diag([np.ones((k, k)) for k in (1, 4, 9)]).toarray()
    X = filter_signals(W, generative(), np.random.default_rng(0).normal(size=(14, 5)))
    for rows in (slice(0, 1), slice(1, 5), slice(5, 14)):
        np.testing.assert_allclose(X[rows].sum(axis=0), 0, atol=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_zero_eigenvalues_are_exactly_zero(method):
    seen = []

    def indicator(lam):
        seen.extend(lam)
        return np.ones_like(lam)

    W = non_uniform(60, threshold=0.7, random_state=0).adjacency
    n_components = sp.csgraph.connected_components(W)[0]
    assert n_components > 3
    x = np.arange(60.0)
    np.testing.assert_allclose(filter_signals(W, indicator, x, method=method), x, atol=1e-9)
    assert 0 <= min(seen) <= max(seen) <= 1
    assert max(seen) == 1
    assert seen.count(0) == (n_components if method == "exact" else 1)


@pytest.mark.parametrize("name", SMOOTH_FILTERS)
@given(W=graphs)
def test_both_methods_agree(name, W):
    X = np.random.default_rng(1).normal(size=(len(W), 3))
    exact, polynomial = (filter_signals(W, SMOOTH_FILTERS[name], X, method=method) for method in METHODS)
    np.testing.assert_allclose(polynomial, exact, atol=1e-8)


@pytest.mark.parametrize("name", SMOOTH_FILTERS)
@pytest.mark.parametrize("m", [300, 301])
def test_both_methods_agree_on_a_ring(name, m):
    """The largest eigenvalues of a ring are close together."""
    X = np.random.default_rng(1).normal(size=(m, 3))
    exact, polynomial = (filter_signals(ring(m), SMOOTH_FILTERS[name], X, method=method) for method in METHODS)
    np.testing.assert_allclose(polynomial, exact, atol=1e-8)


def test_many_nodes_need_no_dense_matrix():
    """A matrix of all pairs of 3000 nodes would take 72 MB."""
    graph = random_geometric(3000, sigma=0.03, random_state=0)
    x0 = np.random.default_rng(0).normal(size=3000)
    tracemalloc.start()
    x = filter_signals(graph, tikhonov(), x0)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20e6
    L = sp.csgraph.laplacian(graph.adjacency)
    norm = scipy.sparse.linalg.eigsh(L, k=1, which="LA", return_eigenvectors=False)[0]
    expected = scipy.sparse.linalg.spsolve((sp.eye_array(3000) + 10 / norm * L).tocsc(), x0)
    np.testing.assert_allclose(x, expected, atol=1e-8)


@pytest.mark.parametrize("sharp", [generative(), lambda lam: (lam > 0).astype(float)])
def test_filters_too_sharp_for_a_polynomial_are_refused_with_a_remedy(sharp):
    """This includes a filter that is smooth except at 0, an eigenvalue of every graph."""
    W = random_graph(20, 0, 0.3)
    with pytest.raises(ValueError, match=r'near lambda = 0 for .* use method="exact"'):
        filter_signals(W, sharp, np.ones(20), method="chebyshev")
    assert np.all(np.isfinite(filter_signals(W, sharp, np.ones(20), method="exact")))


def test_the_place_of_a_step_is_named():
    with pytest.raises(ValueError, match=r"near lambda = 0\.3\d* for a polynomial"):
        filter_signals(np.ones((4, 4)), lambda lam: (lam < 0.3) * 1.0, np.ones(4), method="chebyshev")


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (lambda lam: lam.mean(), r"one number per eigenvalue, shape \(\d+,\), got shape \(\)"),
        (lambda lam: lam[:-1], "one number per eigenvalue"),
        (lambda lam: np.where(lam == 0, np.inf, 1.0), "finite on .* got inf at lambda = 0"),
        (lambda lam: np.full_like(lam, np.nan), "finite on .* got nan at"),
    ],
)
def test_bad_filters_are_refused(method, bad, message):
    with pytest.raises(ValueError, match=message):
        filter_signals(random_graph(8, 0, 0.5), bad, np.ones(8), method=method)


@pytest.mark.parametrize("method", METHODS)
def test_scale_and_order_of_the_nodes(method, rng):
    W, X = random_graph(25, 3, 0.2), rng.normal(size=(25, 2))
    expected = filter_signals(W, heat(), X, method=method)
    np.testing.assert_allclose(filter_signals(1e-30 * W, heat(), X, method=method), expected, atol=1e-9)
    order = rng.permutation(25)
    np.testing.assert_allclose(
        filter_signals(W[np.ix_(order, order)], heat(), X[order], method=method), expected[order], atol=1e-9
    )


@pytest.mark.parametrize("method", METHODS)
def test_one_signal_many_signals_and_none(method, rng):
    W, X = random_graph(12, 0, 0.3), rng.normal(size=(12, 5))
    kept = X.copy()
    together = filter_signals(W, tikhonov(), X, method=method)
    np.testing.assert_array_equal(X, kept)
    assert together.shape == (12, 5)
    alone = filter_signals(sp.coo_matrix(W), tikhonov(), X[:, 1].tolist(), method=method)
    assert alone.shape == (12,)
    np.testing.assert_allclose(alone, together[:, 1], atol=1e-12)
    assert filter_signals(W, tikhonov(), X[:, :0], method=method).shape == (12, 0)


def test_learners_and_generated_graphs(rng):
    graph = random_geometric(40, random_state=0)
    x = rng.normal(size=40)
    np.testing.assert_array_equal(filter_signals(graph, heat(), x), filter_signals(graph.adjacency, heat(), x))
    learner = LogDegreeGraph(5).fit(graph.positions)
    np.testing.assert_array_equal(filter_signals(learner, heat(), x), filter_signals(learner.adjacency_, heat(), x))


def test_smooth_signals_are_smoother_and_reproduce():
    graph = random_geometric(80, random_state=0)
    L = normalized_laplacian(graph.adjacency.toarray())

    def roughness(X):
        return np.trace(X.T @ L @ X) / np.sum(X**2)

    X = smooth_signals(graph, 50, heat(), random_state=3)
    assert X.shape == (80, 50)
    np.testing.assert_array_equal(smooth_signals(graph, 50, heat(), random_state=3), X)
    assert np.any(smooth_signals(graph, 50, heat(), random_state=4) != X)
    assert roughness(X) < 0.3 * roughness(np.random.default_rng(0).normal(size=(80, 50)))


def test_smooth_signals_are_the_same_with_noise_on_top():
    graph = random_geometric(50, random_state=0)
    X, noisy = (smooth_signals(graph, 30, tikhonov(), noise=noise, random_state=0) for noise in (0, 0.1))
    np.testing.assert_allclose(np.linalg.norm(noisy - X), 0.1 * np.linalg.norm(X), rtol=1e-12)
    white = np.random.default_rng(0).standard_normal((50, 30))
    np.testing.assert_array_equal(X, filter_signals(graph, tikhonov(), white))


@given(seed=st.integers(0, 1000), noise=st.floats(0, 10), n=st.integers(1, 20))
def test_the_size_of_the_noise_is_exact(seed, noise, n):
    signals = np.random.default_rng(seed).normal(size=(n, 3))
    kept = signals.copy()
    noisy = add_noise(signals, noise, random_state=seed)
    np.testing.assert_array_equal(signals, kept)
    np.testing.assert_allclose(np.linalg.norm(noisy - signals), noise * np.linalg.norm(signals), rtol=1e-9, atol=1e-12)
    np.testing.assert_array_equal(add_noise(signals, noise, random_state=seed), noisy)


def test_noise_of_nothing():
    signals = np.ones((3, 2))
    assert add_noise(signals, 0) is not signals
    np.testing.assert_array_equal(add_noise(signals, 0), signals)
    np.testing.assert_array_equal(add_noise(np.zeros((3, 2)), 0.5), np.zeros((3, 2)))
    assert add_noise(np.zeros((3, 0)), 0.5).shape == (3, 0)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda W: filter_signals(W, heat(), np.ones(4)), r"per node, 3, got shape \(4,\)"),
        (lambda W: filter_signals(W, heat(), np.ones((1, 3))), "transpose them"),
        (lambda W: filter_signals(W, heat(), [1.0, np.nan, 1.0]), "NaN"),
        (lambda W: filter_signals(W[:2], heat(), np.ones(3)), "square"),
        (lambda W: filter_signals(W, heat(), np.ones(3), method="fast"), "method must be"),
        (lambda W: smooth_signals(W, 0, heat()), "n_signals must be a finite number >= 1"),
        (lambda W: smooth_signals(W, 1.5, heat()), "n_signals must be an integer"),
        (lambda W: smooth_signals(W, 2, heat(), noise=-1), "noise must be a finite number >= 0"),
        (lambda W: add_noise(W, np.nan), "noise"),
        (lambda W: filter_signals(W, tikhonov(-1), W), "strength"),
        (lambda W: filter_signals(W, heat(np.inf), W), "time"),
    ],
)
def test_bad_arguments_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call(np.ones((3, 3)))
