"""The options for the file to read and the meaning of its columns."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import typer

FORMAT_HELP = "By default, the suffix of the file name decides; - is CSV."
_option = partial(typer.Option, rich_help_panel="Input")


def title_of(source: str) -> str:
    """Return the name of a file, or of standard input, in messages."""
    return "standard input" if source == "-" else Path(source).name


def split_names(text: str | None) -> list[str]:
    """Return the names that an option lists, such as lat,lon."""
    return [] if text is None else [name.strip() for name in text.split(",")]


@dataclass(frozen=True, kw_only=True)
class InputOptions:
    """The file to read, and the meaning of its columns."""

    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="A table, such as a CSV, Excel, Parquet, NPY, NPZ, Matrix Market, HDF5, h5ad or NetCDF file, or "
            "- for standard input. Text may be compressed (.gz, .zip).",
        ),
    ]
    nodes: Annotated[
        Literal["rows", "columns"] | None,
        _option(
            help="Whether each row is a node (a flower, a cell) or each column is one (a sensor).", show_default="rows"
        ),
    ] = None
    names: Annotated[str | None, _option(help="The column that names the rows.")] = None
    label: Annotated[
        str | None, _option(help="The column with the classes. It colors the nodes and is not learned from.")
    ] = None
    coordinates: Annotated[
        str | None,
        _option(
            metavar="LAT,LON",
            help="Two columns, or one array, with the positions of the nodes. They are not learned "
            "from. Latitude and longitude (lat, lon) give a map.",
        ),
    ] = None
    node_table: Annotated[
        Path | None,
        _option(
            metavar="FILE",
            help="A second table that describes the nodes, with a row for each and their names in one of its columns. "
            "--label, --coordinates and --groups may name its columns, and graph files keep them all.",
        ),
    ] = None
    drop: Annotated[
        list[str] | None, _option(help="A column, or a row by its name, to leave out. May be repeated.")
    ] = None
    keep: Annotated[
        list[str] | None,
        _option(help="A column to learn from although it seems to tell the time or never changes. May be repeated."),
    ] = None
    missing: Annotated[
        list[str] | None,
        _option(metavar="VALUE", help="A value that means missing, such as -999 or n.a. May be repeated."),
    ] = None
    long: Annotated[
        str | None,
        _option(
            metavar="ROW,NAME,VALUE",
            help="Three columns of a long (tidy) table, such as date,station,value. They become a table with a row for "
            "each date and a column for each station.",
        ),
    ] = None
    header: Annotated[
        bool | None,
        _option(
            "--header/--no-header",
            help="Whether the first row holds the column names. Detected by default.",
            show_default=False,
        ),
    ] = None
    skip_rows: Annotated[int, _option(metavar="N", min=0, help="The number of rows above the header.")] = 0
    encoding: Annotated[
        str | None, _option(help="The encoding of a text file, such as latin-1. Detected by default.")
    ] = None
    key: Annotated[
        str | None, _option(help="The array, sheet or variable to read from an NPZ, HDF5, h5ad, Excel or NetCDF file.")
    ] = None
    format: Annotated[
        str | None, _option("--format", "--from", metavar="FORMAT", help=f"The format of FILE. {FORMAT_HELP}")
    ] = None

    @property
    def title(self) -> str:
        """The name of the data in messages."""
        return title_of(self.file)

    @property
    def places(self) -> list[str]:
        """The columns, or the array, that ``coordinates`` names."""
        return split_names(self.coordinates)

    @property
    def nodes_are(self) -> str:
        """What the nodes are: "rows" or "columns"."""
        return self.nodes or "rows"
