"""Signals made smooth on a graph: the paper's problem (1)."""

from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components
from sklearn.utils import check_array

from smoothgraph.support.checks import check_number
from smoothgraph.support.factor import factorize
from smoothgraph.tasks._graph import laplacian_of
from smoothgraph.tasks._labels import labelled_like


def tikhonov_denoise(graph: Any, signals: Any, *, strength: float) -> Any:
    """``argmin_X |X - signals|_F^2 + strength tr(X' L X)``: the low-pass ``1 / (1 + strength L)``.

    Parameters
    ----------
    graph : fitted learner or (m, m) adjacency matrix
        The graph on which the result is smooth.
    signals : (m,) or (m, n) array, Series or DataFrame
        One row per node, in the order of the graph, and one column per signal.
    strength : float
        0 gives the signals back; the larger, the smoother.

    Returns
    -------
    array, Series or DataFrame
        Of the kind, shape and labels of ``signals``. Each component of the graph keeps the
        mean of each signal.

    Examples
    --------
    Two joined nodes draw together and keep their mean; the third stands alone:

    >>> from smoothgraph.tasks import tikhonov_denoise
    >>> graph = [[0, 1, 0], [1, 0, 0], [0, 0, 0]]
    >>> tikhonov_denoise(graph, [0.0, 3.0, 5.0], strength=1.0).round(6).tolist()
    [1.0, 2.0, 5.0]
    """
    strength = check_number("strength", strength, minimum=0.0)
    L = laplacian_of(graph)
    values = check_array(signals, dtype=np.float64, ensure_2d=False, ensure_min_features=0)
    if values.shape[0] != L.shape[0]:
        raise ValueError(
            f"Signals must have one row per node, {L.shape[0]}, got shape {values.shape}."
        )
    if not values.size or strength == 0:
        return labelled_like(signals, values.copy())
    means = _component_means(L, values)  # which stay, and would drown in a large strength
    factor = factorize(sp.eye_array(L.shape[0]) + strength * L)
    return labelled_like(signals, means + factor.solve(values - means))


def _component_means(L: sp.csr_array, values: np.ndarray) -> np.ndarray:
    """Each node's component's mean of each signal."""
    n_components, component = connected_components(L, directed=False)
    member = sp.csr_array(
        (np.ones(len(component)), (component, np.arange(len(component)))),
        shape=(n_components, len(component)),
    )
    sums = (member @ values).T / np.bincount(component)
    return sums.T[component]
