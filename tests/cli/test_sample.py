"""The command sample: tables on which the other commands work."""

import csv
import shlex

import numpy as np
import pytest
from command_line import refused, smoothgraph, succeeds, summary
from sklearn.datasets import load_iris

from smoothgraph.cli.samples import SAMPLES
from smoothgraph.io import read_table


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_without_a_name_the_samples_are_listed(tmp_path):
    assert set(summary("sample")) == set(SAMPLES)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", SAMPLES)
def test_the_command_that_a_sample_proposes_works(name):
    proposed = succeeds("sample", name).stderr.strip().partition(": smoothgraph ")[2]
    for other in ("flowers", "sensors"):
        succeeds("sample", other, "--force")
    if name == "known":
        succeeds("learn", "flowers.csv", "--out", "graph.graphml")
    facts = summary(*shlex.split(proposed))
    assert facts["nodes"] >= 10
    assert facts.get("isolated_nodes", 0) == 0


def test_a_sample_is_the_table_that_it_says(tmp_path):
    facts = summary("sample", "flowers", "--out", "iris.csv")
    assert (facts["rows"], facts["columns"]) == (150, 6)
    table = read_table(tmp_path / "iris.csv")
    iris = load_iris()
    np.testing.assert_array_equal(table.values, iris.data)
    assert table.column_names == iris.feature_names
    np.testing.assert_array_equal(table.row_attributes["species"], iris.target_names[iris.target])


def test_stocks_are_known_in_every_month_and_ordered(tmp_path):
    succeeds("sample", "stocks")
    table = read_table(tmp_path / "stocks.csv")
    assert not np.isnan(table.values).any()
    assert table.row_names == sorted(table.row_names)


def test_sensors_that_are_close_read_alike(tmp_path):
    succeeds("sample", "sensors")
    succeeds("sample", "places")
    readings, places = (read_table(tmp_path / f"{name}.csv") for name in ("sensors", "places"))
    assert readings.column_names == places.row_names
    apart = np.linalg.norm(places.values[:, None] - places.values, axis=2)
    pairs = np.triu_indices(len(apart), k=1)
    alike = np.corrcoef(readings.values.T)[pairs]
    assert alike[apart[pairs] < 0.5].min() > alike[apart[pairs] > 2].max()


def test_a_sample_through_a_pipe():
    said = succeeds("sample", "wine", "--out", "-").stdout
    assert len(list(csv.reader(said.splitlines()))) == 179
    assert summary("learn", "-", "--label", "cultivar", stdin=said.encode())["nodes"] == 178


def test_what_is_no_sample_is_refused(tmp_path):
    assert "flowers" in refused("sample", "roses")
    refused("sample", "flowers", "--out", "flowers.xlsx")
    refused("sample", "--out", "flowers.csv")
    assert smoothgraph("sample", "flowers", "--out", "-", "--json").exit_code == 2
    assert not list(tmp_path.iterdir())
