"""The options for the file to read and the meaning of its columns."""

from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from smoothgraph.support.input_error import InputError

if TYPE_CHECKING:
    from smoothgraph.cli.table_nodes import Nodes

FORMAT_HELP = "By default, the suffix of the file name decides; - is CSV."
_option = partial(typer.Option, rich_help_panel="Input")


@dataclass(frozen=True)
class DataOptions:
    """The file to read, and the meaning of its columns."""

    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="A table, such as a CSV, Parquet, NPY, NPZ, Matrix Market, HDF5 or h5ad file, or "
            "- for standard input.",
        ),
    ]
    nodes: Annotated[
        Literal["rows", "columns"],
        _option(help="Whether each row is a node (a flower, a cell) or each column is one (a sensor)."),
    ] = "rows"
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
    drop: Annotated[list[str] | None, _option(help="A column to leave out. May be repeated.")] = None
    standardize: Annotated[
        bool, _option("--standardize", help="Scale every column to mean 0 and standard deviation 1.")
    ] = False
    header: Annotated[
        bool | None,
        _option(
            "--header/--no-header",
            help="Whether the first row holds the column names. Detected by default.",
            show_default=False,
        ),
    ] = None
    key: Annotated[str | None, _option(help="The array to read from an NPZ, HDF5 or h5ad file.")] = None
    format: Annotated[str | None, _option(metavar="FORMAT", help=f"The format of FILE. {FORMAT_HELP}")] = None

    @property
    def title(self) -> str:
        """The name of the data in messages."""
        return "standard input" if self.file == "-" else Path(self.file).name

    @property
    def places(self) -> list[str]:
        """The columns, or the array, that ``coordinates`` names."""
        return [] if self.coordinates is None else [n.strip() for n in self.coordinates.split(",")]

    def path_for_workers(self) -> str:
        """Return the path for Dask workers, or raise a ValueError if they cannot read it."""
        if self.file == "-":
            raise InputError("Dask workers cannot read standard input; give the path of a file or a folder.")
        given = [
            f"--{option.name}"
            for option in fields(self)
            if option.name != "file" and getattr(self, option.name) not in (option.default, [])
        ]
        if given:
            raise InputError(
                f"Dask workers cannot apply {' and '.join(given)}: they read every column as numbers and every row as "
                "a node; write the table in this form, or leave out --scheduler and --workers."
            )
        from smoothgraph.cluster.row_source import as_rows

        try:
            as_rows(self.file)  # reads only the header
        except InputError as error:
            raise InputError(
                f"{str(error).rstrip('.')}. Dask workers read Parquet files, folders of them, Zarr "
                "arrays and .npy files; leave out --scheduler and --workers to read other tables."
            ) from error
        return self.file

    def read(self, metric: str, groups: str | None = None) -> "Nodes":
        """Return the nodes of the file, with the column ``groups`` of their groups; errors name the file.

        The ``metric`` decides whether columns of text are categories.
        """
        from smoothgraph.cli.table_nodes import select_nodes
        from smoothgraph.io import read_table
        from smoothgraph.support.progress import spinner

        if metric == "gower" and self.standardize:
            raise InputError(
                "--metric gower divides every column by its range, so that --standardize changes nothing; leave it out."
            )
        drop = self.drop or []
        used = [name for name in (self.label, *self.places, groups) if name is not None]
        with spinner("Reading the data"):
            table = read_table(
                self.file,
                format=self.format,
                key=self.key,
                names=self.names,
                aside=[*drop, *dict.fromkeys(used)],
                header=self.header,
                categories=metric == "gower" and self.nodes == "rows",
            )
        try:
            return select_nodes(
                table,
                self.nodes,
                label=self.label,
                places=self.places,
                groups=groups,
                drop=drop,
                standardize=self.standardize,
                metric=metric,
            )
        except InputError as error:
            raise InputError(f"{self.title}: {error}") from error
