"""``smoothgraph report``."""

from pathlib import Path
from typing import Annotated

import typer

from smoothgraph import __version__
from smoothgraph.cli.data import DataOptions
from smoothgraph.cli.files import check_outputs
from smoothgraph.cli.model import Densities, ModelOptions, learned_path
from smoothgraph.cli.output import Output, shown
from smoothgraph.progress import busy

_MOST_COLUMNS = 50  # to colour by


def report(
    *,
    data: DataOptions,
    model: ModelOptions,
    output: Output,
    densities: Densities = None,
    out: Annotated[
        Path, typer.Option(help="The page to write.", rich_help_panel="What is written")
    ] = Path("report.html"),
) -> None:
    """Write a page to explore the graph in a browser: one file, which works offline."""
    check_outputs(data.file, out)
    nodes, graphs = learned_path(data, model, densities)
    from smoothgraph.report import write_report  # deferred: the layout is compiled

    settings = model.settings(data) | {"smoothgraph": __version__}
    with busy("Writing the report"):
        write_report(
            out,
            graphs,
            names=nodes.names,
            attributes=nodes.attributes | nodes.signals(_MOST_COLUMNS),
            positions=nodes.positions,
            title=data.title,
            settings={name.replace("_", " "): shown(value) for name, value in settings.items()},
        )
    output.notes(nodes.notes)
    output.facts(
        "The report",
        {
            "nodes": graphs[0].adjacency_.shape[0],
            "densities": ", ".join(f"{graph.edges_per_node_:.3g}" for graph in graphs),
            "written": str(out),
        },
    )
