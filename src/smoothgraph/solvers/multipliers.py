"""Steps of the multipliers, which are kept to twice the precision and inside their domain."""

import numpy as np


def add(u: np.ndarray, tail: np.ndarray, change: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """``u + tail + change``, again as a sum of two parts."""
    change = change + tail
    total = u + change
    added = total - u
    return total, (u - (total - added)) + (change - added)


def round_down(u: np.ndarray, tail: np.ndarray) -> np.ndarray:
    """``u`` without its tail, never above ``u + tail``: no edge looks more active than it is."""
    return np.where(tail < 0, np.nextafter(u, -np.inf), u)
