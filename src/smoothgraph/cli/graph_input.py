"""The options for the graph to read, and for what a table says of its nodes."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from smoothgraph.cli.input_options import FORMAT_HELP

if TYPE_CHECKING:
    import numpy as np

    from smoothgraph.io import GraphFile

NODE_LIST_HELP = "A CSV file with a row per node, or - for standard output."


@dataclass(frozen=True)
class GraphInput:
    """The graph to read."""

    graph: Annotated[str, typer.Argument(metavar="GRAPH", help="A graph file, or - for standard input.")]
    format: Annotated[
        str | None, typer.Option("--from", metavar="FORMAT", help=f"The format of GRAPH. {FORMAT_HELP}")
    ] = None

    @property
    def title(self) -> str:
        """The name of the graph in messages."""
        return "standard input" if self.graph == "-" else Path(self.graph).name

    def read(self) -> "GraphFile":
        """Return the graph."""
        from smoothgraph.io import read_graph
        from smoothgraph.support.progress import spinner

        with spinner("Reading the graph"):
            return read_graph(self.graph, format=self.format)


def read_attributes(graph: "GraphFile", node_table: Path | None) -> "tuple[dict[str, np.ndarray], list[str]]":
    """Return the attributes of the nodes in the file of the graph and in a node table, and notes on the latter."""
    if node_table is None:
        return graph.attributes, []
    from smoothgraph.io.errors import name_file
    from smoothgraph.io.node_lists import match_nodes
    from smoothgraph.io.read_write import read_node_table

    with name_file(str(node_table)):
        about, notes = match_nodes(read_node_table(node_table), graph.ids)
    return graph.attributes | about, notes
