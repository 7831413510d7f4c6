"""Names of files, checked before anything is computed."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from smoothgraph.cli.output import Output
from smoothgraph.io import graph_format
from smoothgraph.io.parts import PARTS_FORMATS
from smoothgraph.io.whole import refuse_existing

_PANEL = "What is written"
GraphFormat = Literal["csv", "tsv", "graphml", "gexf", "npz", "mtx", "parquet"]


@dataclass(frozen=True)
class Targets:
    """What is written."""

    out: Annotated[
        str | None,
        typer.Option(
            "--out",
            "-o",
            help="The graph: .csv, .tsv, .graphml, .gexf, .npz, .mtx or .parquet; - is standard "
            "output. On Dask workers .parquet and .zarr are folders, to which each of them writes "
            "its part.",
            rich_help_panel=_PANEL,
        ),
    ] = None
    to: Annotated[
        GraphFormat | None,
        typer.Option(
            help="The format of --out; by default from its name, CSV for -.",
            rich_help_panel=_PANEL,
            show_default=False,
        ),
    ] = None
    picture: Annotated[
        Path | None,
        typer.Option(help="A picture of the graph: .png, .svg or .pdf.", rich_help_panel=_PANEL),
    ] = None

    @property
    def parts(self) -> str | None:
        """The format of parts that workers write; None if one file is written, or nothing."""
        if self.out is None or self.out == "-":
            return None
        format_ = self.to or Path(self.out).suffix.lower().removeprefix(".")
        return format_ if format_ in PARTS_FORMATS else None

    def check(self, source: str, output: Output) -> None:
        """An error if the files cannot be written."""
        check_outputs(source, self.out, picture=self.picture)
        if self.out is not None:
            graph_format(self.out, self.to)
        if self.out == "-" and output.json:
            raise ValueError(
                "--out - and --json both want standard output; write the graph to a file."
            )

    def check_on_workers(self, source: str, output: Output) -> None:
        """The same for a graph on workers."""
        if self.picture is not None:
            raise ValueError(
                "--picture is not drawn of a graph on Dask workers; leave it out, or leave out "
                "--scheduler and --workers."
            )
        if self.parts is None:
            self.check(source, output)
        else:
            refuse_existing(str(self.out))
            check_outputs(source, self.out)

    def tell(self, output: Output, title: str, facts: dict[str, Any]) -> None:
        """What was learned and written."""
        picture = None if self.picture is None else str(self.picture)
        written = {"written": self.out, "picture": picture}
        output.facts(f"The graph of {title}", facts | written, aside=self.out == "-")
        if self.out is None and self.picture is None:
            output.notes(["Nothing was written; --out graph.csv keeps the graph."])


def check_outputs(
    source: str,
    out: Path | str | None,
    *,
    suffixes: tuple[str, ...] = (),
    picture: Path | None = None,
) -> None:
    """A ValueError if something cannot be written, or would replace what is read.

    ``suffixes`` are those that ``out`` may have, if it is a file.
    """
    taken = {} if source == "-" else {Path(source).resolve(): "it is the file to be read"}
    for target in (out, picture):
        if target is None or target == "-":
            continue
        place = Path(target).resolve()
        if place in taken:
            raise ValueError(f"{target} cannot be written: {taken[place]}; give another name.")
        if place.is_dir():
            raise ValueError(f"{target} cannot be written: it is a folder; name a file in it.")
        if not os.access(_existing(place.parent), os.W_OK):
            raise ValueError(f"{target} cannot be written: the folder does not allow it.")
        taken[place] = "it is to be written twice"
    if suffixes and out not in (None, "-") and Path(str(out)).suffix.lower() not in suffixes:
        raise ValueError(f"Expected a name that ends in {' or '.join(suffixes)}, got {out}.")
    if picture is not None:
        from smoothgraph.viz.plots.picture_files import check_picture  # deferred: matplotlib

        check_picture(picture)


def _existing(folder: Path) -> Path:
    """The folder, or the nearest above it that exists."""
    return folder if folder.exists() else _existing(folder.parent)
