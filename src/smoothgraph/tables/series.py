"""Series over time, one per row of an array: their straight lines and their cycles. NaN is a missing value."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Cycle:
    """A cycle of the calendar, and which of its phases a time belongs to."""

    adjective: str
    unit: str
    seconds: float
    phases: Callable[[np.ndarray], np.ndarray]


_DAY = 86400

#: By the name of the anomaly that removes it.
CYCLES = {
    "monthly": Cycle("yearly", "months", 365.2425 * _DAY, lambda t: t.astype("datetime64[M]").astype(int) % 12),
    "weekly": Cycle("weekly", "weekdays", 7 * _DAY, lambda t: t.astype("datetime64[D]").astype(int) % 7),
    "daily": Cycle("daily", "hours", _DAY, lambda t: t.astype("datetime64[h]").astype(int) % 24),
}


def remove_lines(series: np.ndarray) -> np.ndarray:
    """``x(t) - a - b t``: return each series without its straight line of least squares."""
    present = ~np.isnan(series)
    t = np.where(present, np.arange(series.shape[1], dtype=float), np.nan)
    with np.errstate(all="ignore"):
        t -= _means(t)
        centered = series - _means(series)
        slopes = np.nansum(centered * t, axis=1, keepdims=True) / np.nansum(t * t, axis=1, keepdims=True)
    return centered - np.where(np.isfinite(slopes), slopes, 0.0) * t


def remove_cycle(series: np.ndarray, phases: np.ndarray) -> np.ndarray:
    """``x(t) - mean of x at the same phase``: return each series without its cycle."""
    result = np.empty_like(series)
    for phase in np.unique(phases):
        at = phases == phase
        result[:, at] = series[:, at] - _means(series[:, at])
    return result


def _means(series: np.ndarray) -> np.ndarray:
    """Return the mean of each row, NaN if it is empty."""
    counts = np.count_nonzero(~np.isnan(series), axis=1, keepdims=True)
    with np.errstate(invalid="ignore"):
        return np.nansum(series, axis=1, keepdims=True) / counts
