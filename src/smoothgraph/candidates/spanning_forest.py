"""The shortest pairs that join the components of a graph: a minimum spanning forest between them.

Boruvka's algorithm: the shortest pair that leaves a component belongs to the forest. Every component but the largest
looks for it, the components that found one merge, and so on. So no node of the largest component is ever searched for.
"""

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components, minimum_spanning_tree

from smoothgraph.candidates.source import PairSource
from smoothgraph.pairs.seam import CandidatePairs, Triples

_FIRST = 16  # nodes of a component that look for the shortest way out; later ones look only for shorter ones
_GROWTH = 4  # times as many nodes look next
_FARTHER = 8.0  # times as far, if none of the first found a way out
_FARTHEST = 1e60  # times the distance between neighbors, where that ends


def join_components(component: np.ndarray, pairs: CandidatePairs, source: PairSource | None) -> Triples:
    """The pairs ``i < j`` of a minimum spanning forest between the components of the nodes, and their distances.

    The forest is among all pairs of nodes that the ``source`` can find, or among the candidate ``pairs`` if it is None.
    """
    found = []
    while component.max() > 0:
        shortest = _shortest_pairs(component, pairs, source)
        if len(shortest[0]) == 0:
            break
        i, j, z = _drop_cycles(component, shortest)
        found.append((np.minimum(i, j), np.maximum(i, j), z))
        component = _merge(component, i, j)
    return _concatenate(*found)


def _shortest_pairs(component: np.ndarray, pairs: CandidatePairs, source: PairSource | None) -> Triples:
    """The shortest pair that leaves each component but the largest, if there is one.

    Candidates bound its length. Then a few nodes of each component search for a shorter one, and more and more nodes
    search for pairs that are shorter still: so few pairs are found, however far apart the components are.
    """
    largest = int(np.argmax(np.bincount(component)))
    known = _shortest_of_each(component, largest, pairs.shortest_between(component))
    if source is None:
        return known
    nodes = np.random.default_rng(0).permutation(np.flatnonzero(component != largest))
    nodes = nodes[np.argsort(component[nodes], kind="stable")]
    rank = np.arange(len(nodes)) - np.searchsorted(component[nodes], component[nodes])
    near = max(pairs.distance_range[1], np.finfo(float).tiny)
    first, last = 0, _FIRST
    while first <= rank.max():
        looking = nodes[(first <= rank) & (rank < last)]
        if first == 0:
            known = _concatenate(known, *_ways_out(component, looking, known, source, near))
        shorter = source.between(component, _bounds(component, known)[component], looking)
        known = _shortest_of_each(component, largest, _concatenate(known, shorter))
        first, last = last, _GROWTH * last
    return known


def _ways_out(
    component: np.ndarray, nodes: np.ndarray, known: Triples, source: PairSource, near: float
) -> list[Triples]:
    """Pairs that leave the components of the ``nodes``, for those of which none is known."""
    found: list[Triples] = []
    level = np.full(len(component), near)
    while level[0] < _FARTHEST * near:
        nodes = nodes[np.isinf(_bounds(component, _concatenate(known, *found))[component[nodes]])]
        if len(nodes) == 0:
            break
        level *= _FARTHER
        found.append(source.between(component, level, nodes))
    return found


def _bounds(component: np.ndarray, known: Triples) -> np.ndarray:
    """The length of the shortest known pair out of each component, infinite if none is known."""
    i, j, z = known
    bound = np.full(int(component.max()) + 1, np.inf)
    for ends in (i, j):
        np.minimum.at(bound, component[ends], z)
    return bound


def _shortest_of_each(component: np.ndarray, largest: int, known: Triples) -> Triples:
    """The shortest pair out of each component but the ``largest``; of equally short ones the first by number."""
    i, j, z = known
    left = np.concatenate([component[i], component[j]])
    position = np.tile(np.arange(len(i)), 2)
    order = np.lexsort((*_by_length(i[position], j[position], z[position]), left))
    labels, first = np.unique(left[order], return_index=True)
    kept = np.unique(position[order[first[labels != largest]]])
    return i[kept], j[kept], z[kept]


def _drop_cycles(component: np.ndarray, known: Triples) -> Triples:
    """A minimum spanning forest of the pairs: of equally long ones, all together may close a cycle."""
    i, j, z = (column[np.lexsort(_by_length(*known))] for column in known)
    n = int(component.max()) + 1
    ends = np.sort([component[i], component[j]], axis=0)
    _, first = np.unique(ends, axis=1, return_index=True)  # of two components, the shortest pair
    rank = sp.coo_array((first + 1.0, tuple(ends[:, first])), shape=(n, n))
    kept = minimum_spanning_tree(rank.tocsr()).data.astype(np.int64) - 1
    return i[kept], j[kept], z[kept]


def _by_length(i: np.ndarray, j: np.ndarray, z: np.ndarray) -> tuple[np.ndarray, ...]:
    """The keys by which pairs are sorted, the most important last."""
    return np.maximum(i, j), np.minimum(i, j), z


def _merge(component: np.ndarray, i: np.ndarray, j: np.ndarray) -> np.ndarray:
    """The components once the pairs are joined."""
    n = int(component.max()) + 1
    joined = sp.coo_array((np.ones(len(i)), (component[i], component[j])), shape=(n, n))
    return connected_components(joined, directed=False)[1][component]


def _concatenate(*parts: Triples) -> Triples:
    nothing = np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0)
    i, j, z = (np.concatenate(column) for column in zip(nothing, *parts, strict=True))
    return i, j, z
