"""GraphML and GEXF: graphs as XML, through NetworkX."""

import json
import re
from typing import Any, BinaryIO, ClassVar

import numpy as np

from smoothgraph.io.attribute_columns import attributes_of, columns_of
from smoothgraph.io.errors import FileError
from smoothgraph.io.file_format import GraphFormat, register
from smoothgraph.io.graph_file import Edges, GraphFile, adjacency_of_edges, list_edges, make_graph, to_json
from smoothgraph.support.optional import load_optional

_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
# Keys of node data that NetworkX uses for itself; an attribute of such a name gets an underscore.
_RESERVED = {"id", "label", "pid", "start", "end", "parents", "slices", "spells", "viz", "key", "node_for_adding"}
_TITLES = ("name", "label")  # what other programs show of a node
_RESERVED |= {"networkx_key", *_TITLES}


@register
class GraphMl(GraphFormat):
    """Nodes by name with their attributes; the info is JSON in an attribute of the graph."""

    name = "graphml"
    suffixes = (".graphml",)
    title: ClassVar[str] = "GraphML"
    reader: ClassVar[str] = "read_graphml"
    writer: ClassVar[str] = "write_graphml_xml"
    titles: ClassVar[tuple[str, ...]] = _TITLES  # under which the name is written, too

    def read_graph(self, file: BinaryIO) -> GraphFile:
        networkx = load_optional("networkx", needed_by=f"reading {self.title}", extra="networkx")
        graph = getattr(networkx, self.reader)(file, node_type=_node_id)
        names, rows = list(graph), list(graph.edges(data="weight", default=1.0))
        number = {name: k for k, name in enumerate(names)}
        source, target = (np.array([number[row[end]] for row in rows], dtype=np.int64) for end in (0, 1))
        edges = Edges(source, target, np.array([_weight(*row) for row in rows], dtype=np.float64))
        counted = np.arange(1, len(rows) + 1)
        W = adjacency_of_edges(len(names), edges, counted, directed=graph.is_directed())
        return make_graph(W, names, _read_attributes(graph), _read_info(graph))

    def write_graph(self, file: BinaryIO, graph: GraphFile) -> None:
        networkx = load_optional("networkx", needed_by=f"writing {self.title}", extra="networkx")
        result, ids = networkx.Graph(info=to_json(graph.info)), graph.ids
        columns = columns_of(graph.attributes, _RESERVED)
        _refuse_what_xml_cannot_hold(ids, columns)
        result.add_nodes_from(
            (name, dict.fromkeys(self.titles, name) | {label: values[k] for label, values in columns.items()})
            for k, name in enumerate(ids)
        )
        edges = (column.tolist() for column in list_edges(graph.adjacency))
        result.add_weighted_edges_from((ids[i], ids[j], weight) for i, j, weight in zip(*edges, strict=True))
        getattr(networkx, self.writer)(result, file)


@register
class Gexf(GraphMl):
    """Nodes by name with their attributes, without the info."""

    name = "gexf"
    suffixes = (".gexf",)
    title, reader, writer = "GEXF", "read_gexf", "write_gexf"
    titles = ("label",)


def _refuse_what_xml_cannot_hold(ids: list[str], columns: dict[str, list[Any]]) -> None:
    for name in ids:
        if _NOT_IN_XML.search(name):
            raise FileError(
                f"node {name!r}: expected a name that XML can hold, got a control character in it; rename the node, or "
                "write another format"
            )
    for label, values in columns.items():
        for name, value in zip(ids, values, strict=True):
            if isinstance(value, str) and (_NOT_IN_XML.search(value) or "\r" in value):
                raise FileError(
                    f"node {name!r}, attribute {label!r}: expected text that XML can hold, got {value!r}; change it, "
                    "or write another format"
                )


def _node_id(name: str | None) -> str:
    if name is None:
        raise FileError(
            "expected nodes with an id and edges with a source and a target, got one without; write the file again"
        )
    return name


def _weight(source: str, target: str, weight: Any) -> float:
    try:
        return float(weight)
    except (TypeError, ValueError) as error:
        raise FileError(
            f"edge from {source!r} to {target!r}: expected a number as weight, got {weight!r}; correct it"
        ) from error


def _read_info(graph: Any) -> dict[str, Any]:
    """Return the info that this package writes; {} in files of other programs."""
    try:
        info = json.loads(graph.graph.get("info", "{}"))
    except (TypeError, ValueError):
        return {}
    return info if isinstance(info, dict) else {}


def _read_attributes(graph: Any) -> dict[str, np.ndarray]:
    """Return the attributes, without names under other names."""
    names, rows = list(graph), [dict(data) for _, data in graph.nodes(data=True)]
    for title in _TITLES:
        if [row[title] for row in rows if title in row] == names:
            rows = [{label: value for label, value in row.items() if label != title} for row in rows]
    return attributes_of(rows, _RESERVED)
