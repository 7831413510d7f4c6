"""The picture of a learned graph."""

from pathlib import Path
from typing import Any

from smoothgraph.cli.nodes import Nodes
from smoothgraph.viz import draw_graph, draw_map, save_picture


def draw(path: Path, graph: Any, nodes: Nodes, title: str) -> None:
    """The graph on a map, at the given places, or on a layout; coloured by label."""
    labels = None if nodes.label is None else nodes.attributes[nodes.label]
    if nodes.coordinates is not None and nodes.on_map:
        latitude, longitude = nodes.coordinates.T
        ax = draw_map(graph, latitude, longitude, labels=labels, names=nodes.names)
    else:
        ax = draw_graph(graph, nodes.coordinates, labels=labels, names=nodes.names)
    ax.set_title(
        f"{title}: {graph.adjacency_.shape[0]} nodes, {graph.edges_per_node_:.1f} edges per node",
        parse_math=False,
    )
    save_picture(path, ax)
