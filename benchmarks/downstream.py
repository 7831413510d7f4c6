"""Compare what graphs of the same density are good for: labels from few known ones, and clusters.

    python -m benchmarks.downstream --data-dir DIR [--only NAME ...] [--density K ...] [--quick] [--out FILE]

Each k-NN graph joins two nodes if either is among the k nearest of the other. The whole number k is the one that
comes closest to the density asked for, and the other graphs are learned at the density that it reaches: all graphs
in a comparison have equally many edges.

Labels are measured on the same random draws for all graphs. "labels" are harmonic functions (Zhu, Ghahramani and
Lafferty, 2003) by ``smoothgraph.tasks``; a node that no label reaches counts as an error. "Poisson" is the method of
Calder, Cook, Thorpe and Slepcev (2020) by the package ``graphlearning``, where one component has
all known labels; elsewhere its equation has no solution. Its "Laplace" is harmonic functions again, and takes their
place on the largest data. Clusters are judged by the adjusted Rand
index: of spectral clustering, which knows the number of classes, with single runs of k-means, and of the Leiden
algorithm, which maximizes modularity and does not know it.
"""

import argparse
import json
import random
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from rich.console import Console
from rich.table import Table
from scipy.sparse.csgraph import connected_components
from sklearn.cluster import KMeans
from sklearn.metrics import adjusted_rand_score

from benchmarks.labeled_data import LARGE, NAMES, Labeled, load
from smoothgraph import FewNeighborsWarning, LogDegreeGraph, SmoothGraph
from smoothgraph.search import TiledSearch
from smoothgraph.support.connectivity import n_components
from smoothgraph.tasks import ComponentsWarning, HarmonicClassifier, SpectralGraphClustering, UnreachableWarning

DENSITIES = (3, 4, 5, 6, 8, 10, 15, 20, 30)
OF_MNIST = (4, 6, 10)
RUNS, RUNS_ON_MNIST, QUICK_RUNS = 30, 10, 3
CLUSTER_RUNS = 10
FEW = ("5 per class", "10 per class")  # known labels, where Poisson learning has its place
CLUSTERINGS = ("spectral", "Leiden")
OURS, RIVALS = "SmoothGraph", ("k-NN", "self-tuned k-NN")
_SCALE_NEIGHBOR = 7  # that sets the scale of a node, as in the paper of Zelnik-Manor and Perona
_SMALLEST = 1e-12  # a weight that rounds to zero would be no edge
_MOST_FACTORED = 20_000  # nodes; a sparse factor of more takes too long
WIDTH = 160  # characters per line if the output is not a terminal

Scores = dict[str, np.ndarray]


@dataclass(frozen=True, eq=False)
class Row:
    """One graph: its density as asked for and as it is, its components, and the scores of all runs by task, in %."""

    data: str
    graph: str
    asked: float | None
    edges_per_node: float
    components: int
    scores: Scores


def main() -> None:
    options = _parser().parse_args()
    names = options.only or [name for name in NAMES if not (options.quick and name in LARGE)]
    warnings.simplefilter("ignore", FewNeighborsWarning)
    warnings.simplefilter("ignore", ComponentsWarning)
    warnings.simplefilter("ignore", UnreachableWarning)  # these nodes count as errors
    console = Console()
    if not console.is_terminal:
        console.width = WIDTH
    rows: list[Row] = []
    for data in load(names, options.data_dir):
        runs = QUICK_RUNS if options.quick else RUNS_ON_MNIST if data.name == "MNIST" else RUNS
        for name, asked, W in graphs_of(data, options.density):
            scores = measure(W, data, options.data_dir, runs)
            rows.append(Row(data.name, name, asked, W.nnz / len(data.y), n_components(W), scores))
            if options.out is not None:
                write(options.out, rows)
        own = [row for row in rows if row.data == data.name]
        console.print(scores_table(data, own, runs), comparison_table(data, own))


# -- graphs --------------------------------------------------------------------


def graphs_of(data: Labeled, densities: list[float] | None) -> Iterator[tuple[str, float | None, sp.csr_array]]:
    """Yield the name, the density asked for, and the adjacency of every graph."""
    large = data.name == "MNIST"
    if not large:
        yield f"{OURS}, auto", None, SmoothGraph().fit(data.X).adjacency_
    nearest = TiledSearch.of(data.X).exact_nearest(int(max(densities or DENSITIES)))
    for asked in densities or (OF_MNIST if large else DENSITIES):
        k = closest_k(nearest[0], asked)
        ids, z = nearest[0][:, :k], nearest[1]
        binary = symmetrize(ids, np.ones(ids.shape))
        reached = binary.nnz / len(ids)
        yield OURS, asked, SmoothGraph(reached).fit(data.X).adjacency_
        yield RIVALS[0], asked, binary
        yield RIVALS[1], asked, symmetrize(ids, self_tuned(ids, z))
        if large:
            yield "graphlearning", asked, weights_of_graphlearning(ids, z[:, :k])
        else:
            yield "log-degree", asked, LogDegreeGraph(reached).fit(data.X).adjacency_


