"""Compare graphs of the same density by label propagation and spectral clustering.

    python -m benchmarks.tasks --data-dir DIR [--quick] [--out FILE]

These are the experiments of Kalofolias (2016) with the log-degree model, the l2-degree model, and
the k-NN graph. Label propagation knows a random 10% of the labels. Unlabeled nodes that no label
reaches count as errors and are also reported separately. Spectral clustering knows the number of
classes. Its error is that of the best matching of clusters to classes, averaged over single runs of
k-means. DIR holds ``usps.npz``, ``coil20_32.npz`` (keys ``X``, ``y``), and ``pbmc68k_reduced.npz``
(keys ``X_pca``, ``y``). Missing files are skipped.
"""

import argparse
import json
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from rich.console import Console
from rich.table import Table
from sklearn.datasets import load_digits

from benchmarks.data import usps_1001
from paper.datasets import load_coil20
from paper.reproduction.graph_tasks import (
    GRAPHS,
    clustering_error,
    connectivity,
    edges_per_node,
    graphs_of,
    label_propagation,
)

DENSITIES = (2, 3, 4, 6, 8, 10, 15, 20, 30)
KNOWN = 0.1  # the share of the labels that is known
RUNS, QUICK_RUNS = 100, 10
WIDTH = 120  # characters per line if the output is not a terminal


@dataclass(frozen=True, eq=False)
class Labeled:
    """A data set: one row and one class per node."""

    name: str
    X: np.ndarray
    y: np.ndarray


@dataclass(frozen=True)
class Row:
    """The results of one graph. Errors and unreachable nodes are shares, averaged over the runs."""

    data: str
    graph: str
    density: float
    edges_per_node: float
    label_error: float
    unreachable: float
    cluster_error: float
    components: int
    isolated: int


def main() -> None:
    options = _parser().parse_args()
    runs = QUICK_RUNS if options.quick else RUNS
    console = Console()
    if not console.is_terminal:
        console.width = WIDTH
    rows: list[Row] = []
    for data in data_sets(options.data_dir):
        own = [measure(data, *graph, runs) for graph in graphs_of(data.X, DENSITIES)]
        console.print(_table(data, own, runs))
        rows += own
    if options.out is not None:
        write(options.out, rows, runs)


def data_sets(folder: Path) -> Iterator[Labeled]:
    """Yield the digits of scikit-learn, and the data sets whose files exist."""
    digits = load_digits()
    yield Labeled("digits", digits.data, digits.target)
    for name, file, load in (
        ("USPS-1001", "usps.npz", usps_1001),
        ("COIL-20", "coil20_32.npz", load_coil20),
        ("single cells", "pbmc68k_reduced.npz", _single_cells),
    ):
        if (folder / file).exists():
            yield Labeled(name, *load(folder))


def _single_cells(folder: Path) -> tuple[np.ndarray, np.ndarray]:
    with np.load(folder / "pbmc68k_reduced.npz") as content:
        return content["X_pca"].astype(float), content["y"].astype(int)


def measure(data: Labeled, name: str, density: float, W: sp.csr_array, runs: int) -> Row:
    """Run both tasks on one graph."""
    return Row(
        data.name,
        name,
        density,
        edges_per_node(W),
        **label_propagation(W, data.y, known=KNOWN, runs=runs, seed=0),
        cluster_error=clustering_error(W, data.y, runs=runs),
        **connectivity(W),
    )


def write(path: Path, rows: list[Row], runs: int) -> None:
    """Write all rows as JSON, completely or not at all."""
    content = {"runs": runs, "known_labels": KNOWN, "rows": [asdict(row) for row in rows]}
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    unfinished.write_text(json.dumps(content, indent=1, allow_nan=False) + "\n")
    unfinished.replace(path)


def _table(data: Labeled, rows: list[Row], runs: int) -> Table:
    title = f"{data.name}: {data.X.shape[0]} nodes, {len(np.unique(data.y))} classes, {runs} runs"
    table = Table(title=title, title_justify="left", title_style="bold")
    for column in ("density", "graph"):
        table.add_column(column)
    for column in (
        "edges per node",
        "label propagation error",
        "unreachable",
        "clustering error",
        "components",
        "isolated",
    ):
        table.add_column(column, justify="right")
    for row in rows:
        table.add_row(
            f"{row.density:g}",
            row.graph,
            f"{row.edges_per_node:.2f}",
            f"{100 * row.label_error:.1f}%",
            f"{100 * row.unreachable:.1f}%",
            f"{100 * row.cluster_error:.1f}%",
            str(row.components),
            str(row.isolated),
            end_section=row is rows[-1] or row.graph == GRAPHS[-1],
        )
    return table


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data-dir", type=Path, required=True, help="folder of the data sets")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_RUNS} runs instead of {RUNS}")
    parser.add_argument("--out", type=Path, help="JSON file to write")
    return parser


if __name__ == "__main__":
    main()
