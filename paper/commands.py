"""The command line: ``python -m paper reproduce``, ``compare``, ``graphs``, ``large-scale`` and ``pages``."""

from pathlib import Path
from typing import Annotated, Any

import typer

from paper.comparison.compare import WEATHER, compare, read_recovery, read_weather, write_pages
from paper.comparison.method_grids import METHODS
from paper.comparison.recovery_tables import overview, read_results
from paper.comparison.weather_page import describe_stations, weather_page_name
from paper.graphs.graph_page import main_data
from paper.graphs.graph_tables import facts_of_ranks
from paper.graphs.labeled_data import NAMES
from paper.graphs.labeled_data import PUBLISHED_DRAWS_OF as LARGEST
from paper.graphs.run_graphs import compare_graphs, find_missing, read_graphs, write_all_graph_pages
from paper.large_scale.run_large import run_large_scale, write_page_on_many_nodes
from paper.reproduction.registry import ENTRIES
from paper.reproduction.report import judge, reproduce, write_report
from paper.results import ResultsFolder
from smoothgraph.cli.command_runner import wrap_command
from smoothgraph.cli.output_options import OutputOptions
from smoothgraph.cli.worker_options import WorkerOptions
from smoothgraph.support.input_error import InputError

_ALL = "all"

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Reproduce the paper, and compare its method with others.",
)

Jobs = Annotated[int, typer.Option(help="Processes without Dask workers; -1 is one per core.")]


def _data_option(files: str) -> Any:
    return typer.Option(help=f"Folder with {files}; Dask workers must see it, too.", envvar="SMOOTHGRAPH_DATA")


def _reproduce(
    names: Annotated[list[str], typer.Argument(help=f"{_ALL}, or any of: {' '.join(ENTRIES)}.", metavar="NAMES")],
    *,
    quick: Annotated[bool, typer.Option("--quick", help="Small sizes, less than a minute each.")] = False,
    out: Annotated[Path, typer.Option(help="Folder for the results and the report.")] = Path("reproduction"),
    data_dir: Annotated[Path | None, _data_option("usps.npz, mnist.npz and coil20_32.npz")] = None,
    jobs: Jobs = -1,
    cluster: WorkerOptions,
    output: OutputOptions,
) -> None:
    """Run the experiments of the paper, and set our numbers beside the paper's.

    A run that was stopped continues where it was. Results that the present code has computed are
    not computed again. The report is written after each experiment.
    """
    chosen = _choose(names, [_ALL, *ENTRIES])
    if _ALL in chosen:
        chosen = list(ENTRIES)
    folder = ResultsFolder(out, quick)
    rows = []
    try:
        with cluster.connect():
            for name, summary in reproduce(chosen, folder, data_dir=data_dir, n_jobs=jobs):
                claims = judge(name, summary)
                met = sum(claim.reproduced for claim in claims)
                rows.append(
                    {
                        "experiment": name,
                        "seconds_of_work": round(summary["seconds_of_work"]),
                        "statements_reproduced": f"{met} of {len(claims)}" if claims else "",
                    }
                )
    finally:
        if rows:
            output.print_facts("The paper, reproduced", rows)
    notes = ["Quick sizes are too small for some statements."] if quick else []
    output.print_notes([*notes, f"See {out / folder.page}.md."])


def _compare(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            help=f"Any of: {' '.join(METHODS)}, and {WEATHER}. Without names, all methods.", metavar="NAMES"
        ),
    ] = None,
    *,
    quick: Annotated[bool, typer.Option("--quick", help="One draw and few parameters: a minute or two.")] = False,
    out: Annotated[Path, typer.Option(help="Folder for the results and the pages.")] = Path("comparison"),
    data_dir: Annotated[Path | None, _data_option("molene.npz, for weather")] = None,
    jobs: Jobs = -1,
    cluster: WorkerOptions,
    output: OutputOptions,
) -> None:
    """Compare all methods on the paper's artificial data, or on weather stations.

    Each method recovers four kinds of graphs from three kinds of signals, at the best of its
    parameters. The page shows quality, density, time and certificate of all methods that the
    folder has results of. The name weather stands for graphs of weather stations, which all
    methods learn and the page compares with the map. A run that was stopped continues where it
    was, and results that the present code has computed are not computed again.
    """
    chosen = _choose(names or list(METHODS), [*METHODS, WEATHER])
    folder = ResultsFolder(out, quick)
    with cluster.connect():
        for _ in compare(chosen, folder, data_dir=data_dir, n_jobs=jobs):
            pass
    pages = []
    if set(chosen) - {WEATHER}:
        output.print_facts("All methods, side by side", _overview_rows(folder))
        pages.append(folder.page)
    if WEATHER in chosen:
        summary = read_weather(folder).summaries[WEATHER]
        output.print_facts("Weather stations", describe_stations(summary["results"]))
        pages.append(weather_page_name(folder))
    output.print_notes([f"See {out / page}.md." for page in pages])


