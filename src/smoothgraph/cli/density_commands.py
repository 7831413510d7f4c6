"""``smoothgraph path`` and ``smoothgraph report``: commands that learn graphs at several densities."""

from pathlib import Path
from typing import Annotated

import typer

from smoothgraph.cli.data_options import DataOptions
from smoothgraph.cli.model_options import Densities, DensitiesOrAuto, ModelOptions
from smoothgraph.cli.output_options import OutputOptions, format_value
from smoothgraph.cli.target_options import check_targets, target_option
from smoothgraph.support.input_error import InputError

_CONSTANT_FACTS = ("nodes", "pairs")  # the same at every density
_MOST_COLUMNS = 50  # in the menu of the colors


def path(
    *,
    data: DataOptions,
    model: ModelOptions,
    output: OutputOptions,
    densities: Densities = None,
    out: Annotated[
        str | None, target_option("--out", "-o", help="A CSV file for the table, or - for standard output.")
    ] = None,
    picture: Annotated[
        Path | None,
        target_option(help="Plot components, isolated nodes and edges against the density: .png, .svg or .pdf."),
    ] = None,
) -> None:
    """Learn graphs at several densities, to choose one."""
    check_targets(data.file, out, suffixes=(".csv",), picture=picture)
    output.check_stdout(out)
    from smoothgraph.cli.graph_summary import summarize
    from smoothgraph.io import atomic_write

    nodes = data.read(model.metric)
    output.print_notes(nodes.notes)
    graphs = model.learn_path(nodes, densities)
    rows = [
        {name: value for name, value in summarize(graph).items() if name not in _CONSTANT_FACTS} for graph in graphs
    ]
    if out is not None:
        import pandas as pd

        table = pd.DataFrame(rows).to_csv(index=False, lineterminator="\n")
        if out == "-":
            typer.echo(table, nl=False)
        else:
            with atomic_write(out) as temporary:
                temporary.write_text(table, encoding="utf-8", newline="")
    if picture is not None:
        from smoothgraph.viz import draw_path, save_picture

        save_picture(picture, draw_path(graphs))
    output.print_facts(f"Graphs of {data.title}", rows, to_stderr=out == "-")


def report(
    *,
    data: DataOptions,
    model: ModelOptions,
    output: OutputOptions,
    densities: DensitiesOrAuto = None,
    out: Annotated[Path, target_option("--out", "-o", help="The HTML file.")] = Path("report.html"),
) -> None:
    """Write one HTML file, which works offline, to explore the graph in a browser."""
    check_targets(data.file, out, suffixes=(".html", ".htm"))
    nodes = data.read(model.metric)
    output.print_notes(nodes.notes)
    from smoothgraph.support.progress import spinner
    from smoothgraph.viz.html_report import MOST_EDGES, MOST_NODES, write_report

    n_nodes = nodes.values.shape[0]
    if n_nodes > MOST_NODES:
        raise InputError(
            f"{data.title}: expected at most {MOST_NODES} nodes for a report, got {n_nodes}; "
            "select some of them, or use smoothgraph learn --picture."
        )
    graphs = model.learn_path_or_auto(nodes, densities, most=MOST_EDGES / n_nodes)
    settings = model.describe(data, graphs[0])
    if hasattr(graphs[0], "density_choice_"):
        settings["density_choice"] = str(graphs[0].density_choice_)
    aside = {name: values for name, values in nodes.attributes.items() if values.ndim == 1}
    with spinner("Writing the report"):
        write_report(
            out,
            graphs,
            names=nodes.names,
            attributes=nodes.classes | nodes.signals(_MOST_COLUMNS) | aside,
            positions=nodes.positions,
            title=data.title,
            settings={name.replace("_", " "): format_value(value) for name, value in settings.items()},
        )
    facts = {
        "nodes": n_nodes,
        "densities": ", ".join(f"{graph.edges_per_node_:.3g}" for graph in graphs),
        "written": str(out),
    }
    output.print_facts("The report", facts)
