"""Look over a table before a graph is learned: set aside what is no signal, and run all checks."""

import warnings
from collections.abc import Collection
from dataclasses import dataclass
from shlex import quote

import numpy as np
import scipy.sparse as sp

from smoothgraph.io.errors import refuse_unknown
from smoothgraph.io.table_file import Table, leave_out, set_aside
from smoothgraph.support.input_error import InputError
from smoothgraph.support.wording import agree
from smoothgraph.tables.checks import CHECKS
from smoothgraph.tables.finding import Finding, View, name_columns, numbers_of
from smoothgraph.tables.time_axis import column_times, find_time_columns, row_times, rows_are_ordered

_MOST_KEPT = 3  # columns that a remedy lists


@dataclass(frozen=True, eq=False)
class Survey:
    """A table without what is no signal, its view, and the findings."""

    table: Table
    view: View
    findings: list[Finding]


def survey_table(
    table: Table, nodes: str | None = None, *, keep: Collection[str] = (), settled: Collection[str] = ()
) -> Survey:
    """Set aside columns that tell the time, leave out dead nodes, and check the rest.

    If ``nodes`` is None, they are columns if the rows follow each other in time. The columns in ``keep`` stay.
    """
    if sp.issparse(table.values):
        return Survey(table, View(table, nodes or "rows"), [])
    for name in keep:
        refuse_unknown(name, table.column_labels, what="columns of numbers")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # NumPy's, of means of nothing and of huge numbers
        return _survey(table, nodes, keep, frozenset(settled))


def _survey(table: Table, nodes: str | None, keep: Collection[str], settled: frozenset[str]) -> Survey:
    table, findings = _set_time_aside(table, keep)
    times = row_times(table)
    ordered = times is not None or rows_are_ordered(table)
    nodes = nodes or ("columns" if ordered else "rows")
    if nodes == "columns":
        table, dead = leave_out_dead(table, keep)
        findings += dead
    view = View(numbers_of(table), nodes, times, column_times(table), ordered=ordered, settled=settled)
    if view.table.values.size:
        findings += [finding for check in CHECKS for finding in check(view)]
    return Survey(table, view, findings)


def _set_time_aside(table: Table, keep: Collection[str]) -> tuple[Table, list[Finding]]:
    found = tuple(label for label in find_time_columns(table) if label not in keep)
    if not found or len(found) == table.values.shape[1]:
        return table, []
    n = len(found)
    finding = Finding(
        "time",
        f"{name_columns(found)} {agree(n, 'tells', 'tell')} the time or {agree(n, 'counts', 'count')} the rows, and "
        f"{agree(n, 'was', 'were')} set aside.",
        f"To learn from {agree(n, 'it', 'them')}, use {_keep(found)}.",
        found,
    )
    return set_aside(table, found), [finding]


def leave_out_dead(table: Table, keep: Collection[str]) -> tuple[Table, list[Finding]]:
    """Return the table without the columns that never change, and the finding about them.

    A graph would join such a column to whatever is near its value.
    """
    labels, values = table.column_labels, table.values
    constant = np.fmin.reduce(values, axis=0) == np.fmax.reduce(values, axis=0)
    dead = tuple(label for label, flat in zip(labels, constant, strict=True) if flat and label not in keep)
    if not dead or values.shape[0] < 2:
        return table, []
    if len(dead) == len(labels):
        raise InputError(
            "expected columns that change from row to row, but each holds one value only; check the file, or use "
            "--nodes rows"
        )
    n = len(dead)
    finding = Finding(
        "dead",
        f"{name_columns(dead)} never {agree(n, 'changes', 'change')}, and {agree(n, 'was', 'were')} left out.",
        f"To take {agree(n, 'it for a node', 'them for nodes')}, use {_keep(dead)}.",
        dead,
    )
    return leave_out(table, dead), [finding]


def _keep(labels: tuple[str, ...]) -> str:
    """Return the options that take back a few columns."""
    return " ".join(f"--keep {quote(label)}" for label in labels[:_MOST_KEPT]) + " ..." * (len(labels) > _MOST_KEPT)
