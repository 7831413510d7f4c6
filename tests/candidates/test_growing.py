"""Candidate pairs against all pairs by brute force."""

import numpy as np
import pytest
from engines import BruteForce, Misled, make_engine
from scipy.spatial.distance import cdist

from smoothgraph import Pairs, PairSet
from smoothgraph.candidates.fixed import NO_VIOLATIONS, FixedCandidates, SampledCandidates, estimate_violations
from smoothgraph.candidates.growing import GrowingCandidates
from smoothgraph.candidates.source import EngineSource


def clustered(m, d, rng):
    centers = 4 * rng.normal(size=(10, d))
    widths = 10 ** rng.uniform(-1, 0.3, size=(10, 1))
    place = rng.integers(10, size=m)
    return centers[place] + widths[place] * rng.normal(size=(m, d))


def source_and_distances(X, metric="sqeuclidean"):
    """The source, and all distances; a node is infinitely far from itself."""
    Z = cdist(X, X, metric)
    np.fill_diagonal(Z, np.inf)
    return EngineSource(make_engine(X, metric)), Z


def missing_pairs(pairs, Z, u):
    pattern, here = pairs.gather().pattern, np.zeros(Z.shape, dtype=bool)
    here[pattern.rows, pattern.cols] = True
    return int(np.sum(np.triu(u[:, None] + u > 2 * Z, 1) & ~here))


def assert_true_distances(pairs, Z, rtol=1e-9):
    pattern, z = pairs.gather().pattern, pairs.gather().z
    np.testing.assert_allclose(z, Z[pattern.rows, pattern.cols], rtol=rtol, atol=1e-14)


def assert_covers(candidates, Z, u):
    for _ in range(60):
        if candidates.cover(u):
            break
    else:
        pytest.fail("60 passes did not cover the multipliers")
    assert missing_pairs(candidates.pairs, Z, u * (1 - 1e-12)) == 0
    assert candidates.violations(u) == NO_VIOLATIONS
    assert_true_distances(candidates.pairs, Z)


@pytest.mark.parametrize("metric", ["sqeuclidean", "cosine", "correlation"])
@pytest.mark.parametrize("d", [4, 40])
def test_growing_candidates_hold_every_pair_that_matters(metric, d, rng):
    m = 700
    source, Z = source_and_distances(clustered(m, d, rng), metric)
    candidates = GrowingCandidates(source, 6, 4.0)
    near = np.sort(Z, axis=1)[:, 5]
    for times in (0.5, 1.0, 1.5, 3.0):
        assert_covers(candidates, Z, times * near)
    assert_covers(candidates, Z, near * rng.uniform(-2, 5, size=m))
    few = np.where(rng.random(m) < 0.02, 4.0, 0.2)  # a few nodes alone are searched for
    assert_covers(candidates, Z, 2 * few * near)


@pytest.mark.parametrize("engine", [BruteForce, Misled])
@pytest.mark.parametrize("ordered", [False, True])
def test_any_engine_will_do(engine, ordered, rng):
    X = clustered(400, 3, rng)
    order = rng.permutation(400) if ordered else None
    chebyshev = engine(X, "chebyshev", order)
    candidates = GrowingCandidates(EngineSource(chebyshev), 6, 4.0)
    assert candidates.provisional
    assert candidates.pairs.order is order
    near = np.sort(chebyshev.Z, axis=1)[:, 5]
    for times in (1.0, 2.0):
        assert_covers(candidates, chebyshev.Z, times * near)
    assert not candidates.provisional


def test_lower_multipliers_are_covered_already(rng):
    source, Z = source_and_distances(clustered(500, 4, rng))
    candidates, u = GrowingCandidates(source, 6, 4.0), 2 * np.sort(Z, axis=1)[:, 5]
    assert not candidates.cover(u)
    assert_covers(candidates, Z, u)
    n_pairs = candidates.pairs.n_pairs
    assert candidates.cover(0.9 * u)
    assert candidates.pairs.n_pairs == n_pairs


@pytest.mark.parametrize("share", [1.0, 0.2])
def test_multipliers_that_rise_little_by_little_are_covered(share, rng):
    source, Z = source_and_distances(clustered(500, 4, rng))
    candidates, u = GrowingCandidates(source, 6, 4.0), 2 * np.sort(Z, axis=1)[:, 5]
    for _ in range(20):
        assert_covers(candidates, Z, u)
        u = np.where(rng.random(500) < share, 1.005 * u, u)


def test_duplicates_are_covered(rng):
    source, Z = source_and_distances(np.repeat(rng.normal(size=(30, 3)), 20, axis=0))
    candidates = GrowingCandidates(source, 6, 4.0)
    assert_covers(candidates, Z, np.full(600, 1e-6))
    assert candidates.pairs.n_pairs >= 30 * 20 * 19 // 2


def test_as_many_pairs_are_taken_in_as_fit_into_memory():
    """300 nodes at one place, which all are as near as any."""
    source, Z = source_and_distances(np.zeros((300, 2)))
    source.most_pairs = 50_000  # of 44,850
    assert_covers(GrowingCandidates(source, 6, 4.0), Z, np.full(300, 1e-6))
    source.most_pairs = 40_000
    with pytest.raises(ValueError, match=r"About 4\.5e\+04 pairs .* more than the 4e\+04 that fit into memory"):
        GrowingCandidates(source, 6, 4.0).cover(np.full(300, 1e-6))


