"""The search within two hops against brute force: what lies there is found, and nothing wrong."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from smoothgraph import PairSet
from smoothgraph.pairs.measure import Measure
from smoothgraph.search import TiledSearch, hop_kernels
from smoothgraph.search.by_measure import search_by
from smoothgraph.search.hops import Hops

M = 12_000  # nodes, so many that a share below 1 does not look at all of them


def uneven(m, d, rng):
    """Clusters of very different widths, in 6 of the dimensions."""
    centers = 4 * rng.normal(size=(12, d))
    widths = 10 ** rng.uniform(-1, 0.5, size=(12, 1))
    place = rng.integers(12, size=m)
    return centers[place] + widths[place] * (rng.normal(size=(m, 6)) @ rng.normal(size=(6, d)))


def true_distances(X, nodes, metric="sqeuclidean"):
    """The distances of some nodes to all others."""
    z = cdist(X[nodes], X, metric)
    z[np.arange(len(nodes)), nodes] = np.inf
    return z


@pytest.mark.parametrize(
    ("metric", "d", "least"),
    [("sqeuclidean", 10, 0.95), ("sqeuclidean", 100, 0.95), ("cosine", 20, 0.95), ("cityblock", 10, 0.7)],
)
def test_likely_nearest_are_nearly_all_the_nearest(metric, d, least, rng):
    """By lower bounds, which are loose for Manhattan distances."""
    X, k = uneven(M, d, rng), 10
    ids, z = TiledSearch.of(X, metric).nearest(k, 0.1)
    nodes = rng.choice(M, 300, replace=False)
    Z = true_distances(X, nodes, metric)
    assert ids.shape == z.shape == (M, k)
    assert np.all(np.diff(np.sort(ids, axis=1), axis=1) > 0)
    assert not np.any(ids == np.arange(M)[:, None])
    np.testing.assert_allclose(z[nodes], np.take_along_axis(Z, ids[nodes], 1), rtol=1e-6, atol=1e-14)
    farthest = np.sort(Z, axis=1)[:, k - 1 : k]
    assert np.mean(z[nodes] <= farthest * (1 + 1e-9)) > least


def test_each_search_finds_the_same(rng):
    X = uneven(M, 10, rng)
    one, other = (TiledSearch.of(X).nearest(5, 0.1) for _ in range(2))
    for got, expected in zip(one, other, strict=True):
        np.testing.assert_array_equal(got, expected)


def test_likely_nearest_among_many_small_groups_of_copies(rng):
    """Where the nearest of each node are its copies, and no hop leads farther, there are still k of them."""
    X = np.repeat(rng.normal(size=(M // 8, 5)), 8, axis=0)[rng.permutation(M)]
    ids, z = TiledSearch.of(X).nearest(20, 0.1)
    assert ids.min() >= 0
    assert np.all(np.diff(np.sort(ids, axis=1), axis=1) > 0)
    assert np.all(np.sort(z, axis=1)[:, :7] == 0)
    assert np.all(np.isfinite(z))


def brute_force(metric, X, scale):
    z = 1 - np.abs(np.corrcoef(X)) if metric == "absolute_correlation" else cdist(X, X, metric)
    np.fill_diagonal(z, np.inf)
    return z if scale is None else (z / np.outer(scale, scale)) ** 2


@pytest.mark.parametrize("local", [False, True])
@pytest.mark.parametrize("metric", ["sqeuclidean", "euclidean", "cityblock", "absolute_correlation"])
@pytest.mark.parametrize("some", [False, True])
def test_pairs_two_hops_apart_are_those_within_reach(metric, local, some, rng):
    """Along the pairs of a graph in which a hop leads to all neighbors."""
    m = 500
    X = uneven(m, 20, rng)
    search = search_by(Measure.of(metric, None, "error"), X)
    scale = 0.5 + rng.random(m) if local else None
    search = search if scale is None else search.scale(scale)
    Z = brute_force(metric, X, scale)
    reach = np.sort(Z, axis=1)[:, 5] * rng.uniform(0.5, 1.5, size=m)
    i, j = rng.integers(m, size=(2, 2 * m))
    i, j = i[i != j], j[i != j]
    place = np.argsort(search.order)
    pattern, z = PairSet.with_values(place[i], place[j], Z[i, j], m)
    nodes = np.flatnonzero(rng.random(m) < 0.3) if some else None
    found = search.within_two_hops(reach, pattern, z, nodes)
    np.testing.assert_allclose(found.z, Z[found.i, found.j], rtol=1e-6, atol=1e-12)
    assert np.all(2 * found.z < reach[found.i] + reach[found.j])
    near = np.zeros((m, m), dtype=bool)
    near[i, j] = near[j, i] = True
    assert near.sum(axis=1).max() < 20
    apart = (near.astype(int) @ near.astype(int) > 0) & ~near
    wanted = apart & ((reach[:, None] + reach) * (1 - 1e-9) > 2 * Z)
    if some:
        wanted[np.setdiff1d(np.arange(m), nodes)] = False
    assert wanted.sum() > 10
    keys = np.minimum(found.i, found.j).astype(np.int64) * m + np.maximum(found.i, found.j)
    a, b = np.nonzero(wanted)
    assert np.all(np.isin(np.minimum(a, b) * m + np.maximum(a, b), keys))


def test_hops_lead_to_the_nearest_of_many(rng):
    """Node 0 has a pair with every other."""
    z = rng.random(99)
    pattern = PairSet.from_pairs(np.zeros(99, int), np.arange(1, 100), 100)
    indptr, near, most = Hops.along(pattern, z, 7)
    assert most == 7
    assert set(near[:7]) == set(1 + np.argsort(z)[:7])
    assert set(near[: indptr[1]]) == set(range(1, 100))
    np.testing.assert_array_equal(near[indptr[1] :], 0)


def test_threads_list_those_who_name_their_own_nodes(rng):
    """Blocks of nodes one after the other; each list has the rows that name its node, and their distances."""
    ids, z = rng.integers(20, size=(20, 3)).astype(np.int32), rng.random((20, 3), dtype=np.float32)
    starts = np.concatenate([[0], np.cumsum(np.bincount(ids.ravel(), minlength=20))])
    back, lengths = np.full(60, -1, np.int32), np.full(60, np.nan, np.float32)
    for first, last in ((0, 7), (7, 20)):
        hop_kernels.turn_round(first, last, ids, z, starts, back, lengths)
    for node in range(20):
        rows, places = np.nonzero(ids == node)
        own = slice(starts[node], starts[node + 1])
        np.testing.assert_array_equal(back[own], rows)
        np.testing.assert_array_equal(lengths[own], z[rows, places])
