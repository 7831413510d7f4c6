"""The log-degree graph on nearest neighbors only, with the parameter that they suggest, beside the exact optimum.

Kalofolias and Perraudin (2019), "Large scale graph learning from smooth signals", make a graph with about k edges per
node in two steps. The parameter is one at which a typical node alone would have k edges. The optimum is then sought
among the pairs of each node with its 3k nearest neighbors only. They find these neighbors approximately; here they are
exact, so whatever is missed is missed by the restriction.
"""

from time import perf_counter
from typing import Any

import numpy as np
import scipy.sparse as sp

from smoothgraph import LogDegreeGraph
from smoothgraph.methods.neighbor_lists import Neighbors
from smoothgraph.support.adjacency import laplacian_of

CANDIDATES = 3
"""Candidates of a node per edge asked for."""


def suggest_theta(z: np.ndarray, k: int) -> float:
    """Return the scale of distances at which a typical node alone has k edges.

    A node alone has k edges if ``(k z_{k+1}^2 - b_k z_{k+1})^(-1/2) < theta <= (k z_k^2 - b_k z_k)^(-1/2)``, where
    ``z_1 <= z_2 <= ...`` are its distances and ``b_k`` is the sum of the first k. This is the geometric mean of the two
    bounds, each averaged over the nodes.
    """
    total = np.sum(z[:, :k], axis=1)

    def bound(reach: np.ndarray) -> float:
        squares = reach * (k * reach - total)
        return float(np.mean(1 / np.sqrt(squares[squares > 0])))

    return float(np.sqrt(bound(z[:, k]) * bound(z[:, k - 1])))


def compare(X: np.ndarray, k: int) -> dict[str, Any]:
    """Return densities, seconds, the gap, and the missed pairs of the restricted graph, beside the exact one."""
    start = perf_counter()
    neighbors = Neighbors.of(X, min(CANDIDATES * k, len(X) - 1))
    theta = suggest_theta(neighbors.z, k)
    pairs, there, back = neighbors.both_ways(theta * neighbors.z)
    Z = sp.coo_array((np.maximum(there, back), (pairs.rows, pairs.cols)), shape=(len(X), len(X)))
    restricted = LogDegreeGraph(alpha=1.0, beta=1.0, metric="precomputed").fit((Z + Z.T).tocsr())
    seconds = {"restricted": perf_counter() - start}
    start = perf_counter()
    scaled = np.sqrt(theta) * (X - X.mean(axis=0))
    exact = LogDegreeGraph(alpha=1.0, beta=1.0, neighbors="exact").fit(scaled)
    seconds["exact"] = perf_counter() - start
    start = perf_counter()
    asked = LogDegreeGraph(edges_per_node=k, neighbors="exact").fit(X)
    seconds["asked"] = perf_counter() - start
    return {
        "theta": theta,
        "density": {
            "restricted": restricted.edges_per_node_,
            "exact": exact.edges_per_node_,
            "asked": asked.edges_per_node_,
        },
        "proved": bool(exact.is_exact_ and asked.is_exact_),
        "seconds": {name: round(value, 3) for name, value in seconds.items()},
        **_differences(restricted.adjacency_, exact.adjacency_, scaled),
    }


def _differences(restricted: sp.csr_array, exact: sp.csr_array, X: np.ndarray) -> dict[str, float]:
    """Return in percent: edges missed and wrong, the difference of the weights, and the gap of the objective."""
    common = restricted.astype(bool).multiply(exact.astype(bool)).nnz
    best, reached = objective(exact, X), objective(restricted, X)
    return {
        "missed": 100 * (1 - common / exact.nnz),
        "wrong": 100 * (1 - common / restricted.nnz),
        "weights": 100 * float(abs(restricted - exact).sum() / exact.sum()),
        "gap": 100 * (sum(reached) - sum(best)) / sum(map(abs, best)),
    }


def objective(W: sp.csr_array, X: np.ndarray) -> tuple[float, float, float]:
    """Return the terms ``2 z'w``, ``-sum log(degrees)`` and ``|w|^2``; the first is ``2 tr(X' L X)``."""
    smoothness = 2 * float(np.sum(X * (laplacian_of(W) @ X)))
    return smoothness, -float(np.sum(np.log(W.sum(axis=1)))), float(np.sum(W.data**2)) / 2
