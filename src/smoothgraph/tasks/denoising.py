"""Denoising on a graph: the paper's problem (1)."""

from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from smoothgraph.support.checks import check_number
from smoothgraph.support.factor import factorize
from smoothgraph.support.input_error import InputError
from smoothgraph.support.node_signals import read_signals
from smoothgraph.support.threads import one_blas_thread
from smoothgraph.tasks.graph_task import copy_labels, laplacian_of


def tikhonov_denoise(graph: Any, signals: Any, *, strength: float) -> Any:
    """``argmin_X |X - signals|_F^2 + strength tr(X' L X)``: the low-pass ``1 / (1 + strength L)``.

    Parameters
    ----------
    graph : fitted learner or (m, m) adjacency matrix
        The graph on which the result is smooth.
    signals : (m,) or (m, n) array, Series or DataFrame
        One row per node, in the order of the graph, and one column per signal.
    strength : float
        How much to smooth. 0 returns the signals unchanged.

    Returns
    -------
    array, Series or DataFrame
        The denoised signals, with the type, shape and labels of ``signals``. The mean of each signal over each
        connected component of the graph does not change.

    Examples
    --------
    The two joined nodes move toward each other and keep their mean. The third node is isolated:

    >>> from smoothgraph.tasks import tikhonov_denoise
    >>> graph = [[0, 1, 0], [1, 0, 0], [0, 0, 0]]
    >>> tikhonov_denoise(graph, [0.0, 3.0, 5.0], strength=1.0).round(6).tolist()
    [1.0, 2.0, 5.0]
    """
    strength = check_number("strength", strength, minimum=0.0)
    L = laplacian_of(graph)
    values = read_signals(signals, L.shape[0])
    if not values.size or strength == 0:
        return copy_labels(signals, values.copy())
    _, component = connected_components(L, directed=False)
    shares = 1 / np.bincount(component)[component]
    average = sp.csr_array((shares, (component, np.arange(len(component)))))
    means = (average @ values)[component]  # kept apart, as a large strength would round them away
    with np.errstate(over="ignore"):
        A = (sp.eye_array(L.shape[0]) + strength * L).tocsr()
    if not np.all(np.isfinite(A.data)):
        raise InputError(
            f"strength={strength:g} times the weights of the graph is not finite; take a smaller strength."
        )
    off = (values - means).reshape(len(component), -1)
    return copy_labels(signals, means + _solve_without_mean(A, off, component).reshape(values.shape))


@one_blas_thread
def _solve_without_mean(A: sp.csr_array, values: np.ndarray, component: np.ndarray) -> np.ndarray:
    """``A^-1 values`` for ``A = I + strength L`` and values whose means over all components are zero.

    So are those of the result. It is found up to a constant per component, from the equations without that of the
    first node of each: a matrix that stays regular where a large strength rounds ``I`` away.
    """
    result = np.zeros_like(values)
    _, first, sizes = np.unique(component, return_index=True, return_counts=True)
    others = np.delete(np.arange(len(component)), first)
    if others.size:
        factor = factorize(A[others][:, others])
        result[others] = factor.solve(values[others])
        of_one = np.zeros(len(component))
        of_one[others] = factor.solve(np.ones(len(others)))
        total = sp.csr_array((np.ones(len(component)), (component, np.arange(len(component)))))
        shift = -(total @ result) / (sizes - total @ of_one)[:, None]
        result += shift[component] * (1 - of_one)[:, None]
    return result
