"""What a table holds, what deserves a second look, and how to learn from it."""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from smoothgraph.io import read_table
from smoothgraph.io.map_places import find_places
from smoothgraph.io.python_tables import table_from
from smoothgraph.io.text_cells import are_dates
from smoothgraph.support.classes import are_shared
from smoothgraph.tables.finding import Finding
from smoothgraph.tables.survey import Survey, survey_table
from smoothgraph.tables.time_axis import counts_time


@dataclass(frozen=True)
class TableReport:
    """What :func:`check_table` found.

    Attributes
    ----------
    nodes : "rows" or "columns"
        What the nodes are: columns if the rows follow each other in time, unless the caller says otherwise.
    shape : (int, int)
        The numbers of nodes and of signals.
    roles : dict
        The columns by what they are: signals, names, time, labels, coordinates, text.
    notes : list of str
        What was said while the file was read.
    findings : list of Finding
        What deserves a second look.
    options : list of str
        The options for ``smoothgraph learn`` that follow the findings.
    """

    nodes: str
    shape: tuple[int, int]
    roles: dict[str, list[str]]
    notes: list[str]
    findings: list[Finding]
    options: list[str]


def check_table(data: Any, nodes: str | None = None, *, keep: Collection[str] = (), **options: Any) -> TableReport:
    """Tell what the columns of a table are, and what to look at before a graph is learned from it.

    Remedies are told as options of the command line, which have counterparts in Python; see
    :func:`smoothgraph.io.read_table`.

    Parameters
    ----------
    data : path, DataFrame of pandas or polars, xarray.DataArray, or Table
        The table. A path may be followed by the options of :func:`smoothgraph.io.read_table`.
    nodes : "rows" or "columns", optional
        What the nodes are, if it is not to be guessed.
    keep : collection of str
        Columns to take for signals, whatever they look like.

    Examples
    --------
    >>> import numpy as np, pandas as pd, smoothgraph as sg
    >>> waves = np.sin(np.outer(np.arange(50), [0.3, 0.5, 0.7]))
    >>> waves[7, 1] = -999
    >>> frame = pd.DataFrame(waves, columns=["Oslo", "Rome", "Lima"]).assign(day=range(50))
    >>> for finding in sg.check_table(frame).findings:
    ...     print(finding.what)
    Column 'day' tells the time or counts the rows, and was set aside.
    1 value is -999, far from all others, in Rome.
    """
    table = read_table(data, **options) if isinstance(data, Path | str) else table_from(data)
    return report_survey(survey_table(table, nodes, keep=keep))


def report_survey(survey: Survey) -> TableReport:
    """Return the report of a table that was looked over."""
    view = survey.view
    options = ["--nodes", view.nodes] if view.nodes == "columns" else []
    for finding in survey.findings:
        if finding.check == "long table":  # all else is about the wrong nodes
            options = list(finding.options)
            break
        options += finding.options
    shape = survey.table.values.shape
    return TableReport(
        view.nodes,
        shape if view.nodes == "rows" else shape[::-1],
        _find_roles(survey),
        survey.table.notes,
        survey.findings,
        options,
    )


def _find_roles(survey: Survey) -> dict[str, list[str]]:
    """Return the columns of the file by what they are."""
    table, kind = survey.table, "nodes" if survey.view.nodes == "columns" else "signals"
    roles: dict[str, list[str]] = {kind: table.column_labels}
    if table.names_from is not None:
        times = survey.view.row_times is not None and are_dates(table.row_names or [])
        roles["time" if times else "names"] = [table.names_from]
    places = find_places(table.row_attributes)
    for label, values in table.row_attributes.items():
        role = "coordinates" if label in places else _role_of(label, values)
        roles.setdefault(role, []).append(label)
    if survey.view.nodes == "columns":
        for label, values in table.column_attributes.items():
            is_label = values.dtype.kind == "U" and _role_of(label, values) == "labels"
            roles.setdefault("labels" if is_label else "about the nodes", []).append(label)
    return roles


def _role_of(label: str, values: np.ndarray) -> str:
    if values.dtype.kind != "U":
        return "time" if values.ndim == 1 and counts_time(label, values) else "other numbers"
    if are_dates(values):
        return "time"
    return "labels" if are_shared(values) else "text"
