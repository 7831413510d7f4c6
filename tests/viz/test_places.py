import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from smoothgraph.viz.places import find_places, project, read_places, unroll

NORTH, EAST = np.array([40.0, 45.5, 30.0]), np.array([-120.0, -90.25, -75.0])
PLACES = np.column_stack([NORTH, EAST])


@pytest.mark.parametrize(
    ("names", "values"),
    [
        (["lat", "lon"], [NORTH, EAST]),
        (["Longitude", "Latitude"], [EAST, NORTH]),
        (["station_lng", "station_lat"], [EAST, NORTH]),
        (["latlon"], [PLACES]),
        (["lat_lon"], [PLACES]),
        (["lonlat"], [PLACES[:, ::-1]]),
        (["latlon_0", "latlon_1"], [NORTH, EAST]),
        (["lonlat_0", "lonlat_1"], [EAST, NORTH]),
        (["station lonlat"], [PLACES[:, ::-1]]),
        (["latitude", "degrees west"], [NORTH, -EAST]),
        (["lat", "lon_w"], [NORTH, -EAST]),
        (["lat", "lon_w"], [NORTH, EAST]),
        (["lat_s", "lon"], [NORTH, EAST]),
        (["lat", "lon"], [np.array(["40.0°N", "45.5 N", "30n"]), np.array(["120°W", "90,25 w", "75W"])]),
    ],
)
def test_names_and_texts_say_which_way_degrees_count(names, values):
    places, on_map = read_places(names, values)
    expected = PLACES * [-1, 1] if names == ["lat_s", "lon"] else PLACES
    assert on_map
    np.testing.assert_array_equal(places, expected)


@pytest.mark.parametrize("names", [["x", "y"], ["platform", "length"], ["xy"]])
def test_other_names_are_not_a_map(names):
    places, on_map = read_places(names, [PLACES] if len(names) == 1 else [NORTH, EAST])
    assert not on_map
    np.testing.assert_array_equal(places, PLACES)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([NORTH], "got 1 of type float64"),
        ([NORTH, np.array(["a", "1W", "2W"])], "got 2 of type float64 and <U2"),
        ([NORTH, np.where(EAST < -100, np.nan, EAST)], "of node 1 are missing"),
    ],
)
def test_what_is_no_place_is_refused(values, message):
    with pytest.raises(ValueError, match=message):
        read_places(["lat", "lon"][: len(values)], values)


@pytest.mark.parametrize(
    ("attributes", "found"),
    [
        ({"kind": NORTH, "Lon": EAST, "Lat": NORTH}, ["Lat", "Lon"]),
        ({"latlon": PLACES, "kind": NORTH}, ["latlon"]),
        ({"latlon_0": NORTH, "latlon_1": EAST}, ["latlon_0", "latlon_1"]),
        ({"lat": NORTH, "platform": EAST}, []),
        ({"lat": NORTH, "lon": EAST, "lon_old": EAST}, []),
        ({}, []),
    ],
)
def test_places_are_found_among_attributes(attributes, found):
    assert find_places(attributes) == found


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
