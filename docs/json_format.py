"""JSON: tables as lists of rows, graphs as lists of edges."""

import json
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from smoothgraph.io.array_tables import table_of_matrix
from smoothgraph.io.atomic import atomic_write
from smoothgraph.io.errors import graph_not_table
from smoothgraph.io.file_format import GraphFormat, PartsFormat, TableFormat, register
from smoothgraph.io.graph_file import Edges, GraphFile, graph_of_numbers, list_edges, to_json
from smoothgraph.io.table_file import Table, TableOptions


@register
class Json(TableFormat, GraphFormat, PartsFormat):
    """A table is a list of rows; a graph is an object with lists source, target and weight."""

    name = "json"
    suffixes = (".json",)

    def read_table(self, file: BinaryIO, options: TableOptions) -> Table:
        found = json.load(file)
        if isinstance(found, dict):
            raise graph_not_table()
        return table_of_matrix(np.array(found), options)

    def read_graph(self, file: BinaryIO) -> GraphFile:
        found = json.load(file)
        return graph_of_numbers(found, edges_in(found))

    def write_graph(self, file: BinaryIO, graph: GraphFile) -> None:
        about = {"n_nodes": len(graph.ids), "names": graph.names, "info": graph.info}
        edges = list_edges(graph.adjacency)
        file.write(to_json(about | edges._asdict()).encode())

    # The rest is for graphs that the workers of a cluster write in parts.
    part_suffix = ".json"
    common_file = "_common.json"

    def write_part(self, path: Path, edges: Edges, about: dict[str, Any]) -> None:
        with atomic_write(path) as temporary:
            temporary.write_text(to_json(about | edges._asdict()))

    def read_part(self, path: Path) -> tuple[Edges, dict[str, Any]]:
        found = json.loads(path.read_text())
        return edges_in(found), found


def edges_in(found: dict[str, Any]) -> Edges:
    """Return the three lists as arrays."""
    return Edges(*(np.array(found[name]) for name in Edges._fields))
