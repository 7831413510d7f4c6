import numpy as np
import pytest
from scipy.spatial.distance import pdist

from smoothgraph import LogDegreeGraph
from smoothgraph.viz import draw_map

CHAIN = np.eye(3, k=1) + np.eye(3, k=-1)


def ticks(axis):
    axis.axes.figure.draw_without_rendering()
    return [text.get_text() for text in axis.get_ticklabels()]


def places(ax):
    return np.asarray(ax.collections[1].get_offsets())


def test_longitude_is_across_and_latitude_up():
    ax = draw_map(CHAIN, [48.0, 48.5, 47.0], [-4.0, -3.0, -2.0], labels="aab", names="xyz")
    np.testing.assert_array_equal(places(ax), [[-4, 48], [-3, 48.5], [-2, 47]])
    assert len(ax.collections[0].get_segments()) == 2
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
    assert {"8°S", "4°S", "0°", "4°N", "8°N"} <= set(ticks(ax.yaxis))
    assert {"5°W", "0°", "5°E"} <= set(ticks(ax.xaxis))


@pytest.mark.parametrize("east", [[179.0, -179.0, 178.0], [179.0, 181.0, 178.0]])
def test_the_180th_meridian_does_not_part_a_graph(east):
    ax = draw_map(CHAIN, [0.0, 0.0, 1.0], east)
    np.testing.assert_allclose(places(ax)[:, 0], [179, 181, 178])
    assert {"179.2°E", "180°", "179.2°W"} <= set(ticks(ax.xaxis))


def test_a_graph_around_the_earth_stays_where_it_is():
    east = [-170.0, 0.0, 170.0]
    graph = np.zeros((3, 3))
    np.testing.assert_array_equal(places(draw_map(graph, [0, 0, 0], [-100, 0, 100]))[:, 0], [-100, 0, 100])
    assert np.ptp(places(draw_map(graph, [0, 0, 0], east))[:, 0]) <= 340


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
    drawn = np.array(ax.collections[2].get_segments())
    np.testing.assert_array_equal(drawn, places[graph.bridges_][:, :, ::-1])
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["bridge"]
