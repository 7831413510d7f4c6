"""``smoothgraph demo``: learn, draw and report on data that comes with scikit-learn."""

from pathlib import Path
from time import perf_counter
from typing import Annotated, Any

import typer

from smoothgraph.cli.output_options import OutputOptions

_OTHER_DENSITIES = (3.0, 5.0, 20.0)  # for the slider of the report


def demo(
    *,
    output: OutputOptions,
    folder: Annotated[Path, typer.Option(help="The folder for the graph, the picture and the report.")] = Path("demo"),
    edges_per_node: Annotated[float, typer.Option(help="The mean number of neighbors.")] = 10.0,
) -> None:
    """Learn the graph of scikit-learn's 1797 handwritten digits, draw it, write a report."""
    from sklearn.datasets import load_digits

    from smoothgraph import LogDegreeGraph
    from smoothgraph.cli.graph_summary import summarize
    from smoothgraph.io import write_graph
    from smoothgraph.support.progress import spinner

    digits = load_digits()
    started = perf_counter()
    with spinner("Learning the graph of the digits"):
        graph = LogDegreeGraph(edges_per_node).fit(digits.data)
    seconds = perf_counter() - started
    facts = summarize(graph)
    write_graph(folder / "digits.npz", graph, attributes={"digit": digits.target}, info=facts)
    with spinner("Drawing it and writing a report"):
        _draw_and_report(folder, graph, digits)
    written = {name: str(folder / f"digits.{name}") for name in ("npz", "png", "html")}
    output.print_facts("The graph of the digits", {**facts, "seconds": seconds, **written})


def _draw_and_report(folder: Path, graph: Any, digits: Any) -> None:
    from smoothgraph import density_path
    from smoothgraph.viz import draw_graph, layout, save_picture, write_report

    positions = layout(graph)
    ax = draw_graph(graph, positions, labels=digits.target)
    ax.set_title(f"{len(positions)} digits, {graph.edges_per_node_:.1f} edges per node")
    save_picture(folder / "digits.png", ax)
    others = density_path(digits.data, set(_OTHER_DENSITIES) - {graph.edges_per_node})
    write_report(
        folder / "digits.html",
        sorted([graph, *others], key=lambda other: other.edges_per_node_),
        attributes={"digit": digits.target.astype(str)},
        positions=positions,
        title="Handwritten digits",
        settings={"model": "log-degree", "data": "scikit-learn's digits"},
    )
