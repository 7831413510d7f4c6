"""The colors of categories and numbers, which pictures and reports share."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from smoothgraph.support.input_error import InputError
from smoothgraph.viz.per_node import Categories

OTHER = "#8a94a3"
MISSING = "#c3c8cf"
_COLOR = re.compile("#[0-9a-fA-F]{6}")


@dataclass(frozen=True)
class Palette:
    """The colors of categories, in their order, and those of a scale from the least number to the largest."""

    categories: tuple[str, ...]
    scale: tuple[str, ...]


_VIRIDIS = (
    "#440154", "#482878", "#3e4a89", "#31688e", "#26828e",
    "#1f9e89", "#35b779", "#6dcd59", "#b4de2c", "#fde725",
)  # fmt: skip
_CIVIDIS = ("#00224e", "#213d6d", "#4e576c", "#737475", "#938f78", "#b7aa70", "#dfc75f", "#fee838")
_NAMED = {
    # Most of the first ten come from P. Tol's schemes, which are distinct in any color vision.
    "default": Palette(
        (
            "#4477aa", "#ee7733", "#117733", "#aa4499", "#88ccee",
            "#882255", "#ddcc77", "#44aa99", "#332288", "#cc6677",
            "#111111", "#ff3355", "#999933", "#3355ff", "#dd99ff",
            "#774400", "#aadd33", "#ffaabb", "#005566", "#bb0000",
        ),
        _VIRIDIS,
    ),
    "okabe-ito": Palette(
        ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#000000"), _CIVIDIS
    ),
    "gray": Palette(("#000000", "#b0b0b0", "#5a5a5a", "#dcdcdc", "#858585"), ("#1a1a1a", "#e0e0e0")),
}  # fmt: skip
DEFAULT = _NAMED["default"]


def find_palette(wanted: str | Sequence[str] | None) -> Palette:
    """Return the palette of this name, or one of these colors, such as ``"#4477aa,#ee7733"``; None is the default."""
    if wanted is None:
        return DEFAULT
    if isinstance(wanted, str) and wanted in _NAMED:
        return _NAMED[wanted]
    colors = tuple(color.strip() for color in (wanted.split(",") if isinstance(wanted, str) else wanted))
    if len(colors) < 2 or not all(_COLOR.fullmatch(color) for color in colors):
        raise InputError(
            f"Expected a palette that is {', '.join(_NAMED)}, or two or more colors such as #4477aa,#ee7733, got "
            f"{wanted!r}."
        )
    return Palette(colors, colors)


def merge_rare(labels: Categories, most: int) -> Categories:
    """Return the ``most`` frequent categories in their order, and the others as one, "other (n)", at the end."""
    count = len(labels.names)
    if count <= most:
        return labels
    sizes = np.bincount(labels.codes[labels.codes >= 0], minlength=count)
    kept = np.sort(np.argsort(-sizes, kind="stable")[:most])
    code = np.full(count + 1, most)
    code[kept], code[-1] = np.arange(most), -1
    return Categories(code[labels.codes], [*(labels.names[k] for k in kept), f"other ({count - most})"])
