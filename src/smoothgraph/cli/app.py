"""The program: its commands in the order of its help."""

from collections.abc import Callable
from typing import Annotated

import typer

from smoothgraph.cli.convert import convert
from smoothgraph.cli.demo import demo
from smoothgraph.cli.info import info
from smoothgraph.cli.learn import learn
from smoothgraph.cli.path import path
from smoothgraph.cli.report import report
from smoothgraph.cli.running import command
from smoothgraph.cli.version import version

app = typer.Typer(
    name="smoothgraph",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 done, 1 an error of the program itself, 2 something in a file or an "
    "option has to change, 130 stopped by Ctrl-C.",
)


def _print_version(wanted: bool) -> None:  # noqa: FBT001 (of Typer's callbacks)
    if wanted:
        version()
        raise typer.Exit


@app.callback()
def _main(
    *,
    _: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    """Learn a sparse weighted graph from data that is smooth over it."""


def _examples(*lines: str) -> str:
    """The end of a command's help, one example a line."""
    return "\n\n".join(["Examples:", *lines])


_COMMANDS: dict[Callable[..., None], tuple[str, ...]] = {
    learn: (
        "smoothgraph learn flowers.csv --label species --out graph.graphml --picture graph.png",
        "smoothgraph learn sensors.csv --nodes columns --standardize --edges-per-node 4",
        "cat table.csv | smoothgraph learn - --out - > edges.csv",
    ),
    path: ("smoothgraph path flowers.csv --densities 2,4,8,16 --picture path.png",),
    report: (
        "smoothgraph report flowers.csv --label species --out flowers.html",
        "smoothgraph report molene.npz --coordinates latlon",
    ),
    info: ("smoothgraph info graph.graphml", "smoothgraph info graph.npz --json"),
    convert: (
        "smoothgraph convert graph.npz graph.gexf",
        "smoothgraph convert graph.npz - --to csv | head",
    ),
    demo: ("smoothgraph demo --edges-per-node 6",),
    version: ("smoothgraph version",),
}
for body, examples in _COMMANDS.items():
    app.command(epilog=_examples(*examples))(command(body))
