"""Compare the density that ``SmoothGraph`` chooses with the best of many, by label propagation.

    python -m benchmarks.auto_density --data-dir DIR [--quick]

The data sets, the known labels, and the k-NN graph are those of ``benchmarks.tasks``. The k-NN graph is the one whose
density is closest to the choice.
"""

import argparse
import warnings
from collections.abc import Iterator
from pathlib import Path

import scipy.sparse as sp
from rich.console import Console
from rich.table import Table

from benchmarks.tasks import KNOWN, QUICK_RUNS, RUNS, WIDTH, Labeled, data_sets
from paper.reproduction.graph_tasks import edges_per_node, knn_path, label_propagation
from smoothgraph import FewNeighborsWarning, LogDegreeGraph, SmoothGraph, density_path

DENSITIES = (4, 6, 8, 10, 12, 15, 20, 25, 30)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data-dir", type=Path, required=True, help="folder of the data sets")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_RUNS} runs instead of {RUNS}")
    options = parser.parse_args()
    warnings.simplefilter("ignore", FewNeighborsWarning)
    console = Console()
    if not console.is_terminal:
        console.width = WIDTH
    for data in data_sets(options.data_dir):
        console.print(table_of(data, QUICK_RUNS if options.quick else RUNS))


def table_of(data: Labeled, runs: int) -> Table:
    """Return the errors of all graphs of a data set."""
    table = Table(title=f"{data.name}: {len(data.X)} nodes, {runs} runs", title_justify="left", title_style="bold")
    for column in ("graph", "edges per node", "label propagation error", "unreachable", "bridges"):
        table.add_column(column, justify="left" if column == "graph" else "right")
    for name, W, bridges in graphs_of(data):
        errors = label_propagation(W, data.y, known=KNOWN, runs=runs, seed=0)
        shares = (f"{100 * errors[key]:.1f}%" for key in ("label_error", "unreachable"))
        table.add_row(name, f"{edges_per_node(W):.2f}", *shares, bridges)
    return table


def graphs_of(data: Labeled) -> Iterator[tuple[str, sp.csr_array, str]]:
    """Yield a name, an adjacency, and the number of bridges: of the choice, of other graphs, of all densities."""
    chosen = SmoothGraph().fit(data.X)
    yield "SmoothGraph, auto", chosen.adjacency_, str(len(chosen.bridges_))
    density = chosen.density_choice_.chosen
    yield "LogDegreeGraph", LogDegreeGraph(density).fit(data.X).adjacency_, ""
    yield "k-NN", knn_path(data.X, [density])[0], ""
    for graph in density_path(data.X, DENSITIES, estimator=SmoothGraph()):
        yield "SmoothGraph", graph.adjacency_, str(len(graph.bridges_))


if __name__ == "__main__":
    main()
