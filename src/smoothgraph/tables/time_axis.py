"""Which columns tell the time of the rows, and which times they tell."""

import re
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from smoothgraph.io.table_file import Table
from smoothgraph.io.text_cells import are_dates

_FEWEST_ROWS = 3  # fewer numbers are in order by chance
_HEAD = 100  # of its first numbers, most columns are not in order
_MOST_DATES = 0.9  # of the names; the others may be "Total", or a remark
_FEWEST_STEPS = 4  # equal steps that make a column of any name an index
_NAMES = {"t", "time", "date", "datetime", "timestamp", "year", "yr", "day", "dayno", "daynumber", "hours", "days"}
_NAMES |= {"years", "months", "weeks", "yearmonth", "yyyymm", "yyyymmdd", "yearmon", "decimalyear", "decimaldate"}
_NAMES |= {"step", "timestep", "index", "period", "epoch", "unixtime", "seconds", "minutes", "month", "week"}
# Parts of a date, and the range of their numbers.
_PARTS = {"month": (1, 12), "mon": (1, 12), "quarter": (1, 4), "week": (0, 53), "day": (1, 31), "hour": (0, 24)}
_PARTS |= {"minute": (0, 60), "weekday": (0, 7), "dayofweek": (0, 7), "dayofyear": (1, 366), "doy": (1, 366)}
_YEARS = (1500, 2200)
_CALENDAR = re.compile(r"[0-9]{4}|[0-9]{6}|[0-9]{8}")  # 2020, 202001, 20200131


def counts_time(label: str, values: np.ndarray) -> bool:
    """Return whether a column of numbers tells the time of its rows, or merely counts them.

    That is so for numbers in order under a name such as "day" or "t"; for parts of a date, such as months from 1 to 12;
    for numbers in order that read as YYYYMM or YYYYMMDD; and for equal steps under any name.
    """
    name = _plain(label)
    if len(values) < _FEWEST_ROWS or not np.isfinite(values).all():
        return False
    changes = values.min() < values.max()
    if name in _PARTS and changes and np.all(values % 1 == 0) and _within(values, _PARTS[name]):
        return True
    if not (changes and _is_monotone(values[:_HEAD]) and _is_monotone(values)):
        return False
    return name in _NAMES or _is_calendar(values) or _has_equal_steps(values)


def _is_calendar(values: np.ndarray) -> bool:
    """Return whether these are different numbers that read as YYYYMM or YYYYMMDD."""
    return bool(np.all(np.diff(values))) and values[0] >= 10**5 and _read_calendar(values) is not None


def _has_equal_steps(values: np.ndarray) -> bool:
    steps = np.diff(values)
    return len(steps) >= _FEWEST_STEPS and bool(np.allclose(steps, steps[0], rtol=1e-6, atol=0))


def _plain(label: str) -> str:
    """Return the letters of a label, in lowercase."""
    return re.sub(r"[^a-z]", "", label.lower())


def find_time_columns(table: Table) -> list[str]:
    """Return the columns of values that tell the time of the rows."""
    labels = table.column_labels
    return [
        label for k, label in enumerate(labels) if k not in table.categories and counts_time(label, table.values[:, k])
    ]


def row_times(table: Table) -> np.ndarray | None:
    """Return the different times that the rows stand for, as datetime64, or None if they are unknown.

    They are the names of the rows, or else, if the rows have no names, a column beside the values in its order.
    """
    times = read_dates(table.row_names)
    if times is not None and _are_different(times):
        return times
    texts, numbers = _columns_beside(table)
    for times in map(read_dates, texts.values()):
        if times is not None and _are_different(times) and _is_monotone(times.astype(np.int64)):
            return times
    for times in (_read_calendar(column) for label, column in numbers.items() if counts_time(label, column)):
        if times is not None and _are_different(times):
            return times
    return _join_parts(numbers)


def column_times(table: Table) -> np.ndarray | None:
    """Return the times that the columns stand for by their names, such as 1990, or None if they are unknown."""
    labels = table.column_names or []
    times = read_dates(labels)
    if times is None and len(labels) >= _FEWEST_ROWS and all(map(_CALENDAR.fullmatch, labels)):
        times = _read_calendar(np.array(labels, dtype=float))
    return times if times is not None and _are_different(times) else None


