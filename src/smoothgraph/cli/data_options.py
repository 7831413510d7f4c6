"""The options for the file to read and the meaning of its columns."""

from collections.abc import Collection
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from smoothgraph.cli.transform_options import TransformOptions
from smoothgraph.support.input_error import InputError

if TYPE_CHECKING:
    import numpy as np

    from smoothgraph.cli.table_nodes import Nodes
    from smoothgraph.io import Table
    from smoothgraph.tables.finding import Finding
    from smoothgraph.tables.survey import Survey

FORMAT_HELP = "By default, the suffix of the file name decides; - is CSV."
_option = partial(typer.Option, rich_help_panel="Input")


@dataclass(frozen=True, kw_only=True)
class DataOptions(TransformOptions):
    """The file to read, the meaning of its columns, and what is done to them."""

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
    format: Annotated[str | None, _option(metavar="FORMAT", help=f"The format of FILE. {FORMAT_HELP}")] = None

    @property
    def title(self) -> str:
        """The name of the data in messages."""
        return "standard input" if self.file == "-" else Path(self.file).name

    @property
    def places(self) -> list[str]:
        """The columns, or the array, that ``coordinates`` names."""
        return [] if self.coordinates is None else [n.strip() for n in self.coordinates.split(",")]

    @property
    def nodes_are(self) -> str:
        """What the nodes are: "rows" or "columns"."""
        return self.nodes or "rows"

    @property
    def given(self) -> dict[str, Any]:
        """The options that the user has given, by their names in Python."""
        options = {option.name: option.default for option in fields(self) if option.name != "file"}
        values = {name: getattr(self, name) for name in options}
        return {name: value for name, value in values.items() if value not in (options[name], [])}

    def path_for_workers(self) -> str:
        """Return the path for Dask workers, or raise a ValueError if they cannot read it."""
        if self.file == "-":
            raise InputError("Dask workers cannot read standard input; give the path of a file or a folder.")
        if self.given:
            given = " and ".join(map(option_of, self.given))
            raise InputError(
                f"Dask workers cannot apply {given}: they read every column as numbers and every row as "
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

    def read_table(
        self, metric: str = "sqeuclidean", groups: str | None = None, elsewhere: Collection[str] = ()
    ) -> "Table":
        """Return the table of the file; the columns that have a meaning are set aside, but those that are elsewhere.

        The ``metric`` decides whether columns of text are categories.
        """
        from smoothgraph.io import read_table
        from smoothgraph.support.progress import spinner

        used = [name for name in (self.label, *self.places, groups) if name is not None and name not in elsewhere]
        drop = self.drop or []
        twice = set(used) & set(drop)
        if twice:
            raise InputError(f"{twice.pop()!r} cannot be both used and dropped; leave out --drop.")
        with spinner("Reading the data"):
            return read_table(
                self.file,
                format=self.format,
                key=self.key,
                names=self.names,
                aside=list(dict.fromkeys(used)),
                header=self.header,
                categories=metric == "gower" and self.nodes_are == "rows",
                missing=self.missing or [],
                drop=drop,
                skip_rows=self.skip_rows,
                encoding=self.encoding,
                long=[] if self.long is None else [name.strip() for name in self.long.split(",")],
            )

    def read_node_table(self) -> dict[str, "np.ndarray"]:
        """Return the columns of the second table, as texts, if there is one."""
        from smoothgraph.io.read_write import read_node_table

        return {} if self.node_table is None else read_node_table(self.node_table)

    def survey(self, table: "Table", nodes: str | None, metric: str = "sqeuclidean") -> "Survey":
        """Return the table without what is no signal, and what its checks found."""
        from smoothgraph.tables.survey import survey_table

        settled = {"sqeuclidean": (), "gower": ("metric", "standardize")}.get(metric, ("metric",))
        return survey_table(table, nodes, keep=self.keep or [], settled=[*self.given, *settled])

    def read(self, metric: str, groups: str | None = None) -> "Nodes":
        """Return the nodes of the file, with the column ``groups`` of their groups; errors name the file."""
        from smoothgraph.cli.table_nodes import select_nodes
        from smoothgraph.io.node_lists import join_nodes

        if metric == "gower" and self.standardize:
            raise InputError(
                "--metric gower divides every column by its range, so that --standardize changes nothing; leave it out."
            )
        if metric == "precomputed" and self.transforms.wanted:
            raise InputError("--metric precomputed takes the distances as they are; leave out the transforms.")
        about = self.read_node_table()
        table = self.read_table(metric, groups, about)
        try:
            table, findings = (table, []) if metric == "precomputed" else self._prepare(table, metric)
            table = join_nodes(table, self.nodes_are, about)
            nodes = select_nodes(table, self.nodes_are, label=self.label, places=self.places, groups=groups)
        except InputError as error:
            raise InputError(f"{self.title}: {error}") from error
        nodes.notes.extend(map(str, findings))
        return nodes

    def _prepare(self, table: "Table", metric: str) -> "tuple[Table, list[Finding]]":
        """Return the table to learn from, without what is no signal and transformed, and what its checks found."""
        from smoothgraph.tables.survey import leave_out_dead

        survey = self.survey(table, self.nodes_are, metric)
        if self.nodes is None:
            refuse_long(survey.findings)
        dead: list[Finding] = []
        table = self.transforms.apply(survey.table, self.nodes_are, survey.view.times)
        if self.transforms.on_series and self.nodes_are == "columns":
            table, dead = leave_out_dead(table, self.keep or [])
        return table, [*survey.findings, *dead]


def option_of(name: str) -> str:
    """Return the option of the command line for a field."""
    return f"--{name.replace('_', '-')}"


def refuse_long(findings: list["Finding"]) -> None:
    """Raise an InputError if the table is long, and its rows would be the nodes by default."""
    for finding in findings:
        if finding.check == "long table":
            raise InputError(f"{finding} To take every row for a node, use --nodes rows.")
