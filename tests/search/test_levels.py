"""Searches with a scale per node, by either node's level, and between labels: against all pairs by brute force."""

import numpy as np
import pytest
import scipy.sparse as sp
from engines import BruteForce
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from smoothgraph.search import TiledSearch
from smoothgraph.search.scaled_engine import ScaledEngine
from smoothgraph.search.signed_search import SignedSearch

METRICS = ("sqeuclidean", "euclidean", "cityblock", "signed")
ROUNDING = 1e-9  # of a distance or a level


def clustered(m, d, rng):
    centers = 10 * rng.normal(size=(8, d))
    return centers[rng.integers(8, size=m)] + 0.3 * rng.normal(size=(m, d))


def uneven(m, d, rng):
    """Points whose distances to their neighbors differ by factors of 10^8."""
    return 10 ** rng.uniform(-6, 2, size=(m, 1)) * rng.normal(size=(m, d))


def near_duplicates(m, d, rng):
    return rng.normal(size=(9, d))[rng.integers(9, size=m)] + 1e-9 * rng.normal(size=(m, d))


def with_a_huge_value(m, d, rng):
    X = clustered(m, d, rng)
    X[m // 2, 0] = 1e9
    return X


def lattice(m, d, rng):
    return rng.integers(0, 3, size=(m, d)).astype(float)


def sparse_rows(m, d, rng):
    X = uneven(m, d, rng) * (rng.random((m, d)) < 0.3)
    return sp.csr_array(X)


KINDS = (clustered, uneven, near_duplicates, with_a_huge_value, lattice, sparse_rows)
CASES = st.tuples(st.sampled_from(KINDS), st.sampled_from(METRICS), st.integers(0, 10**6))
SIZES = st.tuples(st.sampled_from([2, 40, 256, 257, 700]), st.integers(1, 40))


def search_of(X, metric):
    """The search by a metric; "signed" stands for the squared distance to a row or to its negative."""
    if sp.issparse(X) and metric in ("cityblock", "signed"):
        X = X.toarray()
    return SignedSearch.of(X) if metric == "signed" else TiledSearch.of(X, metric)


def distances(X, metric):
    """All pairs, by differences in double precision; a node is infinitely far from itself."""
    X = X.toarray() if sp.issparse(X) else X
    signed = metric == "signed"
    Z = np.minimum(cdist(X, X, "sqeuclidean"), cdist(X, -X, "sqeuclidean")) if signed else cdist(X, X, metric)
    np.fill_diagonal(Z, np.inf)
    return Z


def local_scales(Z, rng):
    """The roots of distances to neighbors, times random factors; never zero."""
    m = len(Z)
    scale = np.sqrt(np.sort(Z, axis=1)[:, min(5, m - 2)])
    smallest = np.min(scale[scale > 0], initial=1.0)
    return np.maximum(scale, smallest) * 10 ** rng.uniform(-0.5, 0.5, size=m)


def mixed_reach(typical, rng):
    """Log-uniform around what is typical; some, and a whole run of nodes, are zero, negative, or minus infinity."""
    m = len(typical)
    reach = typical * 10 ** rng.uniform(-2, 1, size=m)
    kind = rng.random(m)
    reach = np.select([kind < 0.1, kind < 0.2, kind < 0.3], [0.0, -reach, -np.inf], reach)
    first = rng.integers(m)
    reach[first : first + m // 3] = -np.inf
    return reach


def as_set(pairs, *, ordered=False):
    i, j = pairs.i.astype(int), pairs.j.astype(int)
    if not ordered:
        i, j = np.minimum(i, j), np.maximum(i, j)
    found = set(zip(i.tolist(), j.tolist(), strict=True))
    assert len(found) == len(i), "each pair once"
    return found


def assert_found(pairs, surely, perhaps, Z, *, ordered=False):
    """All pairs that are ``surely`` wanted were found, none that is not ``perhaps``, with their distances."""
    found = as_set(pairs, ordered=ordered)
    must, may = (wanted if ordered else np.triu(wanted, 1) for wanted in (surely, perhaps))
    assert set(zip(*map(np.ndarray.tolist, np.nonzero(must)), strict=True)) <= found
    assert found <= set(zip(*map(np.ndarray.tolist, np.nonzero(may)), strict=True))
    np.testing.assert_allclose(pairs.z, Z[pairs.i, pairs.j], rtol=1e-9, atol=1e-30)


def below(Z, sums, size):
    """Whether ``2 z < sums`` surely, and perhaps, if all are off by rounding relative to ``size``."""
    off = ROUNDING * np.where(np.isfinite(size), size, 0)
    return sums - off > 2 * Z, sums + off > 2 * Z


def assert_within(search, reach, Z, nodes=None):
    with np.errstate(invalid="ignore"):
        surely, perhaps = below(Z, reach[:, None] + reach, np.abs(reach)[:, None] + np.abs(reach))
    if nodes is not None:
        asked = np.isin(np.arange(len(reach)), nodes)[:, None]
        surely, perhaps = surely & asked, perhaps & asked
    assert_found(search.within(reach, nodes), surely, perhaps, Z, ordered=nodes is not None)


def drawn(case, size):
    kind, metric, seed = case
    rng = np.random.default_rng(seed)
    X = kind(*size, rng)
    return X, metric, distances(X, metric), rng


@settings(max_examples=30)
@given(CASES, SIZES)
def test_within_finds_every_pair_by_scaled_distances(case, size):
    X, metric, Z, rng = drawn(case, size)
    s = local_scales(Z, rng)
    scaled = (Z / np.outer(s, s)) ** 2
    reach = mixed_reach(np.ones(len(s)), rng)
    search = search_of(X, metric).scale(s)
    assert_within(search, reach, scaled)
    assert_within(search, reach, scaled, np.flatnonzero(rng.random(len(s)) < 0.2))


@settings(max_examples=15)
@given(CASES, SIZES)
def test_within_finds_every_pair_without_a_scale(case, size):
    X, metric, Z, rng = drawn(case, size)
    typical = np.sort(Z, axis=1)[:, min(3, len(Z) - 2)]
    assert_within(search_of(X, metric), mixed_reach(typical, rng), Z)


@settings(max_examples=20)
@given(CASES, SIZES)
def test_within_either_goes_by_the_farther_reaching_node_before_scaling(case, size):
    X, metric, Z, rng = drawn(case, size)
    level = np.sort(Z, axis=1)[:, min(4, len(Z) - 2)] * rng.choice([0.0, 0.5, 1.0], size=len(Z))
    highest = np.maximum(level[:, None], level)
    scaled = search_of(X, metric).scale(rng.uniform(1, 2, size=len(Z)))
    surely, perhaps = highest * (1 - ROUNDING) >= Z, highest * (1 + ROUNDING) >= Z
    assert_found(scaled.within_either(level), surely, perhaps, Z)


@settings(max_examples=25)
@given(CASES, SIZES)
def test_between_finds_all_pairs_that_leave_a_label(case, size):
    X, metric, Z, rng = drawn(case, size)
    m = len(Z)
    s = local_scales(Z, rng)
    scaled = (Z / np.outer(s, s)) ** 2
    # Labels of whole regions, so that tiles have one label each, and of single nodes.
    label = (np.argsort(np.argsort(Z[0])) * 4 // m) * 2 + (rng.random(m) < 0.05)
    level = 10 ** rng.uniform(-1, 1, size=m) * np.median(scaled[np.isfinite(scaled)])
    level[rng.random(m) < 0.1] = np.inf
    nodes = np.flatnonzero(rng.random(m) < 0.3)
    others = (label[:, None] != label) & np.isin(np.arange(m), nodes)[:, None]
    expected = [others & (scaled < level[:, None] * (1 + sign * ROUNDING)) for sign in (-1, 1)]
    assert_found(search_of(X, metric).scale(s).between(label, level, nodes), *expected, scaled, ordered=True)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("local", [False, True])
def test_a_tile_that_reaches_nothing_still_meets_those_that_reach_far(metric, local, rng):
    """Nodes of one tile reach minus infinity, or zero: the sum decides."""
    X = np.concatenate([rng.uniform(0, 1, size=(256, 2)), rng.uniform(9, 10, size=(256, 2))])
    search = search_of(X, metric)
    if local:
        search = search.scale(np.full(512, 2.0))
    far = np.repeat([0.0, 1e5], 256)
    assert len(search.within(far).i) == 512 * 511 // 2 - 256 * 255 // 2
    far[:256] = -np.inf
    assert len(search.within(far).i) == 256 * 255 // 2
    assert len(search.within(np.full(512, -np.inf)).i) == 0


@pytest.mark.parametrize("metric", METRICS)
def test_neighbors_of_scaled_rows_have_scaled_distances(metric, rng):
    X = clustered(600, 4, rng)
    Z, s = distances(X, metric), rng.uniform(0.1, 10, size=600)
    ids, z = search_of(X, metric).scale(s).nearest(5)
    i = np.arange(600)[:, None]
    np.testing.assert_allclose(z, (Z[i, ids] / (s[i] * s[ids])) ** 2, rtol=1e-9)


def test_exact_nearest_by_euclidean_distances(rng):
    X = clustered(700, 5, rng)
    Z = distances(X, "euclidean")
    ids, z = TiledSearch.of(X, "euclidean").exact_nearest(6)
    np.testing.assert_allclose(z, np.sort(Z, axis=1)[:, :6], rtol=1e-9)
    np.testing.assert_allclose(np.take_along_axis(Z, ids, 1), z, rtol=1e-9)


def test_a_scale_can_be_replaced(rng):
    X = clustered(300, 3, rng)
    Z, s = distances(X, "sqeuclidean"), rng.uniform(0.5, 2, size=300)
    twice = TiledSearch.of(X).scale(rng.uniform(5, 9, size=300)).scale(s)
    assert_within(twice, np.full(300, 0.2), (Z / np.outer(s, s)) ** 2)


@settings(max_examples=15)
@given(st.sampled_from(["cityblock", "sqeuclidean"]), st.integers(0, 10**6))
def test_an_engine_of_a_user_finds_the_same_pairs(metric, seed):
    """It knows of no scales, levels or labels."""
    rng = np.random.default_rng(seed)
    X = uneven(120, 3, rng)
    engine = BruteForce(X, metric)
    Z, plain = engine.Z, ScaledEngine(engine)
    s = local_scales(Z, rng)
    scaled, own = (Z / np.outer(s, s)) ** 2, plain.scale(s)
    reach, level = mixed_reach(np.ones(120), rng), np.sort(Z, axis=1)[:, 4]
    assert_within(plain, mixed_reach(level, rng), Z)
    assert_within(own, reach, scaled)
    assert_within(own, reach, scaled, np.flatnonzero(rng.random(120) < 0.2))
    highest = np.maximum(level[:, None], level)
    either = [highest * (1 + sign * ROUNDING) >= Z for sign in (-1, 1)]
    assert_found(own.within_either(level), *either, Z)
    label, nodes = rng.integers(3, size=120), np.flatnonzero(rng.random(120) < 0.3)
    level = 10 ** rng.uniform(-1, 1, size=120)
    others = (label[:, None] != label) & np.isin(np.arange(120), nodes)[:, None]
    leaving = [others & (scaled < level[:, None] * (1 + sign * ROUNDING)) for sign in (-1, 1)]
    assert_found(own.between(label, level, nodes), *leaving, scaled, ordered=True)
    ids, z = own.nearest(5, 1.0)
    np.testing.assert_allclose(z, np.take_along_axis(scaled, ids, 1), rtol=1e-12)


@pytest.mark.parametrize("unit", [1e-60, 1e-20, 1e20, 1e60])
def test_euclidean_distances_of_any_size(unit, rng):
    X = unit * clustered(300, 3, rng)
    Z = distances(X, "euclidean")
    assert_within(TiledSearch.of(X, "euclidean"), mixed_reach(np.sort(Z, axis=1)[:, 3], rng), Z)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("ratio", [1e8, 1e20, 1e45])
def test_a_tiny_cluster_and_a_wide_one_far_away(metric, ratio, rng):
    """Single precision cannot hold the ratio of their scales."""
    X = np.concatenate([rng.normal(size=(260, 2)) / ratio, ratio + 0.1 * ratio * rng.normal(size=(60, 2))])
    Z = distances(X, metric)
    s = np.sqrt(np.sort(Z, axis=1)[:, 5])
    scaled, label = (Z / np.outer(s, s)) ** 2, np.repeat([0, 1], [260, 60])
    search = search_of(X, metric).scale(s)
    assert_within(search, np.ones(320), scaled)
    level, nodes = np.full(320, np.median(scaled[:260, 260:])), np.arange(0, 320, 7)
    others = (label[:, None] != label) & np.isin(np.arange(320), nodes)[:, None]
    leaving = [others & (scaled < level * (1 + sign * ROUNDING)) for sign in (-1, 1)]
    assert_found(search.between(label, level, nodes), *leaving, scaled, ordered=True)
