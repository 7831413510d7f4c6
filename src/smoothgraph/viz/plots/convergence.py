"""How fast solvers come to the optimum."""

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from smoothgraph.solution import Solution
from smoothgraph.viz.plots.canvas import light_grid, new_axes, plain
from smoothgraph.viz.plots.colours import palette


def draw_convergence(
    solutions: Solution | Mapping[str, Solution],
    *,
    against: str = "iterations",
    ax: Axes | None = None,
) -> Axes:
    """The relative duality gap, on a logarithmic axis, along the history of each solution.

    A solver that works in stages, on more and more edges, has a line for each: its gaps are
    those of the stage. Gaps of zero and infinity cannot be shown.

    Parameters
    ----------
    solutions : Solution, or mapping of names to Solutions
        With names there is a legend.
    against : {"iterations", "seconds"}
        What is on the horizontal axis.
    ax : matplotlib Axes, optional
        By default those of a new figure.

    Examples
    --------
    .. code-block:: python

        draw_convergence({"Newton": Newton().solve(problem), "FBF": PrimalDual().solve(problem)})
    """
    if against not in ("iterations", "seconds"):
        raise ValueError(f'against must be "iterations" or "seconds", got {against!r}.')
    named = solutions if isinstance(solutions, Mapping) else {"": solutions}
    if not named:
        raise ValueError("Expected at least one solution, got none.")
    ax = new_axes(7, 4.5) if ax is None else ax
    lines = []
    for solution, colour in zip(named.values(), palette(len(named)), strict=True):
        x, gap = _curve(solution, against)
        lines += ax.plot(x, gap, color=colour, marker="o", markersize=3, linewidth=1.5)
    ax.set_yscale("log")
    ax.set(xlabel=against, ylabel="relative duality gap")
    if against == "iterations":
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    light_grid(ax)
    if isinstance(solutions, Mapping):
        legend = ax.legend(lines, [" "] * len(lines), frameon=False)
        for text, name in zip(legend.get_texts(), named, strict=True):
            plain(text).set_text(str(name))
    return ax


def _curve(solution: Solution, against: str) -> tuple[np.ndarray, np.ndarray]:
    """The steps; a NaN before each new stage parts its line from the one before."""
    x: list[float] = []
    gaps: list[float] = []
    previous = None
    for step in solution.history:
        now = step.iteration if against == "iterations" else step.seconds
        if previous and step.iteration == previous.iteration and step.gap > previous.gap:
            x.append(now)
            gaps.append(np.nan)
        x.append(now)
        gaps.append(step.gap if 0 < step.gap < np.inf else np.nan)
        previous = step
    return np.array(x), np.array(gaps)
