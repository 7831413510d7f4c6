"""``smoothgraph info`` and ``smoothgraph convert``: commands on graph files."""

from typing import Annotated

import typer

from smoothgraph.cli.graph_input import GraphInput
from smoothgraph.cli.input_options import FORMAT_HELP
from smoothgraph.cli.output_options import OutputOptions
from smoothgraph.cli.target_options import GRAPH_SUFFIXES, Force, check_targets
from smoothgraph.support.progress import spinner


def info(*, source: GraphInput, output: OutputOptions) -> None:
    """Describe the graph in a file: its size, its weights, and how it was learned."""
    import numpy as np

    from smoothgraph.cli.graph_summary import describe, measure

    content = source.read()
    W = content.adjacency
    neighbors, degrees = np.diff(W.indptr), W.sum(axis=1)
    measured = measure(W) | {
        "fewest_neighbors": int(neighbors.min()),
        "most_neighbors": int(neighbors.max()),
        "smallest_degree": float(degrees.min()),
        "largest_degree": float(degrees.max()),
        "smallest_weight": float(W.data.min()) if W.nnz else None,
        "largest_weight": float(W.data.max()) if W.nnz else None,
        "names": content.names,
        "attributes": list(content.attributes) or None,
    }
    output.print_facts(source.title, measured | describe(content, measured))


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
    force: Force = False,
) -> None:
    """Write a graph in another format. Weights, names and isolated nodes are kept."""
    from smoothgraph.io import graph_format, read_graph, write_graph

    graph_format(target, to)
    check_targets(source, target, force=force)
    output.check_stdout(target, option="-")
    with spinner("Converting"):
        graph = read_graph(source, format=from_)
        write_graph(target, graph, format=to)
    W = graph.adjacency
    facts = {"nodes": W.shape[0], "edges": W.nnz // 2, "written": target}
    output.print_facts("Converted", facts, to_stderr=target == "-")
