"""Transforms of a table before a graph is learned, in a fixed order."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.sparse as sp

from smoothgraph.io.table_file import Table, take_columns, take_rows
from smoothgraph.support.input_error import InputError
from smoothgraph.tables.series import CYCLES, remove_cycle, remove_lines

_ROUNDING = 1e-10  # of the spread of a series: less is what rounding leaves of a series without changes


@dataclass(frozen=True)
class Transforms:
    """What is done to a table, in this order.

    All but the last work on the series of every node: its column if the nodes are columns, or else its row.

    Attributes
    ----------
    difference : bool
        ``x(t) - x(t - 1)``
    log_returns : bool
        ``log x(t) - log x(t - 1)``
    anomaly : "monthly", "weekly", or "daily", optional
        ``x(t)`` without its mean over the same month of the year, day of the week, or hour of the day.
    detrend : bool
        ``x(t)`` without its straight line of least squares.
    standardize : bool
        Every column of the table with mean 0 and standard deviation 1; a sparse one keeps its mean.
    """

    difference: bool = False
    log_returns: bool = False
    anomaly: str | None = None
    detrend: bool = False
    standardize: bool = False

    @property
    def wanted(self) -> bool:
        """Whether anything is done at all."""
        return self.on_series or self.standardize

    @property
    def on_series(self) -> bool:
        """Whether anything is done to the series of the nodes."""
        return self.difference or self.log_returns or self.anomaly is not None or self.detrend

    def apply(self, table: Table, nodes: str, times: np.ndarray | None) -> Table:
        """Return the transformed table; ``times`` are those of the series, or None if they are unknown."""
        if self.difference and self.log_returns:
            raise InputError("--difference and --log-returns are two ways to take changes; leave out one of them.")
        if self.on_series:
            if sp.issparse(table.values) or table.categories:
                raise InputError(
                    "expected a dense table of numbers for --difference, --log-returns, --anomaly and --detrend, got a "
                    "sparse one or categories; leave these options out."
                )
            table = self._transform_series(table, nodes, times)
        return replace(table, values=_standardize(table.values)) if self.standardize else table

    def _transform_series(self, table: Table, nodes: str, times: np.ndarray | None) -> Table:
        by_columns = nodes == "columns"
        series = np.asarray(table.values.T if by_columns else table.values)
        order = np.arange(series.shape[1]) if times is None else np.argsort(times, kind="stable")
        series = series[:, order]
        spreads = _spreads(series)
        if self.log_returns:
            series = _logarithms(series, table, order, by_columns=by_columns)
        if self.difference or self.log_returns:
            series, order = np.diff(series, axis=1), order[1:]
        if self.anomaly is not None:
            series = _anomalies(series, None if times is None else times[order], self.anomaly)
        if self.detrend:
            series = remove_lines(series)
        series[_spreads(series) <= _ROUNDING * spreads] = 0.0
        if by_columns:
            return replace(take_rows(table, order.tolist()), values=np.ascontiguousarray(series.T))
        return replace(take_columns(table, order.tolist()), values=np.ascontiguousarray(series))


def _spreads(series: np.ndarray) -> np.ndarray:
    """Return the difference of the largest and the smallest value of every series."""
    return np.fmax.reduce(series, axis=1) - np.fmin.reduce(series, axis=1)


def _logarithms(series: np.ndarray, table: Table, order: np.ndarray, *, by_columns: bool) -> np.ndarray:
    wrong = np.argwhere(series <= 0)
    if wrong.size:
        node, time = int(wrong[0, 0]), int(order[wrong[0, 1]])
        row, column = (time, node) if by_columns else (node, time)
        name = table.row_names[row] if table.row_names else row + 1
        raise InputError(
            f"row {name}, column {table.column_labels[column]!r}: expected a value above 0 for --log-returns, got "
            f"{series[tuple(wrong[0])]:g}; use --difference, or mark it as missing (--missing)."
        )
    return np.log(series)


def _anomalies(series: np.ndarray, times: np.ndarray | None, name: str) -> np.ndarray:
    cycle = CYCLES[name]
    if times is None:
        raise InputError(
            f"expected the dates of the series for --anomaly {name}, got none; add a column of dates, of numbers "
            "such as 202001, or columns year and month, or leave the option out."
        )
    phases = cycle.phases(times)
    n_phases = len(np.unique(phases))
    if n_phases < 2 or len(times) < 2 * n_phases:
        raise InputError(
            f"expected several values at each of several {cycle.unit} for --anomaly {name}, got {len(times)} values at "
            f"{n_phases} of them; choose another anomaly, or leave it out."
        )
    return remove_cycle(series, phases)


def _standardize(values: Any) -> Any:
    from sklearn.preprocessing import StandardScaler  # deferred: it takes a while

    return StandardScaler(with_mean=not sp.issparse(values)).fit_transform(values)
