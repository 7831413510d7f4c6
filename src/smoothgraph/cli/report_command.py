"""``smoothgraph report``."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from smoothgraph.cli.data_options import DataOptions
from smoothgraph.cli.model_options import Densities, ModelOptions, parse_densities
from smoothgraph.cli.output_options import OutputOptions, format_value
from smoothgraph.cli.target_options import TARGETS_PANEL, check_targets

if TYPE_CHECKING:
    from smoothgraph.cli.table_nodes import Nodes

_MOST_COLUMNS = 50  # in the menu of the colors


def report(
    *,
    data: DataOptions,
    model: ModelOptions,
    output: OutputOptions,
    densities: Densities = None,
    out: Annotated[Path, typer.Option("--out", "-o", help="The HTML file.", rich_help_panel=TARGETS_PANEL)] = Path(
        "report.html"
    ),
) -> None:
    """Write one HTML file, which works offline, to explore the graph in a browser."""
    check_targets(data.file, out, suffixes=(".html", ".htm"))
    nodes = data.read()
    output.print_notes(nodes.notes)
    from smoothgraph.support.progress import spinner
    from smoothgraph.viz.html_report import MOST_EDGES, MOST_NODES, write_report

    n_nodes = nodes.values.shape[0]
    if n_nodes > MOST_NODES:
        raise ValueError(
            f"{data.title}: expected at most {MOST_NODES} nodes for a report, got {n_nodes}; "
            "select some of them, or use smoothgraph learn --picture."
        )
    wanted = parse_densities(densities, n_nodes, most=MOST_EDGES / n_nodes)
    graphs = model.learn_path(nodes, wanted)
    settings = model.describe(data).items()
    with spinner("Writing the report"):
        write_report(
            out,
            graphs,
            names=nodes.names,
            attributes=_choose_attributes(nodes),
            positions=nodes.positions,
            title=data.title,
            settings={name.replace("_", " "): format_value(value) for name, value in settings},
        )
    facts = {
        "nodes": n_nodes,
        "densities": ", ".join(f"{graph.edges_per_node_:.3g}" for graph in graphs),
        "written": str(out),
    }
    output.print_facts("The report", facts)


def _choose_attributes(nodes: "Nodes") -> dict[str, Any]:
    """Return what nodes can be colored by: the label, the signals, the columns set aside."""
    label = {} if nodes.label is None else {nodes.label: nodes.attributes[nodes.label]}
    aside = {name: values for name, values in nodes.attributes.items() if values.ndim == 1}
    return label | nodes.signals(_MOST_COLUMNS) | aside
