"""Single values that outweigh all others in their column."""

from collections.abc import Iterator

import numpy as np

from smoothgraph.tables.finding import Finding, View

_FEWEST_ROWS = 20
_FEWEST_DIFFERENT = 10  # values of a column; a rare mark among zeros is no outlier
_LARGEST_SHARE = 0.5  # of the squared deviations of a column
_DEVIATIONS = 10.0  # of all other values, that the value is away from them
_MOST_NAMED = 3


def find_outliers(view: View) -> Iterator[Finding]:
    """Yield a finding if one value makes up more than half of the squared deviations of its column."""
    values = view.values
    if len(values) < _FEWEST_ROWS:
        return
    squares = (values - np.nanmean(values, axis=0)) ** 2
    shares = np.fmax.reduce(squares, axis=0) / np.nansum(squares, axis=0)
    least = max(_LARGEST_SHARE, _DEVIATIONS**2 / (_DEVIATIONS**2 + len(values)))
    columns = [k for k in np.flatnonzero(shares > least) if _varies(values[:, k])]
    if not columns:
        return
    columns.sort(key=lambda k: -shares[k])
    places = []
    for k in columns[:_MOST_NAMED]:
        row = int(np.nanargmax(squares[:, k]))
        places.append(f"{values[row, k]:g} in {view.rows[row]!r} of {view.columns[k]!r}")
    more = f" and {len(columns) - _MOST_NAMED} more" if len(columns) > _MOST_NAMED else ""
    yield Finding(
        "outlier",
        f"Single values outweigh all others of their column: {', '.join(places)}{more}.",
        "If they are mistakes, correct them, or mark them as missing (an empty cell, or --missing).",
        tuple(view.columns[k] for k in columns),
    )


def _varies(column: np.ndarray) -> bool:
    return len(np.unique(column[~np.isnan(column)])) >= _FEWEST_DIFFERENT
