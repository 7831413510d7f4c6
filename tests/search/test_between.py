"""Searches of regions among regions: together they are the search of the whole, bit for bit."""

from itertools import pairwise

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from smoothgraph.search import NeighborSearch
from smoothgraph.search.balls import Balls, Chosen
from smoothgraph.search.between import Nearest, Pairs, nearest_between, pairs_between
from smoothgraph.search.coordinates import Coordinates
from smoothgraph.search.exact import half_reach, most_tiles, most_tiles_of_nearest
from smoothgraph.search.index import Index
from smoothgraph.search.measure import canonical, squared_distances
from smoothgraph.search.tiles import SIZE, Tiles

M = 6000
CUTS = (0, 2048, 4096, M)
SHARE = 0.3


def clustered(m, d, rng):
    centres = 4 * rng.normal(size=(20, d))
    widths = 10 ** rng.uniform(-1, 0.3, size=(20, 1))
    place = rng.integers(20, size=m)
    return centres[place] + widths[place] * rng.normal(size=(m, d))


def single(m, d, rng):
    return clustered(m, d, rng).astype(np.float32)


def lattice(m, d, rng):
    """Many ties and duplicates, also across tiles and regions."""
    return rng.integers(0, 3, size=(m, d)).astype(float)


def few_nonzeros(m, d, rng):
    return sp.random_array((m, d), density=0.1, format="csr", rng=rng)


def regions_of(X, cuts):
    """The rows of ``X`` in the order of a search, as regions that hold nothing of each other."""
    X = canonical(X)
    coordinates = Coordinates.of(X)
    order = Tiles.of(coordinates.points).order
    regions = []
    for first, last in pairwise(cuts):
        own = coordinates.in_order(order[first:last])
        tiles = Tiles.along(np.arange(last - first), own.points)
        regions.append(Index(X[order[first:last]], own, tiles, first))
    return regions


def all_balls(regions):
    balls = [region.tiles.balls for region in regions]
    return Balls(
        np.concatenate([ball.centres for ball in balls]),
        np.concatenate([ball.radii for ball in balls]),
    )


def nearest_by_regions(regions, k, share, column_order):
    balls = all_balls(regions)
    most = most_tiles_of_nearest(k, share, len(balls))
    found = []
    for rows in regions:
        own, nearest = rows.tiles.balls, None
        for b in column_order:
            nearest = nearest_between(
                rows,
                regions[b],
                k,
                lambda tile, own=own: balls.nearest_to(own[tile], most),
                nearest,
            )
        found.append(nearest)
    return Nearest(*(np.concatenate(part) for part in zip(*found, strict=True)))


def pairs_by_regions(regions, reach, share):
    balls = all_balls(regions)
    most = most_tiles(share, len(balls)) if share < 1 else None
    levels = [
        region.levels(half_reach(reach[region.first : region.first + region.n_nodes]))
        for region in regions
    ]
    largest = [
        region.tiles.largest(level.wide) for region, level in zip(regions, levels, strict=True)
    ]
    everywhere = np.concatenate(largest)
    found = []
    for a, rows in enumerate(regions):

        def chosen(tile, rows=rows, highest=largest[a]):
            return balls.within(rows.tiles.balls[tile], highest[tile] + everywhere, most)

        for b, columns in enumerate(regions):
            both = levels[a], levels[b]
            found += pairs_between(rows, columns, both, chosen, once=True)
    return Pairs.joined(found)


def in_one_order(pairs):
    order = np.lexsort((pairs.j, pairs.i))
    return [part[order] for part in pairs]


@pytest.fixture(scope="module", params=[clustered, single, lattice, few_nonzeros])
def searched(request):
    X = request.param(M, 70 if request.param is few_nonzeros else 8, np.random.default_rng(0))
    return NeighborSearch.in_order(X)[1], regions_of(X, CUTS)


