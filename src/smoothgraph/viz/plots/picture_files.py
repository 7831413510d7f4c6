"""Save pictures in files."""

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib import rc_context

from smoothgraph.io import atomic_write
from smoothgraph.support.input_error import InputError

SUFFIXES = (".png", ".pdf", ".svg")
# Texts can be searched and edited; journals ask for TrueType, which is 42.
_TEXT_AS_TEXT: dict[Any, Any] = {"pdf.fonttype": 42, "svg.fonttype": "none"}


def save_picture(path: Path | str, picture: Any, *, dpi: float = 150) -> None:
    """Write a figure, or the figure that contains the given axes, as PNG with ``dpi`` dots per inch, PDF or SVG.

    The suffix of ``path`` selects the format. Texts in PDF and SVG files remain texts. If writing fails, an existing
    file stays as it is.

    Examples
    --------
    .. code-block:: python

        save_picture("digits.png", draw_graph(graph, labels=digits.target))
    """
    suffix = check_picture(path)
    part = np.ravel(picture)[0]
    with atomic_write(path) as temporary, rc_context(_TEXT_AS_TEXT):
        part.figure.figure.savefig(temporary, dpi=dpi, format=suffix[1:])  # of a subfigure, too


def check_picture(path: Path | str) -> str:
    """Return the suffix of ``path``, or raise a ValueError if it is not that of a picture."""
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise InputError(
            f"Expected a picture that ends in {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}, got {str(path)!r}."
        )
    return suffix
