"""What a graph is good for: the measurements of the paper's figures, at matched densities."""

import warnings
from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
from scipy.optimize import linear_sum_assignment
from sklearn.cluster import KMeans
from sklearn.metrics.cluster import contingency_matrix
from sklearn.neighbors import NearestNeighbors

from smoothgraph import L2DegreeGraph, LogDegreeGraph, density_path
from smoothgraph.support.connectivity import n_components, n_isolated
from smoothgraph.tasks import HarmonicClassifier, SpectralGraphClustering, UnreachableWarning

GRAPHS = ("log-degree", "l2-degree", "k-NN")


def graphs_of(
    X: np.ndarray, densities: Sequence[float]
) -> Iterator[tuple[str, float, sp.csr_array]]:
    """Name, density asked for and adjacency of every graph, density by density."""
    learners = (LogDegreeGraph(), L2DegreeGraph())
    paths = [
        [graph.adjacency_ for graph in density_path(X, densities, estimator=learner)]
        for learner in learners
    ]
    paths.append(knn_path(X, densities))
    for position, density in enumerate(densities):
        for name, path in zip(GRAPHS, paths, strict=True):
            yield name, density, path[position]


def knn_path(X: np.ndarray, densities: Sequence[float]) -> list[sp.csr_array]:
    """Binary k-NN graphs, symmetrised by the maximum; k comes closest to each density."""
    search = NearestNeighbors().fit(X)
    graphs = []
    for k in range(1, int(max(densities)) + 1):
        joins = sp.csr_array(search.kneighbors_graph(n_neighbors=k))
        graphs.append(joins.maximum(joins.T))
    found = np.array([edges_per_node(graph) for graph in graphs])
    return [graphs[np.argmin(np.abs(found - density))] for density in densities]


def edges_per_node(W: sp.csr_array) -> float:
    """The mean number of neighbours."""
    return W.nnz / W.shape[0]


def connectivity(W: sp.csr_array) -> dict[str, int]:
    """The number of components, isolated nodes included, and of isolated nodes."""
    return {"components": n_components(W), "isolated": n_isolated(W)}


def label_propagation(
    W: sp.csr_array, y: np.ndarray, *, known: float, runs: int, seed: int
) -> dict[str, float]:
    """Mean shares over random draws of the known labels.

    ``label_error``: of the unlabelled nodes, those with a wrong label or none;
    ``unreachable``: those with none, since no label is in their component.
    """
    draws = list(propagations(W, y, known=known, runs=runs, seed=seed))
    return {
        "label_error": fmean(np.mean(draw.wrong[draw.hidden]) for draw in draws),
        "unreachable": fmean(np.mean(draw.unreachable[draw.hidden]) for draw in draws),
    }


class Propagation(NamedTuple):
    """The nodes whose labels were hidden, that got a wrong one or none, that got none."""

    hidden: np.ndarray
    wrong: np.ndarray
    unreachable: np.ndarray


def propagations(
    W: sp.csr_array, y: np.ndarray, *, known: float, runs: int, seed: int
) -> Iterator[Propagation]:
    """Label propagation from random draws of the known labels, the same for the same seed."""
    for rng in np.random.default_rng(seed).spawn(runs):
        chosen = rng.choice(len(y), round(known * len(y)), replace=False)
        hidden = np.ones(len(y), dtype=bool)
        hidden[chosen] = False
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UnreachableWarning)  # they are counted
            model = HarmonicClassifier().fit(W, np.where(hidden, -1, y))
        yield Propagation(hidden, model.transduction_ != y, model.unreachable_)


def clustering_error(W: sp.csr_array, y: np.ndarray, *, runs: int) -> float:
    """The mean error of spectral clustering over single runs of k-means."""
    n_clusters = len(np.unique(y))
    points = SpectralGraphClustering(n_clusters, n_init=1, random_state=0).fit(W).embedding_
    return fmean(
        mismatch(y, KMeans(n_clusters, n_init=1, random_state=seed).fit_predict(points))
        for seed in range(runs)
    )


def mismatch(y: np.ndarray, clusters: np.ndarray) -> float:
    """The share of nodes outside the best matching of clusters to classes."""
    counts = contingency_matrix(y, clusters)
    return 1 - float(counts[linear_sum_assignment(counts, maximize=True)].sum()) / len(y)
