"""``smoothgraph demo``: learn, draw and report on data that comes with scikit-learn."""

from pathlib import Path
from time import perf_counter
from typing import Annotated

import typer

from smoothgraph.cli.output_options import OutputOptions
from smoothgraph.cli.target_options import Force, check_targets

_OTHER_DENSITIES = (3.0, 5.0, 20.0)  # for the slider of the report


def demo(
    *,
    output: OutputOptions,
    folder: Annotated[Path, typer.Option(help="The folder for the graph, the picture and the report.")] = Path("demo"),
    edges_per_node: Annotated[
        float, typer.Option("--edges-per-node", "-k", help="The mean number of neighbors.")
    ] = 10.0,
    force: Force = False,
) -> None:
    """Learn the graph of scikit-learn's 1797 handwritten digits, draw it, write a report."""
    written = {name: str(folder / f"digits.{name}") for name in ("npz", "png", "html")}
    check_targets("-", *written.values(), force=force)
    from sklearn.datasets import load_digits

    from smoothgraph import LogDegreeGraph, density_path
    from smoothgraph.cli.graph_summary import summarize
    from smoothgraph.io import write_graph
    from smoothgraph.support.progress import spinner
    from smoothgraph.viz import draw_graph, layout, save_picture, write_report

    digits = load_digits()
    started = perf_counter()
    with spinner("Learning the graph of the digits"):
        graph = LogDegreeGraph(edges_per_node).fit(digits.data)
    seconds = perf_counter() - started
    facts = summarize(graph)
    write_graph(written["npz"], graph, attributes={"digit": digits.target}, info=facts)
    with spinner("Drawing it and writing a report"):
        positions = layout(graph)
        ax = draw_graph(graph, positions, labels=digits.target)
        ax.set_title(f"{len(positions)} digits, {graph.edges_per_node_:.1f} edges per node")
        save_picture(written["png"], ax)
        write_report(
            written["html"],
            [graph, *density_path(digits.data, set(_OTHER_DENSITIES) - {edges_per_node})],
            attributes={"digit": digits.target.astype(str)},
            positions=positions,
            title="Handwritten digits",
            settings={"model": "log-degree", "data": "scikit-learn's digits"},
        )
    output.print_facts("The graph of the digits", {**facts, "seconds": seconds, **written})
