"""DataFrames as tables: which columns are signals, which are set aside."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from smoothgraph.io.cells import Reading, are_dates, has_thousands, reading_of
from smoothgraph.io.errors import FileError
from smoothgraph.io.names import are_names, checked_row_names, listed, unknown
from smoothgraph.io.table import Table, checked_table, quoted_column

_INDEX_HEADERS = ("", "id", "index", "unnamed: 0")


@dataclass
class Columns:
    """A DataFrame and what its file and its user say about it.

    Text columns hold str with "" where a cell is empty, all others have a type of pandas' that
    says what they are.
    """

    frame: Any
    row_numbers: Sequence[int] | np.ndarray
    headers: list[str] | None  # as in the file, maybe ""; None: the file has no header
    names: str | None = None
    aside: Collection[str] = ()
    decimal_commas: bool = False
    row_names: list[str] | None = None
    notes: list[str] = field(default_factory=list)

    @property
    def labels(self) -> list[str]:
        """What the columns are called."""
        return [str(label) for label in self.frame.columns]


def table_of_frame(columns: Columns) -> Table:
    """The numeric columns as values; names, text and what is asked for are set aside."""
    labels = columns.labels
    for wanted in (*columns.aside, *([columns.names] if columns.names is not None else [])):
        if wanted not in labels:
            raise unknown(wanted, labels, what="columns")
    row_names, used = _row_names(columns)
    sorted_out = _SortedOut()
    for k, label in enumerate(labels):
        if k != used:
            _sort_out(columns, k, label, sorted_out)
    _note_what_was_done(columns, sorted_out)
    if not sorted_out.values:
        first = ", ".join(repr(str(cells[0])) for cells in list(sorted_out.aside.values())[:3])
        raise FileError(
            "expected at least one column of numbers, got only text or empty columns, which begin "
            f"with {first or 'nothing'}; numbers are written as 1234.5, and rows are nodes"
        )
    table = Table(
        values=np.ascontiguousarray(np.stack(list(sorted_out.values.values()), axis=1)),
        row_names=row_names,
        column_names=None if columns.headers is None else list(sorted_out.values),
        row_attributes=sorted_out.aside,
        column_attributes={},
        notes=columns.notes,
    )
    return checked_table(
        table, row_numbers=columns.row_numbers, column_labels=list(sorted_out.values)
    )


@dataclass
class _SortedOut:
    values: dict[str, np.ndarray] = field(default_factory=dict)
    aside: dict[str, np.ndarray] = field(default_factory=dict)
    text: list[str] = field(default_factory=list)
    dates: list[str] = field(default_factory=list)
    empty: list[str] = field(default_factory=list)
    decimal_commas: list[str] = field(default_factory=list)


def _sort_out(columns: Columns, k: int, label: str, result: _SortedOut) -> None:
    """Put one column where it belongs."""
    series = columns.frame.iloc[:, k]
    wanted_aside = label in columns.aside
    numbers = _numbers(series)
    if numbers is None:
        cells = texts_of(series)
        reading = reading_of(cells, decimal_commas=columns.decimal_commas)
        if not reading.is_text.any():
            numbers = reading.values
            if reading.decimal == "," and not reading.is_empty:
                result.decimal_commas.append(label)
        elif (reading.is_numeric or has_thousands(cells)) and not wanted_aside:
            raise _mistake(columns, label, cells, reading)
    if numbers is None:
        result.aside[label] = cells.astype(str)
        if not wanted_aside:
            (result.dates if are_dates(cells) else result.text).append(label)
    elif wanted_aside:
        result.aside[label] = numbers
    elif np.isnan(numbers).all():
        result.empty.append(label)
    else:
        result.values[label] = numbers


def _row_names(columns: Columns) -> tuple[list[str] | None, int | None]:
    """The names of the rows and the column they are in."""
    if columns.names is not None:
        k = columns.labels.index(columns.names)
        cells = texts_of(columns.frame.iloc[:, k])
        return checked_row_names(list(cells), columns.row_numbers), k
    if columns.row_names is not None or columns.frame.shape[1] == 0:
        return columns.row_names, None
    label, series = columns.labels[0], columns.frame.iloc[:, 0]
    if label in columns.aside:
        return None, None
    numbers = _numbers(series)
    if numbers is not None:
        return _counted_names(columns, label, numbers)
    cells = texts_of(series)
    reading = reading_of(cells, decimal_commas=columns.decimal_commas)
    if reading.is_numeric or has_thousands(cells) or not are_names(cells):
        return None, None
    columns.notes.append(f"The rows are named by {quoted_column(label)}.")
    return list(cells), 0


def _counted_names(
    columns: Columns, label: str, numbers: np.ndarray
) -> tuple[list[str] | None, int | None]:
    if not _are_ids(columns, numbers):
        return None, None
    columns.notes.append(
        f"The rows are named by {quoted_column(label)}, whose numbers are all different."
    )
    return [str(int(value)) for value in numbers], 0


def _are_ids(columns: Columns, numbers: np.ndarray) -> bool:
    """Whole numbers, all different, under the header of an index."""
    if columns.headers is None or columns.headers[0].lower() not in _INDEX_HEADERS:
        return False
    return bool(np.all(numbers % 1 == 0)) and len(np.unique(numbers)) == len(numbers)


def _numbers(series: Any) -> np.ndarray | None:
    """A numeric column as floats, None if it is of another type."""
    import pandas as pd

    if isinstance(series.dtype, pd.CategoricalDtype):
        series = pd.Series(np.asarray(series), name=series.name)
    if not pd.api.types.is_numeric_dtype(series.dtype):  # booleans are numeric
        return None
    if series.dtype.kind == "c":
        raise FileError(
            f"{quoted_column(str(series.name))}: expected real numbers, got complex ones; save "
            "their real and imaginary parts as two columns"
        )
    return series.to_numpy(dtype=np.float64, na_value=np.nan)


def texts_of(series: Any) -> np.ndarray:
    """The cells as str, with "" where nothing is; dates as in ISO 8601."""
    import pandas as pd

    present = series.notna().to_numpy()
    result = np.full(len(series), "", dtype=object)
    if pd.api.types.is_datetime64_any_dtype(series.dtype):
        result[present] = series[present].astype(str).str.replace(" ", "T", n=1)
    else:
        result[present] = [_text(value) for value in series[present]]
    return result


def _text(value: Any) -> str:
    return value.decode("utf-8") if isinstance(value, bytes) else str(value)


def _mistake(columns: Columns, label: str, cells: np.ndarray, reading: Reading) -> FileError:
    k = int(np.flatnonzero(reading.is_text)[0])
    hint = "correct it, leave the cell empty if it is missing, or leave out the column"
    if has_thousands(cells):
        hint = "write numbers without marks between thousands"
    elif k == 0:
        hint += "; if the row holds units, delete it"
    return FileError(
        f"row {columns.row_numbers[k]}, {quoted_column(label)}: expected a number, got "
        f"{cells[k]!r}; {hint} (--drop, or aside=)"
    )


def _note_what_was_done(columns: Columns, result: _SortedOut) -> None:
    for labels, what in (
        (result.text, "Set aside, because they hold text"),
        (result.dates, "Set aside, because they hold dates"),
        (result.empty, "Left out, because they are empty"),
        (result.decimal_commas, "Read with decimal commas"),
    ):
        if labels:
            columns.notes.append(f"{what}: {listed(labels)}.")
