"""``smoothgraph densities``: graphs at several densities, and which density the data would choose."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from smoothgraph.cli.data_options import DataOptions
from smoothgraph.cli.model_options import Densities, ModelOptions
from smoothgraph.cli.output_options import OutputOptions
from smoothgraph.cli.target_options import Force, check_suffix, check_targets, target_option

if TYPE_CHECKING:
    from smoothgraph.estimators.auto_density import DensityChoice

_ASIDE = ("largest_weight_error",)  # what only files and JSON tell: 80 characters have no room for it
_CONSTANT_FACTS = ("nodes", "pairs")  # the same at every density


def densities(
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
    force: Force = False,
) -> None:
    """Learn graphs at several densities, and tell which density -k auto would choose."""
    check_targets(data.sources, out, picture=picture, force=force)
    check_suffix(out, ".csv")
    output.check_stdout(out)
    from smoothgraph.cli.graph_summary import summarize
    from smoothgraph.cli.write_rows import write_rows

    nodes = data.read(model.metric)
    output.print_notes(nodes.notes)
    graphs = model.learn_path(nodes, densities)
    choice = model.choose_density(nodes)
    rows = [
        {name: value for name, value in summarize(graph).items() if name not in _CONSTANT_FACTS} for graph in graphs
    ]
    if out is not None:
        write_rows(out, list(rows[0]), (row.values() for row in rows))
    if picture is not None:
        from smoothgraph.viz import draw_path, save_picture

        save_picture(picture, draw_path(graphs))
    if output.json:
        output.print_facts(data.title, {"densities": rows, "auto": _describe(choice)})
        return
    shown = [{name: value for name, value in row.items() if name not in _ASIDE} for row in rows]
    output.print_facts(f"Graphs of {data.title}", shown, to_stderr=out == "-")
    output.print_notes(
        [
            f"-k auto would choose {choice}. It is half as many again as leave hardly any node in a fragment, which is "
            "a component of fewer than 15 nodes."
        ]
    )


def _describe(choice: "DensityChoice") -> dict[str, Any]:
    """Return the density chosen, and the share of the nodes in fragments at the densities tried."""
    tried = zip(choice.densities.tolist(), choice.fragments.tolist(), strict=True)
    return {
        "edges_per_node": choice.chosen,
        "tried": [{"edges_per_node": density, "share_in_fragments": share} for density, share in tried],
    }