def test_candidates_begin_with_as_many_pairs_as_asked_for(rng):
    source, Z = source_and_distances(clustered(500, 4, rng))
    candidates = GrowingCandidates(source, 4, 20.0)
    assert candidates.pairs.n_pairs >= 20 * 500 / 2
    assert_true_distances(candidates.pairs, Z, rtol=1e-12)


@pytest.mark.parametrize("resumed", [False, True])
def test_without_a_proof_hardly_a_pair_is_missing(resumed, rng):
    """Of the pairs that would be edges; there are passes until one finds hardly any."""
    source, Z = source_and_distances(clustered(2000, 4, rng))
    near = np.sort(Z, axis=1)[:, 5]
    candidates = GrowingCandidates(source, 10, 4.0, share=0.5)
    for times in (1.0, 1.3, 1.7):
        candidates.make_room(4.0 * times)
        assert not candidates.cover(times * near)
        while not candidates.cover(1.1 * times * near):
            pass
        wanted = int(np.sum(np.triu(1.1 * times * (near[:, None] + near) > 2 * Z, 1)))
        assert missing_pairs(candidates.pairs, Z, 1.1 * times * near) < 0.01 * wanted
        assert_true_distances(candidates.pairs, Z)
        if resumed:
            candidates = GrowingCandidates(source, 10, 4.0, share=0.5, state=candidates.save())
    n_pairs = candidates.pairs.n_pairs
    candidates.make_room(4.0)
    assert candidates.cover(near)
    assert candidates.pairs.n_pairs == n_pairs


def test_pairs_that_hardly_matter_are_left_out(rng):
    """The solution at hand belongs to the pairs as they were."""
    source, Z = source_and_distances(clustered(2000, 4, rng))
    u = 2 * np.sort(Z, axis=1)[:, 5]
    candidates = GrowingCandidates(source, 10, 4.0, share=0.5)
    while not candidates.cover(u):
        pass
    pairs = candidates.pairs
    u[0] *= 1.1
    assert candidates.cover(u)
    assert candidates.pairs is pairs


@pytest.mark.parametrize("passes", [0, 1])
def test_candidates_go_on_from_what_they_saved(passes, rng):
    X = clustered(500, 4, rng)
    source, Z = source_and_distances(X)
    candidates, u = GrowingCandidates(source, 6, 4.0), 2 * np.sort(Z, axis=1)[:, 5]
    for _ in range(passes):
        candidates.cover(0.7 * u)
    again, _ = source_and_distances(X)
    loaded = GrowingCandidates(again, 6, 4.0, state=candidates.save())
    assert loaded.provisional == candidates.provisional
    assert loaded.pairs.n_pairs == candidates.pairs.n_pairs
    for found in (candidates, loaded):
        assert_covers(found, Z, u)
    np.testing.assert_array_equal(loaded.pairs.gather().z, candidates.pairs.gather().z)


def test_fixed_candidates_know_only_of_all_pairs():
    u = np.ones(5)
    everything = FixedCandidates(Pairs(PairSet.all_pairs(5), np.ones(10)), "all pairs")
    some = FixedCandidates(Pairs(PairSet.from_pairs([0], [1], 5), np.ones(1)), "some")
    assert everything.cover(u)
    assert some.cover(u)
    assert everything.violations(u) == NO_VIOLATIONS
    assert some.violations(u) is None
    assert some.save() is None
    assert not some.provisional


def nearest_pairs(source, Z, k):
    """The pairs of the ``k`` nearest, stored along the source's order."""
    pattern = PairSet.from_neighbors(np.argsort(Z, axis=1)[:, :k])
    return source.store(pattern.rows, pattern.cols, Z[pattern.rows, pattern.cols])


@pytest.mark.parametrize("m", [300, 1000])
@pytest.mark.parametrize("metric", ["sqeuclidean", "cosine"])
def test_violations_are_counted_if_all_nodes_are_sampled(m, metric, rng):
    source, Z = source_and_distances(clustered(m, 5, rng), metric)
    pairs = nearest_pairs(source, Z, 3)
    u = np.sort(Z, axis=1)[:, 8] * rng.uniform(0, 2, size=m)
    expected = missing_pairs(pairs, Z, u)
    assert expected > 0
    violations = SampledCandidates(pairs, "some", source).violations(u)
    assert violations.n_sampled == m
    assert violations.standard_error == 0
    np.testing.assert_allclose(violations.pairs, expected, rtol=1e-12)


def test_violations_of_many_nodes_are_estimated(rng):
    m = 3000
    source, Z = source_and_distances(rng.normal(size=(m, 3)))
    pairs, u = nearest_pairs(source, Z, 3), np.sort(Z, axis=1)[:, 8]
    violations = estimate_violations(source, pairs, u)
    assert violations.n_sampled == 1000
    assert 0 < violations.standard_error < 0.1 * violations.pairs
    expected = missing_pairs(pairs, Z, u)
    assert abs(violations.pairs - expected) < 5 * violations.standard_error


def test_nothing_is_missing_from_enough_candidates(rng):
    source, Z = source_and_distances(clustered(300, 5, rng))
    u, every = np.sort(Z, axis=1)[:, 3], PairSet.all_pairs(300)
    pairs = Pairs(every, Z[every.rows, every.cols])
    assert estimate_violations(source, pairs, u).pairs == 0


def test_nothing_is_missing_if_nothing_is_in_reach(rng):
    source, _ = source_and_distances(clustered(300, 5, rng))
    pairs = Pairs(PairSet.from_pairs([0], [1], 300), np.ones(1))
    assert estimate_violations(source, pairs, np.full(300, -1.0)).pairs == 0
