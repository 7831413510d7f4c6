"""``smoothgraph reproduce``."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from smoothgraph.cli.cluster import ClusterOptions


def reproduce(
    names: Annotated[
        list[str],
        typer.Argument(
            help="all, or any of: table2 table4 choices filters signals usps mnist coil20 timing."
        ),
    ],
    *,
    quick: Annotated[
        bool, typer.Option("--quick", help="Small sizes, each under a minute.")
    ] = False,
    folder: Annotated[Path, typer.Option("--out", help="Where results and report go.")] = Path(
        "reproduction"
    ),
    data_dir: Annotated[
        Path | None,
        typer.Option(
            help="Folder with usps.npz, mnist.npz and coil20_32.npz; "
            "Dask workers must see it, too.",
            envvar="SMOOTHGRAPH_DATA",
        ),
    ] = None,
    jobs: Annotated[
        int, typer.Option(help="Processes without Dask workers; -1 is one per core.")
    ] = -1,
    cluster: ClusterOptions,
) -> None:
    """Run the experiments of the paper and set our numbers beside its own.

    A run that was stopped goes on where it was. The report is written anew after each experiment.
    """
    from paper.experiments.claims import claims_of  # deferred: the experiments import much
    from paper.experiments.registry import EXPERIMENTS
    from paper.experiments.reproduce import reproduce as run

    unknown = sorted(set(names) - {"all", *EXPERIMENTS})
    if unknown:
        raise ValueError(
            f"No experiment is called {', '.join(unknown)}; "
            f"there are: all, {', '.join(EXPERIMENTS)}."
        )
    chosen = [name for name in EXPERIMENTS if name in names or "all" in names]
    console = Console()
    table = Table(title="The paper, reproduced")
    for column in ("experiment", "seconds of work", "statements reproduced"):
        table.add_column(column, justify="left" if column == "experiment" else "right")
    try:
        with cluster.connected():
            for name, summary in run(chosen, folder, quick=quick, data_dir=data_dir, n_jobs=jobs):
                claims = claims_of(name, summary["results"])
                met = sum(claim.reproduced for claim in claims)
                table.add_row(
                    name,
                    f"{summary['seconds_of_work']:.0f}",
                    f"{met} of {len(claims)}" if claims else "",
                )
    finally:
        if table.row_count:
            console.print(table)
    if quick:
        console.print("Quick sizes are too small for some statements.")
    console.print(f"Report: {folder / ('quick.md' if quick else 'index.md')}")
