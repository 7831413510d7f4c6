"""Scans of parts of the rows against other parts: together they find what one scan finds."""

from itertools import pairwise

import numpy as np
import pytest
import scipy.sparse as sp

from smoothgraph.search import NearPairs, TiledSearch
from smoothgraph.search.coordinates import Coordinates
from smoothgraph.search.levels import Levels
from smoothgraph.search.scan import scan_nearest, scan_pairs, tiles_within
from smoothgraph.search.tiled_rows import TiledRows, canonical_rows
from smoothgraph.search.tiles import SIZE, Balls, NearTiles

M, K = 6000, 7
CUTS = (0, 2000, 4099, M)  # which need not be multiples of a tile


def clustered(m, d, rng):
    centers = 4 * rng.normal(size=(20, d))
    widths = 10 ** rng.uniform(-1, 0.3, size=(20, 1))
    place = rng.integers(20, size=m)
    return centers[place] + widths[place] * rng.normal(size=(m, d))


def single(m, d, rng):
    return clustered(m, d, rng).astype(np.float32)


def lattice(m, d, rng):
    """Many ties and duplicates, also across tiles and parts."""
    return rng.integers(0, 3, size=(m, d)).astype(float)


def few_nonzeros(m, d, rng):
    return sp.random_array((m, d), density=0.1, format="csr", rng=rng)


def arrange_parts(X, cuts):
    """Arrange the rows between two cuts, for each two cuts."""
    X = canonical_rows(X)
    coordinates = Coordinates.of(X)
    parts = [np.arange(first, last) for first, last in pairwise(cuts)]
    return [TiledRows.arrange(X[rows], coordinates.take(rows), rows) for rows in parts]


def all_tiles(columns):
    """All tiles, none of which can be ruled out."""
    return NearTiles(np.arange(columns.n_tiles), np.full(columns.n_tiles, -np.inf))


@pytest.fixture(scope="module", params=[clustered, single, lattice, few_nonzeros])
def both(request):
    """The whole, and the same rows in parts."""
    X = request.param(M, 70 if request.param is few_nonzeros else 8, np.random.default_rng(0))
    return TiledSearch.of(X), arrange_parts(X, CUTS)


@pytest.mark.slow
@pytest.mark.parametrize("column_order", [(0, 1, 2), (2, 0, 1)])
def test_nearest_by_parts_are_those_of_the_whole(both, column_order):
    """The same lower bounds: of nodes as near as single precision can tell, any may be found."""
    search, parts = both
    whole = search.tile(np.arange(M))
    expected = scan_nearest(whole, whole, K, lambda _: all_tiles(whole))
    expected = expected.halves[np.argsort(whole.ids)]
    for rows in parts:
        found = None
        for b in column_order:
            columns, own = parts[b], rows.tiles.balls
            near = [columns.tiles.balls.nearest_to(own.ball(tile), columns.n_tiles) for tile in range(rows.n_tiles)]
            found = scan_nearest(rows, columns, K, near.__getitem__, found)
        assert np.all(np.diff(np.sort(found.ids, axis=1), axis=1) > 0)
        assert not np.any(found.ids == rows.ids[:, None])
        np.testing.assert_allclose(
            found.halves, expected[rows.ids], rtol=1e-3, atol=1e-5
        )  # rows are no longer than about 1


def test_pairs_by_parts_are_those_of_the_whole(both):
    search, parts = both
    reach = search.nearest(K)[1].max(axis=1) * np.random.default_rng(1).uniform(-0.5, 2, size=M)
    expected = search.within(reach)
    across = np.digitize(expected.i, CUTS) != np.digitize(expected.j, CUTS)
    assert 100 < np.sum(across) < len(across) - 100
    levels = [Levels.of(reach[part.ids], None, rooted=False) for part in parts]
    found = []
    for a, rows in enumerate(parts):
        for b, columns in enumerate(parts[a:], start=a):
            highest = levels[b].widen(columns.coordinates).highest(columns.tiles)
            wide = levels[a].widen(rows.coordinates)
            choose = tiles_within(rows, wide, columns.tiles.balls, highest)
            found += scan_pairs(rows, columns, (levels[a], levels[b]), choose, once=a == b)
    assert_same_pairs(NearPairs.concatenate(found), expected)


def test_pairs_of_some_nodes_by_parts_are_those_of_the_whole(both):
    search, parts = both
    reach = search.nearest(5)[1].max(axis=1)
    rows, some = parts[1], np.arange(3, 2000, 3)
    expected = search.within(reach, rows.ids[some])
    assert len(expected.i) > 100
    levels = [Levels.of(reach[part.ids], None, rooted=False) for part in parts]
    found = []
    for columns, level in zip(parts, levels, strict=True):
        everywhere = all_tiles(columns)
        found += scan_pairs(rows.select(some), columns, (levels[1], level), lambda _, near=everywhere: near)
    found = NearPairs.concatenate(found)
    assert np.all(np.isin(found.i, rows.ids[some]))
    assert_same_pairs(found, expected)


