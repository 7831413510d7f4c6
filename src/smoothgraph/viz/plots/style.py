"""Axes, colors, legends, notes and texts in the style that all pictures share."""

from typing import Any, Literal

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import LinearSegmentedColormap, Normalize, to_rgb
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from smoothgraph.support.input_error import InputError
from smoothgraph.viz.palettes import DEFAULT, MISSING, OTHER, Palette, merge_rare
from smoothgraph.viz.per_node import Categories

RASTER_FROM = 5000  # a PDF or SVG with more lines or points is slow to open
GRAY = "0.35"
BRIDGE = to_rgb("#be185d")
LegendEntry = tuple[str, Line2D]  # a name, and the mark that it explains
FIRST, SECOND = (to_rgb(color) for color in DEFAULT.categories[:2])


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


def write_title(ax: Axes, title: str | None) -> None:
    """Write a title, if there is one, as it is."""
    if title is not None:
        ax.set_title(title, parse_math=False, wrap=True)


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


def distinct_colors(count: int) -> list[tuple[float, float, float]]:
    """Return ``count`` colors: distinct ones up to 20, and those of a rainbow beyond."""
    if count <= len(DEFAULT.categories):
        return [to_rgb(color) for color in DEFAULT.categories[:count]]
    rainbow = matplotlib.colormaps["turbo"]
    return [to_rgb(rainbow(x)) for x in np.linspace(0.03, 0.97, count)]


def color_nodes(ax: Axes, labels: Categories | np.ndarray, palette: Palette) -> tuple[np.ndarray, list[LegendEntry]]:
    """Return a color for each node, gray without a label, and the entries of a legend that explains the colors.

    Numbers get a color bar instead of a legend. Categories beyond the colors of the palette share a gray.
    """
    missing = to_rgb(MISSING)
    if isinstance(labels, np.ndarray):
        colormap = LinearSegmentedColormap.from_list("palette", palette.scale)
        scale = ScalarMappable(Normalize(np.nanmin(labels), np.nanmax(labels)), colormap)
        ax.figure.colorbar(scale, ax=ax, shrink=0.6, aspect=30, pad=0.02)
        return np.where(np.isnan(labels)[:, None], missing, scale.to_rgba(labels)[:, :3]), []
    merged = merge_rare(labels, len(palette.categories))
    colors = [*palette.categories, OTHER][: len(merged.names)]
    tones = [*map(to_rgb, colors), missing]
    names = [*merged.names, "no label"] if np.any(merged.codes < 0) else merged.names
    entries = [
        (shorten(name), Line2D([], [], marker="o", linestyle="", color=tone))
        for name, tone in zip(names, tones, strict=False)
    ]
    return np.array(tones)[merged.codes], entries
