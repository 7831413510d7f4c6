"""Tables made of DataFrames: which columns are signals, and which are set aside."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from smoothgraph.io.errors import FileError, are_names, check_row_names, quote_names, refuse_unknown
from smoothgraph.io.table_file import Table, TableOptions, check_table, mark_missing, quote_column
from smoothgraph.io.text_cells import are_dates, has_thousands, number_cells, parse_column

_INDEX_HEADERS = ("", "id", "index", "unnamed: 0")
_TEXT = "Set aside, because they hold text"
_CATEGORIES = "Taken as categories, because they hold text"
_DATES = "Set aside, because they hold dates"
_EMPTY = "Left out, because they are empty"
_COMMAS = "Read with decimal commas"


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

    @property
    def labels(self) -> list[str]:
        """What the columns are called."""
        return [str(label) for label in self.frame.columns]


def table_of_frame(columns: Columns) -> Table:
    """Return the numeric columns as values; names, text and the columns in ``aside`` go beside."""
    for wanted in (*columns.options.aside, columns.options.names):
        refuse_unknown(wanted, columns.labels, what="columns")
    row_names, used = _find_row_names(columns)
    values, aside = _sort_columns(columns, used)
    if not values:
        first = ", ".join(repr(str(cells[0])) for cells in list(aside.values())[:3])
        raise FileError(
            "expected at least one column of numbers, got only text or empty columns, which begin with "
            f"{first or 'nothing'}; write numbers as 1234.5, and one row per node, or take text as categories "
            "(--metric gower, or categories=True)"
        )
    matrix, labels = np.stack([column.values for column in values.values()], axis=1), list(values)
    table = Table(
        matrix,
        row_names,
        labels if columns.headers is not None else None,
        aside,
        categories={k: column.texts for k, column in enumerate(values.values()) if column.texts is not None},
        notes=columns.notes,
        names_from=None if used is None else columns.labels[used],
    )
    return check_table(table, row_numbers=columns.row_numbers, column_labels=labels)


class _Column(NamedTuple):
    """A column as floats or as str, a remark for the user, and what the floats stand for if they are of categories."""

    values: np.ndarray
    remark: str | None = None
    texts: list[str] | None = None


def _sort_columns(columns: Columns, used: int | None) -> tuple[dict[str, _Column], dict[str, np.ndarray]]:
    """Return the columns of values and those set aside, without the one used for names."""
    values, aside = {}, {}
    remarks: dict[str, list[str]] = {_TEXT: [], _CATEGORIES: [], _DATES: [], _EMPTY: [], _COMMAS: []}
    for k, label in enumerate(columns.labels):
        if k == used:
            continue
        column = _read_column(columns, k, label)
        remark = column.remark
        if label in columns.options.no_signals or column.values.dtype.kind == "U":
            aside[label] = column.values
        elif np.isnan(column.values).all():
            remark = _EMPTY
        else:
            values[label] = column
        if remark is not None:
            remarks[remark].append(label)
    columns.notes += [f"{remark}: {quote_names(of)}." for remark, of in remarks.items() if of]
    return values, aside


def cell_texts(series: Any) -> np.ndarray:
    """Return the cells as str, with "" for missing ones; dates become ISO 8601 strings."""
    present = series.notna().to_numpy()
    result = np.full(len(series), "", dtype=object)
    if series.dtype.kind == "M":
        result[present] = series[present].astype(str).str.replace(" ", "T", n=1)
    else:
        result[present] = [value.decode() if isinstance(value, bytes) else str(value) for value in series[present]]
    return result


def _read_column(columns: Columns, k: int, label: str) -> _Column:
    series = columns.frame.iloc[:, k]
    wants_categories = columns.options.categories and label not in columns.options.no_signals
    if wants_categories and series.dtype == "category":
        return _categories(cell_texts(series), series.isna().to_numpy())
    numbers = _numbers(series)
    if numbers is not None:
        return _Column(mark_missing(numbers, columns.options))
    cells = cell_texts(series)
    if columns.options.missing:
        cells[np.isin(cells, columns.options.missing)] = ""
    parsed = parse_column(cells, decimal_commas=columns.decimal_commas)
    if not parsed.is_text.any():
        return _Column(mark_missing(parsed.values, columns.options), _COMMAS if parsed.decimal == "," else None)
    if label in columns.options.no_signals:
        return _Column(cells.astype(str))
    if not parsed.is_numeric and not has_thousands(cells):
        if wants_categories and not are_dates(cells):
            return _categories(cells, np.isnan(parsed.values) & ~parsed.is_text)
        return _Column(cells.astype(str), _DATES if are_dates(cells) else _TEXT)
    first = int(np.argmax(parsed.is_text))
    hint = "correct it, leave the cell empty if the value is missing, or leave out the column"
    if has_thousands(cells):
        hint = "write numbers without thousands separators"
    elif first == 0:
        hint += "; if the row holds units, delete it"
    raise FileError(
        f"row {columns.row_numbers[first]}, {quote_column(label)}: expected a number, got {cells[first]!r}; {hint} "
        "(--drop, or aside=)"
    )


def _categories(cells: np.ndarray, missing: np.ndarray) -> _Column:
    """Return texts as the numbers of the different ones."""
    codes, texts = number_cells(cells)
    return _Column(np.where(missing, np.nan, codes), _CATEGORIES, texts)


def _numbers(series: Any) -> np.ndarray | None:
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


def _find_row_names(columns: Columns) -> tuple[list[str] | None, int | None]:
    """Return the names of the rows, and the number of the column that holds them."""
    if columns.options.names is not None:
        k = columns.labels.index(columns.options.names)
        return check_row_names(cell_texts(columns.frame.iloc[:, k]), columns.row_numbers), k
    if columns.row_names is not None or not columns.labels or columns.labels[0] in columns.options.no_signals:
        return columns.row_names, None
    found, which = None, ""
    numbers = _numbers(columns.frame.iloc[:, 0])
    if numbers is None:
        cells = cell_texts(columns.frame.iloc[:, 0])
        parsed = parse_column(cells, decimal_commas=columns.decimal_commas)
        if are_names(cells) and not parsed.is_numeric and not has_thousands(cells):
            found = list(cells)
    elif _are_ids(columns, numbers):
        found, which = [str(int(value)) for value in numbers], ", whose numbers are all different"
    if found is None:
        return None, None
    columns.notes.append(f"The rows are named by {quote_column(columns.labels[0])}{which}.")
    return found, 0


def _are_ids(columns: Columns, numbers: np.ndarray) -> bool:
    """Return whether these are different whole numbers under the header of an index."""
    if columns.headers is None or columns.headers[0].lower() not in _INDEX_HEADERS:
        return False
    return bool(np.all(np.isfinite(numbers) & (np.floor(numbers) == numbers))) and len(np.unique(numbers)) == len(
        numbers
    )
