"""``smoothgraph draw``: a picture of a graph that has been learned before."""

from pathlib import Path
from typing import Annotated

import typer

from smoothgraph.cli.graph_input import GraphInput
from smoothgraph.cli.input_options import split_names
from smoothgraph.cli.output_options import OutputOptions
from smoothgraph.cli.picture_options import PictureOptions
from smoothgraph.cli.target_options import Force, check_targets, target_option
from smoothgraph.support.progress import spinner


def draw(
    *,
    source: GraphInput,
    label: Annotated[str | None, typer.Option(help="The attribute that colors the nodes.")] = None,
    names: Annotated[
        str | None,
        typer.Option(
            help="The attribute that is written beside the nodes, or none.", show_default="the names of the nodes"
        ),
    ] = None,
    coordinates: Annotated[
        str | None,
        typer.Option(
            metavar="LAT,LON",
            help="Two attributes with the positions of the nodes. Latitude and longitude (lat, lon) give a map.",
            show_default="latitude and longitude, or x and y, if there are any",
        ),
    ] = None,
    out: Annotated[Path, target_option("--out", "-o", help="The file for the picture: .png, .svg or .pdf.")] = Path(
        "graph.png"
    ),
    force: Force = False,
    look: PictureOptions,
    output: OutputOptions,
) -> None:
    """Draw the graph in a file, on a map if its nodes have places."""
    look.check_look()
    check_targets(source.graph, picture=out, force=force)
    from smoothgraph.cli.graph_nodes import describe_nodes

    content = source.read()
    nodes = describe_nodes(content, names=names, label=label, places=split_names(coordinates), title=source.title)
    with spinner("Drawing"):
        look.draw(
            out,
            content,
            source.title,
            coordinates=nodes.coordinates,
            on_map=nodes.on_map,
            labels=nodes.labels,
            names=nodes.names,
        )
    W = content.adjacency
    output.print_facts("The picture", {"nodes": W.shape[0], "edges": W.nnz // 2, "written": str(out)})
