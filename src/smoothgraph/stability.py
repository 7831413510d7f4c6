"""Which edges to believe: how often each returns when the signals are resampled."""

from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.utils import check_random_state

from smoothgraph._checks import check_number
from smoothgraph.estimators import LogDegreeGraph
from smoothgraph.learner import GraphLearner, check_learner
from smoothgraph.node_data import NodeData
from smoothgraph.progress import tracked


class EdgeStability(NamedTuple):
    """How often each edge came back, and the learner fitted to all signals."""

    frequency: sp.csr_array
    learner: GraphLearner


def edge_stability(
    X: Any,
    learner: GraphLearner | None = None,
    *,
    n_resamples: int = 100,
    random_state: int | np.random.RandomState | None = None,
) -> EdgeStability:
    """The share of bootstrap resamples of the signals in which each edge is learned.

    The signals (the columns of ``X``, or its rows if ``nodes="columns"``) are drawn with
    replacement ``n_resamples`` times; each time the graph is learned anew, starting from the
    graph of all signals. ``frequency`` is symmetric, with entries in (0, 1] for every pair
    that was ever an edge.

    Examples
    --------
    >>> import numpy as np
    >>> from smoothgraph import LogDegreeGraph, edge_stability
    >>> X = np.random.default_rng(0).normal(size=(20, 40)).cumsum(axis=0)
    >>> result = edge_stability(X, LogDegreeGraph(edges_per_node=3), n_resamples=5, random_state=0)
    >>> result.frequency.shape, bool(result.frequency.max() <= 1)
    ((20, 20), True)
    """
    check_number("n_resamples", n_resamples, minimum=1)
    random = check_random_state(random_state)
    fitted = clone(LogDegreeGraph() if learner is None else learner)
    check_learner(fitted, "edge_stability")
    if fitted.metric == "precomputed":
        raise ValueError(
            "edge_stability resamples signals, which metric='precomputed' does not have; "
            "give the data itself."
        )
    fitted.fit(X)
    table, names = fitted._table, fitted.node_names_
    counts = sp.csr_array(fitted.adjacency_.shape, dtype=float)
    for _ in tracked(range(n_resamples), "resamples"):
        chosen = random.randint(table.shape[1], size=table.shape[1])
        data = NodeData.read(table[:, chosen], names, fitted._choice())
        resampled = clone(fitted)._fit_nodes(data, fitted._as_start())
        counts = counts + (resampled.adjacency_ > 0)
    return EdgeStability(sp.csr_array(counts / n_resamples), fitted)
