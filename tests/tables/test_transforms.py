"""Transforms of tables, against pandas and SciPy."""

import numpy as np
import pandas as pd
import pytest
import scipy.signal
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from messy import CITIES, prices, sensors, temperatures

from smoothgraph.io import Table, table_from
from smoothgraph.support.input_error import InputError
from smoothgraph.tables.series import remove_cycle, remove_lines
from smoothgraph.tables.transforms import Transforms

VALUES = arrays(float, array_shapes(min_dims=2, max_dims=2, min_side=3, max_side=8), elements=st.floats(-1e3, 1e3))


def times_of(frame):
    return pd.to_datetime(frame).to_numpy(dtype="datetime64[s]")


@pytest.mark.parametrize("nodes", ["rows", "columns"])
def test_changes_are_those_of_pandas(nodes):
    frame = sensors().iloc[:, :5]
    frame.iloc[7, 2] = np.nan
    frame = frame if nodes == "columns" else frame.T
    found = Transforms(difference=True).apply(table_from(frame), nodes, None)
    axis = 0 if nodes == "columns" else 1
    expected = frame.diff(axis=axis).iloc[1:] if axis == 0 else frame.diff(axis=axis).iloc[:, 1:]
    np.testing.assert_allclose(found.values, expected, atol=1e-15)
    assert found.column_names == [str(label) for label in expected.columns]


def test_log_returns_are_those_of_pandas_in_any_order_of_the_rows():
    frame = prices().set_index("date")
    found = Transforms(log_returns=True).apply(table_from(frame), "columns", times_of(frame.index))
    expected = np.log(frame).diff().iloc[1:]
    np.testing.assert_allclose(found.values, expected, atol=1e-12)
    assert found.row_names == expected.index.tolist()
    mixed = frame.sample(frac=1, random_state=0)
    again = Transforms(log_returns=True).apply(table_from(mixed), "columns", times_of(mixed.index))
    np.testing.assert_array_equal(again.values, found.values)
    assert again.row_names == found.row_names


def test_a_price_that_is_not_positive_is_named():
    frame = prices().set_index("date")
    frame.iloc[5, 2] = -3
    with pytest.raises(InputError, match=rf"row {frame.index[5]}, column 'A2': .* above 0 .* got -3; use --difference"):
        Transforms(log_returns=True).apply(table_from(frame), "columns", times_of(frame.index))


@pytest.mark.parametrize(
    ("name", "freq", "phase"),
    [
        ("monthly", "MS", lambda t: t.month),
        ("monthly", "D", lambda t: t.month),
        ("weekly", "D", lambda t: t.dayofweek),
        ("daily", "h", lambda t: t.hour),
    ],
)
def test_anomalies_are_those_of_pandas(name, freq, phase):
    frame = sensors()
    frame.index = pd.date_range("2019-05-17", periods=len(frame), freq=freq)
    frame.iloc[:20, 0] = np.nan
    found = Transforms(anomaly=name).apply(table_from(frame), "columns", times_of(frame.index))
    expected = frame - frame.groupby(phase(frame.index)).transform("mean")
    np.testing.assert_allclose(found.values, expected, atol=1e-12)


def test_anomalies_need_dates_and_several_values_of_each_phase():
    table = table_from(sensors())
    with pytest.raises(InputError, match="expected the dates"):
        Transforms(anomaly="monthly").apply(table, "columns", None)
    days = pd.date_range("2020-01-01", periods=200).to_numpy(dtype="datetime64[s]")
    with pytest.raises(InputError, match=r"several hours for --anomaly daily, got 200 values at 1 of them"):
        Transforms(anomaly="daily").apply(table, "columns", days)


def test_trends_are_those_of_scipy():
    frame = sensors() + np.arange(200)[:, None] / 7
    found = Transforms(detrend=True).apply(table_from(frame), "columns", None)
    np.testing.assert_allclose(found.values, scipy.signal.detrend(frame.to_numpy(), axis=0), atol=1e-10)


@given(VALUES)
def test_a_line_is_removed_from_the_values_that_are_there(values):
    gaps = values.copy()
    gaps[0, 1] = np.nan
    t = np.array([k for k in range(values.shape[1]) if k != 1])
    line = np.polynomial.Polynomial.fit(t, values[0, t], 1)
    np.testing.assert_allclose(remove_lines(gaps)[0, t], values[0, t] - line(t), atol=1e-8)


@given(VALUES, st.data())
def test_without_its_cycle_a_series_has_mean_zero_in_every_phase(values, data):
    phases = np.array(data.draw(st.lists(st.integers(0, 3), min_size=values.shape[1], max_size=values.shape[1])))
    rest = remove_cycle(values, phases)
    for phase in np.unique(phases):
        np.testing.assert_allclose(rest[:, phases == phase].mean(axis=1), 0, atol=1e-10)


def test_the_order_of_transforms():
    """Changes first, then anomalies of the changes, then standardized columns."""
    frame = temperatures()
    times = pd.to_datetime(frame.pop("month"), format="%Y%m")
    found = Transforms(difference=True, anomaly="monthly", standardize=True).apply(
        table_from(frame), "columns", times.to_numpy(dtype="datetime64[s]")
    )
    changes = frame.diff()[1:]
    expected = changes - changes.groupby(times.dt.month[1:]).transform("mean")
    expected = (expected - expected.mean()) / expected.std(ddof=0)
    np.testing.assert_allclose(found.values, expected, atol=1e-12)


def test_what_rounding_leaves_of_a_straight_line_is_nothing():
    frame = sensors().assign(line=1e6 + np.arange(200) / 3)
    found = Transforms(detrend=True).apply(table_from(frame), "columns", None)
    assert not found.values[:, -1].any()
    assert found.values[:, 0].any()


def test_what_cannot_be_done_is_refused():
    with pytest.raises(InputError, match="leave out one"):
        Transforms(difference=True, log_returns=True).apply(table_from(sensors()), "columns", None)
    with pytest.raises(InputError, match="got a sparse one or categories"):
        Transforms(detrend=True).apply(Table(sp.eye_array(5, format="csr")), "rows", None)


def test_columns_as_nodes_keep_what_is_known_of_the_rows():
    frame = sensors().assign(remark=[f"r{k}" for k in range(200)])
    found = Transforms(difference=True).apply(table_from(frame), "columns", None)
    assert found.row_attributes["remark"].tolist() == [f"r{k}" for k in range(1, 200)]
    assert found.column_names == CITIES
