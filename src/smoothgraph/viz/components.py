"""Number the connected components of a graph by their size."""

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components


def components_by_size(W: sp.csr_array) -> np.ndarray:
    """Return the component of each node; 0 is the largest, 1 the next, and so on."""
    _, component = connected_components(W, directed=False)
    sizes = np.bincount(component)
    rank = np.empty(len(sizes), dtype=np.int64)
    rank[np.argsort(-sizes, kind="stable")] = np.arange(len(sizes))
    return rank[component]
