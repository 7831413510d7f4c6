"""A graph on a map, with nodes at their latitude and longitude."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from matplotlib.ticker import MaxNLocator

from smoothgraph.support.adjacency import adjacency_of, bridges_of
from smoothgraph.viz.atlas import outlines
from smoothgraph.viz.palettes import find_palette
from smoothgraph.viz.places import WHOLE_EARTH, check_places, separate, stretch_at, unroll
from smoothgraph.viz.plots.name_placement import write_names
from smoothgraph.viz.plots.node_link import draw_nodes_and_edges
from smoothgraph.viz.plots.sheet import Sheet, Size
from smoothgraph.viz.plots.style import write_title

_MARGIN = 0.07  # around the nodes, as a fraction of the extent of the map
_LEAST_EXTENT = 0.02  # degrees
_ROOM_FOR_DOTS = 4.0  # degrees beyond the 180th meridian, on a map of the whole Earth
_FLATTEST = 0.25  # the least height of a map, as a fraction of its width
_FAR = 40.0  # degrees
_STEPS_FAR, _STEPS_NEAR = (1, 1.5, 3, 6, 9, 10), (1, 2, 5, 10)
_LAND, _COAST, _BORDER = "0.945", "0.6", "0.72"


def draw_map(  # noqa: PLR0913 (a map has two coordinates)
    graph: Any,
    latitude: Any,
    longitude: Any,
    *,
    labels: Any = None,
    names: Iterable[Any] | None = None,
    title: str | None = None,
    palette: str | Sequence[str] | None = None,
    size: Size = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the nodes at their places on Earth, with coasts and borders, true to scale at the mean latitude.

    Nodes that share a place are drawn side by side. A graph that crosses the 180th meridian is not torn apart. Coasts
    and borders are those of Natural Earth, simplified by at most 900 m; maps of less than a quarter of a degree have
    none.

    Parameters
    ----------
    latitude, longitude : one number per node
        Degrees; north and east are positive. Longitudes lie between -180 and 360.
    graph, labels, names, title, palette, size, ax
        As in :func:`draw_graph`.
    """
    W = adjacency_of(graph)
    north, east = check_places(latitude, longitude, W.shape[0])
    stretch = stretch_at(north)
    positions = separate(np.column_stack([unroll(east), north]), stretch)
    sheet = Sheet.of(ax, size)
    with sheet.small_print():
        _frame(sheet.ax, positions, stretch)
        _draw_land(sheet.ax)
        write_title(sheet.ax, title)
        found = find_palette(palette)
        draw_nodes_and_edges(sheet, W, bridges_of(graph), positions, labels=labels, palette=found, period=360.0)
        if names is not None:
            write_names(sheet.ax, W, positions, names)
    return sheet.ax


def _frame(ax: Axes, positions: np.ndarray, stretch: float) -> None:
    """Set the limits and the proportions of a map of these places, and the texts of its axes."""
    scale = np.array([1.0, stretch])
    low, high = positions.min(axis=0) * scale, positions.max(axis=0) * scale
    extent = max(float(np.max(high - low)), _LEAST_EXTENT)
    half = np.maximum((high - low) / 2 + _MARGIN * extent, _FLATTEST * extent / 2)
    low, high = ((low + high) / 2 - half) / scale, ((low + high) / 2 + half) / scale
    if high[0] - low[0] > WHOLE_EARTH:
        low[0], high[0] = -180 - _ROOM_FOR_DOTS, 180 + _ROOM_FOR_DOTS
    ax.set_aspect(stretch)
    ax.set(xlim=(low[0], high[0]), ylim=(max(low[1], -90), min(high[1], 90)))
    for axis, span in zip((ax.xaxis, ax.yaxis), high - low, strict=True):
        axis.set_major_locator(MaxNLocator(5, steps=_STEPS_FAR if span > _FAR else _STEPS_NEAR))
    ax.xaxis.set_major_formatter(lambda x, _: _compass((x + 180) % 360 - 180, "EW"))
    ax.yaxis.set_major_formatter(lambda y, _: _compass(y, "NS"))
    ax.tick_params(color="0.6", labelcolor="0.35", labelsize="small")
    ax.spines[:].set_color("0.6")


def _draw_land(ax: Axes) -> None:
    """Draw land, coasts and borders behind the graph, as far as the limits reach."""
    low, high = np.transpose([ax.get_xlim(), ax.get_ylim()])
    world = outlines(low, high, float(np.max(high - low)))
    if world is None:
        return
    if world.land:
        rings = Path.make_compound_path(*[Path(np.vstack([ring, ring[:1]]), closed=True) for ring in world.land])
        ax.add_patch(PathPatch(rings, facecolor=_LAND, edgecolor="none", zorder=0.2))
    for lines, color in ((world.borders, _BORDER), (world.coasts, _COAST)):
        ax.add_collection(LineCollection(lines, colors=color, linewidths=0.6, zorder=0.5), autolim=False)


def _compass(degrees: float, signs: str) -> str:
    """Format 48.5 as 48.5°N; 0 and 180 have no direction."""
    rounded = round(degrees, 6)
    direction = "" if rounded % 180 == 0 else signs[int(rounded < 0)]
    return f"{abs(rounded):g}°{direction}"
