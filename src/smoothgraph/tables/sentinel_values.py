"""Numbers such as -999 that stand for missing values, and where they are."""

import numpy as np

# What instruments, NetCDF files, and data loggers write where there is no value.
_SENTINELS = (
    *(-9.96921e36, 9.96921e36, -1e34, -1e30, 1e30, 1e20, -99999.0, 99999.0, 999999.0, -9999.0, 9999.0),
    *(-9999.9, 9999.9, -999.99, -999.9, 999.9, -999.0, 999.0, -888.0, -99.99, -99.9, 99.99, -99.0),
)


def locate_sentinels(values: np.ndarray) -> dict[float, np.ndarray]:
    """Return where each usual sentinel is, in columns whose other values differ less than they are away from it."""
    lowest, highest = np.fmin.reduce(values, axis=None), np.fmax.reduce(values, axis=None)
    hits = {s: values == s for s in _SENTINELS if lowest <= s <= highest}
    hits = {s: where for s, where in hits.items() if where.any()}
    if not hits:
        return {}
    others = np.where(np.logical_or.reduce(list(hits.values())), np.nan, values)
    low, high = np.fmin.reduce(others, axis=0), np.fmax.reduce(others, axis=0)
    far = {s: where & (np.maximum(low - s, s - high) > high - low) for s, where in hits.items()}
    return {s: where for s, where in far.items() if where.any()}
