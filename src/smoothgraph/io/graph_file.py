"""What a file of a graph holds, the checks that every graph passes, and lists of edges."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from smoothgraph.io.array_tables import refuse_implausible
from smoothgraph.io.errors import FileError, damaged_file, refuse_duplicates
from smoothgraph.io.table_file import to_attribute
from smoothgraph.io.text_cells import number_cells
from smoothgraph.support.input_error import InputError

# What programs call the columns.
_COLUMNS = {"source": "source", "from": "source", "target": "target", "to": "target", "weight": "weight"}
_NOT_IN_NAMES = re.compile("[^\x01-\ud7ff\ue000-\U0010ffff]")  # a damaged file may hold even larger characters


@dataclass(frozen=True, eq=False)
class GraphFile:
    """A graph and what is stored with it.

    Attributes
    ----------
    adjacency : csr_array
        Symmetric, with weights >= 0 and an empty diagonal.
    names : list of str, or None
        None if the nodes are called 0, 1, 2, ...; ``ids`` lists these names, too.
    attributes : dict
        Arrays with one entry per node, such as a label.
    info : dict
        Anything that JSON can hold: settings, a certificate.
    """

    adjacency: sp.csr_array
    names: list[str] | None = None
    attributes: dict[str, np.ndarray] = field(default_factory=dict)
    info: dict[str, Any] = field(default_factory=dict)

    @property
    def ids(self) -> list[str]:
        """The names, or "0", "1", "2", ... if there are none."""
        return self.names or [str(k) for k in range(self.adjacency.shape[0])]

    @property
    def bridges_(self) -> np.ndarray:
        """The ends ``(n, 2)`` of the edges that only connect the graph, which ``info["bridge_ends"]`` may list."""
        listed = self.info.get("bridge_ends")
        nodes = range(self.adjacency.shape[0])
        pairs = listed if isinstance(listed, list) else []
        known = all(isinstance(ends, list) and len(ends) == 2 and set(ends) <= set(nodes) for ends in pairs)
        return np.array(pairs if known else [], dtype=np.int64).reshape(-1, 2)


def gather_graph(
    graph: Any, names: Iterable[Any] | None, attributes: Mapping[str, Any] | None, info: Mapping[str, Any] | None
) -> GraphFile:
    """Return the checked graph to write; what is not given is taken from ``graph``."""
    from smoothgraph.support.adjacency import adjacency_of

    if isinstance(graph, GraphFile):
        names = graph.names if names is None else names
        attributes = graph.attributes if attributes is None else attributes
        info = graph.info if info is None else info
    elif names is None:
        names = getattr(graph, "node_names_", None)
    texts = None if names is None else [str(name) for name in names]
    arrays = {name: to_attribute(np.asarray(values)) for name, values in (attributes or {}).items()}
    return _check_graph(adjacency_of(graph), texts, arrays, dict(info or {}))


def make_graph(
    adjacency: Any,
    names: list[str] | None = None,
    attributes: dict[str, np.ndarray] | None = None,
    info: dict[str, Any] | None = None,
) -> GraphFile:
    """Return the checked graph of what a file holds; ``adjacency`` may be dense or sparse."""
    from smoothgraph.support.adjacency import adjacency_of

    if 0 in adjacency.shape:
        raise FileError("expected a graph with at least one node, got none; check how the file was written")
    if names is not None and not isinstance(names, list):
        raise damaged_file("a list of names", repr(names))
    if info is not None and not isinstance(info, dict):
        raise damaged_file("info by name", repr(info))
    try:
        W = adjacency_of(adjacency)
    except InputError as error:
        raise FileError(f"expected a weighted undirected graph. {error}") from error
    return _check_graph(W, names, attributes or {}, info or {})


def parse_object(text: Any) -> dict[str, Any]:
    """Return the JSON object that this package wrote into a file."""
    try:
        found = json.loads(text)
    except (TypeError, ValueError):
        found = None
    if not isinstance(found, dict):
        raise damaged_file("the names and the info of a graph as a JSON object", repr(text)[:80])
    return found


def parse_attributes(columns: Any) -> dict[str, np.ndarray]:
    """Return the attributes that this package wrote as lists, by name."""
    try:
        return {str(label): to_attribute(np.array(values)) for label, values in columns.items()}
    except (AttributeError, TypeError, ValueError):
        raise damaged_file("attributes by name, as lists of numbers or texts", repr(columns)[:80]) from None


def to_json(info: Mapping[str, Any]) -> str:
    """Return ASCII JSON; NumPy numbers and arrays become plain ones."""
    try:
        return json.dumps(info, default=lambda value: value.tolist())
    except (AttributeError, TypeError, ValueError) as error:
        raise FileError(
            f"expected info that JSON can hold, got something else ({error}); use strings, numbers, lists and dicts"
        ) from error


def _check_graph(
    adjacency: sp.csr_array, names: list[str] | None, attributes: dict[str, np.ndarray], info: dict[str, Any]
) -> GraphFile:
    """Return the graph, without its names if they are just 0, 1, 2, ..."""
    n_nodes = adjacency.shape[0]
    for label, values in attributes.items():
        if values.shape[:1] != (n_nodes,) or values.ndim > 2:
            raise FileError(
                f"expected an attribute {label!r} with one entry per node, {n_nodes}, got shape {values.shape}; give "
                "one entry per node, or leave it out"
            )
    unnamed = GraphFile(adjacency, None, attributes, info)
    if names is None or names == unnamed.ids:
        return unnamed
    if len(names) != n_nodes:
        raise FileError(
            f"expected one name per node, {n_nodes}, got {len(names)}; give one name per node, or leave the names out"
        )
    for k, name in enumerate(names):
        if not isinstance(name, str) or not name or _NOT_IN_NAMES.search(name):
            raise FileError(
                f"node {k}: expected a name, which is text without NUL or lone surrogates, got {name!r}; rename it"
            )
    refuse_duplicates(names, "node", range(n_nodes))
    return GraphFile(adjacency, names, attributes, info)


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
            f"row {rows[wrong[0]]}: expected a target and a weight, or neither for a node without edges, got one of "
            "them; fill in the other"
        )
    # A node without edges appears as a loop, which is dropped.
    nodes, names = number_cells(np.stack([source, np.where(isolated, source, target)], axis=1).ravel())
    if set(names) == {str(k) for k in range(len(names))}:  # 0, 1, ..., m - 1 in any order
        nodes, names = np.array(names, dtype=np.int64)[nodes], sorted(names, key=int)
    edges = Edges(nodes[::2][~isolated], nodes[1::2][~isolated], weights[~isolated])
    return make_graph(adjacency_of_edges(len(names), edges, rows[~isolated]), names)


def graph_of_numbers(about: Mapping[str, Any], edges: Edges) -> GraphFile:
    """Return the graph of edges between node numbers; ``about`` holds n_nodes, names and info."""
    n_nodes = about.get("n_nodes")
    if not isinstance(n_nodes, int) or n_nodes < 0:
        raise damaged_file("the number of nodes in its metadata", repr(n_nodes))
    for name, column in edges._asdict().items():
        if column.dtype.kind not in "iuf":
            raise damaged_file(f"numbers in the column {name}", f"the type {column.dtype}")
    refuse_implausible((n_nodes,), len(edges.weight))
    for ends in edges[:2]:
        wrong = np.flatnonzero(~((ends >= 0) & (ends < n_nodes) & (ends % 1 == 0)))
        if wrong.size:
            raise FileError(
                f"row {wrong[0] + 1}: expected one of the {n_nodes} nodes in its metadata, got another; the file was "
                "changed: write it again"
            )
    W = adjacency_of_edges(n_nodes, edges, np.arange(1, len(edges.weight) + 1))
    return make_graph(W, about.get("names"), parse_attributes(about.get("attributes", {})), about.get("info"))


def adjacency_of_edges(n_nodes: int, edges: Edges, rows: np.ndarray, *, directed: bool = False) -> sp.csr_array:
    """Return the matrix of edges that may be repeated with the same weight.

    Unless they are directed, the matrix is symmetric and loops are dropped.
    """
    source, target = (np.asarray(ends, dtype=np.int64) for ends in edges[:2])
    weight = np.asarray(edges.weight, dtype=np.float64)
    wrong = np.flatnonzero(~((weight >= 0) & (weight < np.inf)))
    if wrong.size:
        k = wrong[0]
        raise FileError(
            f"row {rows[k]}: expected a finite weight >= 0, got {weight[k]}; correct it, or remove the edge"
        )
    if not directed:
        source, target = np.minimum(source, target), np.maximum(source, target)
    _, first, edge = np.unique(source * n_nodes + target, return_index=True, return_inverse=True)
    differ = np.flatnonzero(weight != weight[first][edge])
    if differ.size:
        k, again = first[edge[differ[0]]], differ[0]
        raise FileError(
            f"row {rows[k]} and row {rows[again]}: expected one weight per edge, got {weight[k]} and {weight[again]}; "
            "the graph is undirected: keep one of them"
        )
    if not directed:
        first = first[source[first] != target[first]]
    W = sp.csr_array((weight[first], (source[first], target[first])), shape=(n_nodes, n_nodes))
    return W if directed else (W + W.T).tocsr()
