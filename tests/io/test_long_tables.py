"""Long (tidy) tables become wide."""

import numpy as np
import pandas as pd
import pytest
from messy import tidy

from smoothgraph.io import FileError, read_table

LONG = ["date", "city", "level"]


@pytest.fixture
def saved(tmp_path):
    """A function that saves a frame, and returns the path."""

    def save(frame, suffix=".csv"):
        path = tmp_path / f"long{suffix}"
        frame.to_parquet(path) if suffix == ".parquet" else frame.to_csv(path, index=False)
        return path

    return save


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_the_wide_table_is_that_of_pandas(saved, suffix):
    frame = tidy().sample(frac=0.9, random_state=0)
    found = read_table(saved(frame, suffix), long=LONG)
    expected = frame.pivot(index="date", columns="city", values="level")
    assert found.row_names == expected.index.tolist(), "dates are sorted"
    assert found.column_names == frame["city"].unique().tolist(), "names come as in the file"
    np.testing.assert_allclose(found.values, expected[found.column_names].to_numpy(), rtol=1e-12)


def test_what_is_known_of_a_name_becomes_an_attribute(saved):
    frame = tidy().assign(lat=lambda f: f["city"].str.len() / 2, region=lambda f: f["city"].str[:1], flag=range(320))
    found = read_table(saved(frame), long=LONG, aside=["lat"], drop=["region"])
    assert found.column_attributes.keys() == {"lat"}
    assert found.column_attributes["lat"].tolist() == [len(name) / 2 for name in found.column_names]
    assert "say several things of a name: 'flag'" in found.notes[0]


def test_numbers_can_tell_the_rows(saved):
    frame = tidy().assign(date=lambda f: 2000 + f.groupby("city").cumcount())
    found = read_table(saved(frame), long=LONG)
    assert found.row_attributes["date"].tolist() == list(range(2000, 2040))


def test_two_values_for_one_cell_are_refused_with_their_rows(saved):
    frame = pd.concat([tidy(), tidy().iloc[[3]]])
    with pytest.raises(FileError, match="row 5 and row 322: expected one value for 'Oslo' at '2020-01-04', got two"):
        read_table(saved(frame), long=LONG)


@pytest.mark.parametrize(
    "long", [["date", "city"], ["date", "city", "city"], ["date", "city", "lvl"], ["level", "date", "city"]]
)
def test_other_columns_are_refused(saved, long):
    with pytest.raises(FileError, match=r"long\.csv: .*expected .*got"):
        read_table(saved(tidy()), long=long)
