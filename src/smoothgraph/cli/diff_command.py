"""``smoothgraph diff``: which edges two graphs share, and which only one has."""

from pathlib import Path
from typing import Annotated

import typer

from smoothgraph.cli.input_options import FORMAT_HELP
from smoothgraph.cli.output_options import OutputOptions
from smoothgraph.cli.target_options import Force, check_suffix, check_targets, target_option
from smoothgraph.support.input_error import InputError

_Graph = Annotated[str, typer.Argument(help="A graph file, or - for standard input.")]


def diff(
    before: _Graph,
    after: _Graph,
    *,
    format: Annotated[  # noqa: A002 (the name of the field)
        str | None, typer.Option("--from", metavar="FORMAT", help=f"The format of both graphs. {FORMAT_HELP}")
    ] = None,
    out: Annotated[
        str | None,
        target_option(
            "--out",
            "-o",
            help="A CSV file with a row per edge: source, target, change (shared, new, lost), and both weights. - is "
            "standard output.",
        ),
    ] = None,
    picture: Annotated[
        Path | None, target_option("--picture", "--plot", help="A picture of both graphs: .png, .svg or .pdf.")
    ] = None,
    force: Force = False,
    output: OutputOptions,
) -> None:
    """Tell which edges two graphs share, and which are new or lost. Nodes are found by their names."""
    if before == after == "-":
        raise InputError("Standard input holds one graph; give the path of the other one.")
    check_targets([before, after], out, picture=picture, force=force)
    check_suffix(out, ".csv")
    output.check_stdout(out)
    from smoothgraph.changes import find_changes
    from smoothgraph.cli.write_rows import write_rows
    from smoothgraph.io import read_graph
    from smoothgraph.support.progress import spinner

    with spinner("Reading the graphs"):
        first, second = (read_graph(source, format=format) for source in (before, after))
    common = len(set(first.ids) & set(second.ids))
    if not common:
        raise InputError(
            f"Expected graphs on the same nodes, but {before} and {after} share no name; "
            "give their nodes the same names."
        )
    changes = find_changes(first.adjacency, first.ids, second.adjacency, second.ids)
    if out is not None:
        write_rows(out, ("source", "target", "change", "weight_before", "weight_after"), changes.rows())
    if picture is not None:
        from smoothgraph.viz import draw_changes, save_picture

        with spinner("Drawing"):
            save_picture(picture, draw_changes(changes))
    counts = changes.counts
    facts = {
        "nodes_in_both": common,
        "nodes_only_before": len(first.ids) - common,
        "nodes_only_after": len(second.ids) - common,
        **{f"{change}_edges": count for change, count in counts.items()},
        "shared_of_all": counts["shared"] / max(sum(counts.values()), 1),
        "written": out,
        "picture": None if picture is None else str(picture),
    }
    output.print_facts(f"From {Path(before).name} to {Path(after).name}", facts, to_stderr=out == "-")
