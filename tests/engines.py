"""Neighbor engines for tests: the library's own, and one that looks at all pairs."""

import numpy as np
from scipy.spatial.distance import cdist

from smoothgraph.search import TiledSearch


def make_engine(X, metric="sqeuclidean"):
    """The library's engine."""
    return TiledSearch.of(X, metric)


class BruteForce:
    """An engine that holds all distances, in the order of ``order`` if one is given."""

    def __init__(self, X, metric="sqeuclidean", order=None):
        self.n_nodes, self.order = len(X), order
        self.Z = cdist(X, X, metric)
        np.fill_diagonal(self.Z, np.inf)

    def nearest(self, k, share):  # noqa: ARG002
        """The true ``k`` nearest, whatever the share."""
        ids = np.argpartition(self.Z, k - 1, axis=1)[:, :k]
        return ids, np.take_along_axis(self.Z, ids, axis=1)

    def within(self, reach, nodes=None):
        """All pairs with ``2 z < reach_i + reach_j``; with ``nodes``, theirs."""
        rows = np.arange(self.n_nodes) if nodes is None else nodes
        near = 2 * self.Z[rows] < reach[rows, None] + reach
        if nodes is None:
            near = np.triu(near, 1)
        i, j = np.nonzero(near)
        return rows[i], j, self.Z[rows[i], j]


class Misled(BruteForce):
    """An engine whose likely nearest neighbors are just any nodes."""

    def nearest(self, k, share):  # noqa: ARG002
        """Any ``k`` other nodes, with their true distances."""
        ids = (np.arange(self.n_nodes)[:, None] + 1 + 7 * np.arange(k)) % self.n_nodes
        return ids, np.take_along_axis(self.Z, ids, axis=1)


def brute_force(X):
    """All pairs, in the order of the rows."""
    return BruteForce(X)


def misled_and_shuffled(X):
    """A poor start, and another stored order."""
    return Misled(X, order=np.random.default_rng(3).permutation(len(X)))
