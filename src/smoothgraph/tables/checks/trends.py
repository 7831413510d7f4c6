"""Series that rise or fall over time, so that all of them correlate."""

from collections.abc import Iterator

import numpy as np

from smoothgraph.tables.finding import Finding, View
from smoothgraph.tables.series import remove_lines

_FEWEST_TIMES = 20
# The share of its variance that a straight line explains: 0.44 at the median of random walks, and below 0.2 for 99 of
# 100 series that forget a tenth of their value per step (each with 500 steps).
_LEAST_SHARE = 0.3
_GROWTH = 1.5  # the ratio of the largest and the smallest value beyond which steps are taken as ratios


def find_trends(view: View) -> Iterator[Finding]:
    """Yield a finding if a straight line explains much of most series."""
    series = view.series
    if series is None or len(series) < 2 or series.shape[1] < _FEWEST_TIMES:
        return
    if view.settled & {"difference", "log_returns", "detrend"}:
        return
    rest = np.nanvar(remove_lines(series), axis=1) / np.nanvar(series, axis=1)
    trending = rest < 1 - _LEAST_SHARE
    count = int(trending.sum())
    if 2 * count < len(series):
        return
    option = "--difference"
    lowest, highest = np.fmin.reduce(series, axis=1), np.fmax.reduce(series, axis=1)
    if np.all(lowest > 0) and np.median((highest / lowest)[trending]) > _GROWTH:
        option = "--log-returns"
    yield Finding(
        "trend",
        f"{count} of {len(series)} {view.nodes} have a trend, which makes them alike whatever else they do.",
        f"To compare their changes instead, consider {option}.",
        options=(option,),
    )
