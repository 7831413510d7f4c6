"""How a graph changes with its density."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, MaxNLocator

from smoothgraph.support.adjacency import adjacency_of
from smoothgraph.support.connectivity import n_components, n_isolated
from smoothgraph.support.input_error import InputError
from smoothgraph.viz.plots.style import FIRST, SECOND, light_grid, two_axes

_LOG_FROM = 50  # a larger count hides the small ones on a linear axis


def draw_path(graphs: Iterable[Any], *, axes: Any = None) -> np.ndarray:
    """Draw components, isolated nodes and edges over the number of edges per node.

    The first panel shows components and isolated nodes, the second one the edges.

    Parameters
    ----------
    graphs : fitted graph learners, or symmetric adjacencies
        Graphs of the same nodes, for example from :func:`smoothgraph.density_path`.
    axes : two matplotlib Axes, optional
        The axes to draw on; by default, those of a new figure.
    """
    adjacencies = [adjacency_of(graph) for graph in graphs]
    if not adjacencies:
        raise InputError("Expected at least one graph, got none.")
    rows = sorted((W.nnz / W.shape[0], n_components(W), n_isolated(W), W.nnz // 2) for W in adjacencies)
    density, components, isolated, edges = np.array(rows).T
    both = two_axes(axes)
    _draw_lines(both[0], density, {"components": components, "isolated nodes": isolated})
    _draw_lines(both[1], density, {"edges": edges})
    return both


def _draw_lines(ax: Axes, density: np.ndarray, lines: dict[str, np.ndarray]) -> None:
    """Draw one or two lines, the upper one first, with their names at the right."""
    for (name, values), color, up in zip(lines.items(), (FIRST, SECOND), (6, 0), strict=False):
        ax.plot(density, values, color=color, marker="o", markersize=4, clip_on=False, zorder=3)
        ax.annotate(
            name,
            (1, values[-1]),
            xycoords=ax.get_yaxis_transform(),
            xytext=(4, up),
            textcoords="offset points",
            color=color,
            va="center",
        )
    if len(lines) > 1 and max(values.max() for values in lines.values()) > _LOG_FROM:
        ax.set_yscale("symlog", linthresh=1)
    else:
        ax.yaxis.set_major_locator(MaxNLocator(integer=True))
    ax.yaxis.set_major_formatter(FuncFormatter(lambda count, _: f"{count:,.0f}"))
    ax.set(xlabel="edges per node", ylim=(0, None))
    light_grid(ax)
