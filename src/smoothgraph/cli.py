"""The command line."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

app = typer.Typer(
    name="smoothgraph",
    help="Learn a sparse weighted graph from data that is smooth over it.",
    no_args_is_help=True,
    add_completion=True,
)


@app.callback()
def _main() -> None:
    """Learn a sparse weighted graph from data that is smooth over it."""


@app.command()
def demo(
    folder: Annotated[Path, typer.Option(help="Where the graph and its picture go.")] = Path(
        "demo"
    ),
    edges_per_node: Annotated[float, typer.Option(help="Mean number of neighbours.", min=1)] = 10.0,
) -> None:
    """Learn the graph of scikit-learn's 1797 handwritten digits."""
    from smoothgraph.demo import run  # deferred: the other commands need not import it

    console = Console()
    with console.status("Learning the graph of the digits and drawing it ..."):
        result = run(folder, edges_per_node)
    solution = result.solution
    table = Table(title="The graph of the digits", show_header=False)
    for name, value in [
        ("nodes", f"{solution.problem.edges.n_nodes}"),
        ("edges", f"{solution.n_edges}"),
        ("edges per node", f"{solution.edges_per_node:.2f}"),
        ("components", f"{solution.n_components}"),
        ("isolated nodes", f"{solution.n_isolated}"),
        ("relative duality gap", f"{solution.gap:.1e}"),
        ("theta", f"{result.theta:.4g}"),
        ("seconds", f"{result.seconds:.2f}"),
        ("graph", str(result.graph)),
        ("picture", str(result.picture)),
    ]:
        table.add_row(name, value)
    console.print(table)


@app.command()
def version() -> None:
    """Print the version."""
    from smoothgraph import __version__

    typer.echo(__version__)
