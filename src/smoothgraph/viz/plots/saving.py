"""Pictures in files."""

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from smoothgraph.io import atomic_write
from smoothgraph.viz.plots.canvas import root_figure

SUFFIXES = (".png", ".pdf", ".svg")
_DPI = 150


def save_picture(path: Path | str, picture: Any) -> None:
    """Write a figure, or the figure that some axes are part of, as PNG, PDF or SVG.

    The suffix of ``path`` says which. The file is written whole or not at all.

    Examples
    --------
    .. code-block:: python

        save_picture("digits.png", draw_graph(graph, labels=digits.target))
    """
    suffix = check_picture(path)
    figure = picture if isinstance(picture, Figure) else root_figure(np.ravel(picture)[0])
    with atomic_write(path) as temporary:
        figure.savefig(temporary, dpi=_DPI, format=suffix[1:])


def check_picture(path: Path | str) -> str:
    """The suffix of ``path``, or a ValueError if no picture can be written there."""
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise ValueError(
            f"Expected a picture that ends in {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}, "
            f"got {str(path)!r}."
        )
    return suffix
