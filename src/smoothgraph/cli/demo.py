"""``smoothgraph demo``."""

from pathlib import Path
from typing import Annotated

import typer

from smoothgraph.cli.output import Output
from smoothgraph.progress import busy


def demo(
    *,
    output: Output,
    folder: Annotated[Path, typer.Option(help="Where the graph and its picture go.")] = Path(
        "demo"
    ),
    edges_per_node: Annotated[float, typer.Option(help="The mean number of neighbours.")] = 10.0,
) -> None:
    """Learn the graph of scikit-learn's 1797 handwritten digits."""
    from smoothgraph.demo import run  # deferred: the other commands need not import it

    with busy("Learning the graph of the digits and drawing it"):
        result = run(folder, edges_per_node)
    solution = result.solution
    output.facts(
        "The graph of the digits",
        {
            "nodes": solution.problem.edges.n_nodes,
            "edges": solution.n_edges,
            "edges_per_node": solution.edges_per_node,
            "components": solution.n_components,
            "isolated_nodes": solution.n_isolated,
            "relative_duality_gap": solution.gap,
            "theta": result.theta,
            "seconds": result.seconds,
            "written": str(result.graph),
            "picture": str(result.picture),
        },
    )
