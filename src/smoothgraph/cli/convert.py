"""``smoothgraph convert``."""

from typing import Annotated

import typer

from smoothgraph.cli.files import GraphFormat
from smoothgraph.io import graph_format, read_graph, write_graph
from smoothgraph.progress import busy


def convert(
    source: Annotated[str, typer.Argument(help="A graph, or - for standard input.")],
    target: Annotated[
        str,
        typer.Argument(
            help=".csv, .tsv, .graphml, .gexf, .npz, .mtx or .parquet, or - for standard output."
        ),
    ],
    *,
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
    with busy("Converting"):
        write_graph(target, read_graph(source, format=from_), format=to)
