"""What a graph is good for: the measurements in the paper's figures, at matched densities."""

import warnings
from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from scipy.optimize import linear_sum_assignment
from sklearn.cluster import KMeans
from sklearn.metrics.cluster import contingency_matrix
from sklearn.neighbors import NearestNeighbors

from smoothgraph import L2DegreeGraph, LogDegreeGraph, density_path
from smoothgraph.support.connectivity import n_components, n_isolated
from smoothgraph.tasks import ComponentsWarning, HarmonicClassifier, SpectralGraphClustering, UnreachableWarning

GRAPHS = ("log-degree", "l2-degree", "k-NN")


def graphs_of(X: np.ndarray, densities: Sequence[float]) -> Iterator[tuple[str, float, sp.csr_array]]:
    """Yield the name, the requested density and the adjacency of every graph."""
    learners = (LogDegreeGraph(), L2DegreeGraph())
    paths = [[graph.adjacency_ for graph in density_path(X, densities, learner=learner)] for learner in learners]
    paths.append(knn_path(X, densities))
    for position, density in enumerate(densities):
        for name, path in zip(GRAPHS, paths, strict=True):
            yield name, density, path[position]


def knn_path(X: np.ndarray, densities: Sequence[float]) -> list[sp.csr_array]:
    """Return, for each density, the binary k-NN graph that comes closest to it.

    An edge joins two nodes if either is among the k nearest of the other.
    """
    search = NearestNeighbors().fit(X)
    graphs = []
    for k in range(1, int(max(densities)) + 1):
        directed = sp.csr_array(search.kneighbors_graph(n_neighbors=k))
        graphs.append(directed.maximum(directed.T))
    found = np.array([edges_per_node(graph) for graph in graphs])
    return [graphs[np.argmin(np.abs(found - density))] for density in densities]


def measure_tasks(
    W: sp.csr_array, y: np.ndarray, *, known: float, label_runs: int, cluster_runs: int, seed: int
) -> dict[str, float]:
    """Return density, clustering error, label propagation and connectivity of a graph."""
    return {
        "edges_per_node": edges_per_node(W),
        "clustering_error": clustering_error(W, y, runs=cluster_runs),
        **label_propagation(W, y, known=known, runs=label_runs, seed=seed),
        **connectivity(W),
    }


def edges_per_node(W: sp.csr_array) -> float:
    """Return the mean number of neighbors."""
    return W.nnz / W.shape[0]


def connectivity(W: sp.csr_array) -> dict[str, int]:
    """Return the number of components, including isolated nodes, and of isolated nodes."""
    return {"components": n_components(W), "isolated": n_isolated(W)}


def label_propagation(W: sp.csr_array, y: np.ndarray, *, known: float, runs: int, seed: int) -> dict[str, float]:
    """Return two shares of the unlabeled nodes, averaged over random draws of the known labels.

    ``label_error`` is the share with a wrong label or none, ``unreachable`` the share with none,
    because their component has no label.
    """
    draws = list(propagate_labels(W, y, known=known, runs=runs, seed=seed))
    return {
        "label_error": fmean(np.mean(draw.wrong[draw.hidden]) for draw in draws),
        "unreachable": fmean(np.mean(draw.unreachable[draw.hidden]) for draw in draws),
    }


class Propagation(NamedTuple):
    """Masks of the nodes whose label was hidden, is wrong or missing, and is missing."""

    hidden: np.ndarray
    wrong: np.ndarray
    unreachable: np.ndarray


def propagate_labels(W: sp.csr_array, y: np.ndarray, *, known: float, runs: int, seed: int) -> Iterator[Propagation]:
    """Yield label propagation from random draws of the known labels."""
    for rng in np.random.default_rng(seed).spawn(runs):
        chosen = rng.choice(len(y), round(known * len(y)), replace=False)
        hidden = np.ones(len(y), dtype=bool)
        hidden[chosen] = False
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UnreachableWarning)  # these nodes are counted instead
            model = HarmonicClassifier().fit(W, np.where(hidden, -1, y))
        yield Propagation(hidden, model.transduction_ != y, model.unreachable_)


def clustering_error(W: sp.csr_array, y: np.ndarray, *, runs: int) -> float:
    """Return the mean error of spectral clustering over single runs of k-means."""
    n_clusters = len(np.unique(y))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ComponentsWarning)  # sparse graphs are judged, too
        points = SpectralGraphClustering(n_clusters, n_init=1, random_state=0).fit(W).embedding_
    return fmean(
        mismatch(y, KMeans(n_clusters, n_init=1, random_state=seed).fit_predict(points)) for seed in range(runs)
    )


def mismatch(y: np.ndarray, clusters: np.ndarray) -> float:
    """Return the share of nodes outside the best matching of clusters to classes."""
    counts = contingency_matrix(y, clusters)
    return 1 - float(counts[linear_sum_assignment(counts, maximize=True)].sum()) / len(y)


def count_unreachable(draws: Sequence[Propagation], nodes: Any = ...) -> float:
    """Return the mean number of nodes, of those selected, that no label reaches."""
    return float(np.mean([np.sum(draw.unreachable[nodes]) for draw in draws]))
