"""The convergence of solvers to the optimum."""

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from smoothgraph.solution import Solution
from smoothgraph.support.input_error import InputError
from smoothgraph.viz.plots.style import add_legend, distinct_colors, light_grid, new_axes


def draw_convergence(
    solutions: Solution | Mapping[str, Solution], *, against: str = "iterations", ax: Axes | None = None
) -> Axes:
    """Draw the relative duality gap over the history of each solution, on a logarithmic axis.

    A solver that works in stages, on more and more edges, gets a separate line for each stage, because the gap of a
    stage refers to its own edges. Gaps of zero and infinity are not shown.

    Parameters
    ----------
    solutions : Solution, or mapping of names to Solutions
        A mapping also adds a legend with its names.
    against : {"iterations", "seconds"}
        The quantity on the horizontal axis.
    ax : matplotlib Axes, optional
        The axes to draw on; by default, those of a new figure.

    Examples
    --------
    .. code-block:: python

        draw_convergence({"Newton": Newton().solve(problem), "FBF": PrimalDual().solve(problem)})
    """
    if against not in ("iterations", "seconds"):
        raise InputError(f'against must be "iterations" or "seconds", got {against!r}.')
    named = solutions if isinstance(solutions, Mapping) else {"": solutions}
    if not named:
        raise InputError("Expected at least one solution, got none.")
    ax = new_axes(7, 4.5) if ax is None else ax
    lines = []
    for solution, color in zip(named.values(), distinct_colors(len(named)), strict=True):
        lines += ax.plot(*_curve(solution, against), color=color, marker="o", markersize=3, linewidth=1.5)
    ax.set_yscale("log")
    ax.set(xlabel=against, ylabel="relative duality gap")
    if against == "iterations":
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    light_grid(ax)
    if isinstance(solutions, Mapping):
        add_legend(ax, lines, [str(name) for name in named])
    return ax


def _curve(solution: Solution, against: str) -> np.ndarray:
    """Return x and the gap of each step, with a NaN between two stages to break the line."""
    points: list[tuple[float, float]] = []
    previous = None
    for step in solution.history:
        now = step.iteration if against == "iterations" else step.seconds
        if previous and step.iteration == previous.iteration and step.gap > previous.gap:
            points.append((now, np.nan))
        points.append((now, step.gap if 0 < step.gap < np.inf else np.nan))
        previous = step
    return np.reshape(points, (-1, 2)).T
