import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning

from smoothgraph import DoublyStochasticGraph, Newton, Pairs, models


def points(seed, n_nodes, stretch):
    """Normal points, the first of which is far away."""
    X = np.random.default_rng(seed).normal(size=(n_nodes, 2))
    X[0] *= stretch
    return X


@given(seed=st.integers(0, 2**32 - 1), n_nodes=st.integers(4, 30), sigma=st.floats(0.2, 10))
def test_the_logarithms_of_degrees_are_those_of_the_degrees(seed, n_nodes, sigma):
    problem = models.doubly_stochastic(Pairs.of(points(seed, n_nodes, 1.0)), sigma=sigma)
    at = problem.evaluate(np.random.default_rng(seed).normal(size=n_nodes))
    np.testing.assert_allclose(np.exp(at.log_degrees()), at.degrees, rtol=1e-10)


def test_the_logarithms_of_degrees_outlast_the_degrees():
    problem = models.doubly_stochastic(Pairs.of(points(0, 30, 1e3)), sigma=0.1)
    at = problem.evaluate(np.zeros(30))
    assert at.degrees[0] == 0
    nearest = problem.pairs.nearest(1)[0, 0]
    np.testing.assert_allclose(at.log_degrees()[0], -2 * nearest / (4 * 0.1**2), rtol=1e-3)


@given(seed=st.integers(0, 2**32 - 1), stretch=st.floats(1, 100), sigma=st.floats(0.2, 10))
def test_an_outlier_is_joined_with_the_degree_asked_for(seed, stretch, sigma):
    problem = models.doubly_stochastic(Pairs.of(points(seed, 25, stretch)), sigma=sigma)
    solution = Newton().solve(problem)
    assert solution.converged
    np.testing.assert_allclose(solution.degrees, 1, rtol=1e-3)


@pytest.mark.parametrize("seed", range(20))
def test_a_point_at_thirty_sigma(seed):
    X = np.random.default_rng(seed).normal(size=(30, 2))
    X[0] = 30, 0
    graph = DoublyStochasticGraph(sigma=1.0).fit(X)
    assert graph.is_exact_
    np.testing.assert_allclose(graph.adjacency_.sum(axis=1), 1, rtol=1e-3)


@pytest.mark.parametrize("seed", [1, 9, 10, 11])
def test_a_width_beyond_all_precision_is_told_in_one_warning(seed):
    """Where ``z / sigma^2`` has no digits left, the user hears of the tolerance, not of NumPy's arithmetic."""
    X = 1e6 * np.random.default_rng(seed).normal(size=(24, 3))
    with pytest.warns(ConvergenceWarning, match="did not reach tol") as told:
        graph = DoublyStochasticGraph(sigma=1e-3).fit(X)
    assert np.all(np.isfinite(graph.adjacency_.data))
    assert graph.dual_gap_ > 1e-6  # and not NaN
    assert len(told) == 1


@given(seed=st.integers(0, 2**32 - 1))
def test_weights_that_overflow_are_limited_to_the_degrees_asked_for(seed):
    rng = np.random.default_rng(seed)
    problem = models.doubly_stochastic(Pairs.of(points(seed, 20, 1.0)), sigma=0.1, degree=rng.uniform(0.5, 2, 20))
    at = problem.evaluate(rng.uniform(-50, 100, size=20))
    with np.errstate(over="ignore", invalid="ignore"):
        assert not np.all(np.isfinite(at.degrees))
        assert at.gap == np.inf  # and not NaN
    degrees = problem.totals(at.limited_weights()).degrees
    assert np.all(degrees <= problem.degree_prior.degree * (1 + 1e-9))
    assert np.any(degrees > 0)