def assert_same_pairs(found, expected):
    def in_one_order(pairs):
        rows = np.column_stack([np.sort([pairs.i, pairs.j], axis=0).T, pairs.z])
        return rows[np.lexsort(rows.T[1::-1])]

    np.testing.assert_array_equal(in_one_order(found), in_one_order(expected))


@pytest.mark.parametrize(("kind", "k"), [("uneven", 60), ("line", 530)])
def test_the_scan_stops_only_where_nothing_nearer_can_come(kind, k, rng):
    """A tile whose center is far may reach nearer than others; on a line, k reach just into the second tile beyond."""
    uneven = rng.normal(size=(8000, 1)) * np.exp(2 * rng.normal(size=(8000, 1)))
    X = uneven if kind == "uneven" else np.arange(10.0 * SIZE)[:, None]
    (rows,) = arrange_parts(X, (0, len(X)))
    balls = rows.tiles.balls
    expected = scan_nearest(rows, rows, k, lambda _: all_tiles(rows))
    found = scan_nearest(rows, rows, k, lambda tile: balls.nearest_to(balls.ball(tile), rows.n_tiles))
    np.testing.assert_array_equal(found.halves, expected.halves)


def test_no_half_is_below_the_floor_of_its_tile(rng):
    """On a line, balls are as near each other as their nodes, and only rounding is to be paid."""
    X = np.arange(20)[:, None] + rng.uniform(0.1, 0.5, (20, 1)) * np.linspace(-1, 1, SIZE)
    X = X.reshape(-1, 1)
    (rows,) = arrange_parts(X, (0, len(X)))
    balls = rows.tiles.balls
    near = [balls.nearest_to(balls.ball(tile), rows.n_tiles) for tile in range(rows.n_tiles)]
    for column in range(rows.n_tiles):
        only = [NearTiles(*(part[tiles.tiles == column] for part in tiles)) for tiles in near]
        found = scan_nearest(rows, rows, 1, only.__getitem__)
        least = found.halves.reshape(rows.n_tiles, SIZE).min(axis=1)
        floors = np.array([one.floors[0] for one in only])
        assert np.all(floors <= 2 * least.astype(float))
        assert np.all(floors > 2 * least - 1e-4)


def test_where_there_are_too_few_others_none_is_named(rng):
    (rows,) = arrange_parts(rng.normal(size=(5, 2)), (0, 5))
    found = scan_nearest(rows, rows, 7, lambda _: all_tiles(rows))
    assert np.all(np.sort(found.ids[:, :4], axis=1) >= 0)
    assert np.all(found.ids[:, 4:] == -1)
    assert np.all(np.isinf(found.z[:, 4:]))
    assert np.all(np.isfinite(found.z[:, :4]))


def test_balls_of_parts_can_be_joined(rng):
    """Tiles are then numbered through, and those of a part from its first on."""
    parts = arrange_parts(clustered(M, 3, rng), CUTS)
    balls = [part.tiles.balls for part in parts]
    joined = Balls(*(np.concatenate(fields) for fields in zip(*balls, strict=True)))
    first = len(balls[0].radii)
    near = joined.nearest_to(balls[0].ball(3), 20).between(first, first + len(balls[1].radii))
    alone = balls[1].nearest_to(balls[0].ball(3), len(balls[1].radii))
    np.testing.assert_array_equal(near.tiles, alone.tiles[: len(near.tiles)])


@pytest.mark.parametrize("form", [np.asfortranarray, lambda X: np.repeat(X, 2, axis=0)[::2]])
def test_the_layout_of_the_rows_in_memory_does_not_matter(form, rng):
    X = clustered(900, 20, rng)
    z = TiledSearch.of(X).exact_nearest(5)[1]
    np.testing.assert_array_equal(z, TiledSearch.of(form(X)).exact_nearest(5)[1])


@pytest.mark.parametrize("container", [np.asarray, sp.csr_array])
def test_squared_distances_of_rows_of_two_tables(container, rng):
    X, Y = rng.normal(size=(2, 20, 33)) * (rng.random((2, 20, 33)) < 0.4)
    i, j = rng.integers(20, size=(2, 50))

    def tiled(rows):
        return TiledRows(canonical_rows(container(rows)), coordinates=None, tiles=None, ids=None)

    z = tiled(X).measure(tiled(Y), i, j)
    np.testing.assert_allclose(z, np.sum((X[i] - Y[j]) ** 2, axis=1), rtol=1e-13)
    both = tiled(np.concatenate([X, Y]))
    np.testing.assert_array_equal(z, both.measure(both, j + 20, i))
