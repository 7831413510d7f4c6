"""``smoothgraph info``."""

from pathlib import Path
from typing import Annotated, Any

import typer

from smoothgraph.cli.data_options import FORMAT_HELP
from smoothgraph.cli.output_options import OutputOptions


def info(
    graph: Annotated[str, typer.Argument(help="A graph file, or - for standard input.")],
    *,
    output: OutputOptions,
    format: Annotated[  # noqa: A002 (the name of the option)
        str | None, typer.Option(metavar="FORMAT", help=f"The format of GRAPH. {FORMAT_HELP}")
    ] = None,
) -> None:
    """Describe the graph in a file: its size, its weights, and how it was learned."""
    from smoothgraph.io import read_graph
    from smoothgraph.support.progress import spinner

    with spinner("Reading the graph"):
        content = read_graph(graph, format=format)
    title = "standard input" if graph == "-" else Path(graph).name
    output.print_facts(title, _describe(content))


def _describe(graph: Any) -> dict[str, Any]:
    """Return what is measured on a ``GraphFile``, then what its file says."""
    import numpy as np

    from smoothgraph.cli.graph_summary import measure

    W = graph.adjacency
    neighbors, degrees = np.diff(W.indptr), np.asarray(W.sum(axis=1)).ravel()
    measured = {
        **measure(W),
        "fewest_neighbors": int(neighbors.min()),
        "most_neighbors": int(neighbors.max()),
        "smallest_degree": float(degrees.min()),
        "largest_degree": float(degrees.max()),
        "smallest_weight": float(W.data.min()) if W.nnz else None,
        "largest_weight": float(W.data.max()) if W.nnz else None,
        "names": graph.names,
        "attributes": list(graph.attributes) or None,
    }
    return measured | {name: value for name, value in graph.info.items() if name not in measured}
