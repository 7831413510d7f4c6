"""The program: its commands, in the order in which its help lists them."""

from collections.abc import Callable
from typing import Annotated

import typer

from smoothgraph.cli.check_command import check
from smoothgraph.cli.cluster_command import cluster
from smoothgraph.cli.command_runner import wrap_command
from smoothgraph.cli.demo_command import demo
from smoothgraph.cli.densities_command import densities
from smoothgraph.cli.diff_command import diff
from smoothgraph.cli.draw_command import draw
from smoothgraph.cli.graph_file_commands import convert, info
from smoothgraph.cli.join_command import join
from smoothgraph.cli.learn_command import learn
from smoothgraph.cli.propagate_command import propagate
from smoothgraph.cli.report_command import report
from smoothgraph.cli.sample_command import sample
from smoothgraph.cli.stability_command import stability
from smoothgraph.cli.windows_command import windows

app = typer.Typer(
    name="smoothgraph",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 success, 1 bug in the program, 2 a file or an option must be corrected, "
    "130 stopped by Ctrl-C.",
)


def version() -> None:
    """Print the version."""
    from smoothgraph import __version__

    typer.echo(__version__)


def _print_version(wanted: bool) -> None:  # noqa: FBT001 (Typer's callbacks get it so)
    if wanted:
        version()
        raise typer.Exit


@app.callback()
def _main(
    *,
    _: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Learn a sparse weighted graph from data that is smooth over it."""


_EXAMPLES: dict[Callable[..., None], tuple[str, ...]] = {
    learn: (
        "smoothgraph learn flowers.csv --label species --out graph.graphml --picture graph.png",
        "smoothgraph learn sensors.csv --nodes columns --standardize -k 4 --node-table places.csv --picture map.png",
        "smoothgraph learn sensors.csv --nodes columns --standardize -k 4 --prior known.graphml --out near.graphml",
        "cat table.csv | smoothgraph learn - --out - > edges.csv",
    ),
    check: ("smoothgraph check measurements.csv", "smoothgraph check sensors.csv --nodes columns --json"),
    densities: ("smoothgraph densities flowers.csv --densities 2,4,8,16 --picture densities.png",),
    report: (
        "smoothgraph report flowers.csv --label species --out flowers.html",
        "smoothgraph report molene.npz --coordinates latlon",
        "smoothgraph report graph.graphml --title 'My graph'",
    ),
    draw: (
        "smoothgraph draw graph.graphml --label species --out graph.pdf --size 180mm",
        "smoothgraph draw stations.npz --coordinates lat,lon --palette okabe-ito --title Stations",
    ),
    stability: (
        "smoothgraph stability sensors.csv --nodes columns --standardize -k 4 --out edges.csv",
        "smoothgraph stability flowers.csv --resamples 50 --out-shares shares.graphml",
    ),
    windows: (
        "smoothgraph windows sensors.csv --nodes columns --standardize --every quarter -k 4 --report windows.html",
        "smoothgraph windows stocks.csv --nodes columns --log-returns --standardize --every 24 -k 3",
    ),
    join: ("smoothgraph join sensors.csv more-sensors.csv --nodes columns --standardize -k 4 --out more.graphml",),
    cluster: ("smoothgraph cluster graph.graphml --clusters 3 --out clusters.csv",),
    propagate: (
        "smoothgraph propagate graph.graphml --labels species --out labels.csv",
        "smoothgraph propagate graph.graphml --labels kind --node-table known.csv --out labels.csv",
    ),
    diff: ("smoothgraph diff before.graphml after.graphml --out changes.csv --picture changes.png",),
    info: ("smoothgraph info graph.graphml", "smoothgraph info graph.npz --json"),
    convert: ("smoothgraph convert graph.npz graph.gexf", "smoothgraph convert graph.npz - --to csv | head"),
    sample: (
        "smoothgraph sample",
        "smoothgraph sample flowers",
        "smoothgraph sample wine --out - | smoothgraph learn -",
    ),
    demo: ("smoothgraph demo --edges-per-node 6",),
    version: ("smoothgraph version",),
}
for body, examples in _EXAMPLES.items():
    app.command(epilog="\n\n".join(("Examples:", *examples)))(wrap_command(body))
