"""A graph as dots and lines."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import scipy.sparse as sp
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.lines import Line2D

from smoothgraph.support.adjacency import adjacency_of, bridges_of, without_edges
from smoothgraph.viz.node_layout import layout
from smoothgraph.viz.per_node import check_positions, read_labels
from smoothgraph.viz.plots.name_placement import MOST_NAMES, write_names
from smoothgraph.viz.plots.style import (
    BRIDGE,
    FIRST,
    MOST_COLORS,
    RASTER_FROM,
    LegendEntry,
    color_nodes,
    explain_beside,
    new_axes,
    write_note,
)

MOST_LINES = 200_000  # beyond this, lines only cover each other
_BRIDGE_STYLE: dict[str, Any] = {"color": BRIDGE, "linestyle": (0, (4, 2)), "linewidth": 1.4}


def draw_graph(
    graph: Any, positions: Any = None, *, labels: Any = None, names: Iterable[Any] | None = None, ax: Axes | None = None
) -> Axes:
    """Draw the nodes at ``positions``, colored by ``labels``; heavier edges are darker, and bridges are dashed.

    Parameters
    ----------
    graph : fitted graph learner, or symmetric adjacency
        The graph. If it has more than 200,000 edges, the heaviest are drawn, and a note says so. The bridges of a
        learner with ``connected=True`` have a color of their own, which the legend explains.
    positions : (m, 2) array, optional
        The positions of the nodes; by default, those of :func:`smoothgraph.viz.layout`.
    labels : one value per node, optional
        Strings, booleans and up to 20 different whole numbers are categories: each gets a color, and there is a
        legend of up to 20 of them. Other numbers get a color scale. Nodes whose label is NaN, None or "" are gray.
    names : one name per node, optional
        Written beside the nodes if there are at most 60.
    ax : matplotlib Axes, optional
        The axes to draw on; by default, those of a new figure.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from smoothgraph import LogDegreeGraph, viz
    >>> data, species = load_iris(return_X_y=True)
    >>> ax = viz.draw_graph(LogDegreeGraph(edges_per_node=8).fit(data), labels=species)
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['0', '1', '2']
    """
    W = adjacency_of(graph)
    positions = layout(W) if positions is None else check_positions(positions, W.shape[0])
    ax = new_axes(8, 8) if ax is None else ax
    ax.set_aspect("equal")
    ax.axis("off")
    draw_nodes_and_edges(ax, W, bridges_of(graph), positions, labels=labels, names=names)
    return ax


def draw_nodes_and_edges(
    ax: Axes, W: sp.csr_array, bridges: np.ndarray, positions: np.ndarray, *, labels: Any, names: Iterable[Any] | None
) -> None:
    """Draw lines, dots and names on axes whose aspect is set; ``bridges`` are the ends of some edges."""
    draw_edges(ax, without_edges(W, bridges) if len(bridges) else W, positions)
    entries = _draw_nodes(ax, positions, labels)
    if len(bridges):
        entries.append(_draw_bridges(ax, positions[bridges]))
    explain_beside(ax, entries)
    if names is not None:
        write_names(ax, W, positions, names)


def draw_edges(ax: Axes, adjacency: Any, positions: np.ndarray) -> None:
    """Draw every edge as a line between the positions of its ends; heavier ones are darker.

    If there are more than 200,000 edges, the heaviest are drawn, and a note says so.
    """
    upper = sp.triu(adjacency, k=1).tocoo()
    order = np.argsort(upper.data, kind="stable")[-MOST_LINES:]
    strength = np.sqrt(upper.data[order] / upper.data.max()) if upper.nnz else upper.data
    crowd = max(1.0, len(order) / RASTER_FROM)
    lines = LineCollection(
        positions[np.column_stack([upper.row, upper.col])[order]],
        colors=np.column_stack([np.full((len(order), 3), 0.25), (0.1 + 0.6 * strength) / crowd**0.4]),
        linewidths=(0.3 + 1.2 * strength) / crowd**0.25,
        zorder=1,
        rasterized=len(order) > RASTER_FROM,
    )
    ax.add_collection(lines)
    if upper.nnz > MOST_LINES:
        write_note(ax, f"the heaviest {MOST_LINES:,} of {upper.nnz:,} edges")


def _draw_bridges(ax: Axes, ends: np.ndarray) -> LegendEntry:
    """Draw bridges as dashed lines above the edges, all equally wide, and return their entry in the legend."""
    many = len(ends) > RASTER_FROM
    ax.add_collection(LineCollection(list(ends), zorder=1.5, rasterized=many, label="bridge", **_BRIDGE_STYLE))
    return "bridge", Line2D([], [], **_BRIDGE_STYLE)


def _draw_nodes(ax: Axes, positions: np.ndarray, labels: Any) -> list[LegendEntry]:
    """Draw a dot for each node, and return the entries of a legend that explains the colors of the labels."""
    m = len(positions)
    colors: Any = [FIRST]
    entries: list[LegendEntry] = []
    if labels is not None:
        colors, entries = color_nodes(ax, read_labels(labels, m, most_classes=MOST_COLORS))
    x, y = positions.T
    ax.scatter(
        x,
        y,
        s=float(np.clip(4e4 / m, 1, 80)),
        facecolors=colors,
        linewidths=0.6 if m <= MOST_NAMES else 0,
        edgecolors="white",
        zorder=2,
        rasterized=m > RASTER_FROM,
    )
    return entries
