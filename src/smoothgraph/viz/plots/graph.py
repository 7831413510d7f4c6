"""A graph as dots and lines."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from smoothgraph.support.adjacency import adjacency_of
from smoothgraph.viz.layout import layout
from smoothgraph.viz.plots.canvas import RASTER_FROM, check_one_per_node, new_axes
from smoothgraph.viz.plots.colours import FIRST, Colouring
from smoothgraph.viz.plots.edges import draw_edges
from smoothgraph.viz.plots.labels import read_labels
from smoothgraph.viz.plots.names import MOST_NAMES, write_names


def draw_graph(
    graph: Any,
    positions: Any = None,
    *,
    labels: Any = None,
    names: Iterable[Any] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """The nodes at ``positions``, coloured by ``labels``; heavier edges are darker.

    Parameters
    ----------
    graph : fitted graph learner, or symmetric adjacency
        The graph. Of more than 200,000 edges the heaviest are drawn, and a note says so.
    positions : (m, 2) array, optional
        By default :func:`smoothgraph.viz.layout.layout`.
    labels : one value per node, optional
        Strings, booleans and up to 20 different whole numbers get colours and a legend (more
        than 20 categories: only colours), other numbers a scale of colours. Nodes whose label is
        NaN, None or "" are grey.
    names : one name per node, optional
        Written beside the nodes of a graph of up to 60.
    ax : matplotlib Axes, optional
        By default those of a new figure.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from smoothgraph import LogDegreeGraph
    >>> from smoothgraph.viz.plots import draw_graph
    >>> data, species = load_iris(return_X_y=True)
    >>> ax = draw_graph(LogDegreeGraph(edges_per_node=8).fit(data), labels=species)
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['0', '1', '2']
    """
    W = adjacency_of(graph)
    m = W.shape[0]
    positions = layout(W) if positions is None else _checked_positions(positions, m)
    ax = new_axes(8, 8) if ax is None else ax
    ax.set_aspect("equal")
    ax.axis("off")
    draw_edges(ax, W, positions)
    draw_nodes(ax, positions, labels)
    write_names(ax, W, positions, names)
    return ax


def draw_nodes(ax: Axes, positions: np.ndarray, labels: Any) -> None:
    """A dot per node, coloured and explained by its label."""
    m = len(positions)
    colouring = None if labels is None else Colouring.of(read_labels(labels, m))
    x, y = positions.T
    ax.scatter(
        x,
        y,
        s=float(np.clip(4e4 / m, 1, 80)),
        facecolors=[FIRST] if colouring is None else colouring.colours,
        linewidths=0.6 if m <= MOST_NAMES else 0,
        edgecolors="white",
        zorder=2,
        rasterized=m > RASTER_FROM,
    )
    if colouring is not None:
        colouring.explain(ax)


def _checked_positions(positions: Any, n_nodes: int) -> np.ndarray:
    positions = np.asarray(positions, dtype=float)
    if positions.ndim != 2 or positions.shape[1] != 2:
        raise ValueError(f"Expected positions of shape ({n_nodes}, 2), got {positions.shape}.")
    check_one_per_node(positions, n_nodes, "position")
    lost = np.count_nonzero(~np.isfinite(positions).all(axis=1))
    if lost:
        raise ValueError(
            f"Expected finite positions, got NaN or infinity for {lost} of {n_nodes} nodes; "
            "leave these nodes out of the graph, or leave positions out."
        )
    return positions
