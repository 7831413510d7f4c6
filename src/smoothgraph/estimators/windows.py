"""A series cut into windows, and the distances between its nodes in each of them."""

from itertools import pairwise

import numpy as np

from smoothgraph.pairs.distances import distances
from smoothgraph.pairs.pair_set import PairSet
from smoothgraph.support.checks import check_count

_MOST_NUMBERS = 50_000_000  # distances, of which several arrays must fit into memory


def window_bounds(n_signals: int, window: int) -> np.ndarray:
    """Where windows of ``window`` signals begin, and the end; a shorter rest joins the last."""
    window = check_count("window", window, minimum=1)
    if window > n_signals:
        raise ValueError(
            f"A window of {window} signals is longer than the series, n_samples={n_signals}; take a smaller window."
        )
    return np.append(window * np.arange(n_signals // window), n_signals)


def window_distances(table: np.ndarray, bounds: np.ndarray, window: int) -> np.ndarray:
    """``z_t`` between all pairs of rows, one row per window, each as if of ``window`` columns."""
    m, n_windows = len(table), len(bounds) - 1
    n_distances = n_windows * (m * (m - 1) // 2)
    if n_distances > _MOST_NUMBERS:
        raise ValueError(
            f"{n_windows} windows of all pairs of {m} nodes are {n_distances:,} distances, and at "
            f"most {_MOST_NUMBERS:,} are held in memory; take longer windows, or fewer nodes."
        )
    pairs = PairSet.all_pairs(m)
    z = np.empty((n_windows, pairs.n_pairs))
    for t, (first, last) in enumerate(pairwise(bounds)):
        z[t] = distances(table[:, first:last], pairs)
        z[t] *= window / (last - first)
    return z
