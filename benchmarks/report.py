"""Report what was measured: records, tables on the terminal, targets, and the JSON file."""

import json
import math
import os
import platform
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from enum import Enum
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from benchmarks.measure import TARGETS, Outcome, Verdict

NEWTON = "Newton, all pairs"
NEWTON_FROM_MATRIX = "Newton, from the distance matrix"

_PACKAGES = (
    "smoothgraph",
    "numpy",
    "scipy",
    "scikit-learn",
    "numba",
    "graph-structure-learning",
    "pygsp2",
    "cvxpy",
    "clarabel",
)
_PEER_RATIO = 100.0
_PEER_RATIO_SIZES = (1000, 1001)
_SKLEARN_RATIO = 1.0
_SKLEARN_SIZES = (1000, 1001, 2000, 4000, 8000)
_CAPTION = (
    "Newton and PrimalDual: the solve alone, on given pairs. "
    "Other packages: a call of their function with the distances."
)
_STEADY = 1.3  # on a quiet machine, the drift stays below this factor
_STEADY_SIZE = 1000  # nodes; smaller problems are too fast to tell
_FIRST_CALL, _CACHED_CALL = 15.0, 2.0


@dataclass(frozen=True)
class FirstCall:
    """Seconds to import and learn 200 nodes, and seconds of the whole process that did it."""

    learn_empty: float
    process_empty: float
    learn_cached: float
    process_cached: float


@dataclass(frozen=True)
class Preparation:
    """A data set, its problem, and the seconds of everything except solving."""

    data: str
    n_nodes: int
    n_features: int
    theta: float
    edges_per_node: float
    sklearn_distances: float
    distances: float
    precomputed: float
    neighbors: float
    newton_over_sklearn: float


@dataclass(frozen=True)
class Row:
    """One solver on one data set. If there are no outcomes, a note says why."""

    data: str
    n_nodes: int
    solver: str
    is_peer: bool
    outcomes: list[Outcome] = field(default_factory=list)
    note: str = ""
    gap_on_all_pairs: float | None = None

    def at(self, target: float) -> Outcome | None:
        """Return the outcome for one target."""
        return next((outcome for outcome in self.outcomes if outcome.target == target), None)


@dataclass(frozen=True)
class DataSet:
    """Everything that was measured on one data set.

    ``drift`` is the time of scikit-learn's distance matrix after the runs, divided by the time
    before them.
    """

    preparation: Preparation
    rows: list[Row]
    drift: float


@dataclass(frozen=True)
class Check:
    """A number with a target. With ``is_bound``, the true value is only known to be larger."""

    quantity: str
    value: float
    target: float
    at_least: bool = False
    is_bound: bool = False
    unit: str = ""

    @property
    def met(self) -> bool | None:
        """Whether the value meets the target; None if a bound leaves it open."""
        met = self.value >= self.target if self.at_least else self.value <= self.target
        return None if self.is_bound and met is not self.at_least else met


class Report:
    """Collects the records of a run and prints each table as soon as it is complete."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._first_call: FirstCall | None = None
        self._data_sets: list[DataSet] = []

    def add_first_call(self, first: FirstCall) -> None:
        """Add the time of the first call in a process."""
        self._first_call = first
        table = _table(
            "First call in a fresh process: 200 nodes", ["compiled code", "import and learn", "whole process"]
        )
        table.add_row("not cached", _time(first.learn_empty), _time(first.process_empty))
        table.add_row("cached", _time(first.learn_cached), _time(first.process_cached))
        self._console.print(table)

    def add(self, data: DataSet) -> None:
        """Add one data set."""
        self._data_sets.append(data)
        self._console.print(_preparation_table(data), _solver_table(data))

    def print_summary(self) -> None:
        """Print the targets and whether they are met."""
        table = _table("Targets", ["quantity", "measured", "target", "met"])
        for check in self._checks():
            table.add_row(check.quantity, *_check_cells(check))
        self._console.print(table)

    def write(self, path: Path) -> None:
        """Write the whole run as JSON, completely or not at all."""
        content = {
            "environment": environment(),
            "first_call": self._first_call and asdict(self._first_call),
            "data_sets": [asdict(data) for data in self._data_sets],
            "targets": [{**asdict(check), "met": check.met} for check in self._checks()],
        }
        text = json.dumps(_plain(content), indent=1, allow_nan=False)
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_name(f"{path.name}.{os.getpid()}.tmp")
        unfinished.write_text(text + "\n")
        unfinished.replace(path)

    def _checks(self) -> Iterator[Check]:
        for data in self._data_sets:
            yield from _peer_check(data)
        for data in self._data_sets:
            yield from _sklearn_check(data.preparation)
        if self._first_call is not None:
            first, cached = self._first_call.process_empty, self._first_call.process_cached
            yield Check("first call, whole process", first, _FIRST_CALL, unit=" s")
            yield Check("cached call, whole process", cached, _CACHED_CALL, unit=" s")


def environment() -> dict[str, Any]:
    """Return the versions and the number of cores with which the times were measured."""
    return {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "cores": _n_cores(),
        **{name: _version(name) for name in _PACKAGES},
    }


def _peer_check(data: DataSet) -> Iterator[Check]:
    """Divide the time of the fastest peer to 1e-3 by that of Newton to 1e-6, from distances."""
    preparation, rows = data.preparation, data.rows
    own = _outcome(rows, NEWTON_FROM_MATRIX, 1e-6)
    outcomes = [row.at(1e-3) for row in rows if row.is_peer]
    peers = [each for each in outcomes if each and each.verdict is not Verdict.FAILS]
    if preparation.n_nodes not in _PEER_RATIO_SIZES or own is None or not peers:
        return
    reached = [each.seconds for each in peers if each.verdict is Verdict.REACHED]
    fastest = min(reached) if reached else min(each.seconds for each in peers)
    yield Check(
        f"{preparation.data}: fastest peer to 1e-3 / Newton from distances to 1e-6",
        fastest / own.seconds,
        _PEER_RATIO,
        at_least=True,
        is_bound=not reached,
    )


def _sklearn_check(preparation: Preparation) -> Iterator[Check]:
    """Divide the time of Newton over all pairs to 1e-6 by that of scikit-learn's distances."""
    if preparation.n_nodes in _SKLEARN_SIZES:
        quantity = f"{preparation.data}: Newton to 1e-6 / scikit-learn's distance matrix"
        yield Check(quantity, preparation.newton_over_sklearn, _SKLEARN_RATIO)


