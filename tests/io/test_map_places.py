"""Latitudes and longitudes, recognized by their names and read from numbers and texts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from smoothgraph.io.map_places import find_places, locate_nodes, read_places

NORTH, EAST = np.array([40.0, 45.5, 30.0]), np.array([-120.0, -90.25, -75.0])
PLACES = np.column_stack([NORTH, EAST])
NORTH_TEXTS, EAST_TEXTS = np.array(["40.0°N", "45.5 N", "30n"]), np.array(["120°W", "90,25 w", "75W"])
RECOGNIZED = [
    {"lat": NORTH, "lon": EAST},
    {"Longitude": EAST, "Latitude": NORTH},
    {"station_lng": EAST, "station_lat": NORTH},
    {"latdeg": NORTH, "Long_Degrees": EAST},
    {" lat ": NORTH, "lon (deg)": EAST},
    {"North": NORTH, "East": EAST},
    {"latlon": PLACES},
    {"lat_lon": PLACES},
    {"lonlat": PLACES[:, ::-1]},
    {"station lonlat": PLACES[:, ::-1]},
    {"latlon_0": NORTH, "latlon_1": EAST},
    {"lon_lat_0": EAST, "lon_lat_1": NORTH},
    {"latitude": NORTH, "degrees west": -EAST},
    {"lat": NORTH, "lon_w": -EAST},
    {"lat": NORTH, "lon_w": EAST},
    {"lat": NORTH_TEXTS, "lon": EAST_TEXTS},
    {"latlon": np.column_stack([NORTH_TEXTS, EAST_TEXTS])},
]


@pytest.mark.parametrize("attributes", RECOGNIZED, ids=lambda attributes: ",".join(attributes))
def test_places_are_found_and_read(attributes):
    others = {"x": EAST, "kind": np.array(["a", "b", "c"]), "wind_north": NORTH}
    assert set(find_places(others | attributes)) == set(attributes)
    np.testing.assert_array_equal(locate_nodes(others | attributes), PLACES)
    places, on_map = read_places(list(attributes), others | attributes)
    assert on_map
    np.testing.assert_array_equal(places, PLACES)


def test_degrees_south_are_negative():
    np.testing.assert_array_equal(locate_nodes({"lat_s": NORTH, "lon": EAST}), PLACES * [-1, 1])


def test_latitude_is_named_first():
    assert find_places({"kind": NORTH, "Lon": EAST, "Lat": NORTH}) == ["Lat", "Lon"]


@pytest.mark.parametrize(
    "attributes",
    [
        {},
        {"lat": NORTH},
        {"lat": NORTH, "platform": EAST},
        {"lat": NORTH, "lon": EAST, "lon_old": EAST},
        {"wind_north": NORTH, "wind_east": EAST},
        {"northing": NORTH, "easting": EAST},
        {"lat": np.array(["north", "north", "south"]), "lon": EAST},
        {"lat": np.array(["", "", ""]), "lon": EAST},
        {"lat": NORTH > 40, "lon": EAST},
        {"latlon": NORTH},
        {"latlon": np.ones((3, 3))},
        {"latlon": PLACES, "lonlat": PLACES},
    ],
    ids=lambda attributes: ",".join(attributes),
)
def test_nothing_is_found_in_doubt(attributes):
    assert find_places(attributes) == []
    assert locate_nodes(attributes) is None


@pytest.mark.parametrize(
    "attributes", [{"x": NORTH, "y": EAST}, {"platform": NORTH, "length": EAST}, {"xy": PLACES}], ids=",".join
)
def test_other_names_are_not_a_map(attributes):
    places, on_map = read_places(list(attributes), attributes)
    assert not on_map
    np.testing.assert_array_equal(places, PLACES)


@pytest.mark.parametrize(
    ("attributes", "message"),
    [
        ({"lat": NORTH}, "got 1 of type float64"),
        ({"lat": NORTH, "lon": np.array(["a", "1W", "2W"])}, "got 2 of type float64 and <U2"),
        ({"lat": NORTH, "lon": np.where(EAST < -100, np.nan, EAST)}, "of node 1 are missing"),
        ({"lat": NORTH, "lon": np.array(["1W", "", "2W"])}, "of node 2 are missing"),
    ],
)
def test_what_is_no_place_is_refused(attributes, message):
    with pytest.raises(ValueError, match=message):
        read_places(list(attributes), attributes)


@pytest.mark.parametrize("west", [[120.0, np.nan, 75.0], ["120W", "", "75W"]])
def test_a_node_may_be_without_a_place(west):
    located = locate_nodes({"lat": NORTH, "lon_west" if west[0] == 120 else "lon": np.array(west)})
    np.testing.assert_array_equal(located, [[40, -120], [45.5, np.nan], [30, -75]])


@given(st.lists(st.tuples(st.floats(-90, 90), st.floats(-180, 180)), min_size=1, max_size=5))
def test_degrees_written_as_texts_come_back(places):
    places = np.round(places, 6) + 0.0
    north = np.array([f"{abs(degrees):.6f}°{'S' if degrees < 0 else 'N'}" for degrees in places[:, 0]])
    east = np.array([f"{abs(degrees):.6f}°{'W' if degrees < 0 else 'E'}" for degrees in places[:, 1]])
    np.testing.assert_allclose(locate_nodes({"lat": north, "lon": east}), places, atol=1e-9)
