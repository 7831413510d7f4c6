"""From a file and its options to named nodes with their signals and attributes."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
import scipy.sparse as sp
import typer

from smoothgraph.io import Table, read_table
from smoothgraph.progress import busy

_PANEL = "What is in the file"
_UNEVEN = 100.0  # ratio of scales beyond which a few columns decide alone
_TableFormat = Literal["csv", "tsv", "parquet", "npy", "npz", "mtx", "hdf5", "h5ad"]


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
        with np.errstate(all="ignore"):
            return {"mean": np.nanmean(self.values, 1), "spread": np.nanstd(self.values, 1)}

    @property
    def positions(self) -> np.ndarray | None:
        """The coordinates on a plane; of a map, with degrees of equal length."""
        if self.coordinates is None or not self.on_map:
            return self.coordinates
        latitude, longitude = self.coordinates.T
        return np.column_stack([longitude * np.cos(np.radians(latitude.mean())), latitude])


@dataclass(frozen=True)
class DataOptions:
    """Where the data is and what its parts mean."""

    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="CSV, TSV, Parquet, NPY, NPZ, Matrix Market, HDF5 or h5ad; - is standard input.",
        ),
    ]
    nodes: Annotated[
        Literal["rows", "columns"],
        typer.Option(
            help="Whether each row is a node (a flower, a cell) or each column (a sensor).",
            rich_help_panel=_PANEL,
        ),
    ] = "rows"
    names: Annotated[
        str | None,
        typer.Option(help="The column with the names of the rows.", rich_help_panel=_PANEL),
    ] = None
    label: Annotated[
        str | None,
        typer.Option(
            help="The column with the classes: kept out of the learning, used for colours.",
            rich_help_panel=_PANEL,
        ),
    ] = None
    coordinates: Annotated[
        str | None,
        typer.Option(
            metavar="LAT,LON",
            help="Two columns, or one array, with the places of the nodes, kept out of the "
            "learning; a map is drawn if they are called latitude and longitude (lat, lon).",
            rich_help_panel=_PANEL,
        ),
    ] = None
    drop: Annotated[
        list[str] | None,
        typer.Option(help="A column to leave out; may be repeated.", rich_help_panel=_PANEL),
    ] = None
    standardize: Annotated[
        bool,
        typer.Option(
            "--standardize",
            help="Shift and scale every column to mean 0 and standard deviation 1.",
            rich_help_panel=_PANEL,
        ),
    ] = False
    header: Annotated[
        bool | None,
        typer.Option(
            "--header/--no-header",
            help="Whether the first row holds the names of the columns; guessed by default.",
            rich_help_panel=_PANEL,
            show_default=False,
        ),
    ] = None
    key: Annotated[
        str | None,
        typer.Option(
            help="The array to take from an NPZ, HDF5 or h5ad file.", rich_help_panel=_PANEL
        ),
    ] = None
    format: Annotated[
        _TableFormat | None,
        typer.Option(
            help="By default from the file's name; CSV for -.",
            rich_help_panel=_PANEL,
            show_default=False,
        ),
    ] = None

    @property
    def title(self) -> str:
        """What to call the data."""
        return "standard input" if self.file == "-" else Path(self.file).name

    def read(self) -> Nodes:
        """The nodes of the file."""
        with busy("Reading the data"):
            table = read_table(
                self.file,
                format=self.format,
                key=self.key,
                names=self.names,
                aside=self._aside,
                header=self.header,
            )
        by_rows = self.nodes == "rows"
        attributes = dict(table.row_attributes if by_rows else table.column_attributes)
        for name in self.drop or []:
            attributes.pop(name, None)
        places = self._places(attributes)
        values = _standardized(table.values) if self.standardize else table.values
        names, signal_names = table.row_names, table.column_names
        if not by_rows:
            values, names, signal_names = values.T, signal_names, names
        missing = not sp.issparse(values) and bool(np.isnan(values).any())
        if missing:
            self._refuse_empty_nodes(values, names)
        return Nodes(
            values=values,
            names=names,
            signal_names=signal_names,
            attributes=attributes,
            label=self._label(attributes),
            coordinates=None if places is None else places[0],
            on_map=places is not None and places[1],
            missing=missing,
            notes=[*table.notes, *self._hints(table)],
        )

    @property
    def _aside(self) -> list[str]:
        """Columns that are no signals."""
        wanted = [*(self.drop or []), *([self.label] if self.label else [])]
        return [*wanted, *_pair(self.coordinates)] if self.coordinates else wanted

    def _label(self, attributes: dict[str, np.ndarray]) -> str | None:
        """The name of the label, whose whole numbers become classes."""
        if self.label is None:
            return None
        if self.label not in attributes:
            raise ValueError(
                f"{self.title}: {self.label!r} has no value for each of the nodes, which are the "
                f"{self.nodes}; leave out --label, or use --nodes."
            )
        attributes[self.label] = _classes(attributes[self.label])
        return self.label

    def _places(self, attributes: dict[str, np.ndarray]) -> tuple[np.ndarray, bool] | None:
        """The coordinates, taken out of the attributes, and whether they are on a map."""
        if self.coordinates is None:
            return None
        names = _pair(self.coordinates)
        if not set(names) <= set(attributes):
            raise ValueError(
                f"{self.title}: {self.coordinates!r} has no coordinates for each of the nodes, "
                f"which are the {self.nodes}; leave out --coordinates, or use --nodes."
            )
        places = np.column_stack([attributes.pop(name) for name in names])
        if places.shape[1] != 2 or places.dtype.kind not in "fiu":
            raise ValueError(
                f"{self.title}: expected two numbers per node in {self.coordinates!r}, got "
                f"{places.shape[1]} of {places.dtype}; name two columns, as in lat,lon."
            )
        if not np.isfinite(places).all():
            node = int(np.flatnonzero(~np.isfinite(places).all(axis=1))[0])
            raise ValueError(f"{self.title}: the coordinates of node {node + 1} are missing.")
        return _latitude_first(names, places.astype(float))

    def _refuse_empty_nodes(self, values: np.ndarray, names: list[str] | None) -> None:
        empty = np.flatnonzero(np.isnan(values).all(axis=1))
        if empty.size:
            name = f"number {empty[0] + 1}" if names is None else repr(names[empty[0]])
            raise ValueError(
                f"{self.title}: expected at least one value for every node, but all values of the "
                f"{self.nodes.removesuffix('s')} {name} are missing; take it out of the file."
            )

    def _hints(self, table: Table) -> list[str]:
        """What a user may not have thought of."""
        hints = []
        if not sp.issparse(table.values) and np.isnan(table.values).any():
            hints.append("Distances are taken over the values that both nodes have.")
        if self.nodes == "rows" and _are_dates(table.row_names):
            hints.append("The rows are dates: if the columns are the sensors, say --nodes columns.")
        ratio = 1.0 if self.standardize or sp.issparse(table.values) else _unevenness(table.values)
        if ratio > _UNEVEN:
            hints.append(
                f"Some columns vary {ratio:.0f} times as much as others and decide alone; "
                "--standardize gives each the same say."
            )
        return hints


def _classes(values: np.ndarray) -> np.ndarray:
    """Whole numbers as text, "" where one is missing; anything else as it is."""
    if values.dtype.kind not in "fiu":
        return values
    present = ~np.isnan(values)
    if np.any(values[present] % 1):
        return values
    return np.where(present, np.where(present, values, 0).astype(np.int64).astype(str), "")


def _pair(coordinates: str) -> list[str]:
    return [name.strip() for name in coordinates.split(",")]


def _latitude_first(names: list[str], places: np.ndarray) -> tuple[np.ndarray, bool]:
    """The places, and whether their names say that they are latitude and longitude."""
    first, last = names[0].lower(), names[-1].lower()
    if len(names) == 1:
        return places, first.startswith("latlon")
    if first.startswith("lon") and last.startswith("lat"):
        return places[:, ::-1], True
    return places, first.startswith("lat") and last.startswith(("lon", "lng"))


def _are_dates(names: list[str] | None) -> bool:
    if not names or not any(mark in names[0] for mark in "-/:"):
        return False
    import pandas as pd  # deferred: takes a while

    return not pd.isna(pd.to_datetime(names[0], errors="coerce"))


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
