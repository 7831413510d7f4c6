"""Axes, notes, grids and texts in the style that all pictures share."""

from typing import Any, Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

RASTER_FROM = 5000  # a PDF or SVG with more lines or points is slow to open
GRAY = "0.35"


def new_axes(width: float, height: float) -> Axes:
    """Return the axes of a new figure; the size is in inches."""
    return Figure(figsize=(width, height), layout="constrained").subplots()


def two_axes(axes: Any) -> np.ndarray:
    """Return the two given axes, or those of a new figure."""
    if axes is None:
        return Figure(figsize=(10, 4), layout="constrained").subplots(1, 2)
    given = np.ravel(np.asarray(axes, dtype=object))
    if len(given) != 2:
        raise ValueError(f"Expected 2 axes, got {len(given)}; pass 2, or omit them for a new figure.")
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
