"""The order of nodes in chunks is the one they have in memory, and regions follow it."""

import numpy as np
import pytest
from dask.sizeof import sizeof
from hypothesis import given, settings
from hypothesis import strategies as st

from smoothgraph.cluster.ordering import regions_of
from smoothgraph.cluster.rows import Chunk, Rows
from smoothgraph.search.tiles import SIZE, Tiles, in_order


def table_of(points, sizes, client):
    """Rows that are known by their numbers, with these coordinates."""
    cuts = np.cumsum(sizes)[:-1]
    numbers = np.arange(len(points), dtype=float)
    arrays = numbers[:, None], points, numbers
    chunks = zip(*(np.split(array, cuts) for array in arrays), strict=True)
    futures = [client.submit(Chunk, *chunk, pure=False) for chunk in chunks]
    return Rows(futures, tuple(sizes), 1.0, 0.5)


def regions_in(points, sizes, n_regions, client):
    futures, firsts = regions_of(table_of(points, sizes, client), client, n_regions)
    regions = client.gather(futures)
    assert [region.first for region in regions] == firsts
    return regions


def split(m, n_chunks):
    return [len(part) for part in np.array_split(np.arange(m), n_chunks)]


def normal(m, rng):
    return rng.normal(size=(m, 3))


def large_and_small(m, rng):
    return rng.normal(size=(m, 2)) * 10.0 ** rng.integers(-30, 30, size=(m, 2))


def lattice(m, rng):
    return rng.integers(-1, 2, size=(m, 4))


def near_ties(m, rng):
    """Numbers that differ in their last bits only."""
    return 1 + rng.integers(0, 40, size=(m, 2)) * 2.0**-23


def zeros_of_both_signs(m, rng):
    return np.where(rng.random((m, 2)) < 0.8, np.copysign(0.0, rng.normal(size=(m, 2))), 1.0)


def all_equal(m, rng):
    return np.full((m, 2), -3.5)


def already_sorted(m, rng):
    return np.arange(m)[:, None] - m / 2


@pytest.mark.parametrize(
    "kind",
    [normal, large_and_small, lattice, near_ties, zeros_of_both_signs, all_equal, already_sorted],
)
def test_order_is_that_in_memory(kind, cluster_client, rng):
    points = kind(4000, rng).astype(np.float32)
    regions = regions_in(points, [1, 1500, 1499, 1000], 6, cluster_client)
    assert len(regions) >= 6
    order = np.concatenate([region.nodes for region in regions])
    np.testing.assert_array_equal(order, in_order(points, np.arange(4000)))


@settings(max_examples=10)
@given(
    st.integers(1, 3000), st.integers(1, 4), st.integers(1, 9), st.booleans(), st.integers(0, 99)
)
def test_order_of_any_number_of_nodes(cluster_client, m, n_chunks, n_regions, ties, seed):
    points = (lattice if ties else normal)(m, np.random.default_rng(seed)).astype(np.float32)
    regions = regions_in(points, split(m, min(m, n_chunks)), n_regions, cluster_client)
    order = np.concatenate([region.nodes for region in regions])
    np.testing.assert_array_equal(order, in_order(points, np.arange(m)))
    assert len(regions) >= min(n_regions, m // SIZE)
    assert all(region.first % SIZE == 0 for region in regions)


def test_a_region_has_all_that_belongs_to_its_nodes(cluster_client, rng):
    points = normal(2000, rng).astype(np.float32)
    tiles = Tiles.of(points)
    for region in regions_in(points, split(2000, 3), 3, cluster_client):
        nodes = tiles.order[region.first : region.first + len(region.nodes)]
        np.testing.assert_array_equal(region.X[:, 0], nodes)
        np.testing.assert_array_equal(region.error, nodes)
        np.testing.assert_array_equal(region.points, points[nodes])
        index = region.as_index()
        assert (index.first, index.coordinates.unit) == (region.first, 0.5)
        np.testing.assert_array_equal(index.tiles.order, np.arange(len(nodes)))
        own = slice(index.first_tile, index.first_tile + len(index.tiles.nodes))
        np.testing.assert_array_equal(index.tiles.balls.centres, tiles.balls.centres[own])
        np.testing.assert_array_equal(index.tiles.balls.radii, tiles.balls.radii[own])


def test_dask_knows_how_much_memory_a_region_takes(cluster_client, rng):
    """Else workers would not notice that their memory is full."""
    (region,) = regions_in(
        rng.normal(size=(2000, 50)).astype(np.float32), [2000], 1, cluster_client
    )
    assert sizeof(region) > region.X.nbytes + region.points.nbytes
