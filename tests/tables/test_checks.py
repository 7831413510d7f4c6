"""Checks of tables: each finds its fault, names it, and is silent about tables without it."""

import numpy as np
import pandas as pd
import pytest
import xarray
from hypothesis import given
from hypothesis import strategies as st
from messy import CITIES, prices, sensors, temperatures, tidy
from scipy import signal
from sklearn.datasets import load_iris, load_wine

from smoothgraph import check_table
from smoothgraph.support.input_error import InputError


def found(frame, kind, **options):
    """The only finding of a kind, or None."""
    findings = [finding for finding in check_table(frame, **options).findings if finding.check == kind]
    assert len(findings) <= 1, findings
    return findings[0] if findings else None


def kinds(frame, **options):
    return {finding.check for finding in check_table(frame, **options).findings}


def test_there_is_nothing_to_say_of_a_good_table():
    assert kinds(load_iris(as_frame=True).data) == set()
    assert kinds(sensors(), nodes="columns") == set()


# -- time --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "numbers"),
    [
        ("day", range(1, 201)),
        ("t", np.arange(200) / 4),
        ("whatever", range(500, 700)),
        ("year", np.repeat(np.arange(2000, 2010), 20)),
        ("when", [(2000 + k // 12) * 100 + k % 12 + 1 for k in range(200)]),
        ("Date", pd.date_range("2020-01-01", periods=200, freq="-1D").strftime("%Y%m%d").astype(int)),
        ("Month", np.arange(200) % 12 + 1),
        ("decimal_date", 1990 + np.arange(200) / 12 + 0.01 * np.sin(np.arange(200))),
    ],
)
def test_a_numeric_time_column_is_set_aside(name, numbers):
    frame = sensors()
    frame.insert(3, name, list(numbers))
    finding = found(frame, "time", nodes="columns")
    assert finding.where == (name,)
    assert f"--keep {name}" in finding.remedy
    report = check_table(frame, nodes="columns")
    assert report.roles["nodes"] == CITIES
    assert report.roles["time"] == [name]
    assert check_table(frame, nodes="columns", keep=[name]).shape[0] == 9


@pytest.mark.parametrize("name", ["population", "year", "index"])
def test_numbers_in_no_order_are_signals(name, rng):
    frame = sensors().assign(**{name: rng.permutation(200)})
    assert found(frame, "time") is None


def test_a_sorted_measurement_is_a_signal(rng):
    frame = sensors().assign(population=np.sort(rng.integers(1000, 10**6, size=200)))
    assert found(frame, "time") is None


def test_the_rows_of_a_table_with_time_are_not_the_nodes():
    frame = sensors().assign(day=range(200))
    assert check_table(frame).nodes == "columns"
    assert check_table(sensors()).nodes == "rows"
    assert "--nodes columns" in found(frame, "orientation", nodes="rows").remedy
    assert found(frame, "orientation", nodes="columns") is None


def test_dates_that_describe_rows_with_names_or_in_no_order_are_not_their_times(rng):
    born = pd.date_range("1950-01-01", periods=200, freq="17D").strftime("%Y-%m-%d").to_numpy()
    patients = sensors().assign(born=rng.permutation(born))
    assert check_table(patients).nodes == "rows"
    patients["born"] = born
    assert check_table(patients).nodes == "columns"
    patients.insert(0, "patient", [f"patient {k}" for k in range(200)])
    assert check_table(patients).nodes == "rows"


# -- values ------------------------------------------------------------------


@given(sentinel=st.sampled_from([-999, -9999, 9999, -99.9, 1e20]), column=st.integers(0, 7), row=st.integers(0, 199))
def test_sentinels_are_named(sentinel, column, row):
    frame = sensors()
    frame.iloc[row, column] = sentinel
    finding = found(frame, "sentinel")
    assert finding.where == (CITIES[column],)
    assert finding.options == ("--missing", f"{sentinel:g}")
    assert kinds(frame) == {"sentinel"}, "nothing else is said of a number that is none"


def test_a_sentinel_within_the_range_is_a_number(rng):
    frame = pd.DataFrame({"depth": rng.integers(-2000, 0, size=300).astype(float)})
    frame.iloc[7, 0] = -999
    assert found(frame, "sentinel") is None


def test_dead_sensors_are_left_out():
    frame = sensors().assign(dead=3.0)
    frame.loc[4:9, "dead"] = np.nan
    report = check_table(frame, nodes="columns")
    assert report.roles["nodes"] == CITIES
    assert found(frame, "dead", nodes="columns").where == ("dead",)
    assert check_table(frame, nodes="columns", keep=["dead"]).roles["nodes"] == [*CITIES, "dead"]
    assert found(frame, "dead", nodes="rows") is None, "as a signal it changes nothing"


def test_a_total_is_named():
    frame = sensors().assign(all_of_it=lambda f: f.sum(axis=1))
    finding = found(frame, "total")
    assert finding.where == ("all_of_it",)
    assert finding.options == ("--drop", "all_of_it")
    named = sensors(30)
    named.insert(0, "site", [f"site {k}" for k in range(30)])
    named.loc[30] = ["Everything", *named[CITIES].sum()]
    assert found(named, "total").where == ("Everything",)
    named.loc[30, CITIES] /= 7.1
    assert found(named, "total") is None
    named.loc[30, "site"] = "Mean"
    assert found(named, "total").where == ("Mean",)


def test_an_outlier_is_named_with_its_place():
    frame = sensors()
    frame.iloc[41, 2] = 321.5
    what = found(frame, "outlier").what
    assert "321.5" in what
    assert "'row 42'" in what
    assert "'Lima'" in what
    assert found(frame.assign(rare=np.arange(200) == 3), "outlier").where == ("Lima",), "marks are no outliers"


def test_columns_of_other_sizes_are_pointed_out():
    wines = load_wine(as_frame=True).data
    assert found(wines, "scale").options == ("--standardize",)
    assert found(wines / wines.std(), "scale") is None
    levels = sensors() + 100 * np.arange(8)
    assert "rise and fall together" in found(levels, "scale", nodes="columns").remedy
    assert found(levels, "scale", nodes="rows") is None


# -- series ------------------------------------------------------------------


def test_prices_have_a_trend_and_their_returns_have_none():
    frame = prices()
    assert found(frame, "trend").options == ("--log-returns",)
    returns = frame.set_index("date").apply(np.log).diff().iloc[1:]
    assert found(returns, "trend") is None


def test_a_trend_of_negative_numbers_takes_differences():
    frame = sensors().add(np.arange(200) / 20, axis=0).assign(day=range(200))
    assert found(frame, "trend").options == ("--difference",)


def test_a_season_is_told_from_the_weather():
    frame = temperatures()
    assert found(frame, "season").options == ("--anomaly", "monthly")
    months = frame["month"] % 100
    anomalies = frame[CITIES] - frame[CITIES].groupby(months).transform("mean")
    assert found(anomalies.assign(month=frame["month"]), "season") is None


@pytest.mark.parametrize(("freq", "period", "name"), [("h", 24, "daily"), ("D", 7, "weekly")])
def test_other_cycles_are_called_by_their_names(freq, period, name):
    frame = sensors().add(3 * np.cos(2 * np.pi * np.arange(200) / period), axis=0)
    frame.insert(0, "date", pd.date_range("2021-03-01", periods=200, freq=freq).astype(str))
    assert found(frame, "season").options == ("--anomaly", name)


def test_columns_may_be_the_years_of_series_in_rows(rng):
    walks = 50 * np.arange(12)[:, None] + np.cumsum(1 + rng.normal(size=(12, 30)), axis=1)
    frame = pd.DataFrame(walks, columns=[str(year) for year in range(1990, 2020)])
    frame.insert(0, "country", [f"country {k}" for k in range(12)])
    assert kinds(frame) == {"trend", "scale"}
    assert found(frame, "scale").options == ("--metric", "correlation")
    assert check_table(frame).nodes == "rows"


# -- columns -----------------------------------------------------------------


def test_coordinates_among_the_signals_are_pointed_out(rng):
    frame = sensors().assign(lat=rng.uniform(40, 60, 200), lon=rng.uniform(-20, 20, 200))
    assert found(frame, "coordinates").options == ("--coordinates", "lat,lon")
    assert found(frame.assign(lat=1000.0 + frame["lat"]), "coordinates") is None


def test_coordinates_beside_the_signals_need_no_option():
    places = {"lat": ("city", np.arange(8.0)), "lon": ("city", np.ones(8))}
    array = xarray.DataArray(sensors(), dims=["time", "city"], coords={"city": CITIES, **places})
    assert found(array, "coordinates", nodes="columns") is None
    assert found(array, "coordinates", nodes="rows") is None


def test_series_that_wander_are_pointed_out(rng):
    """Random walks without drift, whether a straight line fits them or not, but not what returns to its mean."""
    steps = rng.normal(size=(500, 8))
    walks = pd.DataFrame(100 + np.cumsum(steps, axis=0), columns=CITIES)
    line = np.linspace(-1, 1, 500)
    bent = walks - np.outer(line, line @ (walks - walks.mean()).to_numpy() / (line @ line))  # no line is left
    assert found(bent.assign(day=range(500)), "trend").options == ("--difference",)
    assert found((bent / 100).map(np.exp).assign(day=range(500)), "trend") is not None
    returning = pd.DataFrame(signal.lfilter([1], [1, -0.9], steps, axis=0), columns=CITIES)
    assert found(returning.assign(day=range(500)), "trend") is None


def test_classes_among_the_signals_are_pointed_out(rng):
    frame = sensors().assign(species=rng.integers(0, 3, size=200))
    assert found(frame, "label").options == ("--label", "species")
    assert found(frame.assign(species=rng.normal(size=200)), "label") is None


def test_names_beside_the_first_column_are_offered():
    frame = sensors().assign(code=[f"c{k}" for k in range(200)])
    assert found(frame, "names").options == ("--names", "code")


def test_a_tidy_table_is_recognized():
    frame = tidy()
    assert found(frame, "long table").options == ("--long", "date,city,level", "--nodes", "columns")
    assert found(frame.assign(date=frame.groupby("city").cumcount()), "long table").where[0] == "date"
    places = frame.assign(other=np.sin(np.arange(320)))
    places.insert(1, "lat", frame["city"].str.len())
    finding = found(places, "long table")
    assert finding.where == ("date", "city", "level"), "a place is no measurement"
    assert "or other in place of level" in finding.remedy
    assert found(frame.sample(frac=0.7, random_state=0), "long table") is not None
    assert found(pd.concat([frame, frame]), "long table") is None, "two values for one cell"


def test_roles():
    frame = sensors().assign(day=range(200), remark=["ok", "fine"] * 100, lat=1.0, text=[f"{k}!" for k in range(200)])
    frame.insert(0, "date", pd.date_range("2020-01-01", periods=200).strftime("%d.%m.%Y"))
    roles = check_table(frame).roles
    assert roles["nodes"] == CITIES
    assert sorted(roles["time"]) == ["date", "day"]
    assert roles["labels"] == ["remark"]
    assert roles["text"] == ["text"]


NUMBERS = st.sampled_from([0, 1, 2, 3, -999, 2000, 2001, 202001, 202013, 1e308, -1e308, 1e-300, 0.5, np.nan])
CELLS = st.sampled_from(["", "a", "b", "c", "2020-01-01", "2020-02-30", "Jan 2020", "Total", "31.12.2020"])
LABELS = st.lists(
    st.sampled_from(["year", "month", "t", "lat", "lon", "class", "Total", "x", "2020"]), unique=True, max_size=5
)


@given(LABELS, st.integers(1, 30), st.sampled_from(["rows", "columns", None]), st.data())
def test_any_table_is_checked_or_refused_with_a_sentence(labels, n_rows, nodes, data):
    def column(cells):
        return data.draw(st.lists(cells, min_size=n_rows, max_size=n_rows))

    frame = pd.DataFrame({label: column(NUMBERS | CELLS if data.draw(st.booleans()) else NUMBERS) for label in labels})
    frame.insert(0, "first", column(CELLS))
    try:
        report = check_table(frame, nodes)
    except InputError:
        pass
    else:
        assert min(report.shape) > 0
        assert all(finding.what for finding in report.findings)