def _outcome(rows: list[Row], solver: str, target: float) -> Outcome | None:
    """Return the outcome of one of our solvers, or None if it missed the target."""
    outcome = next((row.at(target) for row in rows if row.solver == solver), None)
    return outcome if outcome and outcome.verdict is Verdict.REACHED else None


def _preparation_table(data: DataSet) -> Table:
    preparation = data.preparation
    title = (
        f"{preparation.data}: {preparation.n_nodes} x {preparation.n_features}, "
        f"{preparation.edges_per_node:.1f} edges per node (theta {preparation.theta:.3g})"
    )
    table = _table(title, ["before solving", "time", "x scikit-learn's distance matrix"])
    reference = preparation.sklearn_distances
    for name, seconds in (
        ("scikit-learn's distance matrix", reference),
        ("smoothgraph.pairs.distances", preparation.distances),
        ("smoothgraph.Pairs.from_distances", preparation.precomputed),
        ("40-NN search, edges, distances", preparation.neighbors),
    ):
        table.add_row(name, _time(seconds), f"{seconds / reference:.2f}")
    return table


def _solver_table(data: DataSet) -> Table:
    rows = data.rows
    table = _table(
        f"{data.preparation.data}: time to a relative gap (x: {NEWTON_FROM_MATRIX})",
        ["solver", *(f"{target:.0e}" for target in TARGETS), "remark"],
    )
    table.caption = _CAPTION + _noise(data)
    for row in rows:
        cells = [_cell(row.at(target), rows, target) for target in TARGETS]
        table.add_row(row.solver, *cells, _remark(row))
    return table


def _cell(outcome: Outcome | None, rows: list[Row], target: float) -> str:
    if outcome is None:
        return "-"
    text = outcome.verdict.value.format(seconds=_time(outcome.seconds), gap=outcome.gap)
    reference = _outcome(rows, NEWTON_FROM_MATRIX, target)
    if reference is None or outcome.verdict is not Verdict.REACHED:
        return text
    return f"{text} ({outcome.seconds / reference.seconds:.3g}x)"


def _noise(data: DataSet) -> str:
    """Return a warning if the same work took longer or shorter at the end than at the beginning."""
    if data.preparation.n_nodes < _STEADY_SIZE or 1 / _STEADY < data.drift < _STEADY:
        return ""
    return (
        "\nThe machine was not quiet: scikit-learn's distance matrix took "
        f"{data.drift:.2g} times as long after these runs as before."
    )


def _remark(row: Row) -> str:
    if row.gap_on_all_pairs is None:
        return escape(row.note)
    return f"gap on all pairs: {row.gap_on_all_pairs:.1e}"


def _check_cells(check: Check) -> tuple[str, str, str]:
    value = f"{'> ' if check.is_bound else ''}{check.value:.3g}{check.unit}"
    target = f"{'>=' if check.at_least else '<='} {check.target:g}{check.unit}"
    verdict = {True: "[green]yes[/green]", False: "[red]no[/red]", None: "open"}[check.met]
    return value, target, verdict


def _table(title: str, columns: list[str]) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", caption_justify="left")
    for position, column in enumerate(columns):
        table.add_column(column, justify="left" if position == 0 else "right")
    return table


def _time(seconds: float) -> str:
    return f"{1000 * seconds:.3g} ms" if seconds < 0.9995 else f"{seconds:.3g} s"


def _plain(value: Any) -> Any:
    """Return the value with enums as names and without infinities, which JSON lacks."""
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_plain(each) for each in value]
    if isinstance(value, Enum):
        return value.name.lower()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _n_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
