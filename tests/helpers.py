"""What several tests share: lists of priors and sets of pairs, and the CVXPY oracle."""

from importlib.util import find_spec

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.neighbors import NearestNeighbors

from benchmarks.reference import reference_optimum
from smoothgraph import Pairs, PairSet, Problem
from smoothgraph.priors import EntropyEdges, FixedDegrees, FreeDegrees, LogDegrees, QuadraticEdges, SquaredDegrees

needs_umap = pytest.mark.skipif(find_spec("umap") is None, reason="umap-learn is not installed")

PAIR_SET_NAMES = ("all", "knn", "mask")
EDGE_PRIOR_NAMES = ("quadratic", "quadratic with w0", "entropy")
DEGREE_PRIOR_NAMES = ("log", "log per node", "squared", "fixed", "free")


def make_pair_set(name, X, rng):
    m = len(X)
    if name == "all":
        return PairSet.all_pairs(m)
    if name == "knn":
        return PairSet.from_neighbors(NearestNeighbors(n_neighbors=6).fit(X).kneighbors(X)[1])
    mask = rng.random((m, m)) < 0.4
    mask |= np.eye(m, k=1, dtype=bool)  # a chain, so that no node is left without a pair
    return PairSet.from_mask(mask)


def make_edge_prior(name, n_pairs, rng):
    if name == "quadratic":
        return QuadraticEdges(10 ** rng.uniform(-2, 1))
    if name == "entropy":
        return EntropyEdges(10 ** rng.uniform(-0.5, 0.5))
    return QuadraticEdges(0.3, w0=np.maximum(rng.normal(size=n_pairs), 0), strength=2.0)


def make_degree_prior(name, n_nodes, rng):
    return {
        "log": LogDegrees(10 ** rng.uniform(-1, 1)),
        "squared": SquaredDegrees(10 ** rng.uniform(-2, 1), float(n_nodes)),
        "fixed": FixedDegrees(1.0),
        "free": FreeDegrees(),
        "log per node": LogDegrees(10 ** rng.uniform(-1, 1, size=n_nodes)),
    }[name]


def make_problem(pair_set, edge_prior, degree_prior, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(int(rng.integers(10, 24)), 3))
    pattern = make_pair_set(pair_set, X, rng)
    z = np.sum((X[pattern.rows] - X[pattern.cols]) ** 2, axis=1)
    return Problem(
        Pairs(pattern, z),
        edge_prior=make_edge_prior(edge_prior, pattern.n_pairs, rng),
        degree_prior=make_degree_prior(degree_prior, pattern.n_nodes, rng),
    )


def cvxpy_optimum(problem, tol=1e-10):
    """The optimal value and weights by CVXPY with Clarabel, which must vouch for them."""
    found = reference_optimum(problem, tol)
    assert found is not None
    return found


def assert_matches(solution, value, weights):
    """Objective within 1e-6 relative, weights within 1e-4 of the largest."""
    np.testing.assert_allclose(solution.primal, value, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(solution.w, weights, atol=1e-4 * max(1, np.max(np.abs(weights))))


def permuted(problem, order):
    """The problem with node ``i`` renamed ``order[i]``, and where each pair went."""
    i, j = order[problem.pairs.pattern.rows], order[problem.pairs.pattern.cols]
    pattern = PairSet.from_pairs(i, j, problem.pairs.n_nodes)
    place = pattern.positions(i, j)
    came_from = np.argsort(place)
    prior = problem.degree_prior
    renamed = Problem(
        Pairs(pattern, problem.pairs.z[came_from]),
        edge_prior=problem.edge_prior.take(came_from),
        degree_prior=prior if prior.n_nodes is None else LogDegrees(prior.alpha[np.argsort(order)]),
    )
    return renamed, place


# Arguments ``(pair_set, edge_prior, seed)`` of random problems.
random_pairs = given(st.sampled_from(PAIR_SET_NAMES), st.sampled_from(EDGE_PRIOR_NAMES), st.integers(0, 2**32 - 1))


def assert_same(a, b):
    """Equal up to the order of a sum."""
    np.testing.assert_allclose(a, b, rtol=1e-10, atol=1e-11)


def settle(sweeper, wanted, u, calls=100):
    """Where sweeps end: each call makes a limited number of them."""
    for _ in range(calls):
        u = sweeper.sweep(wanted, u)
    return u


def uneven(m, n_features=12, seed=0):
    """Clusters whose widths differ by a factor of 10."""
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(12, n_features)) * 4
    widths = np.geomspace(0.3, 3, 12)
    which = rng.integers(12, size=m)
    return centres[which] + widths[which, None] * rng.normal(size=(m, n_features))
