"""Tiles and their order: a function of the set of nodes, whichever way it is computed."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smoothgraph.search.balls import Balls
from smoothgraph.search.tiles import (
    BLOCK,
    SIZE,
    Tiles,
    first_part,
    in_order,
    judged_ranks,
    widest,
)


def points_of(m, d, rng, *, ties):
    points = rng.integers(-2, 3, size=(m, d)) if ties else rng.normal(size=(m, d))
    return points.astype(np.float32)


def by_sorting(points, nodes):
    """The order by its definition: all sorts are full, all parts are sets."""
    if len(nodes) <= SIZE:
        return sorted(nodes)
    nodes = np.array(sorted(nodes))
    spread = points[nodes[judged_ranks(len(nodes))]].astype(float).var(axis=0)
    along = points[nodes, np.argmax(spread)] + np.float32(0)
    ranked = nodes[np.lexsort((nodes, along))]
    middle = first_part(len(nodes))
    return [*by_sorting(points, ranked[:middle]), *by_sorting(points, ranked[middle:])]


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("m", [1, 255, 256, 257, 700, 5000, BLOCK + 1, 20_000])
def test_order_is_that_of_the_definition(m, ties, rng):
    points = points_of(m, 4, rng, ties=ties)
    np.testing.assert_array_equal(in_order(points, np.arange(m)), by_sorting(points, range(m)))


@settings(max_examples=15)
@given(st.integers(1, 2000), st.booleans(), st.integers(0, 10**6))
def test_order_depends_on_the_set_of_nodes_only(m, ties, seed):
    rng = np.random.default_rng(seed)
    points = points_of(2500, 3, rng, ties=ties)
    nodes = rng.choice(2500, m, replace=False)
    order = in_order(points, nodes)
    assert set(order.tolist()) == set(nodes.tolist())
    np.testing.assert_array_equal(order, in_order(points, rng.permutation(nodes)))
    moved = np.asfortranarray(points)
    np.testing.assert_array_equal(order, in_order(moved, nodes))


def test_zeros_are_equal_whatever_their_sign(rng):
    points = points_of(3000, 3, rng, ties=True)
    flipped = (points == 0) & (rng.random(points.shape) < 0.5)
    signed = np.where(flipped, np.float32(-0.0), points)
    assert np.any(np.signbit(signed) != np.signbit(points))
    nodes = np.arange(3000)
    np.testing.assert_array_equal(in_order(signed, nodes), in_order(points, nodes))


def test_each_part_of_a_cut_is_put_in_order_by_itself(rng):
    m = 2 * BLOCK + 3000
    points, middle = points_of(m, 3, rng, ties=False), first_part(m)
    order = in_order(points, np.arange(m))
    assert middle % BLOCK == 0
    for part in (order[:middle], order[middle:]):
        np.testing.assert_array_equal(in_order(points, part), part)
        own = np.sort(part)
        np.testing.assert_array_equal(own[in_order(points[own], np.arange(len(own)))], part)


@given(st.integers(SIZE + 1, 10**9))
def test_first_part(n):
    middle = first_part(n)
    unit = BLOCK if n > BLOCK else SIZE
    assert 0 < middle < n
    assert middle % unit == 0
    assert middle - unit < n / 2 <= middle


@given(st.integers(1, 10**9))
def test_judged_ranks_are_spread_over_all(n):
    ranks = judged_ranks(n)
    assert len(ranks) == min(n, 256)
    assert ranks[0] == 0
    assert ranks[-1] < n
    steps = np.diff([*ranks, n])
    assert np.all(steps >= 1)
    assert np.ptp(steps) <= 1


def test_widest_is_judged_in_double_precision():
    """In single precision the sum of the first column loses more digits than the second varies."""
    points = np.full((256, 2), 1e8, dtype=np.float32)
    points[:, 1] = np.arange(256) % 2
    assert widest(points) == 1
    assert widest(np.zeros((4, 2), dtype=np.float32)) == 0


def test_tiles_are_balls_of_increasing_nodes(rng):
    points = points_of(1000, 3, rng, ties=False)
    tiles = Tiles.of(points)
    assert sorted(tiles.order.tolist()) == list(range(1000))
    for tile, nodes in enumerate(tiles.nodes):
        members = nodes[nodes >= 0]
        assert np.all(np.diff(members) > 0)
        centre, radius = tiles.balls[tile]
        off = np.linalg.norm(points[members].astype(float) - centre, axis=1)
        assert off.max() <= radius * (1 + 1e-12)


def test_of_tiles_equally_far_the_first_are_chosen():
    corners = np.array([[1, 0], [0, 1], [-1, 0], [0, -1], [0, 0]] * 20, dtype=np.float32)
    balls = Balls(corners, np.zeros(100))
    middle = balls[4]
    nearest = balls.nearest_to(middle, 50).tiles
    ring = [t for t in range(100) if t % 5 != 4]
    assert nearest.tolist() == [*range(4, 100, 5), *ring[:30]]
    level = np.full(100, 2.0)
    assert balls.within(middle, level, 50).tolist() == sorted(nearest.tolist())
    assert balls.within(middle, level, None).tolist() == list(range(100))
