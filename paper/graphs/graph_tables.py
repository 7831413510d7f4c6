"""Tables of the benchmark of graphs, in Markdown."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from paper.graphs.cells import Cell, Interval, Tally, best_cell, lead_at_best, leads_at_equal_density, ranks, tasks_of
from paper.graphs.constructions import CONSTRUCTIONS, OURS
from paper.graphs.judging import is_error
from paper.pages import table

Data = Mapping[str, list[Cell]]  # the cells by data set


def title(graph: str) -> str:
    """Return the title of a graph."""
    return CONSTRUCTIONS[graph].title


def graphs_of(data: Data) -> list[str]:
    """Return the graphs that any data set has, in the order of the list."""
    present = {cell.graph for cells in data.values() for cell in cells}
    return [name for name in CONSTRUCTIONS if name in present]


def common_tasks(data: Data) -> list[str]:
    """Return the tasks that most of the data sets have, each clustering with one of its indices."""
    counted = [task for cells in data.values() for task in tasks_of(cells) if not task.endswith("NMI")]
    return [task for task in dict.fromkeys(counted) if counted.count(task) > len(data) / 2]


GROUPS: dict[str, Callable[[str], bool]] = {
    "few labels": lambda task: task.endswith("per class"),
    "1 to 10% of labels": lambda task: task.endswith("%"),
    "spectral clustering": lambda task: "spectral" in task,
    "Leiden": lambda task: task.startswith("Leiden"),
}
"""Groups of tasks, for a summary."""


def summary_table(data: Data) -> str:
    """Return the mean rank of every graph over the data sets and the tasks of a group, the smallest in bold."""
    found = {group: _mean_ranks_of(data, belongs) for group, belongs in GROUPS.items()}
    found = {group: means for group, means in found.items() if means}
    overall = {
        graph: float(np.mean([means[graph] for means in found.values() if graph in means]))
        for graph in dict.fromkeys(graph for means in found.values() for graph in means)
    }
    rows = [
        [title(graph), *(_bold_least(graph, means) for means in found.values()), _bold_least(graph, overall)]
        for graph in sorted(overall, key=overall.__getitem__)
    ]
    return table(["graph", *found, "mean of these"], rows)


def _mean_ranks_of(data: Data, belongs: Callable[[str], bool]) -> dict[str, float]:
    """Return the mean rank of each graph over the tasks that belong, each averaged over the data sets that have it."""
    ranked = [_mean_ranks(data, task) for task in every_task(data) if belongs(task)]
    graphs = dict.fromkeys(graph for means in ranked for graph in means)
    return {graph: float(np.mean([means[graph][0] for means in ranked if graph in means])) for graph in graphs}


def every_task(data: Data) -> list[str]:
    """Return all tasks, each clustering with one of its indices."""
    return [task for task in dict.fromkeys(t for cells in data.values() for t in tasks_of(cells)) if "NMI" not in task]


def rank_table(data: Data) -> str:
    """Return the mean rank of every graph over the data sets, by task, the smallest in bold."""
    tasks = common_tasks(data)
    by_task = {task: _mean_ranks(data, task) for task in tasks}
    overall = {
        graph: float(np.mean([found[graph][0] for found in by_task.values() if graph in found]))
        for graph in graphs_of(data)
        if any(graph in found for found in by_task.values())
    }
    rows = []
    for graph in sorted(overall, key=overall.__getitem__):
        cells = [_bold_least(graph, {g: mean for g, (mean, _) in by_task[task].items()}) for task in tasks]
        n_sets = max(count for found in by_task.values() for g, (_, count) in found.items() if g == graph)
        rows.append([title(graph), *cells, f"{overall[graph]:.1f}", str(n_sets)])
    return table(["graph", *tasks, "all", "data sets"], rows)


def facts_of_ranks(data: Data) -> list[dict[str, Any]]:
    """Return the mean rank of every graph, as rows of names and numbers; None where it failed."""
    by_task = {task: _mean_ranks(data, task) for task in common_tasks(data)}
    return [
        {"graph": title(graph)} | {task: found[graph][0] if graph in found else None for task, found in by_task.items()}
        for graph in graphs_of(data)
    ]


def _mean_ranks(data: Data, task: str) -> dict[str, tuple[float, int]]:
    """Return the mean rank of each graph and over how many data sets."""
    found: dict[str, list[float]] = {}
    for cells in data.values():
        if task in tasks_of(cells):
            for graph, rank in ranks(cells, task).items():
                found.setdefault(graph, []).append(rank)
    return {graph: (float(np.mean(values)), len(values)) for graph, values in found.items()}


def _bold_least(graph: str, means: Mapping[str, float]) -> str:
    if graph not in means:
        return ""
    text = f"{means[graph]:.1f}"
    return f"**{text}**" if means[graph] == min(means.values()) else text


def decision_table(data: Data) -> str:
    """Return, for every task, the graphs with the smallest mean ranks and the place of ours."""
    rows = []
    for task in common_tasks(data):
        means = {graph: mean for graph, (mean, _) in _mean_ranks(data, task).items()}
        order = sorted(means, key=means.__getitem__)
        first = [f"{title(graph)} ({means[graph]:.1f})" for graph in order[:3]]
        ours = f"{order.index(OURS) + 1} of {len(order)}" if OURS in order else ""
        rows.append([task, *first, *[""] * (3 - len(first)), ours])
    return table(["task", "first", "second", "third", f"place of {title(OURS)}"], rows, left=4)


def tally_table(data: Data, *, at_best: bool) -> str:
    """Return wins, ties and losses of our graph against every other, by task."""
    tasks = common_tasks(data)
    rows = []
    for graph in graphs_of(data):
        if graph == OURS:
            continue
        tallies = [Tally.of(_all_leads(data, graph, task, at_best=at_best)) for task in tasks]
        total = Tally(*(sum(column) for column in zip(*tallies, strict=True)))
        if any(total):
            rows.append([title(graph), *map(str, tallies), str(total)])
    return table([f"{title(OURS)} against", *tasks, "all"], rows)


def _all_leads(data: Data, graph: str, task: str, *, at_best: bool) -> list[Interval]:
    if not at_best:
        return [one for cells in data.values() for one in leads_at_equal_density(cells, OURS, graph, task)]
    found = (lead_at_best(cells, OURS, graph, task) for cells in data.values())
    return [one for one in found if one is not None]


def best_table(cells: list[Cell], graphs: list[str]) -> str:
    """Return each graph at its own best density: score and density, the best mean of each task in bold."""
    tasks = tasks_of(cells)
    found = {(graph, task): best_cell(cells, graph, task) for graph in graphs for task in tasks}
    rows = []
    for graph in graphs:
        texts = [_best_text([found[other, task] for other in graphs], found[graph, task], task) for task in tasks]
        if any(texts):
            rows.append([title(graph), *texts])
    return table(["graph", *tasks], rows)


def _best_text(everyone: list[tuple[Cell, np.ndarray] | None], own: tuple[Cell, np.ndarray] | None, task: str) -> str:
    if own is None:
        return ""
    means = [float(np.mean(one[1])) for one in everyone if one is not None]
    is_best = float(np.mean(own[1])) == (min if is_error(task) else max)(means)
    text = f"**{Interval.of(own[1])}**" if is_best else str(Interval.of(own[1]))
    return f"{text} at {own[0].edges_per_node:.1f}"


def task_table(cells: list[Cell], task: str) -> str:
    """Return all graphs at all densities for one task.

    A graph that is off the density has its own in brackets; a failure is a dash.
    """
    asked = list(dict.fromkeys(cell.asked for cell in cells if cell.asked is not None))
    rows = []
    for graph in dict.fromkeys(cell.graph for cell in cells):
        own = {cell.asked: cell for cell in cells if cell.graph == graph}
        alone = own.get(None)
        rows.append(
            [title(graph), *(_cell_text(own.get(k), task) for k in asked), _cell_text(alone, task, of_own=True)]
        )
    return table(["graph", *(_density_title(cells, k) for k in asked), "of its own"], rows)


def _cell_text(cell: Cell | None, task: str, *, of_own: bool = False) -> str:
    if cell is None:
        return ""
    if cell.failure is not None or task not in cell.scores:
        return "-"
    text = str(Interval.of(cell.scores[task]))
    return f"{text} [{cell.edges_per_node:.1f}]" if of_own or cell.is_off else text


def _density_title(cells: list[Cell], asked: float) -> str:
    density = next((cell.density for cell in cells if cell.asked == asked and cell.density is not None), None)
    return f"{asked:g}" if density is None else f"{density:.1f}"


def facts_table(cells: list[Cell]) -> str:
    """Return what can be counted of every cell, its parameters, and its failure if there is one."""
    rows = []
    for cell in cells:
        asked = "" if cell.density is None else f"{cell.density:.1f}"
        if cell.failure is not None:
            rows.append([title(cell.graph), cell.failure, f"{cell.asked:g}" if cell.asked else "", *["-"] * 5])
            continue
        parameters = ", ".join(f"{name}={_number(value)}" for name, value in cell.parameters.items())
        counts = [str(cell.components), str(cell.isolated), f"{cell.across:.1f}", f"{cell.seconds:.2g}"]
        rows.append([title(cell.graph), parameters, asked, f"{cell.edges_per_node:.1f}", *counts])
    header = ["graph", "parameters", "asked", "edges per node", "components", "isolated", "weight across", "seconds"]
    return table(header, rows, left=2)


def _number(value: float) -> str:
    return f"{value:.4g}"


def failures(data: Data) -> list[str]:
    """Return a line for every cell that failed, those of all densities together."""
    found: dict[tuple[str, str, str], int] = {}
    for name, cells in data.items():
        for cell in cells:
            if cell.failure is not None:
                key = (name, title(cell.graph), cell.failure)
                found[key] = found.get(key, 0) + 1
    return [f"- {graph} on {name}: {why} ({count} cells)." for (name, graph, why), count in found.items()]
