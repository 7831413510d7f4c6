"""``smoothgraph report``: a page about the graphs of a table, or about a graph that has been learned before."""

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any

import typer

from smoothgraph.cli.data_options import DataOptions, option_of
from smoothgraph.cli.model_options import DensitiesOrAuto, ModelOptions
from smoothgraph.cli.output_options import OutputOptions, format_value
from smoothgraph.cli.picture_options import LookOptions
from smoothgraph.cli.target_options import Force, check_suffix, check_targets, target_option
from smoothgraph.support.input_error import InputError
from smoothgraph.support.progress import spinner

_DENSITY_OF_MANY = "10"  # edges per node of a graph that is shown by regions: several would take long
_FOR_GRAPHS = ("names", "label", "coordinates", "format")  # options that describe nodes of a graph, too


@dataclass(frozen=True)
class PageOptions(LookOptions):
    """The texts and colors of the page, and what it says of the edges."""

    notes: Annotated[
        str | None, typer.Option(help="A text for the page.", rich_help_panel="Look", show_default=False)
    ] = None
    stability: Annotated[
        str | None,
        typer.Option(
            metavar="GRAPH",
            help="A graph file whose weights are the shares of resamples in which edges came back "
            "(stability --out-shares).",
        ),
    ] = None

    def read(self, title: str) -> dict[str, Any]:
        """Return the arguments of the report; without a title of its own, ``title`` names it."""
        page: dict[str, Any] = {"palette": self.palette, "notes": self.notes or "", "title": self.title or title}
        if self.stability is not None:
            from smoothgraph.cli.graph_nodes import read_graph_file

            page["stability"] = read_graph_file(
                self.stability, None
            )  # its nodes are in the order of those of the graph
        return page


def report(
    *,
    data: DataOptions,
    model: ModelOptions,
    densities: DensitiesOrAuto = None,
    look: PageOptions,
    output: OutputOptions,
    out: Annotated[Path, target_option("--out", "-o", help="The HTML file.")] = Path("report.html"),
    force: Force = False,
) -> None:
    """Write one HTML file, which works offline, to explore the graph of a table or of a graph file in a browser."""
    check_targets([*data.sources, look.stability], out, force=force)
    check_suffix(out, ".html", ".htm")
    look.check_look()
    from smoothgraph.io.errors import GraphFoundError

    page = look.read(data.title)
    try:
        if Path(data.file).is_dir():  # a graph in parts
            raise GraphFoundError("expected a table, got a folder")
        nodes = data.read(model.metric)
    except GraphFoundError:
        if data.file == "-":
            raise
        _refuse_learning(data, model, densities)
        facts = _report_graph(data, out, page)
    else:
        output.print_notes(nodes.notes)
        facts = _report_table(nodes, data, model, densities, out, page)
    output.print_facts("The report", facts)


def _report_table(  # noqa: PLR0917
    nodes: Any, data: DataOptions, model: ModelOptions, densities: str | None, out: Path, page: dict[str, Any]
) -> dict[str, Any]:
    """Learn the graphs of a table, write the report, and return the summary."""
    from smoothgraph.viz.html_report import MOST_EDGES, MOST_NODES, write_report

    n_nodes = nodes.values.shape[0]
    if n_nodes > MOST_NODES and densities is None:
        densities = _DENSITY_OF_MANY
    graphs = model.learn_path_or_auto(nodes, densities, most=MOST_EDGES / n_nodes)
    settings = model.describe(data, graphs[0])
    if hasattr(graphs[0], "density_choice_"):
        settings["density_choice"] = str(graphs[0].density_choice_)
    with spinner("Writing the report"):
        write_report(
            out,
            graphs,
            names=nodes.names,
            attributes=nodes.shown_attributes(),
            settings=as_texts(settings),
            **where(nodes.coordinates, on_map=nodes.on_map),
            **page,
        )
    return {
        "nodes": n_nodes,
        "densities": ", ".join(f"{graph.edges_per_node_:.3g}" for graph in graphs),
        "written": str(out),
    }


def _report_graph(data: DataOptions, out: Path, page: dict[str, Any]) -> dict[str, Any]:
    """Write the report of a graph in a file, and return the summary."""
    from smoothgraph.cli.graph_nodes import describe_nodes, read_graph_file
    from smoothgraph.cli.graph_summary import describe, measure
    from smoothgraph.viz import write_report

    with spinner("Reading the graph"):
        graph = read_graph_file(data.file, data.format)
    nodes = describe_nodes(graph, names=data.names, label=data.label, places=data.places, title=data.title)
    measured = measure(graph.adjacency)
    with spinner("Writing the report"):
        write_report(
            out,
            graph,
            names=graph.ids if nodes.names is None else nodes.names,
            attributes={name: values for name, values in nodes.attributes.items() if values.ndim == 1},
            settings=as_texts({"file": data.title} | describe(graph, measured)),
            **where(nodes.coordinates, on_map=nodes.on_map),
            **page,
        )
    return {"nodes": measured["nodes"], "edges": measured["edges"], "written": str(out)}


def where(coordinates: Any, *, on_map: bool) -> dict[str, Any]:
    """Return the coordinates as an argument of the report."""
    return {"places" if on_map else "positions": coordinates}


def as_texts(settings: dict[str, Any]) -> dict[str, str]:
    """Return the settings as people read them."""
    return {name.replace("_", " "): format_value(value) for name, value in settings.items() if value is not None}


def _refuse_learning(data: DataOptions, model: ModelOptions, densities: str | None) -> None:
    """Raise an InputError if options for learning are given with a graph that exists."""
    given = ["densities"] if densities is not None else []
    given += [name for name in data.given if name not in _FOR_GRAPHS]
    given += [option.name for option in fields(model) if getattr(model, option.name) != option.default]
    if given:
        names = " and ".join(map(option_of, given))
        raise InputError(f"{data.title}: this file holds a graph, which is not learned again; leave out {names}.")
