"""Tables in Parquet files."""

from collections.abc import Collection
from typing import Any, BinaryIO

import numpy as np

from smoothgraph.io.errors import FileError, a_graph_instead
from smoothgraph.io.frames import Columns, table_of_frame, texts_of
from smoothgraph.io.names import are_names, first_repetition
from smoothgraph.io.table import Table
from smoothgraph.support.optional import load_optional

GRAPH_METADATA = b"smoothgraph"  # what write_graph adds


def arrow_table(file: BinaryIO) -> Any:
    """The file as PyArrow's table, whose columns have different names."""
    parquet = load_optional("pyarrow.parquet", needed_by="reading Parquet", extra="parquet")
    table = parquet.ParquetFile(file).read()
    twice = first_repetition(table.column_names)
    if twice is not None:
        raise FileError(
            "expected columns whose names are all different, got "
            f"{table.column_names[twice[0]]!r} twice; rename one of them"
        )
    table.validate(full=True)
    return table


def read_parquet(file: BinaryIO, *, names: str | None, aside: Collection[str]) -> Table:
    """The table in a Parquet file; the index of a DataFrame names the rows."""
    table = arrow_table(file)
    if GRAPH_METADATA in (table.schema.metadata or {}):
        raise a_graph_instead()
    frame = table.to_pandas()
    if len(frame) == 0:
        raise FileError("expected at least one row, got none; check how the file was written")
    columns = Columns(
        frame=frame,
        row_numbers=range(1, len(frame) + 1),
        headers=[str(label) for label in frame.columns],
        names=names,
        aside=aside,
    )
    levels = _index_levels(frame)
    if len(levels) == 1 and are_names(next(iter(levels.values()))):
        columns.row_names, levels = list(next(iter(levels.values()))), {}
        columns.notes.append("The rows are named by the index.")
    if levels:
        columns.notes.append(f"Set aside: the index ({', '.join(levels)}).")
    result = table_of_frame(columns)
    result.row_attributes.update({label: cells.astype(str) for label, cells in levels.items()})
    return result


def _index_levels(frame: Any) -> dict[str, np.ndarray]:
    """The index as text, a level each; nothing if it only counts the rows."""
    import pandas as pd

    if isinstance(frame.index, pd.RangeIndex):
        return {}
    levels = {}
    for k in range(frame.index.nlevels):
        values = frame.index.get_level_values(k)
        label = str(values.name) if values.name is not None else f"index {k}".removesuffix(" 0")
        levels[label] = texts_of(values.to_series())
    return levels
