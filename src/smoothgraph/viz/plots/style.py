"""Axes, colors, legends, notes and texts in the style that all pictures share."""

from typing import Any, Literal

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize, to_rgb
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from smoothgraph.support.input_error import InputError
from smoothgraph.viz.per_node import Categories

RASTER_FROM = 5000  # a PDF or SVG with more lines or points is slow to open
GRAY = "0.35"
BRIDGE = to_rgb("#be185d")
MISSING = to_rgb("0.75")
# Most of the first ten come from P. Tol's schemes, which are distinct in any color vision.
_DISTINCT = [
    to_rgb(color)
    for color in (
        "#4477aa", "#ee7733", "#117733", "#aa4499", "#88ccee",
        "#882255", "#ddcc77", "#44aa99", "#332288", "#cc6677",
        "#111111", "#ff3355", "#999933", "#3355ff", "#dd99ff",
        "#774400", "#aadd33", "#ffaabb", "#005566", "#bb0000",
    )
]  # fmt: skip
LegendEntry = tuple[str, Line2D]  # a name, and the mark that it explains
FIRST, SECOND = _DISTINCT[:2]
MOST_COLORS = len(_DISTINCT)


def new_axes(width: float, height: float) -> Axes:
    """Return the axes of a new figure; the size is in inches."""
    return Figure(figsize=(width, height), layout="constrained").subplots()


def two_axes(axes: Any) -> np.ndarray:
    """Return the two given axes, or those of a new figure."""
    if axes is None:
        return Figure(figsize=(10, 4), layout="constrained").subplots(1, 2)
    given = np.ravel(np.asarray(axes, dtype=object))
    if len(given) != 2:
        raise InputError(f"Expected 2 axes, got {len(given)}; pass 2, or omit them for a new figure.")
    return given


def shorten(name: str, length: int = 24) -> str:
    """Return the name on one line of at most ``length`` characters."""
    line = " ".join(name.split())
    return line if len(line) <= length else line[: length - 1] + "…"


def add_legend(ax: Axes, handles: list[Any], names: list[str], **options: Any) -> None:
    """Add a legend that shows each name literally."""
    # Matplotlib would drop a name that begins with "_", so the names come after the legend.
    legend = ax.legend(handles, [" "] * len(handles), frameon=False, **options)
    for text, name in zip(legend.get_texts(), names, strict=True):
        text.set(text=name, parse_math=False)


def explain_beside(ax: Axes, entries: list[LegendEntry]) -> None:
    """Add a legend to the right of the axes, unless there is nothing to explain."""
    if not entries:
        return
    dots_only = all(handle.get_linestyle() == "None" for _, handle in entries)
    add_legend(
        ax,
        [handle for _, handle in entries],
        [name for name, _ in entries],
        loc="upper left",
        bbox_to_anchor=(1, 1),
        borderaxespad=0,
        handletextpad=0.1 if dots_only else 0.5,
        fontsize="medium" if len(entries) <= 10 else "small",
    )


def write_note(ax: Axes, note: str) -> None:
    """Write a line of small print in the lower left corner, above earlier notes."""
    earlier = sum(text.get_gid() == "note" for text in ax.texts)
    ax.annotate(
        note,
        (0, 0),
        xytext=(2, 2 + 11 * earlier),
        xycoords="axes fraction",
        textcoords="offset points",
        color=GRAY,
        fontsize="small",
        gid="note",
        parse_math=False,
    )


def light_grid(ax: Axes, axis: Literal["both", "x", "y"] = "both") -> None:
    """Add thin grid lines behind the data, and remove the frame at the top and on the right."""
    ax.grid(axis=axis, color="0.9", linewidth=0.8)
    ax.set_axisbelow(True)
    ax.spines[["top", "right"]].set_visible(False)


def palette(count: int) -> list[tuple[float, float, float]]:
    """Return ``count`` colors: distinct ones up to 20, and those of a rainbow beyond."""
    if count <= MOST_COLORS:
        return _DISTINCT[:count]
    rainbow = matplotlib.colormaps["turbo"]
    return [to_rgb(rainbow(x)) for x in np.linspace(0.03, 0.97, count)]


def color_nodes(ax: Axes, labels: Categories | np.ndarray) -> tuple[np.ndarray, list[LegendEntry]]:
    """Return a color for each node, gray without a label, and the entries of a legend that explains the colors.

    Numbers get a color bar instead of a legend, and categories that are too many for a legend get a note.
    """
    if isinstance(labels, np.ndarray):
        scale = ScalarMappable(Normalize(np.nanmin(labels), np.nanmax(labels)), "viridis")
        ax.figure.colorbar(scale, ax=ax, shrink=0.6, aspect=30, pad=0.02)
        return np.where(np.isnan(labels)[:, None], MISSING, scale.to_rgba(labels)[:, :3]), []
    count = len(labels.names)
    tones = [*palette(count), MISSING]
    entries: list[LegendEntry] = []
    if count > MOST_COLORS:
        write_note(ax, f"{count} labels")
    else:
        names = [*labels.names, "no label"] if np.any(labels.codes < 0) else labels.names
        entries = [
            (shorten(name), Line2D([], [], marker="o", linestyle="", color=tone))
            for name, tone in zip(names, tones, strict=False)
        ]
    return np.array(tones)[labels.codes], entries
