"""Which nodes hang together."""

from typing import Any

import numpy as np
from scipy.sparse.csgraph import connected_components


def n_components(adjacency: Any) -> int:
    """The number of connected components, isolated nodes included."""
    return int(connected_components(adjacency, directed=False, return_labels=False))


def n_isolated(adjacency: Any) -> int:
    """The number of nodes without an edge, of a CSR matrix without stored zeros."""
    return int(np.sum(np.diff(adjacency.indptr) == 0))
