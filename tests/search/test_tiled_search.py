"""TiledSearch against brute force: the nearest, and all pairs within reach."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from smoothgraph.pairs.euclidean import SEARCHABLE
from smoothgraph.search import TiledSearch


def gaussian(m, d, rng):
    return rng.normal(size=(m, d))


def clustered(m, d, rng):
    centers = 10 * rng.normal(size=(8, d))
    return centers[rng.integers(8, size=m)] + 0.3 * rng.normal(size=(m, d))


def low_rank(m, d, rng):
    return rng.normal(size=(m, 6)) @ rng.normal(size=(6, d)) + 0.01 * rng.normal(size=(m, d))


def lattice(m, d, rng):
    """Many ties and duplicates."""
    return rng.integers(0, 3, size=(m, d)).astype(float)


def uneven(m, d, rng):
    scale = np.where(rng.random((m, 1)) < 0.5, 1e-4, 1e4)
    return scale * rng.normal(size=(m, d)) + 1e6 * (scale > 1)


def few_nonzeros(m, d, rng):
    return sp.random_array((m, d), density=0.1, format="csr", rng=rng)


def all_squared(X):
    """By differences, in double precision; a node is infinitely far from itself."""
    X = (X.toarray() if sp.issparse(X) else X).astype(float)
    z = cdist(X, X, "sqeuclidean")
    np.fill_diagonal(z, np.inf)
    return z


def assert_nearest(X, k=7):
    Z = all_squared(X)
    ids, z = TiledSearch.of(X).exact_nearest(k)
    order = np.argsort(Z, axis=1)[:, : k + 1]
    expected = np.take_along_axis(Z, order, 1)
    np.testing.assert_allclose(z, expected[:, :k], rtol=1e-12)
    np.testing.assert_allclose(np.take_along_axis(Z, ids, 1), z, rtol=1e-12)
    assert np.all(np.diff(np.sort(ids, axis=1), axis=1) > 0)
    distinct = np.all(np.diff(expected, axis=1) > 1e-9 * expected[:, 1:], axis=1)
    np.testing.assert_array_equal(ids[distinct], order[distinct, :k])


def keys(i, j):
    """One number per unordered pair."""
    return np.sort(np.minimum(i, j).astype(np.int64) * 10**6 + np.maximum(i, j))


def pairs_below(Z, bars):
    return keys(*np.nonzero(np.triu(bars > 2 * Z, 1)))


def assert_within(X, reach, pairs):
    """All pairs below ``r_i + r_j`` were found once, and none above it by more than rounding."""
    i, j, z = pairs
    Z, sums = all_squared(X), reach[:, None] + reach
    rounding = 4 * np.finfo(float).eps * (np.abs(reach)[:, None] + np.abs(reach))
    found = keys(i, j)
    assert len(np.unique(found)) == len(found)
    assert np.all(np.isin(pairs_below(Z, sums - rounding), found))
    assert np.all(np.isin(found, pairs_below(Z, sums + rounding)))
    np.testing.assert_allclose(z, np.sum((X[i] - X[j]) ** 2, axis=1), rtol=1e-14)


def random_reach(X, rng):
    """Log-uniform around the distances to the nearest; some zero, some negative."""
    Z = all_squared(X)
    typical = np.median(Z.min(axis=1)) or np.median(Z[np.isfinite(Z)]) or 1.0
    reach = typical * 10 ** rng.uniform(-3, 1, size=len(Z))
    kind = rng.random(len(Z))
    return np.where(kind < 0.15, 0.0, np.where(kind < 0.3, -reach, reach))


def near_copies(rng):
    centers = np.repeat(gaussian(3, 100, rng), 100, axis=0)
    return centers * (1 + 1e-6 * gaussian(300, 1, rng))


def unsorted_indices(rng):
    X = few_nonzeros(300, 40, rng)
    backwards = np.concatenate([np.arange(X.indptr[r], X.indptr[r + 1])[::-1] for r in range(300)])
    return sp.csr_array((X.data[backwards], X.indices[backwards], X.indptr), X.shape)


def outlier(m, d, rng):
    X = low_rank(m, d, rng)
    X[m // 2] = 1e6
    return X


SHAPES = {
    clustered: [(700, 5), (700, 40), *((m, 3) for m in (255, 256, 257, 512, 513, 600, 1281))],  # ends of the last tile
    gaussian: [(600, 60), (600, 3), (600, 1), (8, 30)],
    low_rank: [(600, 120), (260, 784), (600, 30)],
    outlier: [(600, 30), (600, 120)],
    lattice: [(600, 4)],
    uneven: [(600, 3), (600, 90)],
    few_nonzeros: [(600, 60), (600, 12)],
}
FAR = ((gaussian, 3), (clustered, 90), (low_rank, 100))
SINGLE = ((clustered, 4), (gaussian, 90), (low_rank, 100), (few_nonzeros, 40))


@pytest.mark.parametrize(("kind", "m", "d"), [(kind, *shape) for kind, shapes in SHAPES.items() for shape in shapes])
def test_nearest(kind, m, d, rng):
    assert_nearest(kind(m, d, rng))


@pytest.mark.parametrize(
    "make",
    [
        *(lambda rng, kind=kind, d=d: 1e8 + kind(600, d, rng) for kind, d in FAR),
        lambda rng: 1e6 + low_rank(600, 40, rng),
        *(lambda rng, kind=kind, d=d: kind(600, d, rng).astype(np.float32) for kind, d in SINGLE),
        *(lambda _, value=value, d=d: np.full((300, d), value) for value in (0.0, 0.1) for d in (3, 30)),
        *(lambda _, value=value: sp.csr_array(np.full((300, 30), value)) for value in (0.0, 0.1)),
        lambda rng: near_copies(rng).astype(np.float32),
        unsorted_indices,
    ],
)
def test_nearest_far_from_the_origin_in_single_precision_and_among_copies(make, rng):
    assert_nearest(make(rng))


def test_nearest_can_be_all_others(rng):
    assert_nearest(gaussian(5, 3, rng), k=4)
    assert_nearest(gaussian(2, 3, rng), k=1)


@pytest.mark.parametrize("d", [3, 30])
def test_duplicates(d, rng):
    """At each of 6 places 100 nodes: all the nearest are at distance zero."""
    X = np.repeat(gaussian(6, d, rng), 100, axis=0)[rng.permutation(600)]
    assert_nearest(X)
    pairs = TiledSearch.of(X).within(np.full(600, 1e-9))
    assert len(pairs.i) == 6 * 100 * 99 // 2
    assert np.all(pairs.z == 0)
    assert len(TiledSearch.of(X).within(np.zeros(600)).i) == 0


@pytest.mark.parametrize("scale", [1e-60, 1e-30, 1e-22, 1e-15, 1e15, 1e20, 1e30, 1e60])
def test_any_scale(scale, rng):
    X = scale * clustered(300, 3, rng)
    assert_nearest(X)
    reach = random_reach(X, rng)
    assert_within(X, reach, TiledSearch.of(X).within(reach))


def test_a_tiny_reach_between_duplicates():
    assert len(TiledSearch.of(np.zeros((5, 2))).within(np.full(5, 1e-50)).i) == 10


def drawn(case):
    kind, m, d, seed = case
    rng = np.random.default_rng(seed)
    return kind(m, d, rng), rng


KINDS = (gaussian, clustered, low_rank, lattice, uneven, outlier)
CASES = st.tuples(st.sampled_from(KINDS), st.integers(2, 600), st.integers(1, 80), st.integers(0, 10**6))


@settings(max_examples=25)
@given(CASES)
def test_within_finds_every_pair_once(case):
    X, rng = drawn(case)
    reach = random_reach(X, rng)
    assert_within(X, reach, TiledSearch.of(X).within(reach))


@settings(max_examples=12)
@given(CASES, st.floats(0.01, 1))
def test_within_of_some_nodes_finds_their_pairs(case, share):
    """A pair of two of them comes twice."""
    X, rng = drawn(case)
    reach = random_reach(X, rng)
    chosen = rng.random(len(X)) < share
    chosen[0] = True
    i, j, z = TiledSearch.of(X).within(reach, np.flatnonzero(chosen))
    assert np.all(chosen[i])
    expected = np.nonzero((reach[:, None] + reach > 2 * all_squared(X)) & chosen[:, None])
    np.testing.assert_array_equal(np.sort(i * 1000 + j), np.sort(expected[0] * 1000 + expected[1]))
    np.testing.assert_allclose(z, np.sum((X[i] - X[j]) ** 2, axis=1), rtol=1e-14)


def test_within_of_no_nodes(rng):
    nobody = np.zeros(0, dtype=int)
    assert len(TiledSearch.of(gaussian(9, 2, rng)).within(np.ones(9), nobody).i) == 0


@pytest.mark.slow
@pytest.mark.parametrize("offset", [0.0, 1e8])
@pytest.mark.parametrize(("kind", "d"), [(clustered, 3), (gaussian, 90), (low_rank, 100), (uneven, 3)])
def test_pairs_at_the_very_edge_of_their_reach(kind, d, offset, rng):
    """Disjoint pairs, near and far, with ``2 z`` one part in 10^12 below or above the sum."""
    m = 420
    X = kind(m, d, rng) + offset
    a, b = rng.permutation(m).reshape(2, -1)
    Z = all_squared(X)
    b[: m // 6] = Z[a[: m // 6]].argmin(axis=1)
    inside = rng.random(m // 2) < 0.5
    share = rng.uniform(-0.5, 1.5, size=m // 2)
    reach = np.full(m, -4 * Z[np.isfinite(Z)].max())
    search = TiledSearch.of(X)
    for e in rng.choice(m // 2, 40, replace=False):
        total = 2 * Z[a[e], b[e]] * (1 + (1e-12 if inside[e] else -1e-12))
        own = reach.copy()
        own[a[e]], own[b[e]] = share[e] * total, (1 - share[e]) * total
        i, j, _ = search.within(own, np.array([a[e]]))
        assert list(zip(i, j, strict=True)) == ([(a[e], b[e])] if inside[e] else [])


def test_close_pairs_across_the_border_of_two_tiles():
    """Two tiles of a line which touch at the mean, where coordinates have no error to pay."""
    for seed in range(50):
        rng = np.random.default_rng(seed)
        half = 10 ** rng.uniform(-15.5, -6.5)
        right = np.concatenate([[half], rng.uniform(2 * half, 1, size=255)])
        X = np.concatenate([right, -right])[:, None]
        reach = np.full(512, -1.0)
        reach[[0, 256]] = 1.0005 * (2 * half) ** 2
        assert keys(*TiledSearch.of(X).within(reach)[:2]).tolist() == [256], seed


@pytest.mark.parametrize("kind", [gaussian, clustered])
def test_a_node_that_reaches_far_meets_one_that_reaches_less_than_nothing(kind, rng):
    """The sum of their reaches is a millionth of either, and just above twice their distance."""
    X = kind(400, 3, rng)
    Z = all_squared(X)
    search = TiledSearch.of(X)
    for a in range(40):
        b = int(rng.integers(200, 400))
        reach = np.full(400, -np.inf)
        reach[a] = 1e6 * Z[a, b]
        reach[b] = 2 * Z[a, b] * (1 + 1e-9) - reach[a]
        assert keys(*search.within(reach)[:2]).tolist() == [a * 10**6 + b]


def test_more_pairs_than_are_measured_together():
    i, j, z = TiledSearch.of(np.arange(4300.0)[:, None]).within(np.full(4300, 1e9), np.arange(256))
    assert len(i) == 256 * 4299
    assert np.all((i < 256) & (i != j))
    np.testing.assert_array_equal(z, (i - j.astype(float)) ** 2)


def test_nodes_that_reach_nothing_do_not_hide_those_beside_them(rng):
    X = clustered(600, 3, rng)
    reach = np.where(rng.random(600) < 0.5, -np.inf, 2 * all_squared(X).min(axis=1))
    expected = pairs_below(all_squared(X), reach[:, None] + reach)
    assert len(expected) > 100
    search = TiledSearch.of(X)
    np.testing.assert_array_equal(keys(*search.within(reach)[:2]), expected)
    i, j, _ = search.within(reach, np.arange(600))
    np.testing.assert_array_equal(np.unique(keys(i, j)), expected)


def test_near_nodes_are_close_together_in_the_order(rng):
    X = rng.normal(size=(5000, 2))
    order = TiledSearch.of(X).order
    np.testing.assert_array_equal(np.sort(order), np.arange(5000))
    steps = np.linalg.norm(np.diff(X[order], axis=0), axis=1)
    assert np.mean(steps) < 0.4 * np.mean(np.linalg.norm(np.diff(X, axis=0), axis=1))


@pytest.mark.parametrize("metric", SEARCHABLE)
def test_distances_are_those_of_the_metric(metric, rng):
    X = clustered(700, 9, rng) + 3
    Z = cdist(X, X, metric)
    np.fill_diagonal(Z, np.inf)
    search = TiledSearch.of(X, metric)
    for ids, z in (search.exact_nearest(4), search.nearest(4)):
        np.testing.assert_allclose(z, np.take_along_axis(Z, ids, 1), rtol=1e-6, atol=1e-14)
    reach = 1.5 * Z.min(axis=1)
    i, j, z = search.within(reach)
    np.testing.assert_array_equal(keys(i, j), pairs_below(Z, reach[:, None] + reach))
    np.testing.assert_allclose(z, Z[i, j], rtol=1e-6, atol=1e-14)


def test_likely_nearest_have_their_true_distances(rng):
    X = low_rank(600, 100, rng)
    Z = all_squared(X)
    ids, z = TiledSearch.of(X).nearest(5)
    np.testing.assert_allclose(z, np.take_along_axis(Z, ids, 1), rtol=1e-12)
    assert np.mean(np.sort(z, axis=1) <= np.sort(Z, axis=1)[:, :5] * (1 + 1e-12)) > 0.5


@pytest.mark.parametrize("k", [0, 9, -1])
def test_k_must_leave_out_the_node_itself(k, rng):
    search = TiledSearch.of(gaussian(9, 2, rng))
    for find in (search.exact_nearest, search.nearest):
        with pytest.raises(ValueError, match="between 1 and 8"):
            find(k)


@pytest.mark.parametrize("reach", [np.ones(8), 1.0, np.full(9, np.nan)])
def test_reach_is_one_number_per_node(reach, rng):
    with pytest.raises(ValueError, match="one number per node"):
        TiledSearch.of(gaussian(9, 2, rng)).within(reach)


def test_rows_must_be_finite():
    with pytest.raises(ValueError, match="node 1"):
        TiledSearch.of(np.array([[0.0], [np.inf], [1.0]]))


def test_a_tile_out_of_its_own_reach_still_meets_others(rng):
    """Two tiles: the nodes of one reach less than nothing, those of the other far."""
    X = np.concatenate([rng.uniform(0, 1, size=(256, 2)), rng.uniform(9, 10, size=(256, 2))])
    reach = np.repeat([-1.0, 1000.0], 256)
    pairs = TiledSearch.of(X).within(reach)
    across = (pairs.i < 256) != (pairs.j < 256)
    assert np.sum(across) == 256 * 256
    assert np.sum(~across) == 256 * 255 // 2
