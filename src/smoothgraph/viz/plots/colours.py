"""Colours of nodes and what explains them beside the graph."""

from dataclasses import dataclass

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize, to_rgb
from matplotlib.lines import Line2D

from smoothgraph.viz.plots.canvas import plain, write_note
from smoothgraph.viz.plots.labels import FEW, Categories, Numbers

Colour = tuple[float, float, float]

MISSING = to_rgb("0.75")
# Most of the first ten are P. Tol's, chosen to be told apart with any vision.
_TWENTY = [
    to_rgb(colour)
    for colour in (
        "#4477aa", "#ee7733", "#117733", "#aa4499", "#88ccee",
        "#882255", "#ddcc77", "#44aa99", "#332288", "#cc6677",
        "#111111", "#ff3355", "#999933", "#3355ff", "#dd99ff",
        "#774400", "#aadd33", "#ffaabb", "#005566", "#bb0000",
    )
]  # fmt: skip
FIRST, SECOND = _TWENTY[:2]


def palette(count: int) -> list[Colour]:
    """``count`` colours, as different as they can be up to 20 and those of a rainbow beyond."""
    if count <= FEW:
        return _TWENTY[:count]
    rainbow = matplotlib.colormaps["turbo"]
    return [to_rgb(rainbow(x)) for x in np.linspace(0.03, 0.97, count)]


@dataclass(frozen=True)
class Colouring:
    """A colour per node, and what explains it: entries of a legend, or a scale."""

    colours: np.ndarray
    entries: list[tuple[str, Colour]]
    scale: ScalarMappable | None

    @classmethod
    def of(cls, labels: Categories | Numbers) -> "Colouring":
        """The colours of the labels, grey for the missing ones."""
        if isinstance(labels, Numbers):
            scale = ScalarMappable(_range(labels.values), "viridis")
            colours = scale.to_rgba(labels.values)[:, :3]
            colours[np.isnan(labels.values)] = MISSING
            return cls(colours, [], scale)
        tones = [*palette(len(labels.names)), MISSING]
        entries = list(zip([*labels.names, "no label"], tones, strict=True))
        if np.all(labels.codes >= 0):
            entries.pop()
        return cls(np.array(tones)[labels.codes], entries, None)

    def explain(self, ax: Axes) -> None:
        """A legend of up to 20 categories, the number of more, or a scale."""
        categories = sum(colour != MISSING for _, colour in self.entries)
        if self.scale is not None:
            ax.figure.colorbar(self.scale, ax=ax, shrink=0.6, aspect=30, pad=0.02)
        elif categories <= FEW:
            draw_legend(ax, self.entries)
        else:
            write_note(ax, f"{categories} labels")


def draw_legend(ax: Axes, entries: list[tuple[str, Colour]]) -> None:
    """A dot and a text for each entry, to the right of the axes."""
    dots = [Line2D([], [], marker="o", linestyle="", color=colour) for _, colour in entries]
    legend = ax.legend(
        dots,
        [" "] * len(dots),  # a label that begins with "_" would be left out
        loc="upper left",
        bbox_to_anchor=(1, 1),
        borderaxespad=0,
        handletextpad=0.1,
        frameon=False,
        fontsize="medium" if len(dots) <= 10 else "small",
    )
    for text, (name, _) in zip(legend.get_texts(), entries, strict=True):
        plain(text).set_text(shortened(name))


def shortened(name: str, length: int = 24) -> str:
    """The name on one line of at most ``length`` characters."""
    line = " ".join(name.split())
    return line if len(line) <= length else line[: length - 1] + "…"


def _range(values: np.ndarray) -> Normalize:
    present = values[~np.isnan(values)]
    low, high = (present.min(), present.max()) if len(present) else (0.0, 1.0)
    return Normalize(low, high)
