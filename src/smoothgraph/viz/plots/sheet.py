"""The figure of a picture: its size, and how it closes around what is drawn."""

from contextlib import AbstractContextManager
from io import BytesIO
from typing import Any, NamedTuple

import numpy as np
from matplotlib import rc_context, rcParams
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.legend import Legend

from smoothgraph.support.input_error import InputError

Size = float | tuple[float, float] | None  # inches: the width, or width and height; None to choose both
_USUAL_WIDTH = 8.0  # inches
_TALLEST, _TALLEST_OF_GIVEN = 1.0, 2.0  # height over width, if both may be chosen or only the height
_AMPLE = 5.0  # height over width while the figure is measured
_ROOMY = 1.2  # times the height that the figure needs, to measure it again
_PAD = 0.04  # inches around everything, as Matplotlib's constrained layout has it
_SMALLEST_PRINT = 0.72  # relative to the usual size of texts
_SHOWN_DPI = 72  # in a notebook
_APART = 0.15  # inches between two legends


class PictureAxes(Axes):
    """Axes that a notebook shows as the picture of their figure, in the resolution of sharp screens."""

    def _repr_png_(self) -> tuple[bytes, dict[str, int]]:
        figure, file = self.figure.figure, BytesIO()
        figure.savefig(file, format="png", dpi=2 * _SHOWN_DPI)
        width, height = (round(float(side) * _SHOWN_DPI) for side in figure.get_size_inches())
        return file.getvalue(), {"width": width, "height": height}


class Sheet(NamedTuple):
    """The axes to draw on, and whether they were made for this picture."""

    ax: Axes
    own: bool
    given: tuple[float | None, float | None]  # the width and the height that were asked for

    @classmethod
    def of(cls, ax: Axes | None, size: Size) -> "Sheet":
        """Return a sheet with the given axes, or with those of a new figure."""
        width, height = size if isinstance(size, tuple) else (size, None)
        if size is not None and not all(0 < side < np.inf for side in (width, height) if side is not None):
            raise InputError(f"Expected a size of a width, or of width and height, in inches > 0, got {size!r}.")
        if ax is not None:
            if size is not None:
                raise InputError("Expected axes or a size, got both; set the size of the figure that has the axes.")
            return cls(ax, own=False, given=(None, None))
        inches = width or _USUAL_WIDTH
        figure = Figure(figsize=(inches, height or inches), layout="constrained")
        return cls(figure.add_subplot(axes_class=PictureAxes), own=True, given=(width, height))

    @property
    def scale(self) -> float:
        """The size of marks and lines, relative to those of a figure of usual size."""
        return min(1.0, self.ax.figure.figure.get_figwidth() / _USUAL_WIDTH) if self.own else 1.0

    def small_print(self) -> AbstractContextManager[None]:
        """Return a context in which texts suit a small figure; the smallest have 6 points."""
        return rc_context({"font.size": rcParams["font.size"] * max(self.scale, _SMALLEST_PRINT)})

    def close(self) -> None:
        """Choose what was not given of the size, so that axes of fixed proportions fill the figure."""
        if self.own and self.given[1] is None:
            height = _AMPLE * self.ax.figure.figure.get_figwidth()
            for _ in range(2):  # the width of a color bar depends on the height
                height = _ROOMY * self._fit(height)

    def _fit(self, ample: float) -> float:
        """Set the size of the figure, as measured at an ``ample`` height; return the height if the width is kept.

        At this height, the width limits the axes. Legends fit into the height of the figure.
        """
        figure: Any = self.ax.figure
        start = self.given[0] or _USUAL_WIDTH
        figure.set_size_inches(start, ample)
        figure.draw_without_rendering()
        axes = self.ax.get_position().size * figure.get_size_inches()
        beside = start - axes[0]
        box: Any = self.ax.get_tightbbox()
        above = box.height / figure.dpi + 2 * _PAD - axes[1]
        ratio = axes[1] / axes[0]
        tallest = _TALLEST if self.given[0] is None else _TALLEST_OF_GIVEN
        down = min(axes[1], tallest * start - above)
        across = down / ratio if self.given[0] is None else axes[0]
        legends = [part.get_window_extent().height / figure.dpi for part in self.ax.findobj(Legend)]
        height = max(down, sum(legends) + _APART * (len(legends) - 1)) + above
        figure.set_size_inches(across + beside, height)
        return max(height, axes[1] + above)
