"""What a table says of its nodes, which are its rows or its columns."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from smoothgraph.io import Table
from smoothgraph.io.name_checks import quote_names
from smoothgraph.io.text_cells import are_dates

_UNEVEN = 10.0  # ratio of scales beyond which some columns make up the distances
_MOST_CLASSES = 20  # whole numbers with more values are measurements


@dataclass(frozen=True, eq=False)
class Nodes:
    """What a graph is learned from, and what is known of its nodes besides."""

    values: Any  # one row per node
    names: list[str] | None
    signal_names: list[str] | None
    attributes: dict[str, np.ndarray]
    label: str | None  # one of the attributes
    coordinates: np.ndarray | None  # (m, 2)
    on_map: bool  # the coordinates are latitude and longitude
    missing: bool
    notes: list[str]

    def signals(self, most: int) -> dict[str, np.ndarray]:
        """The signals by name, if they are named and not too many; otherwise mean and spread."""
        if sp.issparse(self.values):
            return {}
        if self.signal_names is not None and len(self.signal_names) <= most:
            return dict(zip(self.signal_names, self.values.T, strict=True))
        return {"mean": np.nanmean(self.values, 1), "spread": np.nanstd(self.values, 1)}

    @property
    def positions(self) -> np.ndarray | None:
        """The coordinates on a plane; of a map, with degrees of equal length."""
        if self.coordinates is None or not self.on_map:
            return self.coordinates
        latitude, longitude = self.coordinates.T
        return np.column_stack([longitude * np.cos(np.radians(latitude.mean())), latitude])


def nodes_of(
    table: Table,
    nodes: str,
    *,
    label: str | None,
    places: Sequence[str],
    drop: Sequence[str],
    standardize: bool,
) -> Nodes:
    """The rows or columns of a table as nodes, without the columns to ``drop``."""
    twice = {*places, *([] if label is None else [label])} & set(drop)
    if twice:
        raise ValueError(f"{twice.pop()!r} cannot be used and dropped; leave out --drop.")
    attributes = table.row_attributes if nodes == "rows" else table.column_attributes
    attributes = {name: values for name, values in attributes.items() if name not in drop}
    for name in ([] if label is None else [label]) + list(places):
        if name not in attributes:
            raise ValueError(
                f"{name!r} has one value for each of the {_others(nodes)}, but the nodes are the "
                f"{nodes}; leave it out, or say --nodes {_others(nodes)}."
            )
    coordinates, on_map = _coordinates(places, [attributes.pop(name) for name in places])
    if label is not None:
        attributes[label] = _classes(attributes[label])
    values = _standardized(table.values) if standardize else table.values
    names, signal_names = table.row_names, table.column_names
    if nodes == "columns":
        values, names, signal_names = values.T, signal_names, names
    missing = not sp.issparse(values) and bool(np.isnan(values).any())
    if missing:
        _refuse_empty_nodes(values, names)
    return Nodes(
        values=values,
        names=names,
        signal_names=signal_names,
        attributes=attributes,
        label=label,
        coordinates=coordinates,
        on_map=on_map,
        missing=missing,
        notes=[*table.notes, *_hints(table, nodes, missing=missing, standardize=standardize)],
    )


def _others(nodes: str) -> str:
    return "columns" if nodes == "rows" else "rows"


def _coordinates(
    names: Sequence[str], parts: Sequence[np.ndarray]
) -> tuple[np.ndarray | None, bool]:
    """The coordinates, latitude first, and whether their names say that they are on a map."""
    if not parts:
        return None, False
    coordinates = np.column_stack(parts)
    if coordinates.shape[1] != 2 or coordinates.dtype.kind not in "fiu":
        raise ValueError(
            f"expected two numbers per node as coordinates, got {coordinates.shape[1]} of type "
            f"{coordinates.dtype}; name two columns, as in lat,lon."
        )
    missing = np.flatnonzero(~np.isfinite(coordinates).all(axis=1))
    if missing.size:
        raise ValueError(f"the coordinates of node {missing[0] + 1} are missing; fill them in.")
    first, last = names[0].lower(), names[-1].lower()
    if first.startswith("lon") and last.startswith("lat"):
        return coordinates[:, ::-1], True
    if len(names) == 1:
        return coordinates, first.startswith("latlon")
    return coordinates, first.startswith("lat") and last.startswith(("lon", "lng"))


def _refuse_empty_nodes(values: np.ndarray, names: list[str] | None) -> None:
    empty = np.flatnonzero(np.isnan(values).all(axis=1))
    if empty.size:
        name = empty[0] + 1 if names is None else repr(names[empty[0]])
        raise ValueError(
            f"expected at least one value for every node, but all values of node {name} are "
            "missing; take it out of the file."
        )


def _hints(table: Table, nodes: str, *, missing: bool, standardize: bool) -> list[str]:
    """What a user may not have thought of."""
    hints = []
    if table.column_names is not None and nodes == "rows":
        hints.append(f"The signals are the columns {quote_names(table.column_names)}.")
    if missing:
        hints.append("Distances are taken over the values that both nodes have.")
    if nodes == "rows" and are_dates(table.row_names or []):
        hints.append("The rows are dates: if the columns are the sensors, say --nodes columns.")
    ratio = 1.0 if standardize or sp.issparse(table.values) else _unevenness(table.values)
    if ratio > _UNEVEN:
        hints.append(
            f"Some columns vary {ratio:.0f} times as much as others and make up most of the "
            "distances; --standardize gives each the same say."
        )
    return hints


def _classes(values: np.ndarray) -> np.ndarray:
    """A few whole numbers as text, "" where one is missing; anything else as it is."""
    if values.dtype.kind not in "fiu":
        return values
    present = ~np.isnan(values)
    distinct = np.unique(values[present])
    if len(distinct) > _MOST_CLASSES or np.any(distinct % 1):
        return values
    return np.where(present, np.where(present, values, 0).astype(np.int64).astype(str), "")


def _unevenness(values: np.ndarray) -> float:
    """The ratio of the largest to the median spread of the columns that vary at all."""
    with np.errstate(all="ignore"):
        spread = np.nanstd(values, axis=0)
    spread = spread[(spread > 0) & np.isfinite(spread)]
    return float(spread.max() / np.median(spread)) if len(spread) > 1 else 1.0


def _standardized(values: Any) -> Any:
    """Every column with mean 0 and standard deviation 1; a sparse matrix is scaled alone."""
    from sklearn.preprocessing import StandardScaler

    return StandardScaler(with_mean=not sp.issparse(values)).fit_transform(values)
