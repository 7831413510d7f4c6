"""``smoothgraph info``."""

from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from smoothgraph.cli.files import GraphFormat
from smoothgraph.cli.output import Output
from smoothgraph.io import GraphFile, read_graph
from smoothgraph.support.connectivity import n_components, n_isolated
from smoothgraph.support.progress import busy


def info(
    graph: Annotated[str, typer.Argument(help="A graph, or - for standard input.")],
    *,
    output: Output,
    format: Annotated[  # noqa: A002 (the name of the option)
        GraphFormat | None,
        typer.Option(help="By default from the name; CSV for -.", show_default=False),
    ] = None,
) -> None:
    """Say what is in a file with a graph: its size, its shape, how it was learned."""
    with busy("Reading the graph"):
        read = read_graph(graph, format=format)
    title = "standard input" if graph == "-" else Path(graph).name
    output.facts(title, _facts(read))


def _facts(graph: GraphFile) -> dict[str, Any]:
    W = graph.adjacency
    neighbours, degrees = np.diff(W.indptr), np.asarray(W.sum(axis=1)).ravel()
    measured = {
        "nodes": W.shape[0],
        "edges": W.nnz // 2,
        "edges_per_node": W.nnz / W.shape[0],
        "components": n_components(W),
        "isolated_nodes": n_isolated(W),
        "fewest_neighbours": int(neighbours.min()),
        "most_neighbours": int(neighbours.max()),
        "smallest_degree": float(degrees.min()),
        "largest_degree": float(degrees.max()),
        "smallest_weight": float(W.data.min()) if W.nnz else None,
        "largest_weight": float(W.data.max()) if W.nnz else None,
        "names": graph.names,
        "attributes": list(graph.attributes) or None,
    }
    return measured | {name: value for name, value in graph.info.items() if name not in measured}
