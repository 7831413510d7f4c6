import numpy as np
import pytest
from matplotlib.path import Path
from scipy.spatial.distance import pdist

from smoothgraph import LogDegreeGraph
from smoothgraph.viz import draw_map

CHAIN = np.eye(3, k=1) + np.eye(3, k=-1)


def ticks(axis):
    axis.axes.figure.draw_without_rendering()
    return [text.get_text() for text in axis.get_ticklabels()]


def graph_parts(ax):
    """Return the edges, nodes and bridges, which lie above the land."""
    return [part for part in ax.collections if part.get_zorder() >= 1]


def places(ax):
    return np.asarray(graph_parts(ax)[1].get_offsets())


def test_longitude_is_across_and_latitude_up():
    ax = draw_map(CHAIN, [48.0, 48.5, 47.0], [-4.0, -3.0, -2.0], labels="aab", names="xyz")
    np.testing.assert_array_equal(places(ax), [[-4, 48], [-3, 48.5], [-2, 47]])
    assert len(graph_parts(ax)[0].get_segments()) == 2
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["a", "b"]
    assert [text.get_text() for text in ax.texts] == ["x", "y", "z"]


def test_a_kilometer_is_as_long_up_as_across():
    ax = draw_map(CHAIN, [59.0, 60.0, 61.0], [10.0, 11.0, 12.0])
    assert ax.get_aspect() == pytest.approx(2)


@pytest.mark.parametrize("latitude", [90.0, -90.0])
def test_a_pole_is_drawn(latitude):
    ax = draw_map(CHAIN, [latitude] * 3, [0.0, 120.0, -120.0])
    ax.figure.draw_without_rendering()
    assert 1 < ax.get_aspect() < 20


def test_degrees_have_their_direction():
    ax = draw_map(CHAIN, [-10.0, 0.0, 10.0], [-10.0, 0.0, 10.0])
    assert {"10°S", "5°S", "0°", "5°N", "10°N"} <= set(ticks(ax.yaxis))
    assert {"10°W", "0°", "10°E"} <= set(ticks(ax.xaxis))


@pytest.mark.parametrize("east", [[179.0, -179.0, 178.0], [179.0, 181.0, 178.0]])
def test_the_180th_meridian_does_not_part_a_graph(east):
    ax = draw_map(CHAIN, [0.0, 0.0, 1.0], east)
    np.testing.assert_allclose(places(ax)[:, 0], [179, 181, 178])
    assert {"179°E", "180°", "179°W"} <= set(ticks(ax.xaxis))


def test_a_graph_around_the_earth_stays_where_it_is():
    east = [-170.0, 0.0, 170.0]
    graph = np.zeros((3, 3))
    np.testing.assert_array_equal(places(draw_map(graph, [0, 0, 0], [-100, 0, 100]))[:, 0], [-100, 0, 100])
    around = [*east, -120.0, -60.0, 60.0, 120.0]
    ax = draw_map(np.zeros((7, 7)), [0] * 7, around)
    np.testing.assert_array_equal(places(ax)[:, 0], around)
    assert ax.get_xlim() == (-184, 184)


def test_an_edge_leaves_a_map_of_the_earth_on_one_side_and_returns_on_the_other():
    W = np.zeros((7, 7))
    W[0, 2] = W[2, 0] = 1
    ax = draw_map(W, [0] * 7, [-170.0, 0.0, 170.0, -120.0, -60.0, 60.0, 120.0])
    drawn = {tuple(sorted(line[:, 0])) for line in graph_parts(ax)[0].get_segments()}
    assert drawn == {(170, 190), (-190, -170)}


def winding(ring):
    x, y = ring.T
    return np.sign(np.sum(x[:-1] * y[1:] - x[1:] * y[:-1]))


def land_at(ax, east, north):
    """Return whether a place is inside the rings, of which those around water go the other way."""
    (land,) = ax.patches
    rings = land.get_path().to_polygons()
    return sum(winding(ring) for ring in rings if Path(ring).contains_point((east, north))) != 0


