"""The name of a node as a text with a halo, and a thin line to the node if it stands apart."""

from typing import Any

from matplotlib.axes import Axes
from matplotlib.font_manager import FontProperties
from matplotlib.patheffects import Stroke
from matplotlib.text import Annotation

_HALO: list[Any] = [Stroke(linewidth=2, foreground="white")]
_ALIGN_HORIZONTAL = {1: "left", 0: "center", -1: "right"}
_ALIGN_VERTICAL = {1: "bottom", 0: "center", -1: "top"}
_LINE = {"arrowstyle": "-", "color": "0.4", "linewidth": 0.5, "shrinkA": 0, "shrinkB": 3}


def font_size() -> float:
    """Return the size of names in points: what Matplotlib calls small."""
    return FontProperties(size="small").get_size_in_points()


def write_name(ax: Axes, text: str, position: Any, offset: Any, side: Any, *, line: bool) -> None:
    """Write the name of the node at ``position``, moved by ``offset`` points to one of its sides."""
    across, up = side
    name = _NameWithHalo(
        text,
        position,
        xytext=offset,
        textcoords="offset points",
        ha=_ALIGN_HORIZONTAL[across],
        va=_ALIGN_VERTICAL[up],
        fontsize=font_size(),
        zorder=3,
        parse_math=False,
        arrowprops=_LINE if line else None,
    )
    name.set_in_layout(False)
    ax.add_artist(name)


class _NameWithHalo(Annotation):
    """A text above a white stroke. Matplotlib's own ``withStroke`` turns letters into shapes in SVG and PDF."""

    def draw(self, renderer: Any) -> None:
        for effects in (_HALO, []):
            self.set_path_effects(effects)
            super().draw(renderer)
