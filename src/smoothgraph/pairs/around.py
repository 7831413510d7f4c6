"""The pairs around a few nodes, as pairs of a smaller problem."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from smoothgraph.pairs.pair_set import PairSet
from smoothgraph.priors.prior import EdgePrior

if TYPE_CHECKING:
    from smoothgraph.pairs.in_memory import Pairs


_GROWTH = 3  # times the nodes of the core, at most, are free: where nodes have many neighbors, one step is enough


@dataclass(frozen=True, eq=False)
class Surroundings:
    """The ``pairs`` of the ``free`` ones among some ``nodes``; the others are the rest of their neighbors.

    Nodes are numbered anew, and ``ids`` are the positions of the pairs among those that they were taken from.
    """

    nodes: np.ndarray
    free: np.ndarray
    pairs: "Pairs"
    ids: np.ndarray


def pairs_around(pairs: "Pairs", f: EdgePrior, core: np.ndarray, reach: np.ndarray, hops: int) -> Surroundings:
    """The pairs of the nodes up to ``hops`` steps around a ``core``; see :meth:`CandidatePairs.around`."""
    close = pairs.select(f, reach, np.full(pairs.n_nodes, -np.inf))
    i, j = close.ends(np.arange(close.n_pairs))
    free, most = core.copy(), _GROWTH * np.count_nonzero(core)
    for _ in range(hops):
        joined, wider = free[i] | free[j], free.copy()
        wider[i[joined]] = wider[j[joined]] = True
        if np.count_nonzero(wider) > most:
            break
        free = wider
    i, j = pairs.ends(np.arange(pairs.n_pairs))
    ids = np.flatnonzero(free[i] | free[j])
    i, j = i[ids], j[ids]
    nodes = np.unique(np.concatenate([np.flatnonzero(free), i, j]))
    number = np.full(pairs.n_nodes, -1)
    number[nodes] = np.arange(len(nodes))
    pattern, positions = PairSet.with_values(number[i], number[j], ids.astype(float), len(nodes))
    ids = positions.astype(np.int64)
    part = replace(pairs, pattern=pattern, z=pairs.z[ids], order=None, own=None, selected=None)
    return Surroundings(nodes, free[nodes], part, ids)
