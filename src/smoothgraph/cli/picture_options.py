"""The options for the look of a picture or a report, and the picture itself."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from smoothgraph.support.input_error import InputError

if TYPE_CHECKING:
    import numpy as np

_INCHES = {"mm": 1 / 25.4, "cm": 1 / 2.54, "in": 1.0}
_USUAL_DPI, _PRINT_DPI = 150, 300
_SIZE = re.compile(r"(\d+(?:\.\d*)?)(?:[x*](\d+(?:\.\d*)?))?\s*(mm|cm|in)")

_option = partial(typer.Option, rich_help_panel="Look")


@dataclass(frozen=True)
class LookOptions:
    """The texts and colors of a picture or a report."""

    title: Annotated[str | None, _option(help="The title.", show_default="the name of the file")] = None
    palette: Annotated[
        str | None,
        _option(
            metavar="NAME|COLORS",
            help="default and okabe-ito, which are safe for any color vision; gray; or colors such as #4477aa,#ee7733.",
            show_default=False,
        ),
    ] = None

    def check_look(self) -> None:
        """Raise an InputError if the palette is unknown."""
        from smoothgraph.viz.palettes import find_palette

        find_palette(self.palette)


@dataclass(frozen=True)
class PictureOptions(LookOptions):
    """The texts, colors and size of a picture."""

    size: Annotated[
        str | None,
        _option(
            metavar="WIDTH[xHEIGHT]UNIT",
            help="The size of the picture, such as 180mm, 18x12cm or 7x5in; a .png then has 300 dots per "
            "inch. The default height suits the graph.",
            show_default=False,
        ),
    ] = None

    @property
    def inches(self) -> float | tuple[float, float] | None:
        """The width in inches, or the width and the height."""
        if self.size is None:
            return None
        found = _SIZE.fullmatch(self.size.strip().lower())
        sides = [] if found is None else [float(side) * _INCHES[found[3]] for side in found.groups()[:2] if side]
        if not sides or min(sides) == 0:
            raise InputError(f"Expected a size such as 180mm, 18x12cm or 7x5in, got {self.size!r}.")
        return sides[0] if len(sides) == 1 else (sides[0], sides[1])

    def check_look(self) -> None:
        """Raise an InputError if the palette or the size is not one."""
        super().check_look()
        _ = self.inches

    def draw(
        self,
        path: Path,
        graph: Any,
        title: str,
        *,
        coordinates: "np.ndarray | None",
        on_map: bool,
        labels: Any,
        names: Sequence[str] | None,
    ) -> None:
        """Draw a graph on a map, at its coordinates or in a layout; without a title of its own, ``title`` names it."""
        from smoothgraph.support.adjacency import adjacency_of
        from smoothgraph.viz import draw_graph, draw_map, save_picture

        look: dict[str, Any] = {"labels": labels, "names": names, "palette": self.palette, "size": self.inches}
        if self.title is None:
            W = adjacency_of(graph)
            title = f"{title}: {W.shape[0]} nodes, {W.nnz / W.shape[0]:.1f} edges per node"
        else:
            title = self.title
        if coordinates is not None and on_map:
            ax = draw_map(graph, *coordinates.T, title=title, **look)
        else:
            ax = draw_graph(graph, coordinates, title=title, **look)
        save_picture(path, ax, dpi=_USUAL_DPI if self.size is None else _PRINT_DPI)
