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
def reproduce(
    names: Annotated[
        list[str],
        typer.Argument(
            help="all, or any of: table2 table4 choices filters signals usps mnist coil20 timing."
        ),
    ],
    quick: Annotated[
        bool, typer.Option("--quick", help="Small sizes, each under a minute.")
    ] = False,
    folder: Annotated[Path, typer.Option("--out", help="Where results and report go.")] = Path(
        "reproduction"
    ),
    data_dir: Annotated[
        Path | None,
        typer.Option(
            help="Folder with usps.npz, mnist.npz and coil20_32.npz.", envvar="SMOOTHGRAPH_DATA"
        ),
    ] = None,
    jobs: Annotated[int, typer.Option(help="Processes; -1 is one per core.")] = -1,
) -> None:
    """Run the experiments of the paper and set our numbers beside its own.

    A run that was stopped goes on where it was. The report is written anew after each experiment.

    Examples: smoothgraph reproduce table2 --quick;
    smoothgraph reproduce all --data-dir ~/data --out reproduction
    """
    from smoothgraph.experiments.claims import claims_of  # deferred, as above
    from smoothgraph.experiments.registry import EXPERIMENTS
    from smoothgraph.experiments.reproduce import reproduce as run

    unknown = sorted(set(names) - {"all", *EXPERIMENTS})
    if unknown:
        raise typer.BadParameter(
            f"no experiment is called {', '.join(unknown)}; "
            f"there are: all, {', '.join(EXPERIMENTS)}."
        )
    chosen = [name for name in EXPERIMENTS if name in names or "all" in names]
    console = Console()
    table = Table(title="The paper, reproduced")
    for column in ("experiment", "seconds of work", "statements reproduced"):
        table.add_column(column, justify="left" if column == "experiment" else "right")
    try:
        for name, summary in run(chosen, folder, quick=quick, data_dir=data_dir, n_jobs=jobs):
            claims = claims_of(name, summary["results"])
            met = sum(claim.reproduced for claim in claims)
            table.add_row(
                name,
                f"{summary['seconds_of_work']:.0f}",
                f"{met} of {len(claims)}" if claims else "",
            )
    except (OSError, ValueError, ImportError) as error:
        typer.echo(f"Error: {error}", err=True)
        raise typer.Exit(2) from error
    finally:
        if table.row_count:
            console.print(table)
    console.print(f"Report: {folder / ('quick.md' if quick else 'index.md')}")


@app.command()
def version() -> None:
    """Print the version."""
    from smoothgraph import __version__

    typer.echo(__version__)
