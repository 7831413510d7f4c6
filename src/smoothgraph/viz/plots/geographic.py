"""A graph on a map, with nodes at their latitude and longitude."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from smoothgraph.support.adjacency import adjacency_of, bridges_of
from smoothgraph.support.input_error import InputError
from smoothgraph.viz.per_node import check_one_per_node
from smoothgraph.viz.plots.node_link import draw_nodes_and_edges
from smoothgraph.viz.plots.style import light_grid, new_axes

_SPACING = 0.008  # between nodes that share a place, as a fraction of the extent of the map
_STEEPEST = 85.0  # degrees: at the poles, a degree of longitude has no length


def draw_map(
    graph: Any,
    latitude: Any,
    longitude: Any,
    *,
    labels: Any = None,
    names: Iterable[Any] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the nodes at their places on Earth, true to scale at the mean latitude.

    Nodes that share a place are drawn side by side. A graph that crosses the 180th meridian is not torn apart.

    Parameters
    ----------
    latitude, longitude : one number per node
        Degrees; north and east are positive. Longitudes lie between -180 and 360.
    graph, labels, names, ax
        As in :func:`draw_graph`.
    """
    W = adjacency_of(graph)
    north = _check_degrees(latitude, W.shape[0], "latitude", -90, 90)
    east = _unroll(_check_degrees(longitude, W.shape[0], "longitude", -180, 360))
    stretch = 1 / np.cos(np.radians(min(abs(north.mean()), _STEEPEST)))
    positions = _separate(np.column_stack([east, north]), stretch)
    ax = new_axes(8, 8) if ax is None else ax
    ax.set_aspect(stretch)
    draw_nodes_and_edges(ax, W, bridges_of(graph), positions, labels=labels, names=names)
    ax.xaxis.set_major_locator(MaxNLocator(5))
    ax.yaxis.set_major_locator(MaxNLocator(6))
    ax.xaxis.set_major_formatter(lambda x, _: _compass((x + 180) % 360 - 180, "EW"))
    ax.yaxis.set_major_formatter(lambda y, _: _compass(y, "NS"))
    light_grid(ax)
    return ax


def _check_degrees(values: Any, n_nodes: int, what: str, low: float, high: float) -> np.ndarray:
    degrees = np.asarray(values, dtype=float)
    check_one_per_node(degrees, n_nodes, what)
    outside = degrees[~((degrees >= low) & (degrees <= high))]
    if len(outside) == 0:
        return degrees
    if np.any(np.isnan(degrees)):
        remedy = "remove nodes without a place from the graph."
    elif what == "latitude" and np.all(np.abs(degrees) <= 360):
        remedy = "are latitude and longitude swapped?"
    else:
        remedy = "are these meters or radians instead of degrees?"
    raise InputError(f"Expected a {what} between {low} and {high} degrees for every node, got {outside[0]:g}; {remedy}")


def _unroll(east: np.ndarray) -> np.ndarray:
    """Add 360 to some longitudes if this makes all of them span less."""
    around = np.sort(east % 360)
    gaps = np.diff(around, append=around[0] + 360)
    start = around[(np.argmax(gaps) + 1) % len(around)]
    unrolled = start + (east - start) % 360
    return unrolled if np.ptp(unrolled) < np.ptp(east) - 1e-9 else east


def _separate(positions: np.ndarray, stretch: float) -> np.ndarray:
    """Move nodes that share a place onto a small circle around it."""
    _, place, counts = np.unique(positions, axis=0, return_inverse=True, return_counts=True)
    place = place.ravel()
    rank = np.argsort(np.argsort(place, kind="stable")) - (np.cumsum(counts) - counts)[place]
    angle = 2 * np.pi * rank / counts[place]
    extent = float(np.max(np.ptp(positions, axis=0) * [1, stretch])) or 1.0
    radius = np.where(counts > 1, _SPACING * extent * np.maximum(1, counts / np.pi), 0.0)[place]
    return positions + radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle) / stretch])


def _compass(degrees: float, signs: str) -> str:
    """Format 48.5 as 48.5°N; 0 and 180 have no direction."""
    rounded = round(degrees, 6)
    direction = "" if rounded % 180 == 0 else signs[int(rounded < 0)]
    return f"{abs(rounded):g}°{direction}"
