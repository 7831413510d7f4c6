"""Candidate edges against all pairs by brute force."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from smoothgraph import PairSet
from smoothgraph.candidates.growing import (
    NO_VIOLATIONS,
    FixedCandidates,
    OrderedSearch,
    PricedCandidates,
    SampledCandidates,
    estimated_violations,
)


def clustered(m, d, rng):
    centres = 4 * rng.normal(size=(10, d))
    widths = 10 ** rng.uniform(-1, 0.3, size=(10, 1))
    place = rng.integers(10, size=m)
    return centres[place] + widths[place] * rng.normal(size=(m, d))


def searched(X, metric="sqeuclidean"):
    """The search, and all distances in its order; a node is infinitely far from itself."""
    search = OrderedSearch(X, metric)
    Z = cdist(X[search.order], X[search.order], metric)
    np.fill_diagonal(Z, np.inf)
    return search, Z


def missing_pairs(edges, Z, u):
    here = np.zeros(Z.shape, dtype=bool)
    here[edges.rows, edges.cols] = True
    return int(np.sum(np.triu(u[:, None] + u > 2 * Z, 1) & ~here))


def assert_covers(candidates, Z, u):
    for _ in range(60):
        if candidates.cover(u):
            break
    else:
        pytest.fail("60 passes did not cover the multipliers")
    assert missing_pairs(candidates.edges, Z, u * (1 - 1e-12)) == 0
    assert candidates.violations(u) == NO_VIOLATIONS
    edges = candidates.edges
    np.testing.assert_allclose(candidates.z, Z[edges.rows, edges.cols], rtol=1e-9, atol=1e-14)


@pytest.mark.parametrize("metric", ["sqeuclidean", "cosine", "correlation"])
@pytest.mark.parametrize("d", [4, 40])
def test_priced_candidates_hold_every_pair_that_matters(metric, d, rng):
    m = 700
    search, Z = searched(clustered(m, d, rng), metric)
    candidates = PricedCandidates(search, 6, 4.0)
    near = np.sort(Z, axis=1)[:, 5]
    for times in (0.5, 1.0, 1.5, 3.0):
        assert_covers(candidates, Z, times * near)
    assert_covers(candidates, Z, near * rng.uniform(-2, 5, size=m))
    few = np.where(rng.random(m) < 0.02, 4.0, 0.2)  # a few nodes alone are searched for
    assert_covers(candidates, Z, 2 * few * near)


def test_lower_multipliers_are_covered_already(rng):
    search, Z = searched(clustered(500, 4, rng))
    candidates, u = PricedCandidates(search, 6, 4.0), 2 * np.sort(Z, axis=1)[:, 5]
    assert not candidates.cover(u)
    assert_covers(candidates, Z, u)
    n_edges = candidates.edges.n_pairs
    assert candidates.cover(0.9 * u)
    assert candidates.edges.n_pairs == n_edges


def test_duplicates_are_covered(rng):
    search, Z = searched(np.repeat(rng.normal(size=(30, 3)), 20, axis=0))
    candidates = PricedCandidates(search, 6, 4.0)
    assert_covers(candidates, Z, np.full(600, 1e-6))
    assert candidates.edges.n_pairs >= 30 * 20 * 19 // 2


def test_candidates_begin_with_as_many_edges_as_asked_for(rng):
    search, Z = searched(clustered(500, 4, rng))
    candidates = PricedCandidates(search, 4, 20.0)
    assert candidates.edges.n_pairs >= 20 * 500 / 2
    edges = candidates.edges
    np.testing.assert_allclose(candidates.z, Z[edges.rows, edges.cols], rtol=1e-12)


def test_fixed_candidates_know_only_of_all_pairs():
    u = np.ones(5)
    everything = FixedCandidates(PairSet.all_pairs(5), np.ones(10), "all pairs")
    some = FixedCandidates(PairSet.from_pairs([0], [1], 5), np.ones(1), "some")
    assert everything.cover(u)
    assert some.cover(u)
    assert everything.violations(u) == NO_VIOLATIONS
    assert some.violations(u) is None


@pytest.mark.parametrize("m", [300, 1000])
@pytest.mark.parametrize("metric", ["sqeuclidean", "cosine"])
def test_violations_are_counted_if_all_nodes_are_sampled(m, metric, rng):
    search, Z = searched(clustered(m, 5, rng), metric)
    edges = PairSet.from_neighbors(np.argsort(Z, axis=1)[:, :3])
    u = np.sort(Z, axis=1)[:, 8] * rng.uniform(0, 2, size=m)
    expected = missing_pairs(edges, Z, u)
    assert expected > 0
    z = Z[edges.rows, edges.cols]
    violations = SampledCandidates(edges, z, "some", search).violations(u)
    assert violations.n_sampled == m
    np.testing.assert_allclose(violations.pairs, expected, rtol=1e-12)


def test_violations_of_many_nodes_are_estimated(rng):
    m = 3000
    search, Z = searched(rng.normal(size=(m, 3)))
    edges = PairSet.from_neighbors(np.argsort(Z, axis=1)[:, :3])
    u = np.sort(Z, axis=1)[:, 8]
    violations = estimated_violations(search, edges, u)
    assert violations.n_sampled == 1000
    assert 0 < violations.standard_error < 0.1 * violations.pairs
    expected = missing_pairs(edges, Z, u)
    assert abs(violations.pairs - expected) < 5 * violations.standard_error


def test_nothing_is_missing_from_enough_candidates(rng):
    search, Z = searched(clustered(300, 5, rng))
    u = np.sort(Z, axis=1)[:, 3]
    assert estimated_violations(search, PairSet.all_pairs(300), u).pairs == 0


def test_nothing_is_missing_if_nothing_is_in_reach(rng):
    search, _ = searched(clustered(300, 5, rng))
    assert (
        estimated_violations(search, PairSet.from_pairs([0], [1], 300), np.full(300, -1.0)).pairs
        == 0
    )
