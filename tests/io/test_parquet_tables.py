import numpy as np
import pandas as pd
import pytest

from smoothgraph.io import FileError, read_table

pytest.importorskip("pyarrow")


@pytest.fixture
def table(tmp_path):
    """A function that writes a DataFrame and returns the table that is read."""

    def read(frame, **options):
        frame.to_parquet(tmp_path / "table.parquet")
        return read_table(tmp_path / "table.parquet", **options)

    return read


def test_numbers_of_all_kinds_are_values(table):
    frame = pd.DataFrame(
        {
            "float": [0.1 + 0.2, np.nan],
            "integer": [2**60, -1],
            "truth": [True, False],
            "nullable": pd.array([1, None], dtype="Int64"),
            "nullable truth": pd.array([None, True], dtype="boolean"),
            "category": pd.Categorical([5, 6]),
            "as text": ["1.5", "NA"],
        }
    )
    found = table(frame)
    expected = [[0.1 + 0.2, 2.0**60, 1, 1, np.nan, 5, 1.5], [np.nan, -1, 0, np.nan, 1, 6, np.nan]]
    np.testing.assert_array_equal(found.values, expected)
    assert found.values.flags.c_contiguous
    assert found.column_names == list(frame)
    assert found.row_names is None


def test_text_dates_and_categories_are_set_aside(table):
    days = pd.to_datetime(["2020-01-01", None, "2020-01-03"])
    frame = pd.DataFrame(
        {
            "x": [1.0, 2.0, 3.0],
            "kind": pd.Categorical(["a", "b", None]),
            "day": days,
            "time": days + pd.Timedelta(hours=1),
            "date": pd.Series(days).dt.date,
        }
    )
    found = table(frame)
    assert found.values.tolist() == [[1], [2], [3]]
    assert found.row_attributes["kind"].tolist() == ["a", "b", ""]
    assert found.row_attributes["day"].tolist() == ["2020-01-01", "", "2020-01-03"]
    assert found.row_attributes["time"].tolist() == ["2020-01-01T01:00:00", "", "2020-01-03T01:00:00"]
    assert found.row_attributes["date"].tolist() == ["2020-01-01", "", "2020-01-03"]
    assert "Set aside, because they hold dates: 'day', 'time', 'date'." in found.notes


def test_an_index_names_the_rows(table):
    frame = pd.DataFrame({"x": [1.0, 2.0]}, index=["u", "v"])
    assert table(frame).row_names == ["u", "v"]
    assert table(frame.set_index([[7, 3]])).row_names == ["7", "3"]
    assert table(frame.reset_index(drop=True)).row_names is None


def test_an_index_that_names_nothing_is_set_aside(table):
    frame = pd.DataFrame({"x": [1.0, 2.0]}, index=pd.Index(["u", "u"], name="site"))
    found = table(frame)
    assert found.row_names is None
    assert found.row_attributes["site"].tolist() == ["u", "u"]
    found = table(frame.set_index([["a", "b"], ["c", "d"]]))
    assert found.row_names is None
    assert {name: cells.tolist() for name, cells in found.row_attributes.items()} == {
        "index": ["a", "b"],
        "index 1": ["c", "d"],
    }


def test_names_and_aside(table):
    frame = pd.DataFrame({"x": [1, 2], "id": [10, 20], "label": [0, 1]})
    found = table(frame, names="id", aside=["label"])
    assert found.row_names == ["10", "20"]
    assert found.values.tolist() == [[1], [2]]
    assert found.row_attributes["label"].tolist() == [0.0, 1.0]


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        ({"x": [1.0, np.inf]}, "row 2, column 'x': expected a finite number"),
        ({"x": ["1", "2", "y"]}, "row 3, column 'x': expected a number, got 'y'"),
        ({"x": ["u", "v"]}, "expected at least one column of numbers"),
        ({"x": []}, "expected at least one row, got none"),
        ({"x": [None, None]}, "expected at least one column of numbers"),
    ],
)
def test_errors_name_the_place(table, frame, message):
    with pytest.raises(FileError, match=rf"table\.parquet: {message}"):
        table(pd.DataFrame(frame))