def closest_k(ids: np.ndarray, density: float) -> int:
    """Return the k whose symmetrized k-NN graph has the mean number of neighbors closest to ``density``."""
    reached = [symmetrize(ids[:, :k], np.ones((len(ids), k))).nnz / len(ids) for k in range(1, int(density) + 1)]
    return int(np.argmin(np.abs(np.array(reached) - density))) + 1


def symmetrize(ids: np.ndarray, weights: np.ndarray) -> sp.csr_array:
    """Return the graph that joins two nodes if either lists the other in ``ids``."""
    i = np.repeat(np.arange(len(ids)), ids.shape[1])
    directed = sp.csr_array((weights.ravel(), (i, ids.ravel())), shape=(len(ids), len(ids)))
    return directed.maximum(directed.T)


def self_tuned(ids: np.ndarray, z: np.ndarray) -> np.ndarray:
    """Return ``exp(-z_ij / (s_i s_j))`` for the first neighbors ``ids`` of all, with squared distances ``z``."""
    scale = np.sqrt(z[:, min(_SCALE_NEIGHBOR, z.shape[1]) - 1])
    scale = np.where(scale > 0, scale, np.min(scale[scale > 0]))
    return np.maximum(np.exp(-z[:, : ids.shape[1]] / (scale[:, None] * scale[ids])), _SMALLEST)


def weights_of_graphlearning(ids: np.ndarray, z: np.ndarray) -> sp.csr_array:
    """Return the weights ``exp(-4 z_ij / z_ik)`` of the package, whose lists begin with the node itself."""
    import graphlearning

    own = np.arange(len(ids))[:, None], np.zeros((len(ids), 1))
    given = np.hstack([own[0], ids]), np.sqrt(np.hstack([own[1], z]))
    return sp.csr_array(graphlearning.weightmatrix.knn(None, ids.shape[1], knn_data=given))


# -- tasks ---------------------------------------------------------------------


def measure(W: sp.csr_array, data: Labeled, folder: Path, runs: int) -> Scores:
    """Return the errors and adjusted Rand indices of all runs, in percent."""
    scores = {}
    for known, draws in data.draws(folder, runs).items():
        by_method = [label_errors(W, data.y, chosen, poisson=known in FEW) for chosen in draws]
        scores |= {f"{method}, {known}": np.array([each[method] for each in by_method]) for method in by_method[0]}
    if data.name != "MNIST":
        scores |= {"spectral": spectral_indices(W, data.y), "Leiden": leiden_indices(W, data.y)}
    return {task: 100 * values for task, values in scores.items()}


def label_errors(W: sp.csr_array, y: np.ndarray, known: np.ndarray, *, poisson: bool) -> dict[str, float]:
    """Return the share of wrong labels among the unknown ones, by method."""
    from graphlearning import ssl

    hidden = np.ones(len(y), dtype=bool)
    hidden[known] = False
    found = {"Poisson": np.full(len(y), np.nan)} if poisson else {}
    if len(y) <= _MOST_FACTORED:
        found["labels"] = HarmonicClassifier().fit(W, np.where(hidden, -1, y)).transduction_
    else:
        found["Laplace"] = ssl.laplace(W).fit_predict(known, y[known])
    if poisson and len(np.unique(connected_components(W)[1][known])) == 1:
        found["Poisson"] = ssl.poisson(W).fit_predict(known, y[known])
    return {method: _share(labels[hidden], y[hidden]) for method, labels in found.items()}


def _share(labels: np.ndarray, y: np.ndarray) -> float:
    """Return the share of wrong labels; NaN without any."""
    return float(np.nan if np.any(np.isnan(labels)) else np.mean(labels != y))


def spectral_indices(W: sp.csr_array, y: np.ndarray) -> np.ndarray:
    n_clusters = len(np.unique(y))
    points = SpectralGraphClustering(n_clusters, n_init=1, random_state=0).fit(W).embedding_
    found = (KMeans(n_clusters, n_init=1, random_state=seed).fit_predict(points) for seed in range(CLUSTER_RUNS))
    return np.array([adjusted_rand_score(y, clusters) for clusters in found])


