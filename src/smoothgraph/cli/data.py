"""The options that say where the data is and what its parts mean."""

from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from smoothgraph.cli.nodes import Nodes, nodes_of
from smoothgraph.io import TABLE_FORMATS, read_table
from smoothgraph.support.progress import busy

_PANEL = "What is in the file"
if TYPE_CHECKING:
    TableFormat = str
else:
    TableFormat = Literal[tuple(TABLE_FORMATS)]


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
        TableFormat | None,
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

    @property
    def places(self) -> list[str]:
        """The columns, or the array, of ``coordinates``."""
        return [] if self.coordinates is None else [n.strip() for n in self.coordinates.split(",")]

    def for_workers(self) -> str:
        """The path, for Dask workers that read it as it is; what they could not do is refused."""
        if self.file == "-":
            raise ValueError(
                "Dask workers cannot read standard input; give the path of what they should read."
            )
        given = [
            f"--{option.name}"
            for option in fields(self)
            if option.name != "file" and getattr(self, option.name) not in (option.default, [])
        ]
        if given:
            raise ValueError(
                f"{' and '.join(given)} cannot be honoured on Dask workers, which read all columns "
                "as numbers and each row as a node; write the table as it should be read, or leave "
                "out --scheduler and --workers."
            )
        from smoothgraph.cluster.row_source import as_rows  # deferred: an extra

        try:
            as_rows(self.file)  # only its header
        except ValueError as error:
            raise ValueError(
                f"{str(error).rstrip('.')}. Dask workers read Parquet files, folders of them, Zarr "
                "arrays and .npy files; without --scheduler and --workers other tables are read, "
                "too."
            ) from error
        return self.file

    def read(self) -> Nodes:
        """The nodes of the file; errors name it."""
        label = [] if self.label is None else [self.label]
        with busy("Reading the data"):
            table = read_table(
                self.file,
                format=self.format,
                key=self.key,
                names=self.names,
                aside=[*(self.drop or []), *label, *self.places],
                header=self.header,
            )
        try:
            return nodes_of(
                table,
                self.nodes,
                label=self.label,
                places=self.places,
                drop=self.drop or [],
                standardize=self.standardize,
            )
        except ValueError as error:
            raise ValueError(f"{self.title}: {error}") from error