@pytest.mark.parametrize("column_order", [(0, 1, 2), (2, 0, 1)])
def test_nearest_by_regions_are_those_of_the_whole(searched, column_order):
    search, regions = searched
    ids, z = search.likely_nearest(7, SHARE)
    found = nearest_by_regions(regions, 7, SHARE, column_order)
    np.testing.assert_array_equal(found.ids, ids)
    np.testing.assert_array_equal(found.z, z)


@pytest.mark.parametrize("share", [1.0, SHARE])
def test_pairs_by_regions_are_those_of_the_whole(searched, share):
    search, regions = searched
    z = search.likely_nearest(7, SHARE)[1]
    reach = z.max(axis=1) * np.random.default_rng(1).uniform(-0.5, 2, size=M)
    expected = search.within(reach, share=share)
    across = np.digitize(expected.i, CUTS) != np.digitize(expected.j, CUTS)
    assert 100 < np.sum(across) < len(across) - 100
    found = pairs_by_regions(regions, reach, share)
    for here, there in zip(in_one_order(found), in_one_order(expected), strict=True):
        np.testing.assert_array_equal(here, there)


def test_pairs_of_some_nodes_by_regions_are_those_of_the_whole(searched):
    """Rows in tiles of their own, which have no number among all tiles."""
    search, regions = searched
    reach = search.likely_nearest(5, SHARE)[1].max(axis=1)
    rows, own = regions[1], np.arange(3, 2000, 3)
    expected = search.within(reach, own + rows.first)
    some = rows.of_some(own)
    levels = [
        region.levels(half_reach(reach[region.first : region.first + region.n_nodes]))
        for region in regions
    ]
    everything = np.arange(len(all_balls(regions)))
    assert len(expected.i) > 100
    found = [
        pairs
        for columns, level in zip(regions, levels, strict=True)
        for pairs in pairs_between(some, columns, (levels[1], level), lambda _: everything)
    ]
    for here, there in zip(in_one_order(Pairs.joined(found)), in_one_order(expected), strict=True):
        np.testing.assert_array_equal(here, there)


def tiles_in_any_order(m, d, seed, *, ties):
    rng = np.random.default_rng(seed)
    X = (lattice if ties else clustered)(m, d, rng)
    coordinates = Coordinates.of(X)
    index = Index(X, coordinates, Tiles.of(coordinates.points))
    return index, rng.permutation(len(index.tiles.nodes))


@settings(max_examples=15, deadline=None)
@given(st.integers(600, 3000), st.integers(1, 9), st.integers(0, 10**6), st.booleans())
def test_the_order_in_which_tiles_are_looked_at_does_not_matter(m, d, seed, ties):
    index, moved = tiles_in_any_order(m, d, seed, ties=ties)
    n_tiles = len(moved)
    floors = np.full(n_tiles, -np.inf)  # all are looked at

    def nearest(tiles):
        return nearest_between(index, index, 6, lambda _: Chosen(tiles, floors))

    one, other = nearest(np.arange(n_tiles)), nearest(moved)
    balls = index.tiles.balls
    stopped = nearest_between(index, index, 6, lambda tile: balls.nearest_to(balls[tile], n_tiles))
    for a, b, c in zip(one, other, stopped, strict=True):
        np.testing.assert_array_equal(a, b)
        np.testing.assert_array_equal(a, c)


def uneven_tiles(rng):
    """A tile whose centre is far away may reach nearer than others."""
    return rng.normal(size=(8000, 1)) * np.exp(2 * rng.normal(size=(8000, 1)))


def line(rng):
    """The 530 nearest of a node at a tile's end reach just into the second tile beyond it."""
    return np.arange(10.0 * SIZE)[:, None]


