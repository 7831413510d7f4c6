"""The positions of the nodes of a table."""

import numpy as np
import pytest

from smoothgraph.cli.table_nodes import select_nodes
from smoothgraph.io import read_table
from smoothgraph.support.input_error import InputError

TABLE = "name,a,b,lat,lon\nx,1,2,60,10\ny,3,1,60,12\nz,5,4,60,11\n"


def placed(tmp_path, places, text=TABLE):
    (tmp_path / "table.csv").write_text(text)
    table = read_table(tmp_path / "table.csv", aside=places)
    return select_nodes(table, "rows", label=None, places=places)


@pytest.mark.parametrize("places", [["lat", "lon"], ["lon", "lat"]])
def test_latitude_and_longitude_are_told_apart_by_their_names(tmp_path, places):
    nodes = placed(tmp_path, places)
    assert nodes.on_map
    np.testing.assert_array_equal(nodes.coordinates, [[60, 10], [60, 12], [60, 11]])


def test_other_coordinates_are_no_map(tmp_path):
    nodes = placed(tmp_path, ["x", "y"], TABLE.replace("lat,lon", "x,y"))
    assert not nodes.on_map
    np.testing.assert_array_equal(nodes.coordinates, [[60, 10], [60, 12], [60, 11]])


def test_coordinates_are_no_signals(tmp_path):
    nodes = placed(tmp_path, ["lat", "lon"])
    np.testing.assert_array_equal(nodes.values, [[1, 2], [3, 1], [5, 4]])
    assert nodes.attributes == {}


def test_one_column_cannot_be_both_coordinates(tmp_path):
    with pytest.raises(InputError, match="got 'lat' twice"):
        placed(tmp_path, ["lat", "lat"])
