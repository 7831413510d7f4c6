"""The paper's four artificial graphs: two of points in the plane, two of connections alone."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.spatial import cKDTree

from smoothgraph.support.checks import check_count, check_number, check_share
from smoothgraph.support.optional import load_optional

RandomState = int | np.random.Generator | None

_LENGTH = 5.0  # of the strip on which the non-uniform graph lives
_ROUNDING = 1e-9  # more than what the distances of the tree and ours differ by


@dataclass(frozen=True, eq=False)
class GeneratedGraph:
    """``adjacency``: symmetric, zero diagonal, only weights > 0 stored; ``positions``, if any."""

    adjacency: sp.csr_array
    positions: np.ndarray | None = None


def random_geometric(
    n_nodes: int = 100,
    *,
    sigma: float = 0.2,
    threshold: float = 0.6,
    random_state: RandomState = None,
) -> GeneratedGraph:
    """``w_ij = exp(-|x_i - x_j|^2 / (2 sigma^2))`` if ``>= threshold``, x uniform in [0, 1]^2.

    Memory grows with the edges, not with the pairs.

    Parameters
    ----------
    n_nodes : int
        The number of nodes.
    sigma : float
        The width of the Gaussian.
    threshold : float
        Between 0 and 1: lighter edges are removed.
    random_state : int, Generator or None
        An int gives the same graph every time.

    Examples
    --------
    >>> from smoothgraph.generate import random_geometric
    >>> graph = random_geometric(100, random_state=0)
    >>> graph.adjacency.shape, graph.positions.shape
    ((100, 100), (100, 2))
    """
    n_nodes = check_count("n_nodes", n_nodes, minimum=2)
    sigma = check_number("sigma", sigma, above=0.0)
    threshold = check_share("threshold", threshold)
    positions = np.random.default_rng(random_state).random((n_nodes, 2))
    return _gaussian_graph(positions, sigma, threshold)


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
    n_nodes : int
        The number of nodes.
    decay : float
        The paper's alpha, >= 0, which it does not state: 2 comes closest to its tables. 0 is
        uniform.
    sigma : float
        The width of the Gaussian.
    threshold : float, optional
        Between 0 and 1: lighter edges are removed. By default the paper's rule, the best
        connection of the most distant node, so that just no node is isolated.
    random_state : int, Generator or None
        An int gives the same graph every time.

    Examples
    --------
    >>> from smoothgraph.generate import non_uniform
    >>> graph = non_uniform(100, random_state=0)
    >>> bool((graph.adjacency.sum(axis=1) > 0).all())
    True
    """
    n_nodes = check_count("n_nodes", n_nodes, minimum=2)
    decay = check_number("decay", decay, minimum=0.0)
    sigma = check_number("sigma", sigma, above=0.0)
    if threshold is not None:
        threshold = check_share("threshold", threshold)
    positions = np.random.default_rng(random_state).random((n_nodes, 2))
    positions[:, 1] = _decaying(positions[:, 1], decay)
    return _gaussian_graph(positions, sigma, threshold)


def erdos_renyi(
    n_nodes: int = 100, *, p: float, random_state: RandomState = None
) -> GeneratedGraph:
    """Gilbert's G(n, p): every pair is joined with probability ``p``; unit weights.

    Parameters
    ----------
    n_nodes : int
        The number of nodes.
    p : float
        Between 0 and 1; the paper's is ``3 / n_nodes``.
    random_state : int, Generator or None
        An int gives the same graph every time.

    Examples
    --------
    .. code-block:: python

        graph = erdos_renyi(100, p=0.03, random_state=0)
    """
    n_nodes = check_count("n_nodes", n_nodes, minimum=2)
    p = check_share("p", p)
    p = p if 1 - p < 1 else 0.0  # NetworkX divides by log(1 - p)
    networkx = _load_networkx("erdos_renyi")
    return _unit_weights(networkx.fast_gnp_random_graph(n_nodes, p, seed=_seed(random_state)))


