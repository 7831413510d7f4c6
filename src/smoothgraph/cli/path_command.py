"""``smoothgraph path``."""

import csv
import sys
from pathlib import Path
from typing import Annotated, Any, TextIO

import typer

from smoothgraph.cli.data_options import DataOptions
from smoothgraph.cli.model_options import Densities, ModelOptions, parse_densities
from smoothgraph.cli.output_options import OutputOptions
from smoothgraph.cli.target_options import TARGETS_PANEL, check_targets

_CONSTANT_FACTS = ("nodes", "pairs")  # the same at every density


def path(
    *,
    data: DataOptions,
    model: ModelOptions,
    output: OutputOptions,
    densities: Densities = None,
    out: Annotated[
        str | None,
        typer.Option(
            "--out", "-o", help="A CSV file for the table, or - for standard output.", rich_help_panel=TARGETS_PANEL
        ),
    ] = None,
    picture: Annotated[
        Path | None,
        typer.Option(
            help="Plot components, isolated nodes and edges against the density: .png, .svg or .pdf.",
            rich_help_panel=TARGETS_PANEL,
        ),
    ] = None,
) -> None:
    """Learn graphs at several densities, to choose one."""
    check_targets(data.file, out, suffixes=(".csv",), picture=picture)
    output.check_stdout(out)
    from smoothgraph.cli.graph_summary import summarize

    nodes = data.read()
    output.print_notes(nodes.notes)
    graphs = model.learn_path(nodes, parse_densities(densities, nodes.values.shape[0]))
    rows = [
        {name: value for name, value in summarize(graph).items() if name not in _CONSTANT_FACTS} for graph in graphs
    ]
    if out is not None:
        _write(out, rows)
    if picture is not None:
        from smoothgraph.viz import draw_path, save_picture

        save_picture(picture, draw_path(graphs))
    output.print_rows(f"Graphs of {data.title}", rows, to_stderr=out == "-")


def _write(out: str, rows: list[dict[str, Any]]) -> None:
    from smoothgraph.io import atomic_write

    if out == "-":
        _write_csv(sys.stdout, rows)
        return
    with atomic_write(out) as temporary, temporary.open("w", newline="", encoding="utf-8") as file:
        _write_csv(file, rows)


def _write_csv(file: TextIO, rows: list[dict[str, Any]]) -> None:
    writer = csv.DictWriter(file, rows[0], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
