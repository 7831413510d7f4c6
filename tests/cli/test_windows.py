"""The command windows."""

import csv
import json

import numpy as np
import pandas as pd
import pytest
from command_line import refused, smoothgraph, succeeds, summary
from reports import report_data

from smoothgraph import TimeVaryingGraph


@pytest.fixture
def readings(rng):
    frame = pd.DataFrame(rng.normal(size=(140, 6)), columns=[f"s{k}" for k in range(6)])
    frame.insert(0, "date", pd.date_range("2023-12-05", periods=140).astype(str))
    return frame


@pytest.fixture
def table(readings, tmp_path):
    readings.sample(frac=1, random_state=0).to_csv(tmp_path / "readings.csv", index=False)
    return tmp_path / "readings.csv"


OPTIONS = ("--nodes", "columns", "-k", "2")


@pytest.mark.parametrize(
    ("every", "pandas_period"), [("week", "W-SUN"), ("month", "M"), ("quarter", "Q"), ("year", "Y"), ("day", "D")]
)
def test_windows_are_those_of_the_calendar(table, readings, every, pandas_period):
    rows = summary("windows", table, *OPTIONS, "--every", every)["windows"]
    groups = readings.groupby(pd.to_datetime(readings["date"]).dt.to_period(pandas_period))
    assert [row["signals"] for row in rows] == groups.size().tolist()
    assert [first.startswith(row["window"]) for first, row in zip(groups["date"].min(), rows, strict=True)]


def test_the_graphs_are_those_of_the_estimator(table, readings, tmp_path):
    out = tmp_path / "edges.csv"
    options = ("--every", "month", "--coupling", "l1", "--gamma", "0.5")
    facts = summary("windows", table, *OPTIONS, *options, "--out", out)
    months = readings["date"].str[:7]
    starts = [int(np.argmax(months == month)) for month in months.unique()]
    graph = TimeVaryingGraph(2, window=starts, coupling="l1", gamma=0.5).fit(readings.drop(columns="date"))
    found = [np.zeros((6, 6)) for _ in starts]
    with out.open(newline="") as file:
        for row in csv.DictReader(file):
            i, j = int(row["source"][1:]), int(row["target"][1:])
            found[list(months.unique()).index(row["window"])][[i, j], [j, i]] = float(row["weight"])
    for ours, theirs in zip(found, graph.adjacencies_, strict=True):
        np.testing.assert_allclose(ours, theirs.toarray(), atol=1e-5)
    assert [row["change"] for row in facts["windows"]][1:] == pytest.approx(graph.changes_.tolist(), abs=1e-4)
    assert facts["relative_duality_gap"] <= 1e-6


def test_a_number_of_signals_needs_no_dates(tmp_path, rng):
    np.save(tmp_path / "x.npy", rng.normal(size=(50, 5)))
    said = succeeds("windows", tmp_path / "x.npy", *OPTIONS, "--every", "20").stdout
    assert "None" not in said
    rows = summary("windows", tmp_path / "x.npy", *OPTIONS, "--every", "20")["windows"]
    assert [(row["window"], row["signals"]) for row in rows] == [("0", 20), ("20", 30)]
    assert "dates" in refused("windows", tmp_path / "x.npy", *OPTIONS, "--every", "month")


@pytest.mark.parametrize("every", ["decade", "0", "-3", "1.5", ""])
def test_periods_that_are_none(table, every):
    assert smoothgraph("windows", table, *OPTIONS, "--every", every).exit_code == 2


def test_the_report_has_the_graph_of_every_window(table, readings, tmp_path):
    pd.DataFrame({"sensor": [f"s{k}" for k in range(6)], "kind": list("aabbcc")}).to_csv(
        tmp_path / "n.csv", index=False
    )
    options = (*OPTIONS, "--every", "month", "--node-table", tmp_path / "n.csv", "--standardize")
    rows = summary("windows", table, *options, "--report", tmp_path / "w.html")["windows"]
    content = json.loads(report_data(tmp_path / "w.html"))
    assert content["times"] == [row["window"] for row in rows] == sorted(readings["date"].str[:7].unique())
    assert [dict(graph["facts"])["edges"] for graph in content["graphs"]] == [str(row["edges"]) for row in rows]
    assert [attribute["name"] for attribute in content["attributes"]] == ["kind"], "no means of standardized series"
    assert "ends in .html" in refused("windows", table, *options, "--report", tmp_path / "w.pdf")


def test_gaps_are_left_out(table, readings, tmp_path):
    readings.iloc[3:50, 2] = np.nan
    readings.iloc[60:70, 4] = -999
    readings.to_csv(tmp_path / "gaps.csv", index=False)
    rows = summary("windows", tmp_path / "gaps.csv", *OPTIONS, "--every", "month", "--missing", "-999")["windows"]
    assert len(rows) == len({date[:7] for date in readings["date"]})
