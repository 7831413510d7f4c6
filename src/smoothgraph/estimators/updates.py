"""More data for a fitted learner: new nodes, or new signals on the same nodes."""

from typing import Any

import numpy as np
import scipy.sparse as sp

from smoothgraph.candidates.choice import MOST_ALL_PAIRS, NeighborChoice
from smoothgraph.candidates.fixed import FixedCandidates
from smoothgraph.candidates.nodes import NodeData
from smoothgraph.estimators.containers import node_names
from smoothgraph.estimators.node_data import NodesInMemory
from smoothgraph.pairs.distances import check_data, distances
from smoothgraph.pairs.in_memory import Pairs
from smoothgraph.pairs.pair_set import PairSet
from smoothgraph.support.input_error import InputError


def add_nodes(table: Any, names: np.ndarray, new: Any, X: Any, choice: NeighborChoice, *, merge: bool) -> NodeData:
    """The rows of ``table`` and then those of ``new``, which were read from ``X``."""
    stack = sp.vstack if sp.issparse(table) or sp.issparse(new) else np.vstack
    labels = node_names(X, columns=False, n_nodes=new.shape[0])
    if np.array_equal(labels, np.arange(new.shape[0])):  # no labels: the numbers go on
        labels = labels + len(names)
    nodes = NodesInMemory(stack([table, new]), np.concatenate([names, labels]), merge=merge)
    return nodes.find_pairs(choice)


def add_signals(
    table: Any, z: np.ndarray | None, names: np.ndarray, new: Any, choice: NeighborChoice
) -> tuple[NodeData, np.ndarray, float]:
    """All pairs of nodes, with the distances in the columns of ``new`` added to ``z``.

    ``z`` may be None: then it is computed from ``table``. Also return the new distances, and how many times as large
    they are: infinitely many if all were zero, and once as large with local scales.
    """
    pattern = PairSet.all_pairs(len(names))
    before = distances(table, pattern) if z is None else z
    total = before + distances(check_data(new), pattern)
    data = NodeData(None, names, FixedCandidates(Pairs(pattern, total), "all pairs", local=choice.local))
    ratio = float(total.sum() / before.sum()) if np.any(before) else np.inf
    return data, total, 1.0 if choice.local else ratio


def check_accumulable(choice: NeighborChoice, n_nodes: int, *, merge: bool) -> None:
    """Raise an InputError unless distances are sums over signals, held for all pairs, of nodes that are not merged."""
    if merge:
        raise InputError(
            "New signals may tell apart nodes that were identical; use merge_identical=False, or fit all signals at "
            "once."
        )
    measure = choice.measure
    sums = measure.metric == "sqeuclidean" and measure.missing == "error" and not measure.params
    all_pairs = choice.neighbors in ("auto", "exact") and n_nodes <= MOST_ALL_PAIRS
    if not (sums and all_pairs):
        raise InputError(
            "New signals can be added where distances are sums over signals, of all pairs: "
            "metric='sqeuclidean' without metric_params, missing='error', neighbors='auto' or 'exact', and at most "
            f"{MOST_ALL_PAIRS} nodes; got metric={measure.name!r}, missing={measure.missing!r}, "
            f"neighbors={choice.neighbors!r} and {n_nodes} nodes. Fit all signals at once instead."
        )
