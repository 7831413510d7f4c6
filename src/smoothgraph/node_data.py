"""What an estimator reads: tables of nodes, their names, their distances."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from smoothgraph.distances import distances, distances_to, precomputed
from smoothgraph.edges import EdgeSet

_MOST_NODES = 30_000  # of which all pairs fit into the memory of a laptop


@dataclass(frozen=True, eq=False)
class NodeData:
    """Nodes with their names and candidate edges; ``table`` is None if only Z was given."""

    table: Any
    names: np.ndarray
    edges: EdgeSet
    z: np.ndarray

    @classmethod
    def read(cls, table: Any, names: np.ndarray, *, metric: str, missing: str) -> "NodeData":
        """All pairs of rows with their distances, or what a precomputed matrix holds."""
        n_nodes = table.shape[0]
        if n_nodes < 2:
            raise ValueError(
                f"A graph needs at least two nodes, got n_samples={n_nodes}; nodes are rows "
                "unless nodes='columns'."
            )
        if metric == "precomputed":
            return cls(None, names, *precomputed(table))
        if n_nodes > _MOST_NODES:
            raise ValueError(
                f"All pairs of {n_nodes} nodes do not fit into memory (of {_MOST_NODES} they do); "
                "pass a sparse matrix of the distances to a few hundred nearest neighbours with "
                "metric='precomputed'."
            )
        edges = EdgeSet.all_pairs(n_nodes)
        return cls(table, names, edges, distances(table, edges, metric=metric, missing=missing))


def distances_to_fitted(new: Any, fitted: Any, *, metric: str, missing: str) -> np.ndarray:
    """The ``(n, m)`` distances of new rows to the fitted ones; infinite where not a candidate.

    ``fitted`` is None for precomputed distances, which ``new`` then holds; a sparse matrix
    holds the candidates.
    """
    if metric != "precomputed":
        return distances_to(new, fitted, metric=metric, missing=missing)
    z = np.array(new) if not sp.issparse(new) else np.full(new.shape, np.inf)
    if sp.issparse(new):
        coo = new.tocoo()
        z[coo.row, coo.col] = coo.data
    if np.any(np.isnan(z)) or np.any(z < 0):
        raise ValueError("Distances to the fitted nodes must be numbers >= 0.")
    return z


def coinciding_nodes(at_zero: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The rows at distance zero from a fitted node, and which one each of them stands for.

    ``at_zero`` lists all pairs (row, fitted node) at distance zero, in order. Of several rows
    at the same place the k-th stands for the k-th fitted node there.
    """
    rows, first, size = np.unique(at_zero[:, 0], return_index=True, return_counts=True)
    place = at_zero[first, 1]
    order = np.argsort(place, kind="stable")
    copy = np.empty(len(rows), dtype=np.int64)
    copy[order] = np.arange(len(rows)) - np.searchsorted(place[order], place[order])
    return rows, at_zero[first + copy % size, 1]


def node_names(X: Any, *, columns: bool, n_nodes: int) -> np.ndarray:
    """The labels of a pandas index or of its columns; otherwise 0, 1, 2, ..."""
    labels = getattr(X, "columns" if columns else "index", None)
    if labels is None or callable(labels):
        return np.arange(n_nodes)
    return np.asarray(labels)
