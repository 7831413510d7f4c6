"""``smoothgraph compare``."""

from pathlib import Path
from typing import Annotated

import typer

from smoothgraph.cli.cluster import ClusterOptions
from smoothgraph.cli.output import Output


def compare(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            help="Any of: log-degree l2-degree GL-SigRep doubly-stochastic lake-tenenbaum "
            "combinatorial graphical-lasso daitch linear-neighborhoods k-NN epsilon gaussian umap, "
            "and weather. All methods that are installed if nothing is named.",
            metavar="NAMES",
        ),
    ] = None,
    *,
    quick: Annotated[
        bool, typer.Option("--quick", help="One draw and few parameters: a minute or two.")
    ] = False,
    folder: Annotated[Path, typer.Option("--out", help="Where results and pages go.")] = Path(
        "comparison"
    ),
    data_dir: Annotated[
        Path | None,
        typer.Option(
            help="Folder with molene.npz, for weather; Dask workers must see it, too.",
            envvar="SMOOTHGRAPH_DATA",
        ),
    ] = None,
    jobs: Annotated[
        int, typer.Option(help="Processes without Dask workers; -1 is one per core.")
    ] = -1,
    cluster: ClusterOptions,
    output: Output,
) -> None:
    """Set all methods side by side on the paper's artificial settings.

    Each recovers four kinds of graphs from three kinds of signals, at the best of its parameters:
    quality, density, time and certificate. A run that was stopped goes on where it was. The page is
    written anew after each method, of all methods that the folder has results of. The name weather
    stands for the graphs that all methods learn of weather stations, held against the map.
    """
    from paper.comparison.compare import (
        WEATHER,
        page_name,
        summaries_in,
        weather_in,
        weather_name,
    )
    from paper.comparison.compare import compare as run  # deferred: it imports much
    from paper.comparison.methods import METHODS
    from paper.comparison.tables import overview
    from paper.comparison.weather_page import stations

    known = {name.lower(): name for name in (*METHODS, WEATHER)}
    unknown = [name for name in names or [] if name.lower() not in known]
    if unknown:
        raise ValueError(
            f"Nothing is called {', '.join(unknown)}; there are: {', '.join(known.values())}."
        )
    missing = {name: m.package for name, m in METHODS.items() if not m.is_installed}
    if not names:
        output.notes([f"{name} is left out: it needs {missing[name]}." for name in missing])
        names = [name for name in METHODS if name not in missing]
    chosen = [name for low, name in known.items() if low in {name.lower() for name in names}]
    with cluster.connected():
        for _ in run(chosen, folder, quick=quick, data_dir=data_dir, n_jobs=jobs):
            pass
    pages = []
    if set(chosen) - {WEATHER}:
        summaries = summaries_in(folder, quick=quick)
        results = {name: summary["results"] for name, summary in summaries.items()}
        output.rows("All methods, side by side", overview(results))
        pages.append(page_name(quick=quick))
    if WEATHER in chosen:
        output.rows("Weather stations", stations(weather_in(folder, quick=quick)["results"]))
        pages.append(weather_name(quick=quick))
    output.notes([f"See {folder / page}.md." for page in pages])
