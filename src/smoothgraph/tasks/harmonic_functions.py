"""Harmonic functions on a graph, without scikit-learn, which takes long to import."""

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from smoothgraph.support.adjacency import laplacian_of
from smoothgraph.tasks.laplacian_systems import solve_definite


class KnownLabels(NamedTuple):
    """Which nodes are labeled, their classes one-hot, and which nodes no label reaches."""

    labeled: np.ndarray
    one_hot: np.ndarray
    unreachable: np.ndarray
    component: np.ndarray

    @classmethod
    def of(cls, adjacency: sp.csr_array, codes: np.ndarray, n_classes: int) -> "KnownLabels":
        """From ``codes`` of the classes from 0 on, and -1 for nodes without a label."""
        labeled = codes >= 0
        _, component = connected_components(adjacency, directed=False)
        unreachable = ~np.isin(component, component[labeled])
        return cls(labeled, np.eye(n_classes)[codes[labeled]], unreachable, component)


def spread_labels(adjacency: sp.csr_array, known: KnownLabels) -> np.ndarray:
    """``L_uu F_u = W_ul Y_l``: the probabilities of the classes at every node, NaN where no label reaches.

    They are those that a random walk from a node meets a label of each class first.
    """
    labeled = known.labeled
    F = np.full((len(labeled), known.one_hot.shape[1]), np.nan)
    F[labeled] = known.one_hot
    unknown = np.flatnonzero(~labeled & ~known.unreachable)
    if len(unknown) > 0:
        L_uu = laplacian_of(adjacency)[unknown][:, unknown]  # positive definite: all of them reach a label
        flow = adjacency[unknown][:, np.flatnonzero(labeled)] @ known.one_hot
        F_u = np.maximum(solve_definite(L_uu, flow), 0.0)
        F[unknown] = F_u / np.sum(F_u, axis=1, keepdims=True)  # 1 up to rounding
    return F
