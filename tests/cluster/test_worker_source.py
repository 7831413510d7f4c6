"""How regions are joined into the ranges that partitions own."""

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from smoothgraph.cluster.worker_source import group_regions


@given(st.lists(st.integers(1, 100), min_size=1, max_size=30), st.integers(1, 8))
def test_ranges_are_of_about_equal_size(sizes, number):
    regions = [(10 * k, 10 * k + 10) for k in range(len(sizes))]
    ranges = group_regions(regions, number, np.array(sizes))
    assert len(ranges) <= number
    assert ranges[0][0] == 0
    assert ranges[-1][1] == 10 * len(sizes)
    assert all(end == begin for (_, end), (begin, _) in pairwise(ranges))
    held = [sum(sizes[first // 10 : last // 10]) for first, last in ranges]
    assert max(held) <= sum(sizes) / number + max(sizes)


def test_a_dense_region_is_a_range_of_its_own():
    regions = [(0, 10), (10, 20), (20, 30), (30, 40)]
    assert group_regions(regions, 2, np.array([90.0, 10.0, 10.0, 10.0])) == [(0, 10), (10, 40)]
