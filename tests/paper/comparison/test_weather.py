"""The weather stations: graphs held against the map."""

import json
from dataclasses import asdict, replace
from pathlib import Path

import made_up
import numpy as np
import pytest
import scipy.sparse as sp

from paper.comparison import weather
from paper.comparison.method_grids import METHODS
from paper.comparison.weather_page import draw_maps, draw_over_time, weather_text
from paper.datasets import load_molene
from paper.results import ResultsFolder
from smoothgraph import LogDegreeGraph, distances

SMALL = replace(weather.QUICK, grids={"log-degree": METHODS["log-degree"].grid[:4]}, hours=240)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Twelve stations along a coast; near ones have nearly the same temperatures."""
    rng = np.random.default_rng(0)
    path = tmp_path_factory.mktemp("stations")
    X = 280 + np.cumsum(rng.normal(size=(12, 744)), axis=0) + 5 * rng.normal(size=(12, 1))
    latlon = np.column_stack([np.full(12, 48.0), -np.linspace(1, 5, 12)])
    names = np.array([f"station {k}" for k in range(12)])
    np.savez(path / "molene.npz", X=X, names=names, latlon=latlon)
    return path


@pytest.fixture(scope="module")
def results(folder):
    found = [(piece, weather.compute(SMALL, piece, folder)) for piece in weather.pieces(SMALL)]
    return json.loads(json.dumps(weather.collect(SMALL, found)))


def test_there_is_a_graph_for_the_map_every_method_and_the_month(results):
    assert list(results) == ["map", "log-degree", "over time"]


def test_the_map_joins_near_stations(results):
    found = results["map"]
    assert found["near"] == 1.0
    assert all(j - i <= 3 for i, j in found["edges"])
    assert np.bincount(np.ravel(found["edges"])).min() == 3
    degree_km = 6371 * np.pi / 180 * np.cos(np.radians(48))
    length = np.mean([4 / 11 * (j - i) for i, j in found["edges"]]) * degree_km
    assert found["mean_km"] == pytest.approx(length, rel=1e-3)


def test_the_graph_of_a_method_is_that_nearest_to_the_density(results, folder):
    stations = load_molene(folder)
    X = stations.X - stations.X.mean(axis=1, keepdims=True)
    X = X / np.sqrt(distances(X).mean())
    graphs = [LogDegreeGraph(**values).fit(X) for values in SMALL.grids["log-degree"]]
    best = min(graphs, key=lambda graph: abs(graph.edges_per_node_ - 4))
    found = results["log-degree"]
    assert found["parameters"] == {"beta": best.beta}
    assert found["edges"] == np.column_stack(sp.triu(best.adjacency_).nonzero()).tolist()
    assert found["near"] > 0.8  # the temperatures are a random walk along the coast
    assert found["shortest_km"] <= found["mean_km"]


def test_over_time_there_is_a_graph_for_every_window(results):
    over_time = results["over time"]
    assert over_time["first_hours"] == [0, 240, 480]
    assert len(over_time["windows"]) == len(over_time["changes"]) + 1 == 3
    assert over_time["gap"] <= 1e-6


def test_page_and_pictures_are_made_of_the_results(results):
    summary = made_up.summary("weather", results) | {"settings": asdict(SMALL)}
    folder = ResultsFolder(Path())
    text = weather_text(summary, folder=folder)
    assert "| log-degree |" in text
    assert "earlier version" not in text
    assert "earlier version" in weather_text(summary, folder=folder, is_outdated=True)
    assert "(figures/weather-maps.png)" in text
    assert len([ax for ax in draw_maps(results).axes if ax.get_title()]) == 2
    assert len(draw_over_time(results).axes) == 1 + 3


def test_the_real_stations(data_dir):
    stations = load_molene(data_dir)
    assert stations.X.shape == (37, 744)
    assert 265 < stations.X.min() < stations.X.max() < 295
    assert len(set(stations.names.tolist())) == 37
    assert np.all((stations.latitude > 46.5) & (stations.latitude < 49.5))
    assert np.all((stations.longitude > -5.5) & (stations.longitude < -1.5))


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"X": np.ones((3, 5)), "names": np.arange(3)}, "lacks an array"),
        ({"X": np.ones((3, 5)), "names": np.arange(2), "latlon": np.ones((3, 2))}, "one name"),
        ({"X": np.ones((3, 5)), "names": np.arange(3), "latlon": np.ones((3, 3))}, "latitude"),
    ],
)
def test_other_files_are_refused(tmp_path, arrays, message):
    np.savez(tmp_path / "molene.npz", **arrays)
    with pytest.raises(ValueError, match=message):
        load_molene(tmp_path)


def test_without_a_folder_it_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.delenv("SMOOTHGRAPH_DATA", raising=False)
    with pytest.raises(FileNotFoundError, match="--data-dir"):
        load_molene()
    with pytest.raises(FileNotFoundError, match=r"no .*molene\.npz"):
        load_molene(tmp_path)
