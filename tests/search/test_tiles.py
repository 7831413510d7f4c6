"""Tiles, their order, and the balls around them."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smoothgraph.search.tiles import SIZE, Balls, Tiles, spatial_order, widest_coordinate
from smoothgraph.support.blocks import BLOCK


def points_of(m, d, rng, *, ties=False):
    points = rng.integers(-2, 3, size=(m, d)) if ties else rng.normal(size=(m, d))
    return points.astype(np.float32)


@settings(max_examples=15)
@given(st.integers(1, 2000), st.booleans(), st.integers(0, 10**6))
def test_order_depends_on_the_set_of_nodes_only(m, ties, seed):
    rng = np.random.default_rng(seed)
    points = points_of(2500, 3, rng, ties=ties)
    nodes = rng.choice(2500, m, replace=False)
    order = spatial_order(points, nodes)
    assert set(order.tolist()) == set(nodes.tolist())
    np.testing.assert_array_equal(order, spatial_order(points, rng.permutation(nodes)))


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize(("m", "size"), [(257, SIZE), (700, SIZE), (5000, SIZE), (2 * BLOCK + 3000, BLOCK)])
def test_a_cut_separates_smaller_from_larger_coordinates(m, size, ties, rng):
    """Blocks of successive nodes, which threads work on, are compact, too."""
    points = points_of(m, 1, rng, ties=ties)
    order = spatial_order(points, np.arange(m))
    parts = [points[order[first : first + size], 0] for first in range(0, m, size)]
    for left, right in pairwise(parts):
        assert left.max() <= right.min()


def test_widest_coordinate_is_chosen_in_double_precision():
    """In single precision the sum of the first column loses more digits than the second varies."""
    points = np.full((256, 2), 1e8, dtype=np.float32)
    points[:, 1] = np.arange(256) % 2
    assert widest_coordinate(points) == 1
    assert widest_coordinate(np.zeros((4, 2), dtype=np.float32)) == 0


def test_tiles_lie_in_their_balls(rng):
    points = points_of(1000, 3, rng)
    tiles = Tiles.along(spatial_order(points, np.arange(1000)), points)
    members = [nodes[nodes >= 0] for nodes in tiles.nodes]
    np.testing.assert_array_equal(np.sort(np.concatenate(members)), np.arange(1000))
    for tile, inside in enumerate(members):
        center, radius = tiles.balls.ball(tile)
        off = np.linalg.norm(points[inside].astype(float) - center, axis=1)
        assert off.max() <= radius * (1 + 1e-12)
    largest = tiles.largest(points[:, 0])
    np.testing.assert_array_equal(largest, [points[inside, 0].max() for inside in members])


def test_of_tiles_equally_far_the_first_are_chosen():
    corners = np.array([[1, 0], [0, 1], [-1, 0], [0, -1], [0, 0]] * 20, dtype=np.float32)
    balls = Balls(corners, np.zeros(100))
    middle = balls.ball(4)
    nearest = balls.nearest_to(middle, 50).tiles
    ring = [t for t in range(100) if t % 5 != 4]
    assert nearest.tolist() == [*range(4, 100, 5), *ring[:30]]
    level = np.full(100, 2.0)
    assert balls.within(middle, level, 50).tiles.tolist() == sorted(nearest.tolist())
    assert balls.within(middle, level, None).tiles.tolist() == list(range(100))


def test_near_tiles_of_a_part_are_numbered_from_its_first():
    near = Balls(np.arange(9.0)[:, None], np.zeros(9)).nearest_to(Balls(np.array([[4.0]]), np.zeros(1)).ball(0), 5)
    part = near.between(3, 5)
    assert part.tiles.tolist() == [1, 0]
    np.testing.assert_array_equal(part.floors, near.floors[np.isin(near.tiles, [3, 4])])
