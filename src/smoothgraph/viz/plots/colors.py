"""Colors of nodes, and the legend or color bar that explains them."""

from dataclasses import dataclass

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


@dataclass(frozen=True)
class Coloring:
    """One color per node, with the legend entries or the color scale that explain it."""

    colors: np.ndarray
    entries: list[tuple[str, Color]]
    scale: ScalarMappable | None

    @classmethod
    def of(cls, labels: Categories | Numbers) -> "Coloring":
        """Color the nodes by their labels; nodes without a label are gray."""
        if isinstance(labels, Numbers):
            scale = ScalarMappable(_range(labels.values), "viridis")
            colors = scale.to_rgba(labels.values)[:, :3]
            colors[np.isnan(labels.values)] = MISSING
            return cls(colors, [], scale)
        tones = [*palette(len(labels.names)), MISSING]
        entries = list(zip([*labels.names, "no label"], tones, strict=True))
        if np.all(labels.codes >= 0):
            entries.pop()
        return cls(np.array(tones)[labels.codes], entries, None)

    def explain(self, ax: Axes) -> None:
        """Add a color bar, a legend, or a note if there are too many categories for a legend."""
        n_categories = sum(color != MISSING for _, color in self.entries)
        if self.scale is not None:
            ax.figure.colorbar(self.scale, ax=ax, shrink=0.6, aspect=30, pad=0.02)
        elif n_categories <= MOST_COLORS:
            _draw_legend(ax, self.entries)
        else:
            write_note(ax, f"{n_categories} labels")


def _draw_legend(ax: Axes, entries: list[tuple[str, Color]]) -> None:
    """Draw a dot and a name for each entry, to the right of the axes."""
    add_legend(
        ax,
        [Line2D([], [], marker="o", linestyle="", color=color) for _, color in entries],
        [shorten(name) for name, _ in entries],
        loc="upper left",
        bbox_to_anchor=(1, 1),
        borderaxespad=0,
        handletextpad=0.1,
        fontsize="medium" if len(entries) <= 10 else "small",
    )


def _range(values: np.ndarray) -> Normalize:
    present = values[~np.isnan(values)]
    low, high = (present.min(), present.max()) if len(present) else (0.0, 1.0)
    return Normalize(low, high)
