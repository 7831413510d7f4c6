"""Save pictures in files."""

from pathlib import Path
from typing import Any

import numpy as np

from smoothgraph.io import atomic_write
from smoothgraph.support.input_error import InputError

SUFFIXES = (".png", ".pdf", ".svg")
_DPI = 150


def save_picture(path: Path | str, picture: Any) -> None:
    """Write a figure, or the figure that contains the given axes, as PNG, PDF or SVG.

    The suffix of ``path`` selects the format. If writing fails, an existing file stays as it is.

    Examples
    --------
    .. code-block:: python

        save_picture("digits.png", draw_graph(graph, labels=digits.target))
    """
    suffix = check_picture(path)
    part = np.ravel(picture)[0]
    with atomic_write(path) as temporary:
        part.figure.figure.savefig(temporary, dpi=_DPI, format=suffix[1:])  # of a subfigure, too


def check_picture(path: Path | str) -> str:
    """Return the suffix of ``path``, or raise a ValueError if it is not that of a picture."""
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise InputError(
            f"Expected a picture that ends in {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}, got {str(path)!r}."
        )
    return suffix
