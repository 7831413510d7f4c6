"""Colors of nodes, and the legend or color bar that explains them."""

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize, to_rgb
from matplotlib.lines import Line2D

from smoothgraph.viz.per_node import Categories, Numbers
from smoothgraph.viz.plots.canvas import add_legend, shorten, write_note

Color = tuple[float, float, float]

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
FIRST, SECOND = _DISTINCT[:2]
MOST_COLORS = len(_DISTINCT)


def palette(count: int) -> list[Color]:
    """Return ``count`` colors: distinct ones up to 20, and those of a rainbow beyond."""
    if count <= MOST_COLORS:
        return _DISTINCT[:count]
    rainbow = matplotlib.colormaps["turbo"]
    return [to_rgb(rainbow(x)) for x in np.linspace(0.03, 0.97, count)]


def color_nodes(ax: Axes, labels: Categories | Numbers) -> np.ndarray:
    """Return a color for each node, gray without a label, and explain the colors beside the axes.

    Numbers get a color bar, and categories get a legend, or a note if they are too many for a legend.
    """
    if isinstance(labels, Numbers):
        scale = ScalarMappable(Normalize(np.nanmin(labels.values), np.nanmax(labels.values)), "viridis")
        ax.figure.colorbar(scale, ax=ax, shrink=0.6, aspect=30, pad=0.02)
        return np.where(np.isnan(labels.values)[:, None], MISSING, scale.to_rgba(labels.values)[:, :3])
    count = len(labels.names)
    tones = [*palette(count), MISSING]
    if count > MOST_COLORS:
        write_note(ax, f"{count} labels")
    else:
        names = [*labels.names, "no label"] if np.any(labels.codes < 0) else labels.names
        add_legend(
            ax,
            [Line2D([], [], marker="o", linestyle="", color=tones[k]) for k in range(len(names))],
            [shorten(name) for name in names],
            loc="upper left",
            bbox_to_anchor=(1, 1),
            borderaxespad=0,
            handletextpad=0.1,
            fontsize="medium" if len(names) <= 10 else "small",
        )
    return np.array(tones)[labels.codes]
