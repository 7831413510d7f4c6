"""A graph as dots and lines."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp
from matplotlib.axes import Axes

from smoothgraph.support.adjacency import adjacency_of, bridges_of, without_edges
from smoothgraph.viz.palettes import Palette, find_palette
from smoothgraph.viz.per_node import check_positions, read_labels
from smoothgraph.viz.plots.edge_lines import draw_bridges, draw_edges, explain_weights
from smoothgraph.viz.plots.name_placement import MOST_NAMES, make_room, write_names
from smoothgraph.viz.plots.sheet import Sheet, Size
from smoothgraph.viz.plots.style import RASTER_FROM, LegendEntry, color_nodes, explain_beside, write_title

_LARGEST_DOT, _SMALLEST_DOT = 80.0, 1.0  # square points


def draw_graph(
    graph: Any,
    positions: Any = None,
    *,
    labels: Any = None,
    names: Iterable[Any] | None = None,
    title: str | None = None,
    palette: str | Sequence[str] | None = None,
    size: Size = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the nodes at ``positions``, colored by ``labels``; heavier edges are wider and darker, bridges are dashed.

    A new figure also gets a legend of the weights if there are up to 5000 edges, and closes around the graph.

    Parameters
    ----------
    graph : fitted graph learner, or symmetric adjacency
        The graph. If it has more than 200,000 edges, the heaviest are drawn, and a note says so. The bridges of a
        learner with ``connected=True`` have a color of their own, which the legend explains.
    positions : (m, 2) array, optional
        The positions of the nodes; by default, those of :func:`smoothgraph.viz.layout`.
    labels : one value per node, optional
        Strings, booleans and up to 20 different whole numbers are categories: the most frequent ones get a color
        each, and there is a legend. Other numbers get a color scale. Nodes whose label is NaN, None or "" are gray.
    names : one name per node, optional
        Written beside the nodes, with a thin line to the node if need be. Beyond 60 nodes, the 30 nodes with most
        neighbors have their names. A note tells which or how many names are left out.
    title : str, optional
        Written above the picture.
    palette : str or list of str, optional
        The colors: "default" and "okabe-ito", which are safe for any color vision, "gray", or two or more colors such
        as "#4477aa".
    size : number, or pair of numbers, optional
        The width of the figure in inches, or its width and height. What is not given suits the graph.
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
    if positions is None:
        from smoothgraph.viz.node_layout import layout  # deferred: Numba takes a while

        positions = layout(W)
    else:
        positions = check_positions(positions, W.shape[0])
    sheet = Sheet.of(ax, size)
    sheet.ax.set_aspect("equal")
    sheet.ax.axis("off")
    with sheet.small_print():
        write_title(sheet.ax, title)
        draw_nodes_and_edges(sheet, W, bridges_of(graph), positions, labels=labels, palette=find_palette(palette))
        if names is not None:
            names = list(names)
            make_room(sheet.ax, names)
            write_names(sheet.ax, W, positions, names)
    return sheet.ax


def draw_nodes_and_edges(
    sheet: Sheet,
    W: sp.csr_array,
    bridges: np.ndarray,
    positions: np.ndarray,
    *,
    labels: Any,
    palette: Palette,
    period: float = np.inf,
) -> None:
    """Draw lines, dots and legends on axes whose aspect is set; ``bridges`` are the ends of some edges.

    On a map, positions that differ by the ``period`` are the same.
    """
    ax, scale = sheet.ax, sheet.scale
    learned = without_edges(W, bridges) if len(bridges) else W
    draw_edges(ax, learned, positions, scale=scale, period=period)
    entries = _draw_nodes(ax, positions, labels, palette, scale)
    if len(bridges):
        entries.append(draw_bridges(ax, positions[bridges], period))
    explain_beside(ax, entries)
    if sheet.own:
        explain_weights(ax, learned, scale=scale)
    sheet.close()


def _draw_nodes(ax: Axes, positions: np.ndarray, labels: Any, palette: Palette, scale: float) -> list[LegendEntry]:
    """Draw a dot for each node, and return the entries of a legend that explains the colors of the labels."""
    m = len(positions)
    colors: Any = [palette.categories[0]]
    entries: list[LegendEntry] = []
    if labels is not None:
        colors, entries = color_nodes(ax, read_labels(labels, m), palette)
    x, y = positions.T
    ax.scatter(
        x,
        y,
        s=scale**2 * float(np.clip(4e4 / m, _SMALLEST_DOT, _LARGEST_DOT)),
        facecolors=colors,
        linewidths=0.6 * scale if m <= MOST_NAMES else 0,
        edgecolors="white",
        zorder=2,
        rasterized=m > RASTER_FROM,
    )
    return entries
