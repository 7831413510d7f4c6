"""Many one-dimensional monotone equations at once."""

from collections.abc import Callable

import numpy as np

_EXPANSIONS = 60


def monotone_root(
    too_large: Callable[[np.ndarray], np.ndarray],
    guess: np.ndarray,
    width: np.ndarray,
    low_end: float | np.ndarray,
    *,
    halvings: int,
) -> np.ndarray:
    """The upper end of a bracket of each root, widened from ``guess``, then halved.

    ``too_large(u)`` says for each component whether it lies above its root.
    """
    low = np.maximum(guess, low_end)
    high = low + width
    for k in range(_EXPANSIONS):
        short = ~too_large(high)
        if not np.any(short):
            break
        low = np.where(short, high, low)
        high = np.where(short, high + 2**k * width, high)
    for k in range(_EXPANSIONS):
        over = too_large(low) & (low > low_end)
        if not np.any(over):
            break
        high = np.where(over, low, high)
        low = np.where(over, np.maximum(low - 2**k * width, low_end), low)
    for _ in range(halvings):
        middle = (low + high) / 2
        over = too_large(middle)
        low, high = np.where(over, low, middle), np.where(over, middle, high)
    return high
