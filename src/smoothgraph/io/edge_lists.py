"""Lists of edges, one row each, to graphs and back."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from smoothgraph.io.errors import FileError
from smoothgraph.io.graph_file import GraphFile, make_graph
from smoothgraph.io.text_cells import number_cells

_COLUMNS = {  # what other programs call them
    "source": "source",
    "from": "source",
    "target": "target",
    "to": "target",
    "weight": "weight",
}


class Edges(NamedTuple):
    """Three columns, one entry per edge: its smaller end, its larger end, its weight."""

    source: np.ndarray
    target: np.ndarray
    weight: np.ndarray


def list_edges(adjacency: sp.csr_array) -> Edges:
    """Return every edge once."""
    upper = sp.triu(adjacency, k=1, format="coo")
    return Edges(upper.row.astype(np.int64), upper.col.astype(np.int64), upper.data)


def is_edge_header(cells: Sequence[str]) -> bool:
    """Return whether the cells name a source and a target."""
    return {"source", "target"} <= {_COLUMNS.get(cell.strip().lower()) for cell in cells}


def find_columns(headers: Sequence[str]) -> dict[str, int]:
    """Return where the columns source, target and weight are, as far as there are any."""
    columns: dict[str, int] = {}
    for k, header in enumerate(headers):
        name = _COLUMNS.get(header.strip().lower())
        if name in columns:
            raise FileError(
                f"expected one column each for source, target and weight, got {', '.join(headers)}; rename them"
            )
        if name is not None:
            columns[name] = k
    return columns


def graph_of_names(source: np.ndarray, target: np.ndarray, weights: np.ndarray | None, rows: np.ndarray) -> GraphFile:
    """Return the graph of edges between names; nodes come in the order of their appearance.

    A row without a target and a weight is a node without edges. Without any weights all are 1. ``rows`` are the
    numbers of the rows in the file, for messages.
    """
    empty = np.flatnonzero(source == "")
    if empty.size:
        raise FileError(f"row {rows[empty[0]]}: expected a node as source, got an empty cell; fill it in")
    isolated = target == ""
    if weights is None:
        weights = np.where(isolated, np.nan, 1.0)
    wrong = np.flatnonzero(np.isnan(weights) != isolated)
    if wrong.size:
        raise FileError(
            f"row {rows[wrong[0]]}: expected a target and a weight, or neither for a node without "
            "edges, got one of them; fill in the other"
        )
    cells = np.stack([source, target], axis=1).ravel()
    is_node = np.stack([np.ones_like(isolated), ~isolated], axis=1).ravel()
    numbers, names = number_cells(cells[is_node])
    if set(names) == {str(k) for k in range(len(names))}:  # 0, 1, ..., m - 1 in any order
        numbers, names = np.array(names, dtype=np.int64)[numbers], sorted(names, key=int)
    nodes = np.full(len(cells), -1)
    nodes[is_node] = numbers
    ends = nodes.reshape(-1, 2)[~isolated]
    edges = Edges(ends[:, 0], ends[:, 1], weights[~isolated])
    return make_graph(adjacency_of_edges(len(names), edges, rows[~isolated]), names)


def graph_of_numbers(about: Mapping[str, Any], edges: Edges) -> GraphFile:
    """Return the graph of edges between node numbers; ``about`` holds n_nodes, names and info."""
    n_nodes = int(about["n_nodes"])
    for ends in edges[:2]:
        wrong = np.flatnonzero((ends < 0) | (ends >= n_nodes))
        if wrong.size:
            raise FileError(
                f"row {wrong[0] + 1}: expected one of the {n_nodes} nodes in its metadata, got "
                "another; the file was changed: write it again"
            )
    W = adjacency_of_edges(n_nodes, edges, np.arange(1, len(edges.weight) + 1))
    return make_graph(W, about.get("names"), info=about["info"])


def adjacency_of_edges(n_nodes: int, edges: Edges, rows: np.ndarray, *, directed: bool = False) -> sp.csr_array:
    """Return the matrix of edges that may be repeated with the same weight.

    Unless they are directed, the matrix is symmetric and loops are dropped.
    """
    source, target = (np.asarray(ends, dtype=np.int64) for ends in edges[:2])
    weight = edges.weight
    if not directed:
        source, target = np.minimum(source, target), np.maximum(source, target)
    kept = _find_first(source * n_nodes + target, weight, rows)
    if not directed:
        kept = kept[source[kept] != target[kept]]
    W = sp.csr_array((weight[kept], (source[kept], target[kept])), shape=(n_nodes, n_nodes))
    return W if directed else (W + W.T).tocsr()


def _find_first(keys: np.ndarray, weights: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return the first position of every edge; all weights of an edge must be the same."""
    wrong = np.flatnonzero(~((weights >= 0) & (weights < np.inf)))
    if wrong.size:
        raise FileError(
            f"row {rows[wrong[0]]}: expected a finite weight >= 0, got {weights[wrong[0]]}; "
            "correct it, or remove the edge"
        )
    order = np.argsort(keys, kind="stable")
    again = keys[order][1:] == keys[order][:-1]
    differ = np.flatnonzero(again & (weights[order][1:] != weights[order][:-1]))
    if differ.size:
        first, second = order[differ[0]], order[differ[0] + 1]
        raise FileError(
            f"row {rows[first]} and row {rows[second]}: expected one weight per edge, got "
            f"{weights[first]} and {weights[second]}; the graph is undirected: keep one of them"
        )
    return order[np.concatenate([[True], ~again])] if order.size else order
