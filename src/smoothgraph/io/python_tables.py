"""Tables that are already in memory: DataFrames and arrays."""

from typing import Any

import numpy as np

from smoothgraph.io.errors import FileError, are_names
from smoothgraph.io.frame_columns import Columns, cell_texts
from smoothgraph.io.frame_tables import table_of_frame
from smoothgraph.io.labeled_arrays import table_of_data_array
from smoothgraph.io.table_file import Table, TableOptions, finish_table


def table_from(data: Any) -> Table:
    """Return the table of a DataFrame of pandas or polars, of a DataArray of xarray, or of an array of NumPy."""
    if isinstance(data, Table):
        return data
    if hasattr(data, "dims") and hasattr(data, "coords"):
        return table_of_data_array(data, TableOptions())
    if hasattr(data, "get_columns"):  # polars
        import pandas as pd

        data = pd.DataFrame({column.name: column.to_list() for column in data.get_columns()})
    if hasattr(data, "columns") and hasattr(data, "index"):
        return table_of_data_frame(data)
    values = np.asarray(data)
    if values.ndim != 2 or values.dtype.kind not in "biuf":
        raise FileError(f"expected a table of numbers, got an array of shape {values.shape} and type {values.dtype}")
    return finish_table(Table(values.astype(np.float64)), TableOptions())


def table_of_data_frame(frame: Any) -> Table:
    """Return the table of a DataFrame. Its index names the rows if it is text; numbers that count say nothing."""
    if frame.index.nlevels > 1 or (frame.index.dtype.kind in "iuf" and list(frame.index) != list(range(len(frame)))):
        frame = frame.reset_index()
    named = frame.rename(columns=str)
    columns = Columns(named, range(1, len(frame) + 1), list(named.columns), TableOptions())
    if frame.index.dtype.kind not in "iuf":
        names = cell_texts(frame.index.to_series())
        columns.row_names = list(names) if are_names(names) else None
    return table_of_frame(columns)
