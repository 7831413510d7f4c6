"""Rows or columns that are the total, or the mean, of all others."""

import re
from collections.abc import Iterator
from shlex import quote

import numpy as np

from smoothgraph.tables.finding import Finding, View

_NAMES = re.compile(
    r"(grand |sub|sub-)?(totals?|sum|average|mean|overall|insgesamt|summe|gesamt|somme|totale|suma)", re.IGNORECASE
)
_FEWEST = 3  # entries that agree, and other rows or columns
_RTOL = 1e-6


def find_totals(view: View) -> Iterator[Finding]:
    """Yield a finding for every row or column that is called a total, or sums up all others."""
    for kind, labels, values in (("row", view.rows, view.values), ("column", view.columns, view.values.T)):
        if len(labels) <= _FEWEST:
            continue
        named = {label for label in labels if _NAMES.fullmatch(label.strip())}
        totals = [label for label, total in zip(labels, _sum_up(values), strict=True) if total or label in named]
        for label in totals[:_FEWEST]:
            yield _describe(kind, label, has_name=kind == "column" or view.table.row_names is not None)


def _sum_up(values: np.ndarray) -> np.ndarray:
    """Return which rows are the sum of the others, wherever they have a value."""
    total = np.nansum(values, axis=0)
    complete = ~np.isnan(values)
    agrees = np.abs(2 * values - total) <= _RTOL * np.abs(total)
    decided = complete & (total != 0)
    enough = decided.sum(axis=1) >= _FEWEST
    return enough & np.all(agrees | ~complete, axis=1)


def _describe(kind: str, label: str, *, has_name: bool) -> Finding:
    options = ("--drop", label) if has_name else ()
    remedy = f"To leave it out, use --drop {quote(label)}." if has_name else "Remove it from the file."
    return Finding(
        "total", f"The {kind} {label!r} seems to be a total or a mean of the others.", remedy, (label,), options
    )
