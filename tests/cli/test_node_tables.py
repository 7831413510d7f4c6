"""A second table that describes the nodes, and what is written about them."""

import json

import numpy as np
import pandas as pd
import pytest
from command_line import refused, succeeds, summary
from messy import CITIES, sensors, tidy

from smoothgraph.io import read_graph


@pytest.fixture
def sensors_csv(tmp_path):
    frame = sensors(60)
    frame.insert(0, "date", pd.date_range("2020-01-01", periods=60).astype(str))
    frame.to_csv(tmp_path / "sensors.csv", index=False)
    return tmp_path / "sensors.csv"


@pytest.fixture
def cities(tmp_path):
    """The cities in another order, without the last, and with one more."""
    frame = pd.DataFrame(
        {
            "code": ["007", "08", "9", "10", "11", "12", "13", "14"],
            "town": [*CITIES[-2::-1], "Paris"],
            "lat": np.arange(8) * 5.0,
            "lon": -np.arange(8) * 7.5,
            "region": ["n", "s"] * 4,
        }
    )
    frame.to_csv(tmp_path / "cities.csv", index=False)
    return frame.set_index("town")


@pytest.mark.parametrize("suffix", ["graphml", "gexf", "npz", "parquet", "geojson"])
def test_graph_files_keep_the_columns_of_the_node_table(suffix, sensors_csv, cities, tmp_path):
    out = tmp_path / f"graph.{suffix}"
    options = ("--nodes", "columns", "-k", 3, "--node-table", tmp_path / "cities.csv", "--label", "region")
    said = succeeds("learn", sensors_csv, *options, "--out", out).stderr
    assert "lacks 1 node: Dakar" in said
    graph = read_graph(out)
    assert graph.names == CITIES
    expected = cities.reindex(CITIES)
    np.testing.assert_array_equal(graph.attributes["lat"], expected["lat"])
    assert graph.attributes["region"].tolist() == expected["region"].fillna("").tolist()
    assert graph.attributes.keys() == {"code", "lat", "lon", "region"}


@pytest.mark.parametrize("suffix", [".xlsx", ".parquet", ".csv.gz"])
def test_a_node_table_of_text_alone_in_another_format(suffix, sensors_csv, cities, tmp_path):
    path = tmp_path / f"about{suffix}"
    about = cities[["region"]].reset_index()
    if suffix == ".xlsx":
        about.to_excel(path, index=False)
    else:
        about.to_parquet(path) if suffix == ".parquet" else about.to_csv(path, index=False)
    succeeds("learn", sensors_csv, "--nodes", "columns", "-k", 3, "--node-table", path, "--out", tmp_path / "g.npz")
    assert read_graph(tmp_path / "g.npz").attributes["region"].tolist()[:3] == cities["region"][CITIES[:3]].tolist()


def test_rows_are_described_as_well(cities, tmp_path):
    frame = sensors(30).T.rename_axis("place").reset_index()
    frame.to_csv(tmp_path / "rows.csv", index=False)
    out = tmp_path / "graph.npz"
    node_table = ("--node-table", tmp_path / "cities.csv", "--drop", "Dakar", "--coordinates", "lat,lon")
    succeeds("learn", tmp_path / "rows.csv", *node_table, "-k", 2, "--out", out, "--picture", tmp_path / "map.png")
    np.testing.assert_array_equal(read_graph(out).attributes["lon"], cities["lon"][CITIES[:-1]])
    succeeds("report", tmp_path / "rows.csv", *node_table, "--densities", 2, "--out", tmp_path / "page.html")
    assert "region" in (tmp_path / "page.html").read_text()


def test_check_offers_the_label_of_a_node_table(sensors_csv, cities, tmp_path):
    facts = summary("check", sensors_csv, "--node-table", tmp_path / "cities.csv")
    assert {"date", *CITIES} <= {column for columns in facts["roles"].values() for column in columns}
    assert "--label region" in facts["command"]
    assert "lacks 1 node: Dakar" in " ".join(facts["notes"])


