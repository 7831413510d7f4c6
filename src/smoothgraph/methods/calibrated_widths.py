"""Widths of kernels, one per node, at which something of the node reaches a given value."""

from collections.abc import Callable

import numpy as np

_OCTAVES = 60  # below and above the unit, in which a width is looked for
_STEPS = 64  # of bisection, which find a width to 15 digits


def find_widths(value: Callable[[np.ndarray], np.ndarray], wanted: float, unit: np.ndarray) -> np.ndarray:
    """Return widths, as a column, with ``value(widths) = wanted`` in every row, by bisection.

    ``value`` increases with the width. Where it is above or below ``wanted`` at all widths, the width is the smallest
    or the largest that was tried, ``2^-60`` or ``2^60`` units.
    """
    low, high = np.full((len(unit), 1), -float(_OCTAVES)), np.full((len(unit), 1), float(_OCTAVES))
    for _ in range(_STEPS):
        middle = (low + high) / 2
        too_wide = value(unit[:, None] * np.exp2(middle))[:, None] > wanted
        low, high = np.where(too_wide, low, middle), np.where(too_wide, middle, high)
    return unit[:, None] * np.exp2((low + high) / 2)
