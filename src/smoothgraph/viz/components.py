"""Number the connected components of a graph by their size."""

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components


def components_by_size(W: sp.csr_array) -> np.ndarray:
    """Return the component of each node; 0 is the largest, 1 the next, and so on."""
    _, component = connected_components(W, directed=False)
    by_size = np.argsort(-np.bincount(component), kind="stable")
    return np.argsort(by_size)[component]
