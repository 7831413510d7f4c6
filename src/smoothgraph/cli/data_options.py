"""The options for the data of a command, and the nodes that they describe."""

from collections.abc import Collection
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from smoothgraph.cli.input_options import InputOptions, split_names
from smoothgraph.cli.transform_options import TransformOptions
from smoothgraph.support.input_error import InputError

if TYPE_CHECKING:
    import numpy as np

    from smoothgraph.cli.table_nodes import Nodes
    from smoothgraph.io import Table
    from smoothgraph.tables.finding import Finding
    from smoothgraph.tables.survey import Survey


@dataclass(frozen=True, kw_only=True)
class DataOptions(TransformOptions, InputOptions):
    """The file to read, the meaning of its columns, and what is done to them."""

    @property
    def given(self) -> dict[str, Any]:
        """The options that the user has given, by their names in Python."""
        options = {option.name: option.default for option in fields(self) if option.name != "file"}
        values = {name: getattr(self, name) for name in options}
        return {name: value for name, value in values.items() if value not in (options[name], [])}

    @property
    def sources(self) -> list[str | Path | None]:
        """The files to be read."""
        return [self.file, self.node_table]

    def path_for_workers(self) -> str:
        """Return the path for Dask workers, or raise an InputError if they cannot read it."""
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
        """Return the table of the file, and set aside its label, coordinates and groups.

        Those that are ``elsewhere``, in the second table, are not looked for. The ``metric`` decides whether columns
        of text are categories.
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
                long=split_names(self.long),
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