def barabasi_albert(
    n_nodes: int = 100, *, attachments: int = 2, random_state: RandomState = None
) -> GeneratedGraph:
    """Scale-free: each node joins ``attachments`` older ones, in proportion to their degrees.

    It starts from one node, and a node that finds fewer older ones joins them all. Unit
    weights; always connected.

    Parameters
    ----------
    n_nodes : int
        The number of nodes.
    attachments : int
        The paper's m, at least 1.
    random_state : int, Generator or None
        An int gives the same graph every time.

    Examples
    --------
    .. code-block:: python

        graph = barabasi_albert(100, random_state=0)
    """
    n_nodes = check_count("n_nodes", n_nodes, minimum=2)
    attachments = check_count("attachments", attachments, minimum=1)
    networkx = _load_networkx("barabasi_albert")
    start = networkx.complete_graph(min(max(attachments, 2), n_nodes))  # no choice up to here
    if len(start) == n_nodes:
        return _unit_weights(start)
    return _unit_weights(
        networkx.barabasi_albert_graph(
            n_nodes, attachments, seed=_seed(random_state), initial_graph=start
        )
    )


# -- points in the plane -----------------------------------------------------


def _decaying(v: np.ndarray, decay: float) -> np.ndarray:
    """``((1 + 5 decay)^v - 1) / decay``: from uniform in [0, 1] to the density on [0, 5]."""
    if decay < np.finfo(float).eps:  # the limit, to rounding
        return _LENGTH * v
    return np.expm1(v * np.log1p(_LENGTH * decay)) / decay


def _gaussian_graph(positions: np.ndarray, sigma: float, threshold: float | None) -> GeneratedGraph:
    """The weights ``>= threshold``; None is the smallest of the nodes' largest weights."""
    tree = cKDTree(positions)
    if threshold is None:
        radius = tree.query(positions, k=2)[0][:, 1].max()  # a node or its twin comes first
    else:
        radius = sigma * np.sqrt(-2 * np.log(threshold)) if threshold > 0 else np.inf
    i, j = tree.query_pairs(radius * (1 + _ROUNDING) + _ROUNDING * sigma, output_type="ndarray").T
    w = np.exp(-np.sum((positions[i] - positions[j]) ** 2, axis=1) / (2 * sigma**2))
    if threshold is None:
        threshold = _weakest_best(i, j, w, len(positions))
    kept = (w >= threshold) & (w > 0)
    upper = sp.coo_array((w[kept], (i[kept], j[kept])), shape=(len(positions),) * 2).tocsr()
    return GeneratedGraph(_sorted(upper + upper.T), positions)


def _weakest_best(i: np.ndarray, j: np.ndarray, w: np.ndarray, n_nodes: int) -> float:
    """``min_i max_j w_ij``: the best connection of the most distant node."""
    best = np.zeros(n_nodes)
    np.maximum.at(best, i, w)
    np.maximum.at(best, j, w)
    if best.min() == 0:
        raise ValueError(
            f"Expected every node to have a weight > 0, but node {best.argmin()} is so far from "
            "all others that its weights round to 0; take a larger sigma or more nodes."
        )
    return float(best.min())


# -- NetworkX ----------------------------------------------------------------


def _load_networkx(needed_by: str) -> Any:
    return load_optional("networkx", needed_by=needed_by, extra="networkx")


def _seed(random_state: RandomState) -> int:
    return int(np.random.default_rng(random_state).integers(2**32))


def _unit_weights(graph: Any) -> GeneratedGraph:
    from networkx import to_scipy_sparse_array  # loaded already

    matrix = to_scipy_sparse_array(graph, nodelist=range(len(graph)), weight=None)
    return GeneratedGraph(_sorted(matrix.astype(float)))


def _sorted(matrix: Any) -> sp.csr_array:
    result = sp.csr_array(matrix)
    result.sort_indices()
    return result