def rows_are_ordered(table: Table) -> bool:
    """Return whether some column beside the values counts the rows, or most names are dates (but not "Total")."""
    names = table.row_names or []
    if sum(are_dates([name]) for name in names) > max(_MOST_DATES * len(names), _FEWEST_ROWS - 1):
        return True
    _, numbers = _columns_beside(table)
    return any(counts_time(label, column) and _are_different(column) for label, column in numbers.items())


def _columns_beside(table: Table) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """Return the texts and the numbers beside the values that may tell rows apart which have no names, or numbers."""
    if table.row_names is not None and not all(name.isdigit() for name in table.row_names):
        return {}, {}
    columns = {label: column for label, column in table.row_attributes.items() if column.ndim == 1}
    texts = {label: column for label, column in columns.items() if column.dtype.kind == "U"}
    return texts, {label: column for label, column in columns.items() if label not in texts}


def read_dates(cells: Sequence[str] | np.ndarray | None) -> np.ndarray | None:
    """Return texts as datetime64, or None if some are no dates."""
    if cells is None or len(cells) < _FEWEST_ROWS or not are_dates(cells[:1]) or not are_dates(cells):
        return None
    import pandas as pd  # which read the texts

    texts = pd.Series(cells, dtype=str)
    choices: list[dict[str, Any]] = [{"format": "ISO8601"}, {"dayfirst": False}, {"dayfirst": True}]
    for options in choices:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # pandas would say which order of day and month it guessed
            try:
                parsed = pd.to_datetime(texts, utc=True, **options)
            except (ValueError, OverflowError):
                continue
        if parsed.notna().all():
            return parsed.dt.tz_localize(None).to_numpy(dtype="datetime64[s]")
    return None


def _are_different(values: np.ndarray) -> bool:
    return len(np.unique(values)) == len(values)


def _is_monotone(values: np.ndarray) -> bool:
    steps = np.diff(values)
    return bool(np.all(steps >= 0) or np.all(steps <= 0))


def _within(values: np.ndarray, limits: tuple[float, float]) -> bool:
    return bool(values.min() >= limits[0] and values.max() <= limits[1])


def _read_calendar(values: np.ndarray) -> np.ndarray | None:
    """Return numbers such as 20200131, 202001, 2020, or 2020.5 as datetime64, or None if they are none of these."""
    whole = np.floor(values)
    digits = {len(str(int(number))) for number in (whole.min(), whole.max()) if number > 0}
    if len(digits) != 1 or (digits != {4} and np.any(whole != values)):
        return None
    size = digits.pop()
    year = whole // 10 ** (size - 4)
    if size not in (4, 6, 8) or not _within(year, _YEARS):
        return None
    if size == 4:
        start = (year.astype(int) - 1970).astype("datetime64[Y]")
        return start.astype("datetime64[s]") + ((values - whole) * 365.2425 * 86400).astype("timedelta64[s]")
    month = whole // 10 ** (size - 6) % 100
    day = whole % 100 if size == 8 else np.ones_like(whole)
    if not _within(month, (1, 12)) or not _within(day, (1, 31)):
        return None
    return _make_dates(year, month, day)


def _join_parts(numbers: Mapping[str, np.ndarray]) -> np.ndarray | None:
    """Return the times of columns such as year, month, and day, or None."""
    parts = {_plain(label): column for label, column in numbers.items()}
    year = parts.get("year", parts.get("yr"))
    if year is None or np.any(year % 1) or not _within(year, _YEARS):
        return None
    first = np.ones_like(year)
    month = parts.get("month", parts.get("mon", 3 * parts["quarter"] - 2 if "quarter" in parts else first))
    times = _make_dates(year, month, parts.get("day", first), parts.get("hour", 0 * first))
    return times if _are_different(times) else None


def _make_dates(year: np.ndarray, month: np.ndarray, day: np.ndarray, hour: np.ndarray | int = 0) -> np.ndarray:
    months = ((year - 1970) * 12 + month - 1).astype(int).astype("datetime64[M]").astype("datetime64[s]")
    seconds = (day - 1) * 86400 + np.asarray(hour) * 3600
    return months + seconds.astype("timedelta64[s]")


def number_periods(times: np.ndarray, period: str) -> np.ndarray:
    """Return the number of the calendar day, week (from Monday), month, quarter, or year that each time is in."""
    days, months = times.astype("datetime64[D]").astype(int), times.astype("datetime64[M]").astype(int)
    numbers = {"day": days, "week": (days + 3) // 7, "month": months, "quarter": months // 3, "year": months // 12}
    return numbers[period]
