"""Long (tidy) tables, which have one row per measurement instead of one per node."""

from collections.abc import Iterator
from shlex import quote

import numpy as np

from smoothgraph.io.text_cells import are_dates
from smoothgraph.tables.finding import Finding, View
from smoothgraph.tables.time_axis import counts_time

_LEAST_FILLED = 0.5  # of the cells of the wide table
_FEWEST = 3  # rows and columns of the wide table
_SAMPLED = 1000


def find_long_table(view: View) -> Iterator[Finding]:
    """Yield a finding if a column of times and one of names together tell the rows apart."""
    texts = {label: cells for label, cells in view.table.row_attributes.items() if cells.dtype.kind == "U"}
    if not texts:
        return
    times = {label: cells for label, cells in texts.items() if are_dates(cells[:_SAMPLED])}
    numbers = {label: cells for label, cells in view.table.row_attributes.items() if cells.dtype.kind in "iuf"}
    numbers |= dict(zip(view.columns, view.values.T, strict=True))
    times |= {label: cells for label, cells in numbers.items() if cells.ndim == 1 and _may_be_time(label, cells)}
    for time, when in times.items():
        for name, who in texts.items():
            if name not in times and _is_grid(when, who):
                values = [label for label in view.columns if label != time and _varies(view, label, who)]
                if values:
                    yield _describe(view, time, name, values)
                return


def _may_be_time(label: str, column: np.ndarray) -> bool:
    """Return whether numbers repeat, and their different values tell the time or are in steps."""
    if not np.isfinite(column).all():
        return False
    different = np.unique(column)
    return _FEWEST < len(different) < len(column) and counts_time(label, different)


def _is_grid(when: np.ndarray, who: np.ndarray) -> bool:
    """Return whether every pair occurs at most once, and most of the possible pairs do."""
    _, times = np.unique(when, return_inverse=True)
    _, names = np.unique(who, return_inverse=True)
    n_times, n_names = int(times.max()) + 1, int(names.max()) + 1
    if n_times < _FEWEST or n_names < _FEWEST or len(when) < _LEAST_FILLED * n_times * n_names:
        return False
    return len(np.unique(times * n_names + names)) == len(when)


def _varies(view: View, label: str, who: np.ndarray) -> bool:
    """Return whether a column says more than one thing of a name, as its place would not."""
    column = view.values[:, view.columns.index(label)]
    _, first, codes = np.unique(who, return_index=True, return_inverse=True)
    return not np.array_equal(column, column[first][codes], equal_nan=True)


def _describe(view: View, time: str, name: str, values: list[str]) -> Finding:
    value, *others = values
    names = view.table.row_attributes[name]
    long = f"{time},{name},{value}"
    return Finding(
        "long table",
        f"The table is long: each of its {len(names)} rows holds one time of {time!r} and one of the "
        f"{len(np.unique(names))} names in {name!r}.",
        f"To make a column of every name, use --long {quote(long)} --nodes columns"
        + (f" (or {' or '.join(others[:3])} in place of {value})." if others else "."),
        (time, name, value),
        ("--long", long, "--nodes", "columns"),
    )