@pytest.mark.parametrize(("kind", "k"), [(uneven_tiles, 60), (line, 530)])
def test_the_search_stops_only_where_nothing_nearer_can_come(kind, k, rng):
    X = kind(rng)
    (region,) = regions_of(X, (0, len(X)))
    balls = region.tiles.balls
    everything = Chosen(np.arange(len(balls)), np.full(len(balls), -np.inf))
    expected = nearest_between(region, region, k, lambda _: everything)
    found = nearest_between(
        region, region, k, lambda tile: balls.nearest_to(balls[tile], len(balls))
    )
    for here, there in zip(found, expected, strict=True):
        np.testing.assert_array_equal(here, there)


def test_no_value_is_below_the_floor_of_its_tile(rng):
    """On a line balls are as near each other as their nodes, and only rounding is to be paid."""
    X = np.arange(20)[:, None] + rng.uniform(0.1, 0.5, (20, 1)) * np.linspace(-1, 1, SIZE)
    X = X.reshape(-1, 1)
    (region,) = regions_of(X, (0, len(X)))
    balls = region.tiles.balls
    for column in range(len(balls)):
        chosen = [balls.nearest_to(balls[tile], len(balls)) for tile in range(len(balls))]
        only = [tiles.inside(column, column + 1) for tiles in chosen]
        found = nearest_between(region, region, 1, only.__getitem__)
        least = found.halves.reshape(len(balls), SIZE).min(axis=1)
        floors = np.array([one.floors[0] for one in only])
        assert np.all(floors <= 2 * least.astype(float))
        assert np.all(floors > 2 * least - 1e-4)


def test_of_equally_near_nodes_those_with_the_smallest_ids_are_kept(rng):
    """At each of 5 places 400 nodes; the origin is among them, so that nothing is rounded."""
    place = rng.permutation(np.repeat(np.arange(5), 400))
    X = np.stack([4.0 * place - 8.0, np.zeros(2000)], axis=1)
    ids, z = NeighborSearch(X).likely_nearest(9)
    assert np.all(z == 0)
    for node in range(2000):
        others = np.flatnonzero(place == place[node])
        assert ids[node].tolist() == others[others != node][:9].tolist()


def test_where_too_few_others_are_there_none_is_named(rng):
    (region,) = regions_of(rng.normal(size=(5, 2)), (0, 5))
    found = nearest_between(region, region, 7, lambda _: Chosen(np.arange(1), np.zeros(1)))
    assert np.all(np.sort(found.ids[:, :4], axis=1) >= 0)
    assert np.all(found.ids[:, 4:] == -1)
    assert np.all(np.isinf(found.z[:, 4:]))
    assert np.all(np.isfinite(found.z[:, :4]))


def test_regions_begin_where_a_tile_does(rng):
    (region,) = regions_of(rng.normal(size=(5, 2)), (0, 5))
    with pytest.raises(ValueError, match=f"multiple of {SIZE}.*got 7"):
        Index(region.X, region.coordinates, region.tiles, 7)


@pytest.mark.parametrize("form", [np.asfortranarray, lambda X: np.repeat(X, 2, axis=0)[::2]])
def test_the_layout_of_the_rows_in_memory_does_not_matter(form, rng):
    X = clustered(900, 20, rng)
    ids, z = NeighborSearch(X).likely_nearest(5)
    other_ids, other_z = NeighborSearch(form(X)).likely_nearest(5)
    np.testing.assert_array_equal(ids, other_ids)
    np.testing.assert_array_equal(z, other_z)


@pytest.mark.parametrize("container", [np.asarray, sp.csr_array])
def test_squared_distances_of_rows_of_two_tables(container, rng):
    X, Y = rng.normal(size=(2, 20, 33)) * (rng.random((2, 20, 33)) < 0.4)
    i, j = rng.integers(20, size=(2, 50))
    z = squared_distances(container(X), container(Y), i, j)
    np.testing.assert_allclose(z, np.sum((X[i] - Y[j]) ** 2, axis=1), rtol=1e-13)
    both = container(np.concatenate([X, Y]))
    np.testing.assert_array_equal(z, squared_distances(both, both, j + 20, i))
