"""``smoothgraph path``: learn graphs at several densities."""

from pathlib import Path
from typing import Annotated

import typer

from smoothgraph.cli.data_options import DataOptions
from smoothgraph.cli.model_options import Densities, ModelOptions
from smoothgraph.cli.output_options import OutputOptions
from smoothgraph.cli.target_options import check_suffix, check_targets, target_option

_CONSTANT_FACTS = ("nodes", "pairs")  # the same at every density


def path(
    *,
    data: DataOptions,
    model: ModelOptions,
    output: OutputOptions,
    densities: Densities = None,
    out: Annotated[
        str | None, target_option("--out", "-o", help="A CSV file for the table, or - for standard output.")
    ] = None,
    picture: Annotated[
        Path | None,
        target_option(help="Plot components, isolated nodes and edges against the density: .png, .svg or .pdf."),
    ] = None,
) -> None:
    """Learn graphs at several densities, to choose one."""
    check_targets(data.file, out, picture=picture)
    check_suffix(out, ".csv")
    output.check_stdout(out)
    from smoothgraph.cli.graph_summary import summarize
    from smoothgraph.io import atomic_write

    nodes = data.read(model.metric)
    output.print_notes(nodes.notes)
    graphs = model.learn_path(nodes, densities)
    rows = [
        {name: value for name, value in summarize(graph).items() if name not in _CONSTANT_FACTS} for graph in graphs
    ]
    if out is not None:
        import pandas as pd

        table = pd.DataFrame(rows).to_csv(index=False, lineterminator="\n")
        if out == "-":
            typer.echo(table, nl=False)
        else:
            with atomic_write(out) as temporary:
                temporary.write_text(table, encoding="utf-8", newline="")
    if picture is not None:
        from smoothgraph.viz import draw_path, save_picture

        save_picture(picture, draw_path(graphs))
    output.print_facts(f"Graphs of {data.title}", rows, to_stderr=out == "-")
