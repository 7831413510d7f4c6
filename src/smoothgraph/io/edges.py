"""Edges, one row each, as a symmetric matrix and back."""

import numpy as np
import scipy.sparse as sp

from smoothgraph.io.errors import FileError


def edges_of(adjacency: sp.csr_array) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Every edge once: its smaller end, its larger end, its weight."""
    upper = sp.triu(adjacency, k=1, format="coo")
    return upper.row, upper.col, upper.data


def isolated_nodes(adjacency: sp.csr_array) -> np.ndarray:
    """The nodes without an edge."""
    return np.flatnonzero(np.diff(adjacency.indptr) == 0)


def adjacency_of_edges(
    n_nodes: int,
    ends: tuple[np.ndarray, np.ndarray],
    weights: np.ndarray,
    rows: np.ndarray,
) -> sp.csr_array:
    """The symmetric matrix of edges, each given once or, with the same weight, more often."""
    low = np.minimum(*ends).astype(np.int64)
    high = np.maximum(*ends).astype(np.int64)
    kept = once(low * n_nodes + high, weights, rows)
    kept = kept[low[kept] != high[kept]]
    low, high, weights = low[kept], high[kept], weights[kept]
    return sp.csr_array(
        (
            np.concatenate([weights, weights]),
            (np.concatenate([low, high]), np.concatenate([high, low])),
        ),
        shape=(n_nodes, n_nodes),
    )


def once(edges: np.ndarray, weights: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """The positions where an edge comes first; refused if its weight is not always the same."""
    wrong = np.flatnonzero(~((weights >= 0) & (weights < np.inf)))
    if wrong.size:
        k = wrong[0]
        raise FileError(
            f"row {rows[k]}: expected a finite weight >= 0, got {weights[k]}; correct it, or take "
            "the edge out"
        )
    order = np.argsort(edges, kind="stable")
    again = edges[order][1:] == edges[order][:-1]
    differ = np.flatnonzero(again & (weights[order][1:] != weights[order][:-1]))
    if differ.size:
        first, second = order[differ[0]], order[differ[0] + 1]
        raise FileError(
            f"row {rows[first]} and row {rows[second]}: expected one weight for an edge, got "
            f"{weights[first]} and {weights[second]}; the graph is undirected: keep one of them"
        )
    return order[np.concatenate([[True], ~again])] if order.size else order
