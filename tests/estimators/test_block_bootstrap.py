"""Blocks of signals in a row: how long they are, how they are drawn, and what they are for."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.signal import lfilter

from smoothgraph import LogDegreeGraph, edge_stability
from smoothgraph.estimators.block_bootstrap import choose_block, draw_blocks, optimal_lengths


def autoregression(rho, n_series, n, seed=0):
    """``x_t = rho x_t-1 + e_t``, a row per series."""
    noise = np.random.default_rng(seed).normal(size=(n_series, n + 200))
    return lfilter([1.0], [1.0, -rho], noise, axis=1)[:, 200:]


@given(n=st.integers(1, 60), block=st.integers(1, 60), seed=st.integers(0, 99))
def test_a_draw_is_made_of_blocks_on_a_circle(n, block, seed):
    draw = draw_blocks(np.random.RandomState(seed), n, min(block, n))
    assert draw.shape == (n,)
    assert set(draw) <= set(range(n))
    follows = np.diff(draw) % n == 1 % n
    inside = np.arange(1, n) % min(block, n) != 0
    assert follows[inside].all()


@pytest.mark.parametrize("rho", [0.3, 0.6, 0.9])
def test_lengths_are_those_of_the_theory_of_autoregressions(rho):
    n = 20_000
    found = np.median(optimal_lengths(autoregression(rho, 20, n)))
    theory = (1.5 * n * (2 * rho / (1 - rho**2)) ** 2) ** (1 / 3)  # Politis and White (2004), eq. 9, for these R(k)
    assert found == pytest.approx(theory, rel=0.15)


@pytest.mark.parametrize(("n", "rho"), [(60, 0.8), (100, 0.8), (100, 0.9), (200, 0.5), (200, 0.9)])
def test_lengths_are_not_too_short_for_short_and_slow_series(n, rho):
    found = np.median(optimal_lengths(autoregression(rho, 400, n)))
    theory = (1.5 * n * (2 * rho / (1 - rho**2)) ** 2) ** (1 / 3)
    assert found == pytest.approx(theory, rel=0.15)


def test_independent_signals_need_no_blocks():
    assert np.median(optimal_lengths(np.random.default_rng(0).normal(size=(50, 2000)))) < 2


@pytest.mark.parametrize("n", [1, 2, 3, 10, 100])
def test_lengths_fit_into_short_series(n):
    lengths = optimal_lengths(autoregression(0.99, 4, n))
    assert np.all((lengths >= 1) & (lengths <= max(1, np.ceil(n / 3))))


def test_a_constant_series_and_missing_values():
    series = autoregression(0.9, 2, 4000)
    full = optimal_lengths(series)
    series[0] = 7.0
    series[1, ::50] = np.nan
    constant, holes = optimal_lengths(series)
    assert constant == 1
    assert holes == pytest.approx(full[1], rel=0.2)


def test_blocks_tell_edges_of_chance_in_autocorrelated_series():
    """Independent series have no true edges, but single days make many of those of chance look firm."""
    X = autoregression(0.98, 12, 1500)
    learner = LogDegreeGraph(edges_per_node=3)
    shares = {}
    for block in (1, "auto"):
        frequency, fitted = edge_stability(X, learner, n_resamples=30, block=block, random_state=0)
        shares[block] = np.mean(frequency[fitted.adjacency_.nonzero()] > 0.95)
    assert choose_block(fitted) > 20
    assert shares[1] > 0.6
    assert shares["auto"] < shares[1] / 2


def test_a_block_of_one_is_a_single_signal():
    X = np.random.default_rng(0).normal(size=(12, 30))
    default, single = (
        edge_stability(X, n_resamples=3, random_state=0, **options).frequency for options in ({}, {"block": 1})
    )
    np.testing.assert_array_equal(default.toarray(), single.toarray())


@pytest.mark.parametrize("block", [0, 1.5, "long", None])
def test_a_block_that_is_none_is_refused(block):
    with pytest.raises(ValueError, match="block"):
        edge_stability(np.eye(5), n_resamples=2, block=block)
