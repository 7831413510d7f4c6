"""Edges that join the components of a learned graph."""

from typing import NamedTuple

import numpy as np

from smoothgraph.candidates.fixed import Candidates
from smoothgraph.pairs.seam import Triples
from smoothgraph.solution import Solution


class Connection(NamedTuple):
    """How a learned graph hangs together: bridges ``i, j, w``, and the number of components with them."""

    bridges: Triples
    n_components: int


def connect(solution: Solution, candidates: Candidates, *, wanted: bool) -> Connection:
    """Count the components of a solution, and if ``wanted`` find the fewest and shortest bridges between them.

    A bridge has the weight of the weakest edge at its two ends. An end without an edge leaves it to the other one, and
    the whole graph decides for two of them.
    """
    edges, weights = solution.edges, solution.weights
    component = edges.components(weights)
    n_components = int(component.max()) + 1
    nothing = np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0)
    if n_components == 1 or not wanted:
        return Connection(nothing, n_components)
    i, j, _ = candidates.join_components(component)
    weakest = edges.smallest_weights(weights)
    w = np.minimum(weakest[i], weakest[j])
    w[np.isinf(w)] = np.min(weakest) if np.any(np.isfinite(weakest)) else 1.0
    return Connection((i, j, w), n_components - len(i))