@pytest.mark.parametrize(
    ("corners", "on_land", "at_sea"),
    [
        ([(43.0, -5.0), (50.0, 3.0)], [(2.35, 48.86), (-3.0, 48.2)], [(-4.5, 46.5), (-3.0, 49.3)]),
        (
            [(-60.0, -170.0), (80.0, 170.0), (0.0, 0.0), (0.0, 100.0), (0.0, -100.0)],
            [(25.0, 0.0), (134.0, -25.0)],
            [(-30.0, 0.0), (50.0, 42.0), (-150.0, 0.0)],
        ),
        ([(-48.0, 165.0), (-10.0, -165.0)], [(175.6, -38.5), (178.0, -17.8)], [(185.0, -30.0)]),
        ([(-89.0, -100.0), (-60.0, -150.0)], [(-120.0, -85.0)], [(-120.0, -65.0)]),
    ],
    ids=["Brittany", "Earth and the Caspian Sea", "across the 180th meridian", "Antarctica"],
)
def test_land_is_where_it_is(corners, on_land, at_sea):
    ax = draw_map(np.zeros((len(corners),) * 2), *np.transpose(corners))
    assert all(land_at(ax, *place) for place in on_land)
    assert not any(land_at(ax, *place) for place in at_sea)


def test_a_border_lies_between_two_countries():
    ax = draw_map(np.zeros((2, 2)), [40.0, 52.0], [-5.0, 10.0])
    borders = np.concatenate(ax.collections[0].get_segments())
    assert np.linalg.norm(borders - [6.95, 45.9], axis=1).min() < 0.2, "Mont Blanc"
    assert np.linalg.norm(borders - [2.3, 46.5], axis=1).min() > 2, "the middle of France"


def test_a_coast_does_not_follow_the_180th_meridian():
    ax = draw_map(np.zeros((2, 2)), [60.0, 72.0], [170.0, -170.0])
    lines = [line for part in ax.collections[:2] for line in part.get_segments()]
    steps = np.concatenate([np.diff(line, axis=0) for line in lines])
    starts = np.concatenate([line[:-1] for line in lines])
    along = (np.abs(starts[:, 0] - 180) < 0.01) & (np.abs(steps[:, 0]) < 0.01)
    assert np.abs(steps[along, 1]).max(initial=0) < 0.1


def test_a_coast_does_not_leap():
    ax = draw_map(np.zeros((2, 2)), [36.0, 60.0], [-10.0, 40.0])
    longest = max(np.abs(np.diff(line, axis=0)).max() for line in ax.collections[1].get_segments())
    assert longest < 2


def test_a_map_of_a_small_place_has_no_coast():
    assert not draw_map(CHAIN, [48.0, 48.01, 48.02], [-4.0, -4.01, -4.02]).patches


def test_the_figure_has_the_shape_of_the_map():
    flat = draw_map(CHAIN, [0.0, 1.0, 0.5], [0.0, 10.0, 5.0]).figure.get_size_inches()
    high = draw_map(CHAIN, [0.0, 10.0, 5.0], [0.0, 1.0, 0.5]).figure.get_size_inches()
    assert flat[1] / flat[0] < 0.5
    assert high[1] / high[0] > 1.5


def test_nodes_in_one_place_are_drawn_beside_each_other():
    ax = draw_map(np.zeros((4, 4)), [45.0, 45.0, 45.0, 46.0], [5.0, 5.0, 5.0, 6.0])
    drawn = places(ax)
    np.testing.assert_array_equal(drawn[3], [6, 46])
    assert pdist(drawn).min() > 0
    assert np.abs(drawn[:3] - [5, 45]).max() < 0.02
    np.testing.assert_allclose(drawn[:3].mean(axis=0), [5, 45])


def test_all_nodes_in_one_place():
    ax = draw_map(CHAIN, [45.0] * 3, [5.0] * 3, names="abc")
    ax.figure.draw_without_rendering()
    assert pdist(places(ax)).min() > 0


@pytest.mark.parametrize(
    ("latitude", "longitude", "message"),
    [
        ([120.0, 0, 0], [0, 0, 0], "latitude between -90 and 90 .* got 120; .*swapped"),
        ([0, 0, 0], [0, 0, 400.0], "longitude between -180 and 360 .* got 400; .*degrees"),
        ([5e6, 0, 0], [0, 0, 0], "got 5e\\+06; .*meters"),
        ([np.nan, 0, 0], [0, 0, 0], "got nan; .*without a place"),
        ([0, 0], [0, 0, 0], "one latitude for each of the 3 nodes, got 2"),
    ],
)
def test_impossible_places_are_refused(latitude, longitude, message):
    with pytest.raises(ValueError, match=message):
        draw_map(CHAIN, latitude, longitude)


def test_bridges_are_drawn_on_the_map_too():
    rng = np.random.default_rng(0)
    places = np.vstack([center + rng.normal(size=(12, 2)) for center in ([45, 0], [45, 40])])
    graph = LogDegreeGraph(4, connected=True).fit(places)
    ax = draw_map(graph, *places.T)
    drawn = np.array(graph_parts(ax)[2].get_segments())
    np.testing.assert_array_equal(drawn, places[graph.bridges_][:, :, ::-1])
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["bridge"]
