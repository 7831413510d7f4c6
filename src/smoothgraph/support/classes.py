"""Which values are classes: a few that many nodes share."""

import numpy as np

MOST_CLASSES = 20  # whole numbers with more different values are measurements


def are_shared(values: np.ndarray) -> bool:
    """Return whether there are at most 20 different values, and two rows or more per value on average."""
    return len(np.unique(values)) <= min(MOST_CLASSES, len(values) / 2)
