"""The cells of the benchmark as read from its results, and what they say about two graphs."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from scipy.stats import t as student

from paper.graphs.benchmark import unpack
from paper.graphs.judging import is_error

OFF = 0.1  # of the density: a graph farther from what it was asked for is marked
_LEVEL = 0.95


class Interval(NamedTuple):
    """A mean and half the width of its 95% confidence interval, by Student's t; NaN for a single draw."""

    mean: float
    half: float

    @classmethod
    def of(cls, values: np.ndarray) -> "Interval":
        """Return the interval of the mean of independent draws."""
        n = len(values)
        if n < 2:
            return cls(float(np.mean(values)), math.nan)
        error = float(np.std(values, ddof=1)) / math.sqrt(n)
        return cls(float(np.mean(values)), float(student.ppf((1 + _LEVEL) / 2, n - 1)) * error)

    def __str__(self) -> str:
        return f"{self.mean:.1f}" + ("" if math.isnan(self.half) else f" ± {self.half:.1f}")


@dataclass(frozen=True)
class Cell:
    """One graph on one data set: what was asked for, what came, and the scores of all draws by task."""

    graph: str
    asked: float | None
    failure: str | None = None
    density: float | None = None
    edges_per_node: float = math.nan
    components: int = 0
    isolated: int = 0
    across: float = math.nan
    seconds: float = math.nan
    parameters: Mapping[str, Any] = field(default_factory=dict)
    scores: Mapping[str, np.ndarray] = field(default_factory=dict)

    @property
    def is_off(self) -> bool:
        """Whether the density is not within a tenth of what all graphs were asked for."""
        return self.density is not None and abs(self.edges_per_node / self.density - 1) > OFF


def read_cells(summary: Mapping[str, Any]) -> list[Cell]:
    """Return the cells of one data set."""
    return [
        Cell(**(cell | {"scores": {task: unpack(text) for task, text in cell.get("scores", {}).items()}}))
        for cell in summary["results"]["cells"]
    ]


def tasks_of(cells: Iterable[Cell]) -> list[str]:
    """Return all tasks, in the order in which they come first."""
    return list(dict.fromkeys(task for cell in cells for task in cell.scores))


def cell_at(cells: Iterable[Cell], graph: str, asked: float | None) -> Cell | None:
    """Return the cell of a graph that was asked for this density, unless it failed."""
    found = (cell for cell in cells if (cell.graph, cell.asked) == (graph, asked) and cell.failure is None)
    return next(found, None)


def best_cell(cells: Iterable[Cell], graph: str, task: str) -> tuple[Cell, np.ndarray] | None:
    """Return a graph at its best density, and the scores there that did not choose it.

    The first half of the draws chooses the density, by the mean score. The second half judges it.
    """
    own = [cell for cell in cells if cell.graph == graph and task in cell.scores]
    if not own:
        return None
    half = len(own[0].scores[task]) // 2
    sign = -1 if is_error(task) else 1
    chosen = max(own, key=lambda cell: sign * float(np.mean(cell.scores[task][:half])))
    return chosen, chosen.scores[task][half:]


def lead(ours: np.ndarray, theirs: np.ndarray, task: str) -> Interval:
    """Return by how many points ours is better; draws are paired."""
    return Interval.of((theirs - ours) if is_error(task) else (ours - theirs))


class Tally(NamedTuple):
    """How often the 95% interval of the lead is above 0, holds 0, and is below 0."""

    wins: int
    ties: int
    losses: int

    @classmethod
    def of(cls, leads: Iterable[Interval]) -> "Tally":
        """Count leads; those of a single draw are ties."""
        signs = [0 if not abs(one.mean) > one.half else int(np.sign(one.mean)) for one in leads]
        return cls(signs.count(1), signs.count(0), signs.count(-1))

    def __str__(self) -> str:
        return f"{self.wins} / {self.ties} / {self.losses}" if any(self) else ""


def leads_at_equal_density(cells: list[Cell], ours: str, theirs: str, task: str) -> list[Interval]:
    """Return our lead at each density that both graphs have, leaving out those that are off."""
    found = []
    for asked in dict.fromkeys(cell.asked for cell in cells if cell.asked is not None):
        one, other = cell_at(cells, ours, asked), cell_at(cells, theirs, asked)
        usable = one is not None and other is not None and not (one.is_off or other.is_off)
        if usable and one is not None and other is not None and task in one.scores:
            found.append(lead(one.scores[task], other.scores[task], task))
    return found


def lead_at_best(cells: list[Cell], ours: str, theirs: str, task: str) -> Interval | None:
    """Return our lead with each graph at its own best density."""
    one, other = best_cell(cells, ours, task), best_cell(cells, theirs, task)
    return None if one is None or other is None else lead(one[1], other[1], task)


def ranks(cells: list[Cell], task: str) -> dict[str, float]:
    """Return the rank of each graph at its own best density; equal means share their mean rank."""
    found = {graph: best_cell(cells, graph, task) for graph in dict.fromkeys(cell.graph for cell in cells)}
    means = {graph: float(np.mean(one[1])) for graph, one in found.items() if one is not None}
    sign = 1 if is_error(task) else -1
    values = sign * np.array(list(means.values()))
    places = [1 + np.sum(values < value) + (np.sum(values == value) - 1) / 2 for value in values]
    return dict(zip(means, map(float, places), strict=True))
