"""Which edges to believe: how often each returns when the signals are resampled."""

import warnings
from collections.abc import Generator, Iterable
from contextlib import closing
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.utils import check_random_state

from smoothgraph.cluster import is_distributed
from smoothgraph.cluster.client import active_client
from smoothgraph.cluster.futures import identity, run_tasks, submit
from smoothgraph.estimators.block_bootstrap import choose_block, draw_blocks
from smoothgraph.estimators.graph_learner import GraphLearner, check_learner
from smoothgraph.estimators.log_degree import LogDegreeGraph
from smoothgraph.estimators.node_data import NodesInMemory
from smoothgraph.support.checks import check_count, check_number
from smoothgraph.support.input_error import InputError, checked_by_others
from smoothgraph.support.progress import track

_Resample = tuple[sp.csr_array, list[Warning]]  # the pattern of a graph, and the warnings about it


class EdgeStability(NamedTuple):
    """How often each edge came back, and the learner fitted to all signals."""

    frequency: sp.csr_array
    learner: GraphLearner


def edge_stability(
    X: Any,
    learner: GraphLearner | None = None,
    *,
    n_resamples: int = 100,
    block: int | str = 1,
    random_state: int | np.random.RandomState | None = None,
) -> EdgeStability:
    """The share of bootstrap resamples of the signals in which each edge is learned.

    The signals (the columns of ``X``, or its rows if ``nodes="columns"``) are drawn with replacement
    ``n_resamples`` times; each time the graph is learned anew, starting from the graph of all signals.
    ``frequency`` is symmetric, with entries in (0, 1] for every pair that was ever an edge.

    Signals that follow each other in time are not independent, and if they were drawn one by one, every edge would look
    firm. Then draw blocks of ``block`` signals in a row; "auto" chooses their length by the rule of Politis and White
    (2004), from the squared differences of nodes that are joined.

    If a Dask client is current its workers learn the graphs of the resamples, with the same result; the table goes
    to every worker once.

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
    if block != "auto":
        check_count("block", block, minimum=1)
    with checked_by_others():
        random = check_random_state(random_state)
    learner = LogDegreeGraph() if learner is None else learner
    check_learner(learner, "edge_stability")
    fitted = clone(learner)
    if fitted.metric == "precomputed":
        raise InputError(
            "edge_stability resamples signals, which metric='precomputed' does not have; give the data itself."
        )
    if is_distributed(X):
        raise InputError("edge_stability resamples signals in memory; give X as an array, such as X.compute().")
    if fitted.measure.params:
        raise InputError(
            "edge_stability draws the columns of X anew, but metric_params belong to the columns as they are; leave "
            "them out, and scale the columns of X instead."
        )
    fitted.fit(np.array(X) if isinstance(X, np.memmap) else X)
    n_signals = fitted.signals_.shape[1]
    length = min(choose_block(fitted) if isinstance(block, str) else block, n_signals)
    draws = (draw_blocks(random, n_signals, length) for _ in range(n_resamples))
    counts = sp.csr_array(fitted.adjacency_.shape, dtype=float)
    with closing(_learn_all(fitted, draws)) as resamples:
        for has_edge, told in track(resamples, "resamples", total=n_resamples):
            counts = counts + has_edge
            for warning in told:
                warnings.warn(warning, stacklevel=2)
    return EdgeStability(sp.csr_array(counts / n_resamples), fitted)


def learn(fitted: GraphLearner, chosen: np.ndarray) -> _Resample:
    """The graph of the chosen signals of a learner that was fitted to all of them."""
    graph = clone(fitted)
    if fitted._categories is not None:
        graph._categories = fitted._categories.take(chosen)
    nodes = NodesInMemory(fitted.signals_[:, chosen], fitted.node_names_, merge=graph.merge_identical)
    told = graph.learn(nodes.find_pairs(graph.choice()), fitted.last_fit())
    return graph.adjacency_ > 0, told


def _learn_all(fitted: GraphLearner, draws: Iterable[np.ndarray]) -> Generator[_Resample]:
    """``learn(fitted, chosen)`` for every draw, on the workers of a current Dask client."""
    client = active_client()
    if client is None:
        yield from (learn(fitted, chosen) for chosen in draws)
        return
    everywhere = submit(client, "table", identity, fitted)
    yield from run_tasks(client, learn, ((everywhere, chosen) for chosen in draws))
