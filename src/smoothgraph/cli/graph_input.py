"""The graph to read, what a table says of its nodes, and the list of its nodes to write."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from smoothgraph.cli.input_options import FORMAT_HELP, title_of
from smoothgraph.cli.output_options import OutputOptions
from smoothgraph.cli.target_options import Force, check_suffix, check_targets, target_option

if TYPE_CHECKING:
    import numpy as np

    from smoothgraph.io import GraphFile


@dataclass(frozen=True)
class GraphInput:
    """The graph to read."""

    graph: Annotated[str, typer.Argument(metavar="GRAPH", help="A graph file, or - for standard input.")]
    format: Annotated[
        str | None, typer.Option("--from", "--format", metavar="FORMAT", help=f"The format of GRAPH. {FORMAT_HELP}")
    ] = None

    @property
    def title(self) -> str:
        """The name of the graph in messages."""
        return title_of(self.graph)

    def read(self) -> "GraphFile":
        """Return the graph."""
        from smoothgraph.cli.graph_nodes import read_graph_file
        from smoothgraph.support.progress import spinner

        with spinner("Reading the graph"):
            return read_graph_file(self.graph, self.format)


@dataclass(frozen=True)
class NodeListTarget:
    """The file for what was found of every node."""

    out: Annotated[
        str | None, target_option("--out", "-o", help="A CSV file with a row per node, or - for standard output.")
    ] = None
    force: Force = False

    def check(self, sources: Iterable[Path | str | None], output: OutputOptions) -> None:
        """Raise an InputError if the file cannot be written."""
        check_targets(sources, self.out, force=self.force)
        check_suffix(self.out, ".csv")
        output.check_stdout(self.out)

    def write(self, graph: "GraphFile", attributes: Mapping[str, Any]) -> None:
        """Write the nodes of a graph with these attributes, if that is wanted."""
        if self.out is None:
            return
        from smoothgraph.io.graph_file import gather_graph
        from smoothgraph.io.read_write import write_nodes

        write_nodes(self.out, gather_graph(graph, None, dict(attributes), None))


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
