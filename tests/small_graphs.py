"""Small weighted graphs, as dense adjacency matrices."""

import numpy as np


def random_graph(m, rng, density):
    """Return weights in [0, 1] on a share of all pairs, often in several components."""
    rng = np.random.default_rng(rng)
    W = np.triu(rng.random((m, m)) * (rng.random((m, m)) < density), k=1)
    return W + W.T


def path(m):
    link = np.eye(m, k=1)
    return link + link.T


def connected_graph(m, rng, density=0.3):
    return random_graph(m, rng, density) + 0.5 * path(m)


def ring(m):
    """Return a ring, whose eigenvalues 2 - 2 cos(2 pi j / m) are nearly all double."""
    link = np.roll(np.eye(m), 1, axis=1)
    return link + link.T


def laplacian(W):
    W = W if isinstance(W, np.ndarray) else W.toarray()
    return np.diag(W.sum(axis=1)) - W
