"""Components and isolated nodes."""

from typing import Any

import numpy as np
from scipy.sparse.csgraph import connected_components


def n_components(adjacency: Any) -> int:
    """Return the number of connected components, including isolated nodes."""
    return int(connected_components(adjacency, directed=False, return_labels=False))


def components_by_size(adjacency: Any) -> np.ndarray:
    """Return the component of each node; 0 is the largest, 1 the next, and so on."""
    _, component = connected_components(adjacency, directed=False)
    by_size = np.argsort(-np.bincount(component), kind="stable")
    return np.argsort(by_size)[component]


def n_isolated(adjacency: Any) -> int:
    """Return the number of nodes without an edge in a CSR matrix without stored zeros."""
    return int(np.sum(np.diff(adjacency.indptr) == 0))
