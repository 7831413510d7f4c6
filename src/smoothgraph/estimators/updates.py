"""More data for a fitted learner: new nodes, or new signals on the same nodes."""

from typing import Any

import numpy as np
import scipy.sparse as sp

from smoothgraph.candidates.choice import MOST_ALL_PAIRS, NeighborChoice
from smoothgraph.candidates.growing import FixedCandidates
from smoothgraph.estimators.node_data import NodeData, node_names
from smoothgraph.pairs.distances import check_data, distances
from smoothgraph.pairs.pattern import EdgeSet


def with_new_nodes(
    table: Any, names: np.ndarray, new: Any, X: Any, choice: NeighborChoice
) -> NodeData:
    """The rows of ``table`` and then those of ``new``, which were read from ``X``."""
    stack = sp.vstack if sp.issparse(table) or sp.issparse(new) else np.vstack
    labels = node_names(X, columns=False, n_nodes=new.shape[0])
    if np.array_equal(labels, np.arange(new.shape[0])):  # no labels: the numbers go on
        labels = labels + len(names)
    return NodeData.read(stack([table, new]), np.concatenate([names, labels]), choice)


def with_new_signals(z: np.ndarray, names: np.ndarray, new: Any) -> NodeData:
    """All pairs of the nodes ``names`` with ``z`` plus the distances in the columns of ``new``."""
    edges = EdgeSet.all_pairs(len(names))
    total = z + distances(check_data(new), edges)
    return NodeData(None, names, FixedCandidates(edges, total, "all pairs"))


def check_accumulable(choice: NeighborChoice, n_nodes: int) -> None:
    """A ValueError unless the distance of two nodes is a sum over signals, held for all pairs."""
    sums = choice.metric == "sqeuclidean" and choice.missing == "error"
    all_pairs = choice.neighbors in ("auto", "exact") and n_nodes <= MOST_ALL_PAIRS
    if not (sums and all_pairs):
        raise ValueError(
            "New signals can be added where distances are sums over signals, of all pairs: "
            "metric='sqeuclidean', missing='error', neighbors='auto' or 'exact', and at most "
            f"{MOST_ALL_PAIRS} nodes; got metric={choice.metric!r}, missing={choice.missing!r}, "
            f"neighbors={choice.neighbors!r} and {n_nodes} nodes. Fit all signals at once instead."
        )