def _graphs(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            help=f"Any of: {' '.join(NAMES)}. Without names, all that are there but {LARGEST}.", metavar="DATA"
        ),
    ] = None,
    *,
    quick: Annotated[bool, typer.Option("--quick", help="300 nodes, few draws: a minute per data set.")] = False,
    out: Annotated[Path, typer.Option(help="Folder for the results and the pages.")] = Path("graphs"),
    data_dir: Annotated[
        Path | None, _data_option("usps.npz, mnist.npz, coil20_32.npz, pbmc68k_reduced.npz and mnist_label_draws.npz")
    ] = None,
    jobs: Jobs = -1,
    cluster: WorkerOptions,
    output: OutputOptions,
) -> None:
    """Compare graphs of labeled data by what they are good for: labels from few known ones, and clusters.

    Every graph is made at several densities. A run that was stopped continues where it was, and results that the
    present code has computed are not computed again. The pages are written after each data set.
    """
    chosen = _choose(names or [name for name in NAMES if name != LARGEST], list(NAMES))
    missing = find_missing(chosen, data_dir)
    if names and missing:
        raise InputError("; ".join(missing.values()))
    output.print_notes([f"{name} is left out: {why}" for name, why in missing.items()])
    folder = ResultsFolder(out, quick)
    with cluster.connect():
        for _ in compare_graphs(
            [name for name in chosen if name not in missing], folder, data_dir=data_dir, n_jobs=jobs
        ):
            pass
    output.print_facts("Mean ranks of graphs, by task", facts_of_ranks(main_data(read_graphs(folder).summaries)))
    output.print_notes([f"See {out / folder.page}.md."])


def _large_scale(
    *,
    quick: Annotated[bool, typer.Option("--quick", help="At most 1000 nodes, less than a minute.")] = False,
    out: Annotated[Path, typer.Option(help="Folder for the results and the page.")] = Path("large-scale"),
    data_dir: Annotated[Path | None, _data_option("mnist.npz")] = None,
    output: OutputOptions,
) -> None:
    """Measure what a graph on nearest neighbors misses, and how long exact graphs of many nodes take.

    A run that was stopped continues where it was. One fit runs at a time.
    """
    folder = ResultsFolder(out, quick)
    run_large_scale(folder, data_dir=data_dir)
    output.print_notes([f"See {out / folder.page}.md."])


def _pages(docs: Annotated[Path, typer.Argument(help="Folder with the folders of results.")] = Path("docs")) -> None:
    """Write the pages of the documentation from the results beside them.

    Nothing is computed. Results of an earlier version of the code are marked.
    """
    write_report(ResultsFolder(docs / "reproduction"))
    write_pages(ResultsFolder(docs / "comparison"))
    write_all_graph_pages(ResultsFolder(docs / "graphs"))
    write_page_on_many_nodes(ResultsFolder(docs / "large-scale"))


def _choose(names: list[str], known: list[str]) -> list[str]:
    """Return the known names that were given, in any case; a ValueError names the others."""
    given = {name.lower() for name in names}
    unknown = [name for name in names if name.lower() not in {one.lower() for one in known}]
    if unknown:
        raise InputError(f"Expected any of {', '.join(known)}, got {', '.join(unknown)}.")
    return [name for name in known if name.lower() in given]


def _overview_rows(folder: ResultsFolder) -> list[dict[str, Any]]:
    """Return one row per method in the folder, and whether the present code computed it."""
    summaries, outdated = read_recovery(folder)
    earlier = {METHODS[name].title for name in outdated}
    rows = overview(read_results(summaries))
    return [row | {"code": "earlier" if row["method"] in earlier else "present"} for row in rows]


def _examples(*lines: str) -> str:
    return "\n\n".join(["Examples:", *lines])


app.command(
    "reproduce",
    epilog=_examples(
        "python -m paper reproduce table2 --quick", "python -m paper reproduce all --data-dir ~/data --out reproduction"
    ),
)(wrap_command(_reproduce))
app.command(
    "compare",
    epilog=_examples(
        "python -m paper compare --quick",
        "python -m paper compare log-degree l2-degree lake-tenenbaum --out comparison",
        "python -m paper compare weather --data-dir ~/data",
    ),
)(wrap_command(_compare))
app.command(
    "graphs",
    epilog=_examples("python -m paper graphs digits --quick", "python -m paper graphs --data-dir ~/data --out graphs"),
)(wrap_command(_graphs))
app.command(
    "large-scale",
    epilog=_examples("python -m paper large-scale --quick", "python -m paper large-scale --data-dir ~/data"),
)(wrap_command(_large_scale))
app.command("pages", epilog=_examples("python -m paper pages docs"))(wrap_command(_pages))
