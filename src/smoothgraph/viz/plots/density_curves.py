"""How a graph changes with its density."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, MaxNLocator, PercentFormatter

from smoothgraph.estimators.auto_density import DensityChoice
from smoothgraph.support.adjacency import adjacency_of
from smoothgraph.support.connectivity import n_components, n_isolated
from smoothgraph.support.input_error import InputError
from smoothgraph.viz.plots.style import FIRST, SECOND, light_grid, new_axes, two_axes

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


def draw_density_choice(choice: Any, *, ax: Axes | None = None) -> Axes:
    """Draw how ``edges_per_node="auto"`` chose: the share of the nodes in fragments over the edges per node.

    A dashed line marks the choice.

    Parameters
    ----------
    choice : fitted graph learner, or its ``density_choice_``
        A learner with ``edges_per_node="auto"``, such as a :class:`smoothgraph.SmoothGraph`.
    ax : matplotlib Axes, optional
        The axes to draw on; by default, those of a new figure.
    """
    choice = getattr(choice, "density_choice_", choice)
    if not isinstance(choice, DensityChoice):
        raise InputError(
            f"Expected a learner that was fitted with edges_per_node='auto', got {type(choice).__name__}; fit one, "
            "such as SmoothGraph()."
        )
    ax = new_axes(6, 4) if ax is None else ax
    ax.plot(choice.densities, choice.fragments, color=FIRST, marker="o", markersize=4, clip_on=False, zorder=3)
    ax.axvline(choice.chosen, color=SECOND, linestyle="--")
    ax.annotate(
        f"chosen: {choice.chosen:.3g}",
        (choice.chosen, 1),
        xycoords=ax.get_xaxis_transform(),
        xytext=(-4, -4),
        textcoords="offset points",
        color=SECOND,
        ha="right",
        va="top",
    )
    ax.yaxis.set_major_formatter(PercentFormatter(1))
    ax.set(xlabel="edges per node", ylabel="nodes in fragments", xlim=(0, 1.1 * choice.chosen), ylim=(0, None))
    light_grid(ax)
    return ax


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
