"""``smoothgraph report``."""

from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from smoothgraph.cli.data import DataOptions
from smoothgraph.cli.files import check_outputs
from smoothgraph.cli.model import Densities, ModelOptions, wanted_densities
from smoothgraph.cli.nodes import Nodes
from smoothgraph.cli.output import Output, shown
from smoothgraph.support.progress import busy

_MOST_COLUMNS = 50  # to colour by


def report(
    *,
    data: DataOptions,
    model: ModelOptions,
    output: Output,
    densities: Densities = None,
    out: Annotated[
        Path,
        typer.Option("--out", "-o", help="The page to write.", rich_help_panel="What is written"),
    ] = Path("report.html"),
) -> None:
    """Write a page to explore the graph in a browser: one file, which works offline."""
    check_outputs(data.file, out, suffixes=(".html", ".htm"))
    nodes = data.read()
    output.notes(nodes.notes)
    from smoothgraph.viz.html_report import (  # deferred: scikit-learn
        MOST_EDGES,
        MOST_NODES,
        write_report,
    )

    n_nodes = nodes.values.shape[0]
    if n_nodes > MOST_NODES:
        raise ValueError(
            f"{data.title}: a report shows at most {MOST_NODES} nodes, got {n_nodes}; take some of "
            "them, or use smoothgraph learn --picture."
        )
    graphs = model.path(nodes, wanted_densities(densities, n_nodes, most=MOST_EDGES / n_nodes))
    settings = model.settings(data)
    with busy("Writing the report"):
        write_report(
            out,
            graphs,
            names=nodes.names,
            attributes=_attributes(nodes),
            positions=nodes.positions,
            title=data.title,
            settings={name.replace("_", " "): shown(value) for name, value in settings.items()},
        )
    output.facts(
        "The report",
        {
            "nodes": n_nodes,
            "densities": ", ".join(f"{graph.edges_per_node_:.3g}" for graph in graphs),
            "written": str(out),
        },
    )


def _attributes(nodes: Nodes) -> dict[str, np.ndarray]:
    """What to colour by: the label first, then the signals, then what was set aside."""
    label = {} if nodes.label is None else {nodes.label: nodes.attributes[nodes.label]}
    aside = {name: values for name, values in nodes.attributes.items() if values.ndim == 1}
    return label | nodes.signals(_MOST_COLUMNS) | aside
