"""Data sets, and for each the log-degree problem whose graph has about 10 edges per node."""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from scipy.spatial.distance import squareform
from sklearn.datasets import load_digits

import smoothgraph as sg
<<<<<<< HEAD
from paper.datasets import Labeled, load_usps
from paper.reproduction import usps
=======
from paper.datasets import Labelled, load_usps
from paper.experiments import usps
from smoothgraph.density import search_density
>>>>>>> core-tests

SEED = 0
EDGES_PER_NODE = 10
_NOISE = 0.5  # in gray levels; scikit-learn's digits have 17 of them


@dataclass(frozen=True, eq=False)
class Instance:
    """``min 2 z'w - sum(log(S w)) + |w|^2`` over all pairs, where ``z`` includes theta."""

    name: str
    X: np.ndarray
    z: np.ndarray
    theta: float
    edges_per_node: float

    @property
    def n_nodes(self) -> int:
        """The number of nodes ``m``."""
        return len(self.X)

    def matrix(self) -> np.ndarray:
        """Return ``z`` as a symmetric matrix. It is large, so it is not kept."""
        return squareform(self.z)


def instance(name: str, X: np.ndarray) -> Instance:
    """Return the problem whose theta gives :data:`EDGES_PER_NODE`."""
    pairs, family = sg.Pairs.of(X), sg.models.LogDegree()
    solution, p, _ = search_density(family, pairs, EDGES_PER_NODE)
    theta = family.report(p)
    return Instance(name, X, theta * pairs.z, theta, solution.edges_per_node)


def digits_like(n_nodes: int) -> np.ndarray:
    """Return rows of scikit-learn's digits: a subset, or a noisy resample if there are too few."""
    rng = np.random.default_rng(SEED)
    X = load_digits().data
    if n_nodes <= len(X):
        return X[rng.choice(len(X), n_nodes, replace=False)]
    drawn = X[rng.choice(len(X), n_nodes)]
    return drawn + rng.normal(scale=_NOISE, size=drawn.shape)


def usps_1001(folder: Path) -> Labeled:
    """Return ``round(2.6 i^2)`` images of digit ``i - 1``, i = 1..10, from ``folder/usps.npz``."""
    return usps.sample(load_usps(folder), replace(usps.FULL, digits=tuple(range(10))), SEED)
