"""The options for the files to write, which are checked before anything is computed."""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from smoothgraph.cli.input_options import FORMAT_HELP
from smoothgraph.cli.output_options import OutputOptions
from smoothgraph.cli.picture_options import PictureOptions
from smoothgraph.support.input_error import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np

GRAPH_SUFFIXES = "such as .csv, .graphml, .gexf, .geojson, .npz, .mtx or .parquet"

target_option = partial(typer.Option, rich_help_panel="Output files")

Force = Annotated[
    bool, target_option("--force", "-f", help="Replace files that exist. Without it, no file is ever replaced.")
]


@dataclass(frozen=True)
class TargetOptions(PictureOptions):
    """The files to write, and the look of the picture."""

    out: Annotated[
        str | None,
        target_option(
            "--out",
            "-o",
            help=f"A file for the graph, {GRAPH_SUFFIXES}, or - for standard output. On Dask "
            "workers, .parquet and .zarr are folders, and each worker writes its part.",
        ),
    ] = None
    to: Annotated[str | None, target_option(metavar="FORMAT", help=f"The format of --out. {FORMAT_HELP}")] = None
    out_nodes: Annotated[
        Path | None,
        target_option(
            help="A CSV file with a row per node: its name, neighbors, degree, component, and all columns that were "
            "set aside."
        ),
    ] = None
    picture: Annotated[Path | None, target_option(help="A file for a picture of the graph: .png, .svg or .pdf.")] = None
    force: Force = False

    @property
    def parts(self) -> str | None:
        """The format of the parts that workers write; None for one file, or nothing."""
        from smoothgraph.io.file_format import PARTS_FORMATS

        if self.out is None or self.out == "-":
            return None
        format_ = self.to or Path(self.out).suffix.lower().removeprefix(".")
        return format_ if format_ in PARTS_FORMATS else None

    def check(self, sources: Iterable[Path | str | None], output: OutputOptions) -> None:
        """Raise an InputError if the files cannot be written."""
        from smoothgraph.io import graph_format

        self.check_look()
        check_targets(sources, self.out, self.out_nodes, picture=self.picture, force=self.force)
        check_suffix(self.out_nodes, ".csv")
        if self.out is not None:
            graph_format(self.out, self.to)
        output.check_stdout(self.out)

    def check_places(self, attributes: "Mapping[str, np.ndarray]") -> None:
        """Raise an InputError if the graph is to be put on a map, but its nodes have no places."""
        from smoothgraph.io import graph_format
        from smoothgraph.io.map_places import find_places

        if self.out is not None and graph_format(self.out, self.to) == "geojson" and not find_places(attributes):
            raise InputError(
                f"{self.out} needs the latitude and longitude of every node, in columns such as lat and lon; name them "
                "(--coordinates lat,lon), or give a table that has them (--node-table)."
            )

    def check_on_workers(self, source: str, output: OutputOptions) -> None:
        """Raise an error if the files cannot be written from workers."""
        from smoothgraph.io.atomic import refuse_existing

        for option, target in (("--picture", self.picture), ("--out-nodes", self.out_nodes)):
            if target is not None:
                raise InputError(
                    f"{option} needs a graph in memory, not on Dask workers; leave it out, or leave out --scheduler "
                    "and --workers."
                )
        if self.parts is None:
            self.check([source], output)
        else:
            refuse_existing(str(self.out))
            check_targets(source, self.out, force=self.force)


def check_targets(
    sources: str | Iterable[Path | str | None], *targets: Path | str | None, force: bool, picture: Path | None = None
) -> None:
    """Raise an InputError if a file cannot be written, or is one to read.

    Without ``force``, a file that holds something is not replaced. Pipes and devices hold nothing.
    """
    files = [sources] if isinstance(sources, str) else sources
    taken = {Path(file).resolve(): "it is a file to be read" for file in files if file not in (None, "-")}
    for target in (*targets, picture):
        if target is None or target == "-":
            continue
        place = Path(target).resolve()
        if place in taken:
            raise InputError(f"{target} cannot be written: {taken[place]}; choose another name.")
        if place.is_dir():
            raise InputError(f"{target} cannot be written: it is a folder; name a file in it.")
        if not force and place.is_file() and place.stat().st_size:
            raise InputError(f"{target} exists; use --force to replace it, or choose another name.")
        if not os.access(_find_existing(place.parent), os.W_OK):
            raise InputError(f"{target} cannot be written: you may not write to its folder; choose another one.")
        taken[place] = "it would be written twice"
    if picture is not None:
        from smoothgraph.viz.plots.picture_files import check_picture

        check_picture(picture)


def check_suffix(target: Path | str | None, *suffixes: str) -> None:
    """Raise an InputError if the name of the file to write, if any, does not end in one of the suffixes."""
    if target not in (None, "-") and Path(str(target)).suffix.lower() not in suffixes:
        raise InputError(f"Expected a name that ends in {' or '.join(suffixes)}, got {target}.")


def _find_existing(folder: Path) -> Path:
    """Return the folder, or its nearest parent that exists."""
    return folder if folder.exists() else _find_existing(folder.parent)
