"""Harmonic functions on a graph, without scikit-learn, which takes long to import."""

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from smoothgraph.support.adjacency import laplacian_of
from smoothgraph.support.factor import factorize
from smoothgraph.support.threads import one_blas_thread


class Harmonic(NamedTuple):
    """The probabilities of the classes at every node, NaN where ``unreachable``, which no label reaches."""

    distributions: np.ndarray
    unreachable: np.ndarray


def spread_labels(adjacency: sp.csr_array, codes: np.ndarray, n_classes: int) -> Harmonic:
    """``L_uu F_u = W_ul Y_l``: the harmonic functions of labels, given as ``codes`` from 0, and -1 for nodes without.

    F is the probability that a random walk from a node meets a label of each class first.
    """
    labeled = codes >= 0
    _, component = connected_components(adjacency, directed=False)
    unreachable = ~np.isin(component, component[labeled])
    F = np.full((len(codes), n_classes), np.nan)
    F[labeled] = np.eye(n_classes)[codes[labeled]]
    unknown = np.flatnonzero(~labeled & ~unreachable)
    if len(unknown) > 0:
        L_uu = laplacian_of(adjacency)[unknown][:, unknown]  # positive definite: all of them reach a label
        flow = adjacency[unknown][:, np.flatnonzero(labeled)] @ F[labeled]
        with one_blas_thread:
            F_u = np.maximum(factorize(L_uu).solve(flow), 0.0)
        F[unknown] = F_u / np.sum(F_u, axis=1, keepdims=True)  # 1 up to rounding
    return Harmonic(F, unreachable)
