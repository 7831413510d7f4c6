"""The nodes of a table: its rows or its columns, and what the table says about them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.sparse as sp

from smoothgraph.io import Table
from smoothgraph.io.errors import MOST_NOTED, quote_names
from smoothgraph.io.map_places import locate_nodes, read_places
from smoothgraph.io.table_file import codes_of
from smoothgraph.support.classes import MOST_CLASSES
from smoothgraph.support.input_error import InputError
from smoothgraph.support.wording import agree
from smoothgraph.tables.time_axis import column_times, row_times, rows_are_ordered

_MOST_SIGNALS = 50  # in the menu of the colors of a report
_SAME = 1e-9  # of the largest number, within which values are alike


@dataclass(frozen=True, eq=False)
class Nodes:
    """The signals to learn from, and everything else that is known about the nodes."""

    values: Any  # one row per node
    names: list[str] | None
    signal_names: list[str] | None
    categories: dict[int, list[str]]  # what the values of a column stand for
    classes: dict[str, np.ndarray]  # the label, if there is one
    attributes: dict[str, np.ndarray]  # the other columns that were set aside
    described: dict[str, np.ndarray]  # all of them, with the label, the groups, and the coordinates
    coordinates: np.ndarray | None  # (m, 2)
    on_map: bool  # the coordinates are latitude and longitude
    groups: np.ndarray | None  # the column of the groups, if there is one
    missing: bool
    notes: list[str]
    times: np.ndarray | None = None  # of the signals, if they are known
    in_order: bool = False  # the signals follow each other in time, at known times or not

    def shown_attributes(self) -> dict[str, np.ndarray]:
        """Return what a report colors the nodes by: the label, the signals, and the columns that were set aside."""
        aside = {name: values for name, values in self.attributes.items() if values.ndim == 1}
        return self.classes | self._signals() | aside

    def _signals(self) -> dict[str, np.ndarray]:
        """Return the signals by name, or their mean and spread if they are unnamed or too many."""
        if sp.issparse(self.values):
            return {}
        if self.signal_names is not None and len(self.signal_names) <= _MOST_SIGNALS:
            return dict(zip(self.signal_names, (self._column(k) for k in range(len(self.signal_names))), strict=True))
        numbers = np.delete(self.values, list(self.categories), axis=1)
        if numbers.shape[1] == 0:
            return {}
        typical = {"mean": np.nanmean(numbers, 1), "spread": np.nanstd(numbers, 1)}
        same = _SAME * np.nanmax(np.abs(numbers), initial=0.0)  # as after --standardize
        return {name: values for name, values in typical.items() if np.ptp(values) > same}

    @property
    def table(self) -> Any:
        """What a learner is fitted to: the values, or a DataFrame if some columns hold categories."""
        if not self.categories:
            return self.values
        import pandas as pd  # which read the texts

        frame = pd.DataFrame(self.values)
        for k, texts in self.categories.items():
            frame[k] = pd.Categorical.from_codes(codes_of(self.values[:, k]), texts)
        return frame

    def sort_by_time(self) -> "Nodes":
        """Return the nodes with their signals in the order of their times, if these are known."""
        if self.times is None or self.categories:
            return self
        order = np.argsort(self.times, kind="stable")
        names = None if self.signal_names is None else [self.signal_names[k] for k in order]
        return replace(self, values=self.values[:, order], signal_names=names, times=self.times[order])

    def _column(self, k: int) -> np.ndarray:
        """The numbers of a column, or its texts, "" where one is missing."""
        if k not in self.categories:
            return self.values[:, k]
        return np.array([*self.categories[k], ""])[codes_of(self.values[:, k])]


def select_nodes(
    table: Table, nodes: str, *, label: str | None, places: Sequence[str], groups: str | None = None
) -> Nodes:
    """Return the rows or columns of a table as nodes."""
    used = [name for name in (label, *places, *({groups} - {label})) if name is not None]
    by_rows = nodes == "rows"
    attributes = table.row_attributes if by_rows else table.column_attributes
    _check_used(used, attributes, nodes)
    classes = {} if label is None else {label: read_classes(attributes[label])}
    described = attributes | classes
    values: Any = table.values
    names, signal_names = table.row_names, table.column_names
    if not by_rows:
        values, names, signal_names = values.T, signal_names, names
    missing = not sp.issparse(values) and bool(np.isnan(values).any())
    notes = list(table.notes)
    if by_rows and table.column_names is not None:
        notes.append(f"The signals are the columns {quote_names(table.column_names, MOST_NOTED)}.")
    if missing:
        _refuse_empty_nodes(values, names)
        notes.append("Distances use the values that both nodes have.")
    coordinates, on_map = read_places(places, attributes) if places else (None, False)
    known = locate_nodes(attributes)
    if known is not None and not places:
        lost = int(np.count_nonzero(np.isnan(known).any(axis=1)))
        if lost:
            notes.append(f"There is no map: the places of {lost} {agree(lost, 'node', 'nodes')} are missing.")
        else:
            coordinates, on_map = known, True
    times = column_times(table) if by_rows else row_times(table)
    return Nodes(
        values=values,
        names=names,
        signal_names=signal_names,
        categories=table.categories,
        classes=classes,
        attributes={name: values for name, values in attributes.items() if name not in used},
        described=described,
        coordinates=coordinates,
        on_map=on_map,
        groups=None if groups is None else described[groups],
        missing=missing,
        notes=notes,
        times=times,
        in_order=times is not None or (not by_rows and rows_are_ordered(table)),
    )


def _check_used(used: Sequence[str], attributes: Mapping[str, np.ndarray], nodes: str) -> None:
    """Raise an InputError unless these are different attributes of the nodes."""
    repeated = next((name for name in used if used.count(name) > 1), None)
    if repeated is not None:
        raise InputError(
            f"Expected a label and coordinates that are all different, got {repeated!r} twice; leave one out."
        )
    unknown = next((name for name in used if name not in attributes), None)
    if unknown is not None:
        others = "columns" if nodes == "rows" else "rows"
        raise InputError(
            f"{unknown!r} has one value for each of the {others}, but the nodes are the {nodes}; "
            f"leave it out, or use --nodes {others}."
        )


def _refuse_empty_nodes(values: np.ndarray, names: list[str] | None) -> None:
    empty = np.flatnonzero(np.isnan(values).all(axis=1))
    if empty.size:
        name = empty[0] + 1 if names is None else repr(names[empty[0]])
        raise InputError(
            f"expected at least one value for every node, but all values of node {name} are "
            "missing; remove it from the file."
        )


def read_classes(values: np.ndarray) -> np.ndarray:
    """Return a few integers as text, with "" for a missing one; return the rest unchanged."""
    if values.dtype.kind not in "fiu":
        return values
    present = ~np.isnan(values)
    distinct = np.unique(values[present])
    if len(distinct) > MOST_CLASSES or np.any(distinct % 1):
        return values
    return np.where(present, np.where(present, values, 0).astype(np.int64).astype(str), "")
