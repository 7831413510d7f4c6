"""Excel, NetCDF, compressed files, and tables in memory."""

import gzip
import io
import zipfile

import numpy as np
import openpyxl
import pandas as pd
import polars
import pytest
import xarray
from messy import CITIES, sensors

from smoothgraph.io import FileError, read_graph, read_table, table_from


@pytest.fixture
def frame():
    frame = sensors(24)
    frame.insert(0, "date", pd.date_range("2020-01-01", periods=24))
    return frame


# -- Excel -------------------------------------------------------------------


def test_a_sheet_is_read_to_the_digits_that_were_written(frame, tmp_path):
    frame.to_excel(tmp_path / "t.xlsx", index=False)
    found = read_table(tmp_path / "t.xlsx")
    np.testing.assert_allclose(found.values, frame[CITIES].to_numpy(), rtol=1e-15)
    assert found.row_names == [f"2020-01-{day:02}" for day in range(1, 25)]
    assert found.column_names == CITIES


def test_sheets_are_chosen_by_the_key(frame, tmp_path):
    with pd.ExcelWriter(tmp_path / "t.xlsx") as book:
        pd.DataFrame().to_excel(book, sheet_name="Notes")
        frame.to_excel(book, sheet_name="2020", index=False)
        (frame[CITIES] + 1).to_excel(book, sheet_name="2021", index=False)
    assert "sheet '2020'; --key reads another one: Notes, 2021" in read_table(tmp_path / "t.xlsx").notes[0]
    found = read_table(tmp_path / "t.xlsx", key="2021")
    np.testing.assert_allclose(found.values, frame[CITIES].to_numpy() + 1)
    with pytest.raises(FileError, match=r"expected one of its sheets, .* got '2022'"):
        read_table(tmp_path / "t.xlsx", key="2022")


def test_a_sheet_with_a_title_units_and_gaps(tmp_path):
    book = openpyxl.Workbook()
    rows = [
        ["Levels, by hand"],
        [],
        ["site", "a", "b"],
        [None, "cm", "kg"],
        ["two\nlines", 1.5, None],
        ["y", 2, True],
        [],
    ]
    for row in rows:
        book.active.append(row)
    book.save(tmp_path / "t.xlsx")
    with pytest.raises(FileError, match="--skip-rows 2"):
        read_table(tmp_path / "t.xlsx")
    found = read_table(tmp_path / "t.xlsx", skip_rows=2)
    np.testing.assert_array_equal(found.values, [[1.5, np.nan], [2, 1]])
    assert found.row_names == ["two lines", "y"]
    assert "Row 4 is taken for units" in found.notes[0]


# -- compressed --------------------------------------------------------------


@pytest.mark.parametrize("name", ["t.csv.gz", "t.csv.zip", "t.zip", "t.csv.bz2", "t.csv.xz", "T.CSV.GZ"])
def test_compressed_files_are_read(name, frame, tmp_path):
    compression = {"gz": "gzip", "bz2": "bz2", "xz": "xz", "zip": {"method": "zip", "archive_name": "t.csv"}}
    frame.to_csv(tmp_path / name, index=False, compression=compression[name.lower().rsplit(".")[-1]])
    np.testing.assert_allclose(read_table(tmp_path / name).values, frame[CITIES].to_numpy())


def test_compressed_files_of_other_formats(tmp_path):
    file = io.BytesIO()
    np.save(file, np.eye(3))
    (tmp_path / "t.npy.gz").write_bytes(gzip.compress(file.getvalue()))
    assert read_table(tmp_path / "t.npy.gz").values.tolist() == np.eye(3).tolist()
    (tmp_path / "g.csv.gz").write_bytes(gzip.compress(b"source,target\na,b\n"))
    assert read_graph(tmp_path / "g.csv.gz").names == ["a", "b"]


def test_archives_of_several_files_and_damaged_ones_are_refused(tmp_path):
    with zipfile.ZipFile(tmp_path / "t.zip", "w") as archive:
        archive.writestr("a.csv", "a\n1\n")
        archive.writestr("b.csv", "a\n1\n")
    with pytest.raises(FileError, match=r"t\.zip: expected an archive with one file, got 'a.csv', 'b.csv'"):
        read_table(tmp_path / "t.zip")
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(b"a\n1\n")[:-6])
    (tmp_path / "u.zip").write_bytes((tmp_path / "t.zip").read_bytes()[:40])
    for name in ("t.csv.gz", "u.zip"):
        with pytest.raises(FileError, match="but it cannot be read as one"):
            read_table(tmp_path / name)


# -- xarray and polars -------------------------------------------------------


def stations():
    values = sensors(24).to_numpy()
    coordinates = {
        "time": pd.date_range("2020-01-01", periods=24, freq="MS"),
        "station": CITIES,
        "elevation": ("station", np.arange(8)),
        "lat": ("station", np.linspace(40, 60, 8)),
    }
    return xarray.DataArray(values, dims=["time", "station"], coords=coordinates, name="level")


@pytest.mark.parametrize("engine", ["h5netcdf", "scipy"])
def test_stations_in_a_netcdf_file(engine, tmp_path):
    data = stations().to_dataset().assign(other=("station", np.arange(8)))
    data.transpose("station", "time").to_netcdf(tmp_path / "t.nc", engine=engine)
    found = read_table(tmp_path / "t.nc")
    np.testing.assert_array_equal(found.values, stations().values)
    assert found.column_names == CITIES
    assert found.row_names[:2] == ["2020-01-01", "2020-02-01"]
    assert found.column_attributes["lat"].tolist() == np.linspace(40, 60, 8).tolist()


def test_a_grid_has_a_column_for_every_cell_that_is_not_empty(rng):
    values = rng.normal(size=(2, 3, 5))
    values[1, 0] = np.nan
    grid = xarray.DataArray(values, dims=["lat", "lon", "time"], coords={"lat": [50.0, 51.5], "lon": [1, 2, 3]})
    found = table_from(grid)
    assert found.column_names[2:4] == ["lat=50, lon=3", "lat=51.5, lon=2"]
    np.testing.assert_array_equal(found.values[:, 3], values[1, 1])
    assert found.column_attributes["lat"].tolist() == [50, 50, 50, 51.5, 51.5]
    assert "Left out, because they are empty: 1 of 6 columns." in found.notes


def test_a_variable_is_chosen_by_the_key(tmp_path):
    data = stations().to_dataset().assign(twice=2 * stations())
    data.to_netcdf(tmp_path / "t.nc", engine="scipy")
    with pytest.raises(FileError, match=r"one variable .* got 2 of these: level .*, twice .*--key"):
        read_table(tmp_path / "t.nc")
    np.testing.assert_allclose(read_table(tmp_path / "t.nc", key="twice").values, 2 * stations().values)


def test_frames_of_polars_and_pandas_are_the_same_table(frame, tmp_path):
    frame["date"] = frame["date"].astype(str)
    tables = [table_from(frame), table_from(polars.from_pandas(frame))]
    polars.from_pandas(frame).write_parquet(tmp_path / "t.parquet")
    for found in [*tables, read_table(tmp_path / "t.parquet")]:
        np.testing.assert_array_equal(found.values, frame[CITIES].to_numpy())
        assert found.row_names == frame["date"].tolist()
        assert found.column_names == CITIES
