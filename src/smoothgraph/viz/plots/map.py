"""A graph on a map: nodes at their latitude and longitude."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, MaxNLocator

from smoothgraph.support.adjacency import adjacency_of
from smoothgraph.viz.plots.canvas import check_one_per_node, light_grid, new_axes
from smoothgraph.viz.plots.edges import draw_edges
from smoothgraph.viz.plots.graph import draw_nodes
from smoothgraph.viz.plots.names import write_names

_APART = 0.008  # of the extent, between nodes in one place
_STEEPEST = 85.0  # latitude: at the poles a degree of longitude has no length


def draw_map(
    graph: Any,
    latitude: Any,
    longitude: Any,
    *,
    labels: Any = None,
    names: Iterable[Any] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """The nodes at their places on Earth, in degrees, true to scale at the mean latitude.

    Nodes in one place are drawn beside each other. A graph on both sides of the 180th meridian
    stays in one piece.

    Parameters
    ----------
    graph : fitted graph learner, or symmetric adjacency
        The graph.
    latitude, longitude : one number per node
        Degrees; north and east are positive. Longitudes are between -180 and 360.
    labels, names, ax
        As in :func:`draw_graph`.

    Examples
    --------
    .. code-block:: python

        draw_map(graph, stations.latitude, stations.longitude, names=stations.index)
    """
    W = adjacency_of(graph)
    north = _degrees(latitude, W.shape[0], "latitude", -90, 90)
    east = _in_one_piece(_degrees(longitude, W.shape[0], "longitude", -180, 360))
    stretch = 1 / np.cos(np.radians(min(abs(north.mean()), _STEEPEST)))
    positions = _beside_each_other(np.column_stack([east, north]), stretch)
    ax = new_axes(8, 8) if ax is None else ax
    ax.set_aspect(stretch)
    draw_edges(ax, W, positions)
    draw_nodes(ax, positions, labels)
    write_names(ax, W, positions, names)
    _label_degrees(ax)
    return ax


def _degrees(values: Any, n_nodes: int, what: str, low: float, high: float) -> np.ndarray:
    degrees = np.asarray(values, dtype=float)
    check_one_per_node(degrees, n_nodes, what)
    outside = ~((degrees >= low) & (degrees <= high))
    if np.any(outside):
        raise ValueError(
            f"Expected a {what} between {low} and {high} degrees for every node, got "
            f"{degrees[outside][0]:g}; {_remedy(what, degrees)}"
        )
    return degrees


def _remedy(what: str, degrees: np.ndarray) -> str:
    if np.any(np.isnan(degrees)):
        return "leave nodes without a place out of the graph."
    if what == "latitude" and np.all(np.abs(degrees) <= 360):
        return "are latitude and longitude swapped?"
    return "are these degrees, and not metres or radians?"


def _in_one_piece(east: np.ndarray) -> np.ndarray:
    """The longitudes, some plus 360 if together they then span less."""
    around = np.sort(east % 360)
    gaps = np.diff(around, append=around[0] + 360)
    start = around[(np.argmax(gaps) + 1) % len(around)]
    unrolled = start + (east - start) % 360
    return unrolled if np.ptp(unrolled) < np.ptp(east) - 1e-9 else east


def _beside_each_other(positions: np.ndarray, stretch: float) -> np.ndarray:
    """The positions, with nodes in one place on a small circle around it."""
    places, place, counts = np.unique(positions, axis=0, return_inverse=True, return_counts=True)
    place = place.ravel()
    if len(places) == len(positions):
        return positions
    order = np.argsort(place, kind="stable")
    rank = np.empty(len(place), dtype=int)
    rank[order] = np.arange(len(place)) - np.repeat(np.cumsum(counts) - counts, counts)
    angle = 2 * np.pi * rank / counts[place]
    extent = float(np.max(np.ptp(positions, axis=0) * [1, stretch])) or 1.0
    radius = np.where(counts > 1, _APART * extent * np.maximum(1, counts / np.pi), 0.0)[place]
    moves = radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle) / stretch])
    return positions + moves


def _label_degrees(ax: Axes) -> None:
    ax.xaxis.set_major_locator(MaxNLocator(5))
    ax.yaxis.set_major_locator(MaxNLocator(6))
    ax.xaxis.set_major_formatter(FuncFormatter(lambda x, _: _compass((x + 180) % 360 - 180, "EW")))
    ax.yaxis.set_major_formatter(FuncFormatter(lambda y, _: _compass(y, "NS")))
    light_grid(ax)


def _compass(degrees: float, signs: str) -> str:
    """48.5 as 48.5°N; 0 and 180 have no direction."""
    rounded = round(degrees, 6)
    direction = "" if rounded % 180 == 0 else signs[int(rounded < 0)]
    return f"{abs(rounded):g}°{direction}"
