"""Regions hold every row once, are about equally large, and hold rows near each other."""

import dask.array as da
import numpy as np
import pytest
from dask.sizeof import sizeof
from hypothesis import given, settings
from hypothesis import strategies as st

from smoothgraph.cluster.regions import make_regions, place_rows, plan_cuts
from smoothgraph.search.coordinates import sample_rows
from smoothgraph.search.tiles import SIZE


def normal(m, rng):
    return rng.normal(size=(m, 3))


def large_and_small(m, rng):
    return rng.normal(size=(m, 2)) * 10.0 ** rng.integers(-30, 30, size=(m, 2))


def lattice(m, rng):
    return rng.integers(-1, 2, size=(m, 4)).astype(float)


def near_ties(m, rng):
    """Numbers that differ in their last bits only."""
    return 1 + rng.integers(0, 40, size=(m, 2)) * 2.0**-23


def zeros_of_both_signs(m, rng):
    return np.where(rng.random((m, 2)) < 0.8, np.copysign(0.0, rng.normal(size=(m, 2))), 1.0)


def all_equal(m, rng):
    return np.full((m, 2), -3.5)


def half_equal(m, rng):
    """At the end of the table, so that row numbers tell something."""
    return np.concatenate([rng.normal(size=(m // 2, 2)), np.zeros((m - m // 2, 2))])


def already_sorted(m, rng):
    return np.arange(m)[:, None] - m / 2


KINDS = [normal, large_and_small, lattice, near_ties, zeros_of_both_signs, all_equal, half_equal, already_sorted]


def assert_balanced(sizes):
    assert max(sizes) <= 2 * min(sizes)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n_regions", [2, 7, 40])
def test_cuts_by_a_sample_balance_any_data(kind, n_regions, rng):
    points = kind(100_000, rng).astype(np.float32)
    sampled, rows = sample_rows(len(points), 256 * n_regions), np.arange(len(points))
    cuts = plan_cuts(points[sampled], sampled, n_regions)
    places = place_rows(points, rows, cuts)
    sizes = np.bincount(places, minlength=n_regions)
    assert len(sizes) == n_regions
    assert_balanced(sizes)


def test_cuts_separate_smaller_from_larger_coordinates(rng):
    points = rng.normal(size=(5000, 1)).astype(np.float32)
    rows = rng.permutation(5000)
    places = place_rows(points, rows, plan_cuts(points[:999], rows[:999], 5))
    assert np.all(np.diff(places[np.argsort(points[:, 0])]) >= 0)


def test_no_cuts_leave_one_region(rng):
    assert plan_cuts(normal(9, rng), np.arange(9), 1) is None
    np.testing.assert_array_equal(place_rows(normal(9, rng), np.arange(9), None), np.zeros(9))


def regions_of(X, sizes, n_regions, client):
    table = da.from_array(X, chunks=(tuple(sizes), -1))
    futures, bounds = make_regions(table, "sqeuclidean", client, n_regions)
    return client.gather(futures), bounds


def assert_regions_of(X, regions, bounds):
    """Every row once, with all that belongs to it."""
    nodes = np.concatenate([region.nodes for region in regions])
    np.testing.assert_array_equal(np.sort(nodes), np.arange(len(X)))
    assert bounds[0][0] == 0
    for region, (first, last) in zip(regions, bounds, strict=True):
        np.testing.assert_array_equal(region.rows.ids, np.arange(first, last))
        np.testing.assert_array_equal(region.rows.X, X[region.nodes])
        tiles = region.rows.tiles
        members = tiles.nodes[tiles.nodes >= 0]
        np.testing.assert_array_equal(members, np.arange(last - first))


@pytest.mark.parametrize("kind", KINDS)
def test_regions_hold_all_rows(kind, cluster_client, rng):
    X = kind(4000, rng)
    regions, bounds = regions_of(X, [1, 1500, 1499, 1000], 6, cluster_client)
    assert len(regions) == 6
    assert_regions_of(X, regions, bounds)
    assert_balanced([last - first for first, last in bounds])


@settings(max_examples=10)
@given(st.integers(1, 3000), st.integers(1, 4), st.integers(1, 9), st.booleans(), st.integers(0, 99))
def test_regions_of_any_number_of_rows(cluster_client, m, n_chunks, n_regions, ties, seed):
    X = (lattice if ties else normal)(m, np.random.default_rng(seed))
    sizes = [len(part) for part in np.array_split(np.arange(m), min(m, n_chunks))]
    regions, bounds = regions_of(X, sizes, n_regions, cluster_client)
    assert_regions_of(X, regions, bounds)
    assert len(regions) == max(1, min(n_regions, m // SIZE))
    assert_balanced([last - first for first, last in bounds])


def test_many_rows_are_cut_into_regions_that_can_be_sent(cluster_client, rng):
    X = rng.normal(size=(70_000, 3)).astype(np.float32)
    regions, bounds = regions_of(X, [30_000, 40_000], 1, cluster_client)
    assert len(regions) == 2
    assert_balanced([last - first for first, last in bounds])


def test_dask_knows_how_much_memory_a_region_takes(cluster_client, rng):
    """Else workers would not notice that their memory is full."""
    X = rng.normal(size=(2000, 50)).astype(np.float32)
    (region,), _ = regions_of(X, [2000], 1, cluster_client)
    rows = region.rows
    assert sizeof(region) > rows.X.nbytes + rows.coordinates.points.nbytes
