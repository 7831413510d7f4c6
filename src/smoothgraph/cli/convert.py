"""``smoothgraph convert``."""

from typing import Annotated

import typer

from smoothgraph.cli.files import GraphFormat
from smoothgraph.cli.output import Output
from smoothgraph.io import graph_format, read_graph, write_graph
from smoothgraph.support.progress import busy


def convert(
    source: Annotated[str, typer.Argument(help="A graph, or - for standard input.")],
    target: Annotated[
        str,
        typer.Argument(
            help=".csv, .tsv, .graphml, .gexf, .npz, .mtx or .parquet, or - for standard output."
        ),
    ],
    *,
    output: Output,
    from_: Annotated[
        GraphFormat | None,
        typer.Option("--from", help="By default from the name; CSV for -.", show_default=False),
    ] = None,
    to: Annotated[
        GraphFormat | None,
        typer.Option("--to", help="By default from the name; CSV for -.", show_default=False),
    ] = None,
) -> None:
    """Write a graph in another format: weights, names and isolated nodes survive."""
    graph_format(target, to)
    if target == "-" and output.json:
        raise ValueError("- and --json both want standard output; leave one of them out.")
    with busy("Converting"):
        graph = read_graph(source, format=from_)
        write_graph(target, graph, format=to)
    W = graph.adjacency
    facts = {"nodes": W.shape[0], "edges": W.nnz // 2, "written": target}
    output.facts("Converted", facts, aside=target == "-")
