"""Land, coasts and borders behind the graph of a report."""

from typing import NamedTuple

import numpy as np

from smoothgraph.viz.atlas import MAPPED_FROM, outlines

_MARGIN = 0.5  # around the nodes, as a fraction of their extent
_DETAIL = 2500  # parts of the extent that can be told apart


class MapBackground(NamedTuple):
    """Rings around land, and lines, in the plane of the nodes."""

    land: list[np.ndarray]
    coasts: list[np.ndarray]
    borders: list[np.ndarray]


def map_background(positions: np.ndarray, stretch: float) -> MapBackground | None:
    """Return what lies around positions whose latitudes are stretched; None if they are too close to each other."""
    extent = float(np.max(np.ptp(positions, axis=0)))
    if extent < MAPPED_FROM:
        return None
    scale = np.array([1, stretch])
    low = (positions.min(axis=0) - _MARGIN * extent) / scale
    high = (positions.max(axis=0) + _MARGIN * extent) / scale
    middle = (low[0] + high[0]) / 2
    low = np.maximum(low, [middle - 180, -90])
    high = np.minimum(high, [middle + 180, 90])
    return MapBackground(*([line * scale for line in lines] for lines in outlines(low, high, extent / _DETAIL)))
