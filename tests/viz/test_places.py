"""Maps: longitudes that do not jump, and proportions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from smoothgraph.viz.places import project, unroll


@given(st.lists(st.floats(-180, 360), min_size=1, max_size=8))
def test_unrolled_longitudes_are_the_same_and_span_no_more(east):
    east = np.array(east)
    unrolled = unroll(east)
    turns = (unrolled - east) / 360
    np.testing.assert_allclose(turns, np.round(turns), atol=1e-9)
    assert np.ptp(unrolled) <= max(np.ptp(east), 360) + 1e-9


def test_in_the_plane_of_a_map_degrees_of_longitude_are_shorter_than_those_of_latitude():
    positions, stretch = project([60, 60, 60], [10, 12, 11], 3)
    assert stretch == pytest.approx(2)  # cos 60° = 1/2
    np.testing.assert_allclose(positions, [[10, 120], [12, 120], [11, 120]])
