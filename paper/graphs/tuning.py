"""Parameters at which a construction has about as many edges per node as asked for."""

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import clone

from smoothgraph.estimators.graph_method import MethodResult
from smoothgraph.methods.neighbor_lists import Neighbors

LIST = 60
"""The most neighbors of a node that a construction may look at."""

_CLOSE = 0.01  # of the density: near enough for a parameter that is no whole number
_STEPS = 12
_WIDEST = 3.0  # mean distances to the last neighbor: a wider kernel hardly changes the graph

Parameters = dict[str, Any]
Tune = Callable[[Any, np.ndarray, Neighbors, float], Parameters]


def by_edges(_learner: Any, _X: np.ndarray, _neighbors: Neighbors, asked: float) -> Parameters:
    """Return the density itself, which the learner takes."""
    return {"edges_per_node": asked}


def by_neighbors(learner: Any, X: np.ndarray, neighbors: Neighbors, asked: float) -> Parameters:
    """Return the number of neighbors that comes closest, from 1 or 2 to 60."""

    def density(k: int) -> float:
        candidate = clone(learner).set_params(n_neighbors=k)
        return _density(candidate.join(X, neighbors.first(candidate.list_length())), len(X))

    low, high = learner.fewest, LIST - 1  # some look at one neighbor more
    found = {low: density(low)}
    while high - low > 1:
        middle = min((low + high) // 2, 2 * low + int(asked))  # long lists take time
        found[middle] = density(middle)
        low, high = (middle, high) if found[middle] < asked else (low, middle)
    if high not in found:
        found[high] = density(high)
    return {"n_neighbors": min(found, key=lambda k: (abs(found[k] - asked), k))}


def by_delta(learner: Any, X: np.ndarray, neighbors: Neighbors, asked: float) -> Parameters:
    """Return the factor of a continuous k-NN graph: the quantile of the ratios that it bounds."""
    pairs = neighbors.pairs()
    scale = np.sqrt(neighbors.z[:, learner.n_neighbors - 1])
    there, back = neighbors.both_ways(neighbors.z)[1:]
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.maximum(there, back) / (scale[pairs.rows] * scale[pairs.cols])
    ratio = np.sort(ratio[np.isfinite(ratio)])
    rank = min(round(asked * len(X) / 2), len(ratio) - 1)
    return {"delta": float(np.sqrt(ratio[rank]))}


def by_sigma(learner: Any, X: np.ndarray, neighbors: Neighbors, asked: float) -> Parameters:
    """Return the width of NNK's kernel, at least its default; a wider kernel gives fewer edges."""
    own = neighbors.first(learner.list_length())
    last = float(np.mean(np.sqrt(own.z[:, -1])))
    low, high = np.log(last / 3), np.log(_WIDEST * last)
    middle = low
    for _ in range(_STEPS):
        density = _density(clone(learner).set_params(sigma=float(np.exp(middle))).join(X, own), len(X))
        if abs(density - asked) <= _CLOSE * asked or (middle == low and density < asked):
            break
        low, high = (middle, high) if density > asked else (low, middle)
        middle = (low + high) / 2
    return {"sigma": float(np.exp(middle))}


def closest_of_k_nn(neighbors: Neighbors, asked: float) -> float:
    """Return the density of the k-NN graph whose mean number of neighbors is closest to what was asked for.

    All other graphs are then asked for this density.
    """
    m = len(neighbors.ids)
    reached = [2 * neighbors.first(k).pairs().n_pairs / m for k in range(1, int(asked) + 1)]
    return min(reached, key=lambda density: abs(density - asked))


def _density(result: MethodResult, n_nodes: int) -> float:
    return float(2 * np.count_nonzero(result.weights) / n_nodes)
