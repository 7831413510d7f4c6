"""Signals on the nodes of a graph, as a caller gives them."""

from typing import Any

import numpy as np
from sklearn.utils import check_array

from smoothgraph.support.input_error import InputError, checked_by_others


def read_signals(signals: Any, n_nodes: int) -> np.ndarray:
    """Return finite float64 numbers, ``(m,)`` or ``(m, n)``, or raise an InputError unless each node has a row."""
    with checked_by_others():
        values = check_array(signals, dtype=np.float64, ensure_2d=False, ensure_min_features=0)
    if values.shape[0] != n_nodes:
        raise InputError(
            f"Expected signals with one row per node, {n_nodes}, got shape {values.shape}; "
            "transpose them if the signals are the rows."
        )
    return values