def leiden_indices(W: sp.csr_array, y: np.ndarray) -> np.ndarray:
    import igraph

    edges = sp.triu(W).tocoo()
    graph = igraph.Graph(n=len(y), edges=np.stack([edges.row, edges.col], axis=1).tolist())
    found = []
    for seed in range(CLUSTER_RUNS):
        igraph.set_random_number_generator(random.Random(seed))
        found.append(graph.community_leiden("modularity", weights=edges.data.tolist(), n_iterations=-1).membership)
    return np.array([adjusted_rand_score(y, clusters) for clusters in found])


# -- what comes out ------------------------------------------------------------


def lead(rows: dict[str, Row], task: str) -> np.ndarray:
    """Return by how many points SmoothGraph is better than the better of the k-NN graphs, in each run.

    Runs are paired: each has the same known labels, or the same seed, on both graphs.
    """
    best = max((rows[name] for name in RIVALS), key=lambda row: gain(row, task))
    return _sign(task) * (rows[OURS].scores[task] - best.scores[task])


def lead_at_best(rows: list[Row], task: str) -> float:
    """Return the lead of SmoothGraph at its best density over the k-NN graphs at theirs."""
    ours, theirs = (max(gain(row, task) for row in rows if row.graph in names) for names in ((OURS,), RIVALS))
    return ours - theirs


def gain(row: Row, task: str) -> float:
    """Return the mean score, with the sign that makes more of it better; minus infinity where there is none."""
    mean = _sign(task) * float(np.mean(row.scores[task]))
    return -np.inf if np.isnan(mean) else mean


def _sign(task: str) -> int:
    return 1 if task in CLUSTERINGS else -1


def scores_table(data: Labeled, rows: list[Row], runs: int) -> Table:
    """Return all scores: errors of labels, and adjusted Rand indices of clusters, with standard errors."""
    title = f"{data.name}: {len(data.X)} nodes, {len(np.unique(data.y))} classes, {runs} draws of labels"
    table = Table(title=title, title_justify="left", title_style="bold")
    for column in ("density", "graph", "edges per node", "components", *rows[0].scores):
        table.add_column(column, justify="left" if column == "graph" else "right")
    for row, after in zip(rows, [*rows[1:], None], strict=True):
        asked = "" if row.asked is None else f"{row.asked:g}"
        last = after is None or after.asked != row.asked
        cells = (_mean_and_error(values) for values in row.scores.values())
        table.add_row(asked, row.graph, f"{row.edges_per_node:.2f}", str(row.components), *cells, end_section=last)
    return table


def comparison_table(data: Labeled, rows: list[Row]) -> Table:
    """Return the lead of SmoothGraph over the better of the two k-NN graphs, at each density and at the best ones."""
    title = f"{data.name}: points by which {OURS} leads the better k-NN graph, ± standard error"
    table = Table(title=title, title_justify="left", title_style="bold")
    by_density: dict[float, dict[str, Row]] = {}
    for row in rows:
        if row.asked is not None:
            by_density.setdefault(row.asked, {})[row.graph] = row
    for column in ("task", *(f"{asked:g}" for asked in by_density), "best density"):
        table.add_column(column, justify="left" if column == "task" else "right")
    for task in rows[0].scores:
        leads = (_mean_and_error(lead(graphs, task), "+") for graphs in by_density.values())
        table.add_row(task, *leads, f"{lead_at_best(rows, task):+.1f}")
    return table


def _mean_and_error(values: np.ndarray, sign: str = "") -> str:
    mean, error = np.mean(values), np.std(values, ddof=1) / np.sqrt(len(values))
    return "-" if np.isnan(mean) else f"{mean:{sign}.1f} ± {error:.1f}"


def write(path: Path, rows: list[Row]) -> None:
    """Write the scores of all runs as JSON, with null for NaN."""
    content = [
        vars(row) | {"scores": {task: [None if np.isnan(x) else x for x in runs] for task, runs in row.scores.items()}}
        for row in rows
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=1, allow_nan=False) + "\n")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data-dir", type=Path, required=True, help="folder of the data sets")
    parser.add_argument("--only", nargs="+", choices=NAMES, metavar="NAME", help=f"data sets, of {', '.join(NAMES)}")
    parser.add_argument(
        "--density", nargs="+", type=float, metavar="K", help="edges per node, instead of the usual ones"
    )
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_RUNS} draws instead of {RUNS}, and no large data")
    parser.add_argument("--out", type=Path, help="JSON file to write")
    return parser


if __name__ == "__main__":
    main()
