"""What all pictures share: new axes, checks of what is given per node, plain text."""

from collections.abc import Sized
from typing import Any, Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Text

RASTER_FROM = 5000  # lines or points that make a PDF or SVG slow to open
GREY = "0.35"


def new_axes(width: float, height: float) -> Axes:
    """The axes of a new figure of this size in inches."""
    return Figure(figsize=(width, height), layout="constrained").subplots()


def panels(axes: Any, count: int, width: float, height: float) -> np.ndarray:
    """The axes that were given, ``count`` of them, or as many side by side in a new figure."""
    if axes is None:
        figure = Figure(figsize=(width, height), layout="constrained")
        return np.atleast_1d(figure.subplots(1, count))
    given = np.ravel(np.asarray(axes, dtype=object))
    if len(given) != count:
        raise ValueError(f"Expected {count} axes, got {len(given)}; give as many, or none.")
    return given


def root_figure(ax: Axes) -> Figure:
    """The whole figure that the axes are part of."""
    return ax.figure.figure


def check_one_per_node(values: Sized, n_nodes: int, what: str) -> None:
    """A ValueError unless there are as many values as nodes."""
    if len(values) != n_nodes:
        raise ValueError(
            f"Expected one {what} per node, {n_nodes}, got {len(values)}; "
            "give them in the order of the nodes."
        )


def plain(text: Text) -> Text:
    """The text as it is, with dollar signs."""
    text.set_parse_math(False)
    return text


def write_note(ax: Axes, note: str) -> None:
    """A line of small print in the lower left corner, under what is there already."""
    above = sum(text.get_gid() == "note" for text in ax.texts)
    text = ax.annotate(
        note,
        (0, 0),
        xytext=(2, 2 + 11 * above),
        xycoords="axes fraction",
        textcoords="offset points",
        color=GREY,
        fontsize="small",
        gid="note",
    )
    plain(text)


def light_grid(ax: Axes, axis: Literal["both", "x", "y"] = "both") -> None:
    """Thin lines behind what is drawn, and no frame but the two axes."""
    ax.grid(axis=axis, color="0.9", linewidth=0.8)
    ax.set_axisbelow(True)
    ax.spines[["top", "right"]].set_visible(False)
