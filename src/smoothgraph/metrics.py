"""How close a learned graph is to the true one: the five numbers in the tables of the paper.

The scale of a graph does not count: errors compare weights that are rescaled to the true ones.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.linalg import norm

from smoothgraph.pairs.pair_set import PairSet
from smoothgraph.support.adjacency import adjacency_of
from smoothgraph.support.input_error import InputError


class GraphScores(NamedTuple):
    """``f_measure`` in [0, 1], 1 for the true edges; relative errors, 0 for the true weights."""

    f_measure: float
    edge_l1: float
    edge_l2: float
    degree_l1: float
    degree_l2: float


def compare(graph: Any, truth: Any) -> GraphScores:
    """Compare ``graph`` with ``truth``: F-measure, and l1 and l2 errors of the edges and degrees.

    - ``f_measure``: the harmonic mean of precision and recall of the edges, whatever their weights
    - ``edge_l1``: ``|w - w_true|_1 / |w_true|_1`` after scaling ``w`` to ``|w|_1 = |w_true|_1``;
      ``edge_l2`` is the same in the 2-norm
    - ``degree_l1``, ``degree_l2``: the relative errors of the degrees of the same scaled weights

    Parameters
    ----------
    graph : GeneratedGraph, fitted learner or (m, m) adjacency matrix
        The graph to judge. Without edges, its F-measure is 0 and its errors are 1.
    truth : GeneratedGraph, fitted learner or (m, m) adjacency matrix
        The true graph, with at least one edge.

    Examples
    --------
    One of the two edges of a path is found:

    >>> from smoothgraph.metrics import compare
    >>> truth = [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    >>> found = [[0, 3, 0], [3, 0, 0], [0, 0, 0]]
    >>> scores = compare(found, truth)
    >>> round(scores.f_measure, 3), round(scores.edge_l1, 3), round(scores.degree_l1, 3)
    (0.667, 1.0, 0.5)
    """
    W, T = adjacency_of(graph), adjacency_of(truth)
    if W.shape != T.shape:
        raise InputError(
            f"Expected two graphs on the same nodes, got {W.shape[0]} and {T.shape[0]} nodes; "
            "take the nodes that both have."
        )
    edges = PairSet.from_mask(W + T)
    return compare_weights(edges.weights_of(W), edges.weights_of(T), edges)


def compare_weights(w: np.ndarray, truth: np.ndarray, edges: PairSet) -> GraphScores:
    """Compare weights >= 0 on the same edges, as :func:`compare` does; fast.

    Parameters
    ----------
    w, truth : arrays, one number per edge
        The weights to judge and the true ones.
    edges : PairSet
        The edges that the weights belong to.

    Examples
    --------
    >>> import numpy as np
    >>> from smoothgraph import PairSet
    >>> from smoothgraph.metrics import compare_weights
    >>> compare_weights(np.array([5.0, 0, 5]), np.array([1.0, 0, 1]), PairSet.all_pairs(3))
    GraphScores(f_measure=1.0, edge_l1=0.0, edge_l2=0.0, degree_l1=0.0, degree_l2=0.0)
    """
    if not w.shape == truth.shape == (edges.n_pairs,):
        raise InputError(f"Expected one weight per edge, ({edges.n_pairs},), got {w.shape} and {truth.shape}.")
    w_top, true_top = w.max(initial=0.0), truth.max(initial=0.0)
    if true_top == 0:
        raise InputError("The true graph must have an edge, got none; errors are relative to it.")
    if w_top == 0:
        return GraphScores(0.0, 1.0, 1.0, 1.0, 1.0)
    w, truth = w / w_top, truth / true_top  # so that squares do not underflow
    found, real = w > 0, truth > 0
    hits = np.count_nonzero(found & real)
    d, true_d = edges.degree_sums(w), edges.degree_sums(truth)
    by_l1, by_l2 = truth.sum() / w.sum(), norm(truth) / norm(w)
    return GraphScores(
        f_measure=float(2 * hits / (np.count_nonzero(found) + np.count_nonzero(real))),
        edge_l1=float(norm(by_l1 * w - truth, 1) / norm(truth, 1)),
        edge_l2=float(norm(by_l2 * w - truth) / norm(truth)),
        degree_l1=float(norm(by_l1 * d - true_d, 1) / norm(true_d, 1)),
        degree_l2=float(norm(by_l2 * d - true_d) / norm(true_d)),
    )
