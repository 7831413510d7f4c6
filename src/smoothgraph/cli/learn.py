"""``smoothgraph learn``."""

from pathlib import Path
from time import perf_counter
from typing import Annotated, Any

import typer

from smoothgraph import __version__
from smoothgraph.cli.data import DataOptions
from smoothgraph.cli.files import GraphFormat, check_outputs
from smoothgraph.cli.model import EdgesPerNode, ModelOptions, certified
from smoothgraph.cli.output import Output
from smoothgraph.io import graph_format, write_graph
from smoothgraph.progress import busy

_PANEL = "What is written"


def learn(
    *,
    data: DataOptions,
    model: ModelOptions,
    output: Output,
    edges_per_node: EdgesPerNode = None,
    out: Annotated[
        str | None,
        typer.Option(
            "--out",
            "-o",
            help="The graph: .csv, .tsv, .graphml, .gexf, .npz, .mtx or .parquet; - is standard "
            "output.",
            rich_help_panel=_PANEL,
        ),
    ] = None,
    to: Annotated[
        GraphFormat | None,
        typer.Option(
            help="The format of --out; by default from its name, CSV for -.",
            rich_help_panel=_PANEL,
            show_default=False,
        ),
    ] = None,
    picture: Annotated[
        Path | None,
        typer.Option(help="A picture of the graph: .png, .svg or .pdf.", rich_help_panel=_PANEL),
    ] = None,
) -> None:
    """Learn the graph of the rows of a table, or of its columns."""
    check_outputs(data.file, out, picture=picture)
    if out is not None:
        graph_format(out, to)
    if out == "-" and output.json:
        raise ValueError("--out - and --json both want standard output; write the graph to a file.")
    nodes = data.read()
    output.notes(nodes.notes)
    started = perf_counter()
    with busy("Learning the graph"):
        graph = model.learner(nodes, edges_per_node).fit(nodes.values)
    seconds = perf_counter() - started
    facts, settings = certified(graph), model.settings(data)
    if out is not None:
        _write(out, to, graph, nodes, {"smoothgraph": __version__, **settings, **facts})
    if picture is not None:
        from smoothgraph.cli.picture import draw  # deferred: matplotlib takes a while

        with busy("Drawing"):
            draw(picture, graph, nodes, data.title)
    written = {"written": out, "picture": None if picture is None else str(picture)}
    output.facts(
        f"The graph of {data.title}", facts | {"seconds": seconds} | written, aside=out == "-"
    )
    if out is None and picture is None:
        output.notes(["Nothing was written; --out graph.csv keeps the graph."])


def _write(out: str, to: str | None, graph: Any, nodes: Any, info: dict[str, Any]) -> None:
    label = {} if nodes.label is None else {nodes.label: nodes.attributes[nodes.label]}
    write_graph(out, graph.adjacency_, names=nodes.names, attributes=label, info=info, format=to)
