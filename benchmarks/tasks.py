"""What the graphs are good for: label propagation and spectral clustering at matched densities.

    python benchmarks/tasks.py --data-dir DIR [--quick] [--out FILE]

The experiments of Kalofolias (2016) with the log-degree model, the l2-degree model and the k-NN
graph. Label propagation knows a random 10 % of the labels; unlabelled nodes that no label
reaches count as errors and are also reported apart. Spectral clustering knows the
number of classes; its error is that of the best matching of clusters to classes, averaged over
single runs of k-means. DIR holds ``usps.npz``, ``coil20_32.npz`` (keys ``X``, ``y``) and
``pbmc68k_reduced.npz`` (keys ``X_pca``, ``y``); what is missing is left out.
"""

import argparse
import json
import os
import warnings
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean

import numpy as np
import scipy.sparse as sp
from rich.console import Console
from rich.table import Table
from scipy.optimize import linear_sum_assignment
from scipy.sparse.csgraph import connected_components
from sklearn.cluster import KMeans
from sklearn.datasets import load_digits
from sklearn.metrics.cluster import contingency_matrix
from sklearn.neighbors import NearestNeighbors

import smoothgraph as sg
from smoothgraph.tasks import HarmonicClassifier, SpectralGraphClustering, UnreachableWarning

DENSITIES = (2, 3, 4, 6, 8, 10, 15, 20, 30)
LEARNERS = {"log degree": sg.LogDegreeGraph(), "l2 degree": sg.L2DegreeGraph()}
KNOWN = 0.1  # of the labels
RUNS, QUICK_RUNS = 100, 10
SEED = 0
WIDTH = 120  # of the tables if they do not go to a terminal


@dataclass(frozen=True, eq=False)
class Labelled:
    """A data set: one row per node, and its class."""

    name: str
    X: np.ndarray
    y: np.ndarray


@dataclass(frozen=True)
class Row:
    """What one graph gave; errors and unreachable nodes are shares, averaged over the runs."""

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
        own = [measure(data, *graph, runs) for graph in graphs_of(data.X)]
        console.print(_table(data, own, runs))
        rows += own
    if options.out is not None:
        write(options.out, rows, runs)


def data_sets(folder: Path) -> Iterator[Labelled]:
    """The digits of scikit-learn, and the data sets whose files are there."""
    digits = load_digits()
    yield Labelled("digits", digits.data, digits.target)
    for name, file, key in (
        ("USPS-1001", "usps.npz", "X"),
        ("COIL-20", "coil20_32.npz", "X"),
        ("single cells", "pbmc68k_reduced.npz", "X_pca"),
    ):
        if (folder / file).exists():
            with np.load(folder / file) as content:
                X, y = content[key].astype(float), content["y"].astype(int)
            chosen = _usps_1001(y) if name == "USPS-1001" else slice(None)
            yield Labelled(name, X[chosen], y[chosen])


def _usps_1001(y: np.ndarray) -> np.ndarray:
    """``round(2.6 i^2)`` images of digit ``i - 1`` for i = 1..10, as in the paper."""
    rng = np.random.default_rng(SEED)
    chosen = [
        rng.choice(np.flatnonzero(y == i - 1), round(2.6 * i**2), replace=False)
        for i in range(1, 11)
    ]
    return np.concatenate(chosen)


def graphs_of(X: np.ndarray) -> Iterator[tuple[str, float, sp.csr_array]]:
    """Name, density asked for and adjacency of every graph, density by density."""
    paths = {
        name: [graph.adjacency_ for graph in sg.density_path(X, DENSITIES, estimator=learner)]
        for name, learner in LEARNERS.items()
    }
    paths["k-NN"] = knn_path(X)
    for position, density in enumerate(DENSITIES):
        for name, path in paths.items():
            yield name, density, path[position]


def knn_path(X: np.ndarray) -> list[sp.csr_array]:
    """Binary k-NN graphs, symmetrised by the maximum; k comes closest to each density."""
    search = NearestNeighbors().fit(X)
    graphs = []
    for k in range(1, max(DENSITIES) + 1):
        joins = sp.csr_array(search.kneighbors_graph(n_neighbors=k))
        graphs.append(joins.maximum(joins.T))
    found = np.array([_edges_per_node(graph) for graph in graphs])
    return [graphs[np.argmin(np.abs(found - density))] for density in DENSITIES]


def measure(data: Labelled, name: str, density: float, W: sp.csr_array, runs: int) -> Row:
    """Both tasks on one graph."""
    draws = [label_propagation(W, data.y, seed) for seed in range(runs)]
    n_components, _ = connected_components(W, directed=False)
    return Row(
        data.name,
        name,
        density,
        _edges_per_node(W),
        label_error=fmean(error for error, _ in draws),
        unreachable=fmean(unreachable for _, unreachable in draws),
        cluster_error=clustering_error(W, data.y, runs),
        components=int(n_components),
        isolated=int(np.count_nonzero(np.diff(W.indptr) == 0)),
    )


def label_propagation(W: sp.csr_array, y: np.ndarray, seed: int) -> tuple[float, float]:
    """The shares of unlabelled nodes that get no or a wrong label, and of those that get none."""
    known = np.random.default_rng(seed).choice(len(y), round(KNOWN * len(y)), replace=False)
    hidden = np.ones(len(y), dtype=bool)
    hidden[known] = False
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnreachableWarning)  # they are counted
        model = HarmonicClassifier().fit(W, np.where(hidden, -1, y))
    wrong = model.transduction_[hidden] != y[hidden]
    return float(np.mean(wrong)), float(np.mean(model.unreachable_[hidden]))


def clustering_error(W: sp.csr_array, y: np.ndarray, runs: int) -> float:
    """The mean error over single runs of k-means on the same eigenvectors."""
    n_clusters = len(np.unique(y))
    points = SpectralGraphClustering(n_clusters, n_init=1, random_state=SEED).fit(W).embedding_
    return fmean(
        mismatch(y, KMeans(n_clusters, n_init=1, random_state=seed).fit_predict(points))
        for seed in range(runs)
    )


def mismatch(y: np.ndarray, clusters: np.ndarray) -> float:
    """The share of nodes outside the best matching of clusters to classes."""
    counts = contingency_matrix(y, clusters)
    return 1 - float(counts[linear_sum_assignment(counts, maximize=True)].sum()) / len(y)


def write(path: Path, rows: list[Row], runs: int) -> None:
    """All rows as JSON, complete or not at all."""
    content = {"runs": runs, "known_labels": KNOWN, "rows": [asdict(row) for row in rows]}
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    unfinished.write_text(json.dumps(content, indent=1, allow_nan=False) + "\n")
    unfinished.replace(path)


def _edges_per_node(W: sp.csr_array) -> float:
    return W.nnz / W.shape[0]


def _table(data: Labelled, rows: list[Row], runs: int) -> Table:
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
            f"{100 * row.label_error:.1f} %",
            f"{100 * row.unreachable:.1f} %",
            f"{100 * row.cluster_error:.1f} %",
            str(row.components),
            str(row.isolated),
            end_section=row is rows[-1] or row.graph == "k-NN",
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
