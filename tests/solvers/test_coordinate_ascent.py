"""Coordinate ascent: what it does to the dual, on the nearest neighbors of clustered data."""

import numpy as np
import pytest
from scipy.spatial import KDTree

from smoothgraph import Pairs, PairSet
from smoothgraph.models import doubly_stochastic, l2_degree, log_degree
from smoothgraph.solvers.coordinate_ascent import ascend, sweeper_of
from smoothgraph.solvers.neighborhood import Neighborhood
from smoothgraph.solvers.recorder import Recorder

SIZES = [(60, 5), (300, 10), (1000, 15)]


def clustered(m, k, seed):
    """The pairs of the ``k`` nearest; the median of their distances is 1."""
    rng = np.random.default_rng(seed)
    centres, widths = 10 * rng.normal(size=(20, 3)), 10 ** rng.uniform(-1, 0.5, size=(20, 1))
    place = rng.integers(20, size=m)
    X = centres[place] + widths[place] * rng.normal(size=(m, 3))
    pattern = PairSet.from_neighbors(KDTree(X).query(X, k + 1)[1])
    z = np.sum((X[pattern.rows] - X[pattern.cols]) ** 2, axis=1)
    return Pairs(pattern, z / np.median(z))


def climb(problem, u, gap):
    return ascend(problem, sweeper_of(problem), u, gap, Recorder(max_iter=1000))


def start(problem):
    return Neighborhood(problem).lone_multipliers(problem.edge_prior)


MODELS = {
    "log": lambda pairs: log_degree(pairs, alpha=1.0, beta=1.0),
    "log, sparse": lambda pairs: log_degree(pairs, alpha=1.0, beta=0.01),
    "log, dense": lambda pairs: log_degree(pairs, alpha=1.0, beta=100.0),
    "fixed": lambda pairs: doubly_stochastic(pairs, beta=1.0),
    "fixed, dense": lambda pairs: doubly_stochastic(pairs, beta=10.0),
}


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(("m", "k"), SIZES)
@pytest.mark.parametrize("gap", [1e-2, 1e-9])
def test_the_dual_is_never_lowered(model, m, k, gap):
    for seed in range(4):
        problem = MODELS[model](clustered(m, k, seed))
        u = start(problem)
        before = u.copy()
        at = climb(problem, u, gap)
        np.testing.assert_array_equal(u, before)
        assert problem.dual(at.u) >= problem.dual(u), seed


@pytest.mark.parametrize("alpha", [0.01, 1.0, 10.0])
@pytest.mark.parametrize(("m", "k"), SIZES)
def test_squared_degrees_come_nearer(alpha, m, k):
    """Their mean couples all nodes, so that the dual may fall; the gap falls all the same."""
    for seed in range(4):
        problem = l2_degree(clustered(m, k, seed), alpha=alpha)
        u = start(problem)
        assert climb(problem, u, 1e-9).gap < problem.evaluate(u).gap, seed


@pytest.mark.parametrize("seed", range(3))
def test_many_nodes_are_all_but_solved(seed):
    problem = log_degree(clustered(2000, 15, seed), alpha=1.0, beta=1.0)
    at = climb(problem, start(problem), 1e-5)
    assert at.gap <= 1e-5
    w = np.maximum(at.u[problem.pairs.pattern.rows] + at.u[problem.pairs.pattern.cols] - 2 * problem.pairs.z, 0) / 2
    np.testing.assert_allclose(at.weights, w, rtol=1e-12, atol=1e-14)
    degrees = np.bincount(problem.pairs.pattern.rows, w, 2000) + np.bincount(problem.pairs.pattern.cols, w, 2000)
    primal = 2 * problem.pairs.z @ w + w @ w - np.sum(np.log(degrees))
    assert 0 <= primal - problem.dual(at.u) <= 2e-5 * 2000


def test_a_looser_gap_ends_sooner_but_is_reached():
    problem = log_degree(clustered(1000, 15, 0), alpha=1.0, beta=1.0)
    rough, fine = (climb(problem, start(problem), gap) for gap in (1e-1, 1e-8))
    assert fine.gap < rough.gap <= 1e-1
    assert fine.gap <= 1e-7
