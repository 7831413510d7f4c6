"""Columns of a DataFrame: numbers, texts, dates, or categories."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from smoothgraph.io.errors import FileError
from smoothgraph.io.table_file import TableOptions, mark_missing, quote_column
from smoothgraph.io.text_cells import are_dates, has_thousands, number_cells, parse_column

TEXT = "Set aside, because they hold text"
CATEGORIES = "Taken as categories, because they hold text"
DATES = "Set aside, because they hold dates"
EMPTY = "Left out, because they are empty"
COMMAS = "Read with decimal commas"


@dataclass
class Columns:
    """A DataFrame, and what its file and its user say about it.

    Text columns hold str, with "" in empty cells. The dtype of any other column says what it is.
    """

    frame: Any
    row_numbers: Sequence[int] | np.ndarray
    headers: list[str] | None  # as in the file, maybe ""; None if the file has no header
    options: TableOptions
    decimal_commas: bool = False
    row_names: list[str] | None = None
    notes: list[str] = field(default_factory=list)
    attributes: dict[str, dict[str, str]] = field(default_factory=dict)  # what is known of columns, by their labels

    @property
    def labels(self) -> list[str]:
        """What the columns are called."""
        return [str(label) for label in self.frame.columns]

    def without_dropped(self) -> "Columns":
        """Return this without the columns to drop; the rest of the names to drop are those of rows."""
        gone = [label for label in self.labels if label in self.options.drop]
        kept = [k for k, label in enumerate(self.labels) if label not in gone]
        return replace(
            self,
            frame=self.frame.iloc[:, kept],
            headers=None if self.headers is None else [self.headers[k] for k in kept],
            options=replace(self.options, drop=tuple(name for name in self.options.drop if name not in gone)),
        )


class Column(NamedTuple):
    """A column as floats or as str, a remark for the user, and what the floats stand for if they are of categories."""

    values: np.ndarray
    remark: str | None = None
    texts: list[str] | None = None


def cell_texts(series: Any) -> np.ndarray:
    """Return the cells as str, with "" for missing ones; dates become ISO 8601 strings."""
    present = series.notna().to_numpy()
    result = np.full(len(series), "", dtype=object)
    if series.dtype.kind == "M":
        result[present] = series[present].astype(str).str.replace(" ", "T", n=1)
    else:
        result[present] = [value.decode() if isinstance(value, bytes) else str(value) for value in series[present]]
    return result


def read_column(columns: Columns, k: int, label: str) -> Column:
    """Return a column as numbers, texts, or categories; refuse one of numbers with a few texts among them."""
    series = columns.frame.iloc[:, k]
    wants_categories = columns.options.categories and label not in columns.options.aside
    if wants_categories and series.dtype == "category":
        return _categories(cell_texts(series), series.isna().to_numpy())
    numbers = numbers_in(series)
    if numbers is not None:
        return Column(mark_missing(numbers, columns.options))
    cells = cell_texts(series)
    if columns.options.missing:
        cells[np.isin(cells, columns.options.missing)] = ""
    parsed = parse_column(cells, decimal_commas=columns.decimal_commas)
    if not parsed.is_text.any():
        return Column(mark_missing(parsed.values, columns.options), COMMAS if parsed.decimal == "," else None)
    if label in columns.options.aside:
        return Column(cells.astype(str))
    if not parsed.is_numeric and not has_thousands(cells):
        if wants_categories and not are_dates(cells):
            return _categories(cells, np.isnan(parsed.values) & ~parsed.is_text)
        return Column(cells.astype(str), DATES if are_dates(cells) else TEXT)
    raise _unexpected_text(columns, label, cells, int(np.argmax(parsed.is_text)))


def _unexpected_text(columns: Columns, label: str, cells: np.ndarray, first: int) -> FileError:
    """Return the error that the cell ``first`` of a column of numbers is text."""
    hint = "correct it, leave the cell empty if the value is missing, or leave out the column"
    if has_thousands(cells):
        hint = "write numbers without thousands separators"
    elif first == 0:
        hint += "; if the row holds units, delete it"
    return FileError(
        f"row {columns.row_numbers[first]}, {quote_column(label)}: expected a number, got {cells[first]!r}; {hint} "
        "(--drop, or aside=)"
    )


def _categories(cells: np.ndarray, missing: np.ndarray) -> Column:
    """Return texts as the numbers of the different ones."""
    codes, texts = number_cells(cells)
    return Column(np.where(missing, np.nan, codes), CATEGORIES, texts)


def numbers_in(series: Any) -> np.ndarray | None:
    """Return a numeric or boolean column as floats, None for any other type."""
    import pandas as pd  # which made the frame

    if isinstance(series.dtype, pd.CategoricalDtype):
        series = pd.Series(np.asarray(series), name=series.name)
    if not pd.api.types.is_numeric_dtype(series.dtype):
        return None
    if series.dtype.kind == "c":
        raise FileError(
            f"{quote_column(str(series.name))}: expected real numbers, got complex ones; save their real and "
            "imaginary parts as two columns"
        )
    return series.to_numpy(dtype=np.float64, na_value=np.nan)


def read_numbers(columns: Columns, label: str) -> np.ndarray:
    """Return a column as floats, NaN where a value is missing; refuse one of text."""
    values = read_column(columns, columns.labels.index(label), label).values
    if values.dtype.kind == "U":
        raise FileError(f"{quote_column(label)}: expected numbers, got {str(values[0])!r}; choose a column of numbers")
    return values
