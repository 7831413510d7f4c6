"""Figures of the benchmark of graphs."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import SymLogNorm
from matplotlib.figure import Figure

from paper.graphs.cells import Cell, lead_at_best, tasks_of
from paper.graphs.constructions import CONSTRUCTIONS, OURS
from paper.graphs.graph_tables import Data, common_tasks, graphs_of, title
from paper.graphs.judging import is_error
from smoothgraph.viz.plots.style import light_grid

_MOST = 30.0  # points, the lead of the strongest color
_LINEAR = 1.0
_DARK = 8.0  # points, from which on the color takes white text
_COLUMNS = 2  # of panels
_WIDE, _NARROW = 2.6, 1.0
_MARKS = "osD^vP*X"
_BESIDE: dict[str, Any] = {"loc": "outside right", "frameon": False, "fontsize": "x-small"}


def draw_leads(data: Data) -> Figure:
    """Draw by how many points our graph leads every other, each at its own best density: green is ours."""
    tasks = common_tasks(data)
    rivals = [graph for graph in graphs_of(data) if graph != OURS]
    n_rows = -(-len(tasks) // _COLUMNS)
    size = (4 + 1.6 * len(data) * _COLUMNS / 2, 1.2 + n_rows * (0.7 + 0.22 * len(rivals)))
    figure = Figure(figsize=size, layout="constrained")
    panels = figure.subplots(n_rows, _COLUMNS, squeeze=False, sharey=True).ravel()
    for ax in panels[len(tasks) :]:
        ax.set_axis_off()
    for ax, task in zip(panels, tasks, strict=False):
        _draw_leads_of_task(ax, data, rivals, task)
    return figure


def _draw_leads_of_task(ax: Axes, data: Data, rivals: list[str], task: str) -> None:
    found = [[lead_at_best(cells, OURS, graph, task) for cells in data.values()] for graph in rivals]
    means = np.array([[np.nan if one is None else one.mean for one in row] for row in found])
    ax.imshow(means, cmap="PiYG", norm=SymLogNorm(_LINEAR, vmin=-_MOST, vmax=_MOST), aspect="auto")
    for (row, column), mean in np.ndenumerate(means):
        if np.isfinite(mean):
            one = found[row][column]
            sure = one is not None and abs(one.mean) > one.half
            weight = "bold" if sure else "normal"
            color = "white" if abs(mean) > _DARK else "black"
            ax.text(column, row, f"{mean:+.1f}", ha="center", va="center", fontsize=7, fontweight=weight, color=color)
    ax.set_xticks(range(len(data)), list(data), fontsize="x-small", rotation=30)
    ax.set_yticks(range(len(rivals)), [title(graph) for graph in rivals], fontsize="x-small")
    ax.set_title(task, fontsize="small")


def draw_densities(data: Data, task: str) -> Figure:
    """Draw the score of every graph by its density, one panel per data set."""
    shown = {name: cells for name, cells in data.items() if task in tasks_of(cells)}
    n_rows = -(-len(shown) // _COLUMNS)
    figure = Figure(figsize=(11, 0.6 + 2.7 * n_rows), layout="constrained")
    panels = figure.subplots(n_rows, _COLUMNS, squeeze=False).ravel()
    graphs = graphs_of(shown)
    for ax in panels[len(shown) :]:
        ax.set_axis_off()
    for ax, (name, cells) in zip(panels, shown.items(), strict=False):
        for graph in graphs:
            _draw_scores(ax, [cell for cell in cells if cell.graph == graph], graph, task)
        ax.set_xscale("log")
        ax.set_xticks([3, 5, 10, 20, 40], ["3", "5", "10", "20", "40"])
        ax.set_xlim(2.5, 60)
        ax.minorticks_off()
        ax.set_title(name, fontsize="small")
        light_grid(ax)
        _limit(ax, cells, task)
    unit = "wrong labels, %" if is_error(task) else "index, %"
    figure.supylabel(f"{task}: {unit}", fontsize="small")
    figure.supxlabel("edges per node", fontsize="small")
    shown_lines = {label: line for ax in panels for line, label in zip(*ax.get_legend_handles_labels(), strict=True)}
    figure.legend(handles=list(shown_lines.values()), labels=list(shown_lines), **_BESIDE)
    return figure


def _draw_scores(ax: Axes, own: list[Cell], graph: str, task: str) -> None:
    points = sorted((cell.edges_per_node, float(np.mean(cell.scores[task]))) for cell in own if task in cell.scores)
    if points:
        ax.plot(*zip(*points, strict=True), label=title(graph), **_style(graph))


def _limit(ax: Axes, cells: list[Cell], task: str) -> None:
    """Leave out what is far worse than the usual, so that the others can be told apart."""
    means = [float(np.mean(cell.scores[task])) for cell in cells if task in cell.scores]
    low, middle, high = np.percentile(means, [0, 50, 100])
    if is_error(task):
        ax.set_ylim(low - 0.1 * (middle - low) - 0.1, min(high, low + 3 * (middle - low)) + 0.1)
    else:
        ax.set_ylim(max(low, high - 3 * (high - middle)) - 0.1, high + 0.1 * (high - middle) + 0.1)


def _style(graph: str) -> dict[str, Any]:
    """Return what marks a graph: ours is black and wide."""
    if graph == OURS:
        return {"color": "black", "linewidth": _WIDE, "marker": "o", "markersize": 4, "zorder": 5}
    number = list(CONSTRUCTIONS).index(graph)
    mark = _MARKS[number % len(_MARKS)]
    return {"color": f"C{number % 10}", "linewidth": _NARROW, "marker": mark, "markersize": 4}
