"""The adjacency matrix of anything that is accepted as a graph."""

from typing import Any

import numpy as np
import scipy.sparse as sp

from smoothgraph.support.input_error import InputError, checked_by_others

_ASYMMETRY = 1e-8  # relative to the largest weight: rounding, not a directed graph


def adjacency_of(graph: Any) -> sp.csr_array:
    """Return ``W`` of a graph: symmetric, ``W >= 0``, with an empty diagonal.

    The graph is a fitted learner, a matrix, or an object with an ``adjacency``, such as a solution or a generated
    graph. Self-loops are dropped: they cancel in ``L = D - W``.
    """
    if hasattr(graph, "get_params") and not isinstance(graph, type):  # an estimator
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(graph, "adjacency_")
        graph = graph.adjacency_
    elif isinstance(getattr(graph, "adjacency", None), sp.csr_array):
        graph = graph.adjacency
    W = graph if _is_plain(graph) else _check_matrix(graph)
    if W.shape[0] != W.shape[1]:
        raise InputError(
            f"Expected a square adjacency matrix, got shape {W.shape}; to learn the graph of the "
            "rows of a table, fit a learner."
        )
    W = (W - sp.diags_array(W.diagonal())).tocsr()
    W.eliminate_zeros()
    if np.any(W.data < 0):
        raise InputError(
            f"Negative values in data: the weights of a graph must be >= 0, got "
            f"{W.data.min():g}; convert a Laplacian to an adjacency matrix first."
        )
    asymmetry = abs(W - W.T).max() if W.nnz else 0.0
    if asymmetry > _ASYMMETRY * np.max(W.data, initial=0.0):
        raise InputError(
            f"The adjacency matrix of a graph must be symmetric, but W and its transpose differ "
            f"by {asymmetry:g}; for a k-NN graph, use W.maximum(W.T)."
        )
    return ((W + W.T) / 2).tocsr()


def _is_plain(graph: Any) -> bool:
    """Whether the graph is a matrix as files hold it, which needs none of scikit-learn's checks."""
    is_sparse = isinstance(graph, sp.csr_array) and graph.dtype == np.float64 and graph.ndim == 2
    return is_sparse and min(graph.shape) > 0 and bool(np.all(np.isfinite(graph.data)))


def _check_matrix(graph: Any) -> sp.csr_array:
    from sklearn.utils import check_array  # deferred: it takes longer than all else that a small command does

    with checked_by_others():
        return sp.csr_array(check_array(graph, accept_sparse="csr", dtype=np.float64, input_name="the graph"))


def bridges_of(graph: Any) -> np.ndarray:
    """Return the ends ``(n, 2)`` of the edges that were added to connect a graph; only a fitted learner knows them."""
    return getattr(graph, "bridges_", np.zeros((0, 2), np.int64))


def without_edges(adjacency: sp.csr_array, ends: np.ndarray) -> sp.csr_array:
    """Return a symmetric ``W`` without the edges between these ends ``(n, 2)``."""
    i, j = np.concatenate([ends, ends[:, ::-1]]).T
    kept = adjacency - adjacency * sp.coo_array((np.ones(len(i)), (i, j)), shape=adjacency.shape).tocsr()
    kept = kept.tocsr()
    kept.eliminate_zeros()
    return kept


def add_edges(adjacency: sp.csr_array, edges: tuple[np.ndarray, np.ndarray, np.ndarray]) -> sp.csr_array:
    """Return a symmetric ``W`` with more edges ``i, j, w``."""
    i, j, w = edges
    if len(i) == 0:
        return adjacency
    both = np.concatenate([i, j]), np.concatenate([j, i])
    more = sp.coo_array((np.concatenate([w, w]), both), shape=adjacency.shape)
    total = (adjacency + more).tocsr()
    total.sort_indices()
    return total


def laplacian_of(adjacency: sp.csr_array) -> sp.csr_array:
    """Return ``L = D - W``."""
    return (sp.diags_array(adjacency.sum(axis=1)) - adjacency).tocsr()
