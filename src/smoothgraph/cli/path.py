"""``smoothgraph path``."""

import csv
import sys
from pathlib import Path
from typing import Annotated, Any, TextIO

import typer

from smoothgraph.cli.data import DataOptions
from smoothgraph.cli.files import check_outputs
from smoothgraph.cli.model import Densities, ModelOptions, certified, wanted_densities
from smoothgraph.cli.output import Output
from smoothgraph.io import written_whole

_PANEL = "What is written"


def path(
    *,
    data: DataOptions,
    model: ModelOptions,
    output: Output,
    densities: Densities = None,
    out: Annotated[
        str | None,
        typer.Option(
            "--out",
            "-o",
            help="The table as CSV; - is standard output.",
            rich_help_panel=_PANEL,
        ),
    ] = None,
    picture: Annotated[
        Path | None,
        typer.Option(
            help="Components, isolated nodes and edges over density: .png, .svg or .pdf.",
            rich_help_panel=_PANEL,
        ),
    ] = None,
) -> None:
    """Learn graphs at several densities, to choose one."""
    check_outputs(data.file, out, suffixes=(".csv",), picture=picture)
    if out == "-" and output.json:
        raise ValueError("--out - and --json both want standard output; leave one of them out.")
    nodes = data.read()
    output.notes(nodes.notes)
    graphs = model.path(nodes, wanted_densities(densities, nodes.values.shape[0]))
    rows = [_row(graph) for graph in graphs]
    if out is not None:
        _write(out, rows)
    if picture is not None:
        from smoothgraph.viz import draw_path, save_picture  # deferred: matplotlib

        save_picture(picture, draw_path(graphs))
    output.rows(f"Graphs of {data.title}", rows, aside=out == "-")


def _row(graph: Any) -> dict[str, Any]:
    """What differs from density to density."""
    facts = certified(graph)
    same = ("nodes", "pairs")
    return {name: value for name, value in facts.items() if name not in same}


def _write(out: str, rows: list[dict[str, Any]]) -> None:
    if out == "-":
        _write_csv(sys.stdout, rows)
        return
    with written_whole(out) as temporary, temporary.open("w", newline="", encoding="utf-8") as file:
        _write_csv(file, rows)


def _write_csv(file: TextIO, rows: list[dict[str, Any]]) -> None:
    writer = csv.DictWriter(file, rows[0], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
