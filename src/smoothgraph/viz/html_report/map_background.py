"""Land, coasts and borders behind the graph of a report."""

import numpy as np

from smoothgraph.viz.atlas import Outlines, outlines

_MARGIN = 0.8  # around the nodes, as a fraction of their extent, also on a phone that is upright


def map_background(positions: np.ndarray, stretch: float) -> Outlines | None:
    """Return what lies around positions whose latitudes are stretched; None if they are too close to each other."""
    extent = float(np.max(np.ptp(positions, axis=0)))
    scale = np.array([1, stretch])
    low = (positions.min(axis=0) - _MARGIN * extent) / scale
    high = (positions.max(axis=0) + _MARGIN * extent) / scale
    middle = (low[0] + high[0]) / 2
    low = np.maximum(low, [middle - 180, -90])
    high = np.minimum(high, [middle + 180, 90])
    found = outlines(low, high, extent)
    return None if found is None else found.scaled(scale)
