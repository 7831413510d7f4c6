"""What a graph is good for: wrong labels when few are known, clusters, and what can be counted."""

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.cluster import KMeans
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score

from smoothgraph.support.connectivity import n_components, n_isolated
from smoothgraph.support.optional import load_optional
from smoothgraph.tasks import HarmonicClassifier, LeidenGraphClustering, PoissonClassifier, SpectralGraphClustering

CLASSIFIERS: dict[str, Any] = {
    "harmonic": HarmonicClassifier(),
    "class masses": HarmonicClassifier(class_shares="labels"),
    "WNLL": HarmonicClassifier(nonlocal_weights=True),
    "Poisson": PoissonClassifier(),
}
JUDGES = ("graphlearning: Laplace", "graphlearning: Poisson")
"""Classifiers of the package graphlearning, which is not ours."""

INDICES: dict[str, Callable[[np.ndarray, np.ndarray], float]] = {
    "ARI": adjusted_rand_score,
    "NMI": normalized_mutual_info_score,
}


def is_error(task: str) -> bool:
    """Return whether less of a task's score is better: errors of labels, not indices of clusters."""
    return task.rpartition(", ")[2] not in INDICES


def label_errors(method: str, W: sp.csr_array, y: np.ndarray, draws: list[np.ndarray]) -> list[float]:
    """Return the share of wrong labels among the hidden ones, in percent, for each draw of the known ones.

    A node that no label reaches is wrong.
    """
    return [_error(method, W, y, known) for known in draws]


def _error(method: str, W: sp.csr_array, y: np.ndarray, known: np.ndarray) -> float:
    hidden = np.ones(len(y), dtype=bool)
    hidden[known] = False
    if method in JUDGES:
        found = _by_graphlearning(method, W, known, y)
    else:
        found = CLASSIFIERS[method].fit(W, np.where(hidden, -1, y)).transduction_
    return 100 * float(np.mean(found[hidden] != y[hidden]))


def _by_graphlearning(method: str, W: sp.csr_array, known: np.ndarray, y: np.ndarray) -> np.ndarray:
    ssl = load_optional("graphlearning.ssl", needed_by=method, extra="paper")
    model = ssl.laplace(W) if method.endswith("Laplace") else ssl.poisson(W)
    return np.asarray(model.fit_predict(known, y[known]))


def cluster_indices(method: str, W: sp.csr_array, y: np.ndarray, n_seeds: int) -> dict[str, list[float]]:
    """Return how well clusters agree with the classes, in percent, for each seed."""
    found = _clusters(method, W, len(np.unique(y)), n_seeds)
    return {name: [100 * float(index(y, labels)) for labels in found] for name, index in INDICES.items()}


def _clusters(method: str, W: sp.csr_array, n_classes: int, n_seeds: int) -> list[np.ndarray]:
    if method == "Leiden":
        return [LeidenGraphClustering(random_state=seed).fit_predict(W) for seed in range(n_seeds)]
    spectral = SpectralGraphClustering(n_classes, normalized=method.startswith("normalized"), n_init=1, random_state=0)
    points = spectral.fit(W).embedding_
    return [KMeans(n_classes, n_init=1, random_state=seed).fit_predict(points) for seed in range(n_seeds)]


def describe(W: sp.csr_array, y: np.ndarray) -> dict[str, Any]:
    """Return what can be counted: edges, components, isolated nodes, and the share of weight between classes."""
    edges = W.tocoo()
    across = y[edges.row] != y[edges.col]
    return {
        "edges_per_node": W.nnz / len(y),
        "components": n_components(W),
        "isolated": n_isolated(W),
        "across": 100 * float(np.sum(edges.data[across]) / (np.sum(edges.data) or 1.0)),
    }
