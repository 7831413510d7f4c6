"""The four artificial graphs of the paper: two of points in the plane, two of unit weights."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.spatial import cKDTree

from smoothgraph.support.checks import check_count, check_number, check_share
from smoothgraph.support.input_error import InputError
from smoothgraph.support.optional import load_optional

RandomState = int | np.random.Generator | None

_LENGTH = 5.0  # of the strip on which the non-uniform graph lives
_ROUNDING = 1e-9  # more than the rounding error of a distance in the tree


@dataclass(frozen=True, eq=False)
class GeneratedGraph:
    """``adjacency``: symmetric, zero diagonal, only weights > 0 stored; ``positions``, if any."""

    adjacency: sp.csr_array
    positions: np.ndarray | None = None


def random_geometric(
    n_nodes: int = 100, *, sigma: float = 0.2, threshold: float = 0.6, random_state: RandomState = None
) -> GeneratedGraph:
    """``w_ij = exp(-|x_i - x_j|^2 / (2 sigma^2))`` if ``>= threshold``, x uniform in [0, 1]^2.

    Memory grows with the number of edges, not of pairs.

    Parameters
    ----------
    n_nodes : int
        The number of nodes.
    sigma : float
        The width of the Gaussian.
    threshold : float
        The smallest weight to keep, between 0 and 1.
    random_state : int, Generator or None
        The seed. An int gives the same graph every time.

    Examples
    --------
    >>> from smoothgraph.generate import random_geometric
    >>> graph = random_geometric(100, random_state=0)
    >>> graph.adjacency.shape, graph.positions.shape
    ((100, 100), (100, 2))
    """
    positions = _draw_square(n_nodes, random_state)
    return _gaussian_graph(positions, sigma, check_share("threshold", threshold))


def non_uniform(
    n_nodes: int = 100,
    *,
    decay: float = 2.0,
    sigma: float = 0.2,
    threshold: float | None = None,
    random_state: RandomState = None,
) -> GeneratedGraph:
    """As :func:`random_geometric`, x in [0, 1] x [0, 5] of density ``~ 1 / (1 + decay x_2)``.

    Parameters
    ----------
    decay : float
        The alpha of the paper, at least 0; 0 is uniform. The paper does not state its value, and 2 comes closest to
        its tables.
    threshold : float, optional
        The smallest weight to keep, between 0 and 1. The default is the rule of the paper, the largest threshold
        that leaves no node isolated.
    n_nodes, sigma, random_state
        As in :func:`random_geometric`.

    Examples
    --------
    >>> from smoothgraph.generate import non_uniform
    >>> graph = non_uniform(100, random_state=0)
    >>> bool((graph.adjacency.sum(axis=1) > 0).all())
    True
    """
    decay = check_number("decay", decay, minimum=0.0)
    if threshold is not None:
        threshold = check_share("threshold", threshold)
    positions = _draw_square(n_nodes, random_state)
    # From uniform in [0, 1] to the density on [0, 5]: ((1 + 5 decay)^v - 1) / decay, or its limit up to rounding.
    v, is_uniform = positions[:, 1], decay < np.finfo(float).eps
    positions[:, 1] = _LENGTH * v if is_uniform else np.expm1(v * np.log1p(_LENGTH * decay)) / decay
    return _gaussian_graph(positions, sigma, threshold)


def erdos_renyi(n_nodes: int = 100, *, p: float, random_state: RandomState = None) -> GeneratedGraph:
    """Gilbert's G(n, p): joins every pair with probability ``p``; unit weights; needs NetworkX.

    Parameters
    ----------
    p : float
        The probability, between 0 and 1; ``3 / n_nodes`` in the paper.
    n_nodes, random_state
        As in :func:`random_geometric`.
    """
    n_nodes = check_count("n_nodes", n_nodes, minimum=2)
    p = check_share("p", p)
    p = p if 1 - p < 1 else 0.0  # NetworkX divides by log(1 - p)
    return _unit_weights(_load_networkx().fast_gnp_random_graph(n_nodes, p, seed=_draw_seed(random_state)))


def barabasi_albert(n_nodes: int = 100, *, attachments: int = 2, random_state: RandomState = None) -> GeneratedGraph:
    """Scale-free: each node joins ``attachments`` older ones, with probability ~ their degrees.

    The graph grows from one node; while there are fewer older nodes than ``attachments``, a new node joins them
    all. It is connected and has unit weights. Needs NetworkX.

    Parameters
    ----------
    attachments : int
        The m of the paper, at least 1.
    n_nodes, random_state
        As in :func:`random_geometric`.
    """
    n_nodes = check_count("n_nodes", n_nodes, minimum=2)
    attachments = check_count("attachments", attachments, minimum=1)
    networkx = _load_networkx()
    graph = networkx.complete_graph(min(max(attachments, 2), n_nodes))  # up to here no choice
    if len(graph) < n_nodes:
        seed = _draw_seed(random_state)
        graph = networkx.barabasi_albert_graph(n_nodes, attachments, seed=seed, initial_graph=graph)
    return _unit_weights(graph)


def _draw_square(n_nodes: int, random_state: RandomState) -> np.ndarray:
    n_nodes = check_count("n_nodes", n_nodes, minimum=2)
    return np.random.default_rng(random_state).random((n_nodes, 2))


def _gaussian_graph(positions: np.ndarray, sigma: float, threshold: float | None) -> GeneratedGraph:
    """Return the graph of the weights ``>= threshold``; None leaves just no node isolated."""
    sigma = check_number("sigma", sigma, above=0.0)
    tree = cKDTree(positions)
    if threshold is None:
        radius = tree.query(positions, k=2)[0][:, 1].max()  # the first is the node or its twin
    else:
        radius = sigma * np.sqrt(-2 * np.log(threshold)) if threshold > 0 else np.inf
    i, j = tree.query_pairs(radius * (1 + _ROUNDING) + _ROUNDING * sigma, output_type="ndarray").T
    w = np.exp(-np.sum((positions[i] - positions[j]) ** 2, axis=1) / (2 * sigma**2))
    if threshold is None:
        best = np.zeros(len(positions))  # the largest weight of each node
        np.maximum.at(best, i, w)
        np.maximum.at(best, j, w)
        threshold = float(best.min())
        if threshold == 0:
            raise InputError(
                f"Expected every node to have a weight > 0, but node {best.argmin()} is so far from all others that "
                "its weights round to 0; take a larger sigma or more nodes."
            )
    kept = (w >= threshold) & (w > 0)
    upper = sp.coo_array((w[kept], (i[kept], j[kept])), shape=(len(positions),) * 2).tocsr()
    adjacency = (upper + upper.T).tocsr()
    adjacency.sort_indices()
    return GeneratedGraph(adjacency, positions)


def _load_networkx() -> Any:
    return load_optional("networkx", needed_by="a random graph of unit weights", extra="networkx")


def _draw_seed(random_state: RandomState) -> int:
    return int(np.random.default_rng(random_state).integers(2**32))


def _unit_weights(graph: Any) -> GeneratedGraph:
    """Convert a NetworkX graph."""
    adjacency = _load_networkx().to_scipy_sparse_array(graph, nodelist=range(len(graph)), dtype=float, weight=None)
    adjacency.sort_indices()
    return GeneratedGraph(adjacency)
