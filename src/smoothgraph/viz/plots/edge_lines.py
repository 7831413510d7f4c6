"""Edges as lines whose width and darkness say how heavy they are."""

from typing import Any

import numpy as np
import scipy.sparse as sp
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.legend import Legend
from matplotlib.lines import Line2D

from smoothgraph.viz.plots.style import BRIDGE, RASTER_FROM, LegendEntry, write_note

MOST_LINES = 200_000  # beyond this, lines only cover each other
_WIDEST = 6.0  # points, of the heaviest of very few edges
_LEAST_SHARE = 0.15  # of the widest line, for the lightest
_UNEVEN = 1.5  # heaviest over lightest edge, from which a legend says what widths mean
_IN_LEGEND = 3
_TONE = 0.25
_BRIDGE_STYLE: dict[str, Any] = {"color": BRIDGE, "linestyle": (0, (4, 2)), "linewidth": 1.4}


def draw_edges(ax: Axes, adjacency: Any, positions: np.ndarray, *, scale: float = 1.0, period: float = np.inf) -> None:
    """Draw every edge as a line between the positions of its ends; heavier ones are wider and darker.

    If there are more than 200,000 edges, the heaviest are drawn, and a note says so. ``scale`` multiplies all widths.
    If positions that differ by a ``period`` are the same, edges that are shorter beyond the left and right margins
    leave there.
    """
    upper = sp.triu(adjacency, k=1).tocoo()
    order = np.argsort(upper.data, kind="stable")[-MOST_LINES:]
    weights = upper.data[order]
    widths, colors = _looks(weights, weights.max(initial=0), len(order), scale)
    segments, edges = _wrap(positions[np.column_stack([upper.row, upper.col])[order]], period)
    lines = LineCollection(
        list(segments),
        colors=colors[edges],
        linewidths=widths[edges],
        capstyle="round",
        zorder=1,
        rasterized=len(order) > RASTER_FROM,
    )
    ax.add_collection(lines, autolim=np.isinf(period))
    if upper.nnz > MOST_LINES:
        write_note(ax, f"the heaviest {MOST_LINES:,} of {upper.nnz:,} edges")


def explain_weights(ax: Axes, adjacency: Any, *, scale: float = 1.0) -> None:
    """Add a legend of some weights at the lower right, unless weights are alike or lines too many to tell apart."""
    weights = sp.triu(adjacency, k=1).data
    if len(weights) > RASTER_FROM or weights.max(initial=0) < _UNEVEN * weights.min(initial=np.inf):
        return
    values = _round_values(weights.min(), weights.max())
    widths, colors = _looks(values, weights.max(), len(weights), scale)
    lines = [Line2D([], [], linewidth=width, color=color) for width, color in zip(widths, colors, strict=True)]
    legend = Legend(
        ax,
        lines,
        [f"{value:g}" for value in values],
        title="weight",
        loc="lower left",
        bbox_to_anchor=(1, 0),
        borderaxespad=0,
        frameon=False,
        fontsize="small",
        alignment="left",
    )
    legend.get_title().set_fontsize("small")
    ax.add_artist(legend)
    legend.set_clip_on(False)  # or the layout would leave no room for it


def draw_bridges(ax: Axes, ends: np.ndarray, period: float = np.inf) -> LegendEntry:
    """Draw bridges as dashed lines above the edges, all equally wide, and return their entry in the legend."""
    many = len(ends) > RASTER_FROM
    ax.add_collection(
        LineCollection(list(_wrap(ends, period)[0]), zorder=1.5, rasterized=many, label="bridge", **_BRIDGE_STYLE)
    )
    return "bridge", Line2D([], [], **_BRIDGE_STYLE)


def _wrap(ends: np.ndarray, period: float) -> tuple[np.ndarray, np.ndarray]:
    """Return segments ``(n, 2, 2)``, and which edge each of them belongs to; one that leaves a map returns."""
    apart = ends[:, 1, 0] - ends[:, 0, 0]
    leaving = np.flatnonzero(np.abs(apart) > period / 2)
    shift = np.zeros((len(leaving), 2, 2))
    shift[:, 1, 0] = np.copysign(period, apart[leaving]) if len(leaving) else 0
    segments = ends.copy()
    segments[leaving] -= shift
    back = ends[leaving] + shift[:, ::-1]
    return np.concatenate([segments, back]), np.concatenate([np.arange(len(ends)), leaving])


def _looks(weights: np.ndarray, heaviest: float, count: int, scale: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the widths in points and the colors of lines in a picture of ``count`` edges."""
    strength = np.sqrt(weights / heaviest) if len(weights) else weights
    crowd = max(1.0, count / RASTER_FROM)
    widths = _WIDEST * max(count, 1) ** -0.2 * (_LEAST_SHARE + (1 - _LEAST_SHARE) * strength)
    opacity = (0.15 + 0.6 * strength) / crowd**0.4
    return scale * widths, np.column_stack([np.full((len(weights), 3), _TONE), opacity])


def _round_values(least: float, most: float) -> np.ndarray:
    """Return up to three round numbers between two weights, from the largest on, each a quarter of the last or less."""
    powers = 10.0 ** np.arange(np.floor(np.log10(least)), np.ceil(np.log10(most)) + 1)
    rounded = np.sort(np.outer(powers, [1, 2, 5]).ravel())[::-1]
    chosen: list[float] = []
    for value in rounded[(rounded <= most) & (rounded >= least)]:
        if not chosen or 4 * value <= chosen[-1] * (1 + 1e-9):
            chosen.append(value)
    return np.array(chosen[:_IN_LEGEND] or [most])
