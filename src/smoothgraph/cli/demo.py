"""``smoothgraph demo``: the main job on data that scikit-learn ships."""

from pathlib import Path
from time import perf_counter
from typing import Annotated, Any

import typer

from smoothgraph.cli.model import certified
from smoothgraph.cli.output import Output
from smoothgraph.io import write_graph
from smoothgraph.support.progress import busy

_OTHER_DENSITIES = (3.0, 5.0, 20.0)  # for the slider of the report


def demo(
    *,
    output: Output,
    folder: Annotated[Path, typer.Option(help="Where graph, picture and report go.")] = Path(
        "demo"
    ),
    edges_per_node: Annotated[float, typer.Option(help="The mean number of neighbours.")] = 10.0,
) -> None:
    """Learn the graph of scikit-learn's 1797 handwritten digits, draw it, write a report."""
    from sklearn.datasets import load_digits  # deferred: scikit-learn takes a while

    from smoothgraph import LogDegreeGraph

    digits = load_digits()
    started = perf_counter()
    with busy("Learning the graph of the digits"):
        graph = LogDegreeGraph(edges_per_node).fit(digits.data)
    facts = certified(graph) | {"seconds": perf_counter() - started}
    write_graph(
        folder / "digits.npz", graph, attributes={"digit": digits.target}, info=certified(graph)
    )
    with busy("Drawing it and writing a report"):
        _show(folder, graph, digits)
    written = {name: str(folder / f"digits.{name}") for name in ("npz", "png", "html")}
    output.facts("The graph of the digits", facts | written)


def _show(folder: Path, graph: Any, digits: Any) -> None:
    """The picture and the report."""
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
