"""Series that rise or fall over time, or wander, so that all of them correlate."""

from collections.abc import Iterator

import numpy as np

from smoothgraph.tables.finding import Finding, View
from smoothgraph.tables.series import remove_lines

_FEWEST_TIMES = 20
# The share of its variance that a straight line explains: 0.44 at the median of random walks, and below 0.2 for 99 of
# 100 series that forget a tenth of their value per step (each with 500 steps).
_LEAST_SHARE = 0.3
# Dickey and Fuller (1979): below it, 5% of random walks are taken for series that return to their mean.
_ROOT = -14.1
_FEWEST_TO_WANDER = 50  # times; in shorter series, those that return look alike
_OFF = 0.6  # the variance ratio of a random walk is nearer to 1; that of slow waves is larger
_GROWTH = 1.5  # the ratio of the largest and the smallest value beyond which steps are taken as ratios


def find_trends(view: View) -> Iterator[Finding]:
    """Yield a finding if a straight line explains much of most series, or if they wander as prices do."""
    series = view.series
    if series is None or len(series) < 2 or series.shape[1] < _FEWEST_TIMES:
        return
    if view.settled & {"difference", "log_returns", "detrend"}:
        return
    rest = np.nanvar(remove_lines(series), axis=1) / np.nanvar(series, axis=1)
    trending = (rest < 1 - _LEAST_SHARE) | _wander(series)
    count = int(trending.sum())
    if 2 * count < len(series):
        return
    option = "--difference"
    lowest, highest = np.fmin.reduce(series, axis=1), np.fmax.reduce(series, axis=1)
    if np.all(lowest > 0) and np.median((highest / lowest)[trending]) > _GROWTH:
        option = "--log-returns"
    yield Finding(
        "trend",
        f"{count} of {len(series)} {view.nodes} have a trend, or wander as prices do, which makes them alike whatever "
        "else they do.",
        f"To compare their changes instead, consider {option}.",
        options=(option,),
    )


def _wander(series: np.ndarray) -> np.ndarray:
    """Return which series are like random walks: they do not return to their mean, and forget how they moved.

    The test of Dickey and Fuller is ``T (phi - 1)``, for ``T`` steps and the autocorrelation ``phi`` of the series. The
    variance ratio compares changes over ``k`` steps with ``k`` times single steps (Lo and MacKinlay, 1988).
    """
    if series.shape[1] < _FEWEST_TO_WANDER:
        return np.zeros(len(series), dtype=bool)
    changes = np.diff(series, axis=1)
    level = np.where(np.isnan(changes), np.nan, series[:, :-1])
    level -= np.nanmean(level, axis=1, keepdims=True)
    n_steps = np.count_nonzero(np.isfinite(changes), axis=1)
    back = np.nansum(level * changes, axis=1) / np.nansum(level**2, axis=1)
    k = int(np.sqrt(series.shape[1]))
    ratio = np.nanvar(series[:, k:] - series[:, :-k], axis=1) / (k * np.nanvar(changes, axis=1))
    return (n_steps * back > _ROOT) & (np.abs(ratio - 1) < _OFF)
