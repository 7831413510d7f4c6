"""Graphs as GraphML and GEXF, through NetworkX."""

import json
import re
from typing import Any, BinaryIO

import numpy as np
import scipy.sparse as sp

from smoothgraph.io.edges import adjacency_of_edges, edges_of, once
from smoothgraph.io.errors import FileError
from smoothgraph.io.graph import GraphFile, graph_read, json_of

_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
# keys of node data that NetworkX uses for itself
_RESERVED = (
    *("id", "label", "pid", "start", "end", "parents", "slices", "spells", "viz", "key"),
    *("node_for_adding", "networkx_key"),
)


def write_graphml(file: BinaryIO, graph: GraphFile) -> None:
    """Nodes by name with their attributes; the info as JSON in an attribute of the graph."""
    import networkx

    result = _networkx_graph(graph)
    result.graph["info"] = json_of(graph.info)
    networkx.write_graphml_xml(result, file)


def write_gexf(file: BinaryIO, graph: GraphFile) -> None:
    """Nodes by name with their attributes."""
    import networkx

    networkx.write_gexf(_networkx_graph(graph), file)


def read_graphml(file: BinaryIO) -> GraphFile:
    """An undirected or symmetric graph; edges without a weight have weight 1."""
    import networkx

    return _graph(networkx.read_graphml(file, node_type=_node_id))


def read_gexf(file: BinaryIO) -> GraphFile:
    """An undirected or symmetric graph; edges without a weight have weight 1."""
    import networkx

    return _graph(networkx.read_gexf(file, node_type=_node_id))


def _networkx_graph(graph: GraphFile) -> Any:
    import networkx

    ids = graph.ids
    columns = _plain_columns(graph.attributes)
    _refuse_what_xml_cannot_hold(ids, columns)
    result = networkx.Graph()
    for k, name in enumerate(ids):
        result.add_nodes_from([(name, {label: values[k] for label, values in columns.items()})])
    low, high, weights = (values.tolist() for values in edges_of(graph.adjacency))
    result.add_weighted_edges_from(
        (ids[i], ids[j], weight) for i, j, weight in zip(low, high, weights, strict=True)
    )
    return result


def _plain_columns(attributes: dict[str, np.ndarray]) -> dict[str, list[Any]]:
    """Every attribute as a list of texts or numbers; a 2-D one as one list per column."""
    columns = {}
    for label, values in attributes.items():
        title = label + "_" if label.rstrip("_") in _RESERVED else label
        if values.ndim == 1:
            columns[title] = values.tolist()
        else:
            columns |= {f"{title}_{k}": column.tolist() for k, column in enumerate(values.T)}
    return columns


def _refuse_what_xml_cannot_hold(ids: list[str], columns: dict[str, list[Any]]) -> None:
    for name in ids:
        if _NOT_IN_XML.search(name):
            raise FileError(
                f"node {name!r}: expected a name that XML can hold, got a control character in "
                "it; rename the node, or write another format"
            )
    for label, values in columns.items():
        for name, value in zip(ids, values, strict=True):
            if isinstance(value, str) and (_NOT_IN_XML.search(value) or "\r" in value):
                raise FileError(
                    f"node {name!r}, attribute {label!r}: expected text that XML can hold, got "
                    f"{value!r}; change it, or write another format"
                )


def _node_id(name: str | None) -> str:
    if name is None:
        raise FileError(
            "expected nodes with an id and edges with a source and a target, got one without; "
            "write the file again"
        )
    return name


def _graph(graph: Any) -> GraphFile:
    names = list(graph)
    number = {name: k for k, name in enumerate(names)}
    edges = list(graph.edges(data="weight", default=1.0))
    source = np.array([number[edge[0]] for edge in edges], dtype=np.int64)
    target = np.array([number[edge[1]] for edge in edges], dtype=np.int64)
    weights = np.array([_weight(*edge) for edge in edges], dtype=np.float64)
    rows = np.arange(1, len(edges) + 1)
    if graph.is_directed():
        kept = once(source * len(names) + target, weights, rows)
        entries = weights[kept], (source[kept], target[kept])
        W = sp.csr_array(entries, shape=(len(names), len(names)))
    else:
        W = adjacency_of_edges(len(names), (source, target), weights, rows)
    return graph_read(W, names, _attributes(graph), _info(graph))


def _weight(source: str, target: str, weight: Any) -> float:
    try:
        return float(weight)
    except (TypeError, ValueError) as error:
        raise FileError(
            f"edge from {source!r} to {target!r}: expected a number as weight, got {weight!r}; "
            "correct it"
        ) from error


def _info(graph: Any) -> dict[str, Any]:
    """The info that this package writes; {} in files of others."""
    try:
        info = json.loads(graph.graph.get("info", "{}"))
    except (TypeError, ValueError):
        return {}
    return info if isinstance(info, dict) else {}


def _attributes(graph: Any) -> dict[str, np.ndarray]:
    """Texts and numbers of the nodes, with "" and NaN where a node has none."""
    result = {}
    labels = dict.fromkeys(label for _, data in graph.nodes(data=True) for label in data)
    for label in labels:
        values = [data.get(label) for _, data in graph.nodes(data=True)]
        present = [value for value in values if value is not None]
        if label == "label" and present == list(graph):
            continue
        title = label[:-1] if label.endswith("_") and label.rstrip("_") in _RESERVED else label
        if all(isinstance(value, str) for value in present):
            result[title] = np.array(["" if value is None else value for value in values])
        elif all(isinstance(value, int | float) for value in present):
            result[title] = np.array([np.nan if value is None else value for value in values])
    return result
