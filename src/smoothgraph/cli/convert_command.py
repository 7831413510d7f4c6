"""``smoothgraph convert``."""

from typing import Annotated

import typer

from smoothgraph.cli.output_options import OutputOptions
from smoothgraph.cli.target_options import FORMAT_HELP, GRAPH_SUFFIXES, GraphFormat


def convert(
    source: Annotated[str, typer.Argument(help="A graph file, or - for standard input.")],
    target: Annotated[str, typer.Argument(help=f"{GRAPH_SUFFIXES}, or - for standard output.")],
    *,
    output: OutputOptions,
    from_: Annotated[
        GraphFormat | None,
        typer.Option("--from", help=f"The format of SOURCE. {FORMAT_HELP}", show_default=False),
    ] = None,
    to: Annotated[
        GraphFormat | None,
        typer.Option("--to", help=f"The format of TARGET. {FORMAT_HELP}", show_default=False),
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