def test_a_node_table_about_others_is_refused(sensors_csv, tmp_path):
    (tmp_path / "about.csv").write_text("code,x\nOSL,1\nROM,2\n")
    options = ("--nodes", "columns", "--node-table", tmp_path / "about.csv")
    assert "such as 'Oslo', 'Rome', 'Lima'" in refused("learn", sensors_csv, *options)
    assert "does not exist" in refused("learn", sensors_csv, "--node-table", tmp_path / "gone.csv")


def test_columns_of_the_table_itself_are_written(tmp_path):
    frame = sensors(30).assign(lat=np.arange(30.0), lon=5.0, day=range(30), kind=["u", "v"] * 15)
    frame.insert(0, "site", [f"site {k}" for k in range(30)])
    frame.to_csv(tmp_path / "sites.csv", index=False)
    nodes = tmp_path / "nodes.csv"
    options = ("--coordinates", "lat,lon", "--out", tmp_path / "graph.geojson", "--out-nodes", nodes, "-k", 4)
    succeeds("learn", tmp_path / "sites.csv", *options)
    found = pd.read_csv(nodes)
    graph = read_graph(tmp_path / "graph.geojson")
    assert found.columns.tolist() == ["name", "neighbors", "degree", "component", "lat", "lon", "kind", "day"]
    pd.testing.assert_frame_equal(found[["lat", "lon", "kind"]], frame[["lat", "lon", "kind"]])
    np.testing.assert_array_equal(found["neighbors"], np.diff(graph.adjacency.indptr))
    np.testing.assert_allclose(found["degree"], graph.adjacency.sum(axis=1))
    points = json.loads((tmp_path / "graph.geojson").read_text())["features"][:30]
    assert [point["geometry"]["coordinates"] for point in points] == [[5, k] for k in range(30)]


def test_a_tidy_table_brings_its_places_along(tmp_path):
    frame = tidy().assign(lat=lambda f: f["city"].str.len() * 1.0, lon=2.0)
    frame.to_csv(tmp_path / "tidy.csv", index=False)
    options = ("--long", "date,city,level", "--nodes", "columns", "--coordinates", "lat,lon", "-k", 3)
    succeeds("learn", tmp_path / "tidy.csv", *options, "--out", tmp_path / "graph.geojson")
    assert read_graph(tmp_path / "graph.geojson").attributes["lat"].tolist() == [len(name) for name in CITIES]


def test_without_places_there_is_no_map(sensors_csv, tmp_path):
    message = refused("learn", sensors_csv, "--nodes", "columns", "-k", 3, "--out", tmp_path / "graph.geojson")
    assert "--node-table" in message
    assert not (tmp_path / "graph.geojson").exists()


def test_one_file_is_not_written_twice(sensors_csv, tmp_path):
    for out in (tmp_path / "n.csv", f"{tmp_path}/./n.csv"):
        twice = ("--out", out, "--out-nodes", tmp_path / "n.csv")
        assert "written twice" in refused("learn", sensors_csv, *twice)


def test_places_in_a_node_table_give_a_map(sensors_csv, cities, tmp_path):
    options = ("--nodes", "columns", "--standardize", "-k", 3, "--picture", tmp_path / "map.svg")
    said = succeeds("learn", sensors_csv, *options, "--node-table", tmp_path / "cities.csv").stderr
    assert "There is no map: the places of 1 node are missing." in said
    assert "°" not in (tmp_path / "map.svg").read_text(encoding="utf-8")
    with (tmp_path / "cities.csv").open("a", encoding="utf-8") as file:
        file.write("15,Dakar,14.7,-17.5,n\n")
    said = succeeds("learn", sensors_csv, *options, "--force", "--node-table", tmp_path / "cities.csv").stderr
    assert "no map" not in said
    assert "°N" in (tmp_path / "map.svg").read_text(encoding="utf-8")
