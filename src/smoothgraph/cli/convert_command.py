"""``smoothgraph convert``."""

from typing import Annotated

import typer

from smoothgraph.cli.data_options import FORMAT_HELP
from smoothgraph.cli.output_options import OutputOptions
from smoothgraph.cli.target_options import GRAPH_SUFFIXES


def convert(
    source: Annotated[str, typer.Argument(help="A graph file, or - for standard input.")],
    target: Annotated[str, typer.Argument(help=f"A file, {GRAPH_SUFFIXES}, or - for standard output.")],
    *,
    output: OutputOptions,
    from_: Annotated[
        str | None, typer.Option("--from", metavar="FORMAT", help=f"The format of SOURCE. {FORMAT_HELP}")
    ] = None,
    to: Annotated[
        str | None, typer.Option("--to", metavar="FORMAT", help=f"The format of TARGET. {FORMAT_HELP}")
    ] = None,
) -> None:
    """Write a graph in another format. Weights, names and isolated nodes are kept."""
    from smoothgraph.io import graph_format, read_graph, write_graph
    from smoothgraph.support.progress import spinner

    graph_format(target, to)
    output.check_stdout(target, option="-")
    with spinner("Converting"):
        graph = read_graph(source, format=from_)
        write_graph(target, graph, format=to)
    W = graph.adjacency
    facts = {"nodes": W.shape[0], "edges": W.nnz // 2, "written": target}
    output.print_facts("Converted", facts, to_stderr=target == "-")
