import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse.csgraph import connected_components
from sklearn.datasets import load_digits
from small_graphs import laplacian, random_graph, ring

from smoothgraph import LogDegreeGraph
from smoothgraph.tasks import tikhonov_denoise


@given(
    seed=st.integers(0, 1000),
    m=st.integers(2, 30),
    density=st.sampled_from([0.0, 0.05, 0.3]),
    strength=st.floats(0, 1e4),
)
def test_against_the_spectral_filter(seed, m, density, strength):
    """``U diag(1 / (1 + strength lambda)) U' signals``."""
    W = random_graph(m, seed, density)
    signals = np.random.default_rng(seed).normal(size=(m, 3))
    values, U = np.linalg.eigh(laplacian(W))
    expected = U @ ((U.T @ signals) / (1 + strength * values)[:, None])
    np.testing.assert_allclose(tikhonov_denoise(W, signals, strength=strength), expected, atol=1e-9)


def test_no_other_signal_has_a_smaller_objective(rng):
    W, strength = random_graph(20, 1, 0.2), 2.5
    L, signals = laplacian(W), rng.normal(size=(20, 4))

    def objective(X):
        return np.sum((X - signals) ** 2) + strength * np.trace(X.T @ L @ X)

    best = tikhonov_denoise(W, signals, strength=strength)
    for size in (1e-3, 1e-1, 10):
        for _ in range(20):
            assert objective(best) < objective(best + size * rng.normal(size=(20, 4)))


def test_components_keep_their_means_and_become_constant():
    W = sp.block_diag([random_graph(15, 2, 0.5), random_graph(10, 3, 0.6), np.zeros((1, 1))])
    _, component = connected_components(W)
    assert component.max() == 2
    x = np.arange(26.0)
    means = (np.bincount(component, x) / np.bincount(component))[component]
    np.testing.assert_allclose(tikhonov_denoise(W, x, strength=1e9), means, rtol=1e-6)


def test_strength_zero_gives_the_signals_back(rng):
    signals = rng.normal(size=(12, 2))
    kept = signals.copy()
    np.testing.assert_array_equal(tikhonov_denoise(random_graph(12, 0, 0.2), signals, strength=0), signals)
    np.testing.assert_array_equal(signals, kept)


def test_one_signal_many_signals_and_none(rng):
    W, signals = random_graph(12, 0, 0.2), rng.normal(size=(12, 5))
    together = tikhonov_denoise(W, signals, strength=0.7)
    assert together.shape == (12, 5)
    for column in range(5):
        alone = tikhonov_denoise(sp.coo_matrix(W), signals[:, column], strength=0.7)
        assert alone.shape == (12,)
        np.testing.assert_allclose(alone, together[:, column], atol=1e-12)
    assert tikhonov_denoise(W, signals[:, :0], strength=0.7).shape == (12, 0)
    assert tikhonov_denoise(W, signals[:, 0].tolist(), strength=0.7).shape == (12,)
    whole = np.arange(12)
    np.testing.assert_allclose(tikhonov_denoise(W, whole, strength=1), tikhonov_denoise(W, 1.0 * whole, strength=1))


def test_fitted_learner(rng):
    """The graph of noisy images reduces their noise."""
    X = load_digits().data[:300]
    noisy = X + rng.normal(scale=4, size=X.shape)
    graph = LogDegreeGraph(10).fit(noisy)
    degree = graph.adjacency_.sum(axis=1).mean()
    smooth = tikhonov_denoise(graph, noisy, strength=1 / degree)
    np.testing.assert_array_equal(smooth, tikhonov_denoise(graph.adjacency_, noisy, strength=1 / degree))
    assert np.linalg.norm(smooth - X) < 0.8 * np.linalg.norm(noisy - X)


def test_pandas_in_pandas_out(rng):
    W, values = random_graph(4, 0, 0.8), rng.normal(size=(4, 2))
    index, columns = pd.Index(list("dcba"), name="station"), ["rain", "wind"]
    table = pd.DataFrame(values, index=index, columns=columns)
    smooth = tikhonov_denoise(W, table, strength=2)
    expected = pd.DataFrame(tikhonov_denoise(W, values, strength=2), index=index, columns=columns)
    pd.testing.assert_frame_equal(smooth, expected)
    pd.testing.assert_series_equal(tikhonov_denoise(W, table["wind"], strength=2), expected["wind"], atol=1e-12)


@pytest.mark.parametrize("strength", [-1, np.nan, np.inf, None, "1", True])
def test_bad_strengths_are_refused(strength):
    with pytest.raises(ValueError, match="strength"):
        tikhonov_denoise(random_graph(3, 0, 0.2), np.ones(3), strength=strength)


@pytest.mark.parametrize(
    ("signals", "error", "message"),
    [
        (np.ones(4), ValueError, r"one row per node, 3, got shape \(4,\)"),
        (np.ones((2, 3)), ValueError, r"one row per node, 3, got shape \(2, 3\)"),
        (np.ones((3, 2, 2)), ValueError, "dim 3"),
        ([1.0, np.nan, 0.0], ValueError, "NaN"),
        (sp.csr_array(np.ones((3, 2))), TypeError, "[Ss]parse"),
    ],
)
def test_bad_signals_are_refused(signals, error, message):
    with pytest.raises(error, match=message):
        tikhonov_denoise(random_graph(3, 0, 0.2), signals, strength=1)


def test_what_is_not_a_graph_is_refused():
    with pytest.raises(ValueError, match="square"):
        tikhonov_denoise(np.ones((3, 2)), np.ones(3), strength=1)
    with pytest.raises(ValueError, match=">= 0"):
        tikhonov_denoise(laplacian(random_graph(3, 0, 0.9)), np.ones(3), strength=1)


@pytest.mark.parametrize("strength", [1e8, 1e14])
def test_the_mean_survives_any_strength(strength):
    signals = 280 + np.random.default_rng(0).normal(size=(6, 3))
    smooth = tikhonov_denoise(ring(6), signals, strength=strength)
    np.testing.assert_allclose(smooth.mean(axis=0), signals.mean(axis=0), rtol=1e-12)
