"""Positions of nodes in the plane, computed from the graph alone."""

from collections.abc import Callable
from typing import Any

import numba
import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components, dijkstra
from scipy.spatial import ConvexHull

from smoothgraph.support.adjacency import adjacency_of
from smoothgraph.support.progress import track
from smoothgraph.support.threads import one_blas_thread

_MOST_STRESS = 2000  # nodes up to which the distances between all pairs are affordable
_SWEEPS = 20
_LAST_RATE = 0.01  # in the last sweep, the shortest edge makes up 1% of its error
_PIVOTS = 50
_PULLS = 10.0  # per node and epoch
_EPOCHS = 300
_PUSHES = 5  # per pull
_START_EXTENT = 10.0  # of the start, in units of the kernel 1 / (1 + d^2)
_TURNS = 180  # angles to try, within a right angle
_HULL_FROM = 1000  # nodes from which the convex hull is found sooner than all nodes are turned
_GAP = 0.8  # between components, in units of the distance between isolated nodes


def layout(graph: Any, *, seed: int = 0) -> np.ndarray:
    """Return a position for each node in ``[-1/2, 1/2]^2`` that puts neighbors close together.

    For a connected graph of up to 2000 nodes, distances in the plane approximate those along the graph (stress, as
    in Zheng, Pawar and Goodman, 2019). A larger graph minimizes the objective of LargeVis (Tang et al., 2016):
    edges pull in proportion to the square roots of their weights, and random pairs push. Both methods start from
    the distances to a few pivots (Brandes and Pich, 2006). Each component is placed on its own and gets an area in
    proportion to its number of nodes; then the components are packed side by side. The same graph and seed give the
    same positions.

    Parameters
    ----------
    graph : fitted graph learner, or symmetric adjacency
        The graph, of any size.
    seed : int
        The seed of all random choices: the order in which pairs move, and which nodes push.

    Returns
    -------
    (m, 2) array

    Examples
    --------
    >>> import numpy as np
    >>> from smoothgraph import viz
    >>> chain = np.diag([1, 1, 1, 1], k=1)
    >>> abs(viz.layout(chain + chain.T)[:, 0]).round(2)
    array([0.5 , 0.25, 0.  , 0.25, 0.5 ])
    """
    W = adjacency_of(graph)
    rng = np.random.default_rng(seed)
    _, component = connected_components(W, directed=False)
    order = np.argsort(component, kind="stable")
    ends = np.cumsum(np.bincount(component))
    W = W[order][:, order].tocsr()
    with one_blas_thread:  # faster at this size, and the same on any machine
        parts = [_place_component(W, first, last, rng) for first, last in zip([0, *ends[:-1]], ends, strict=True)]
    sizes = np.array([np.ptp(part, axis=0) for part in parts])
    corners = _pack(sizes + _GAP) + _GAP / 2
    positions = np.empty((len(order), 2))
    positions[order] = np.concatenate([p + c for p, c in zip(parts, corners, strict=True)])
    low, high = positions.min(axis=0), positions.max(axis=0)
    return (positions - (low + high) / 2) / (max(high - low) or 1.0)


def _place_component(W: sp.csr_array, first: int, last: int, rng: np.random.Generator) -> np.ndarray:
    """Return the positions of the nodes ``first:last``, which form a component."""
    m = last - first
    if m <= 2:
        return np.column_stack([2.0 * np.arange(m), np.zeros(m)])
    part = W[first:last, first:last]
    lengths = part.copy()  # heavier edges are shorter, within 1/2 to 2
    lengths.data = np.clip(np.sqrt(np.median(part.data)) / np.sqrt(part.data), 0.5, 2.0)
    if m <= _MOST_STRESS:
        distances = dijkstra(lengths)
        start = _scale_to_plane(_pivot_distances(distances.__getitem__, m))
        positions = _minimize_stress(distances, start, rng)
    else:
        start = _scale_to_plane(_pivot_distances(lambda i: dijkstra(lengths, indices=i), m))
        positions = _pull_and_push(part, start, rng)
    return _turn_upright(positions)


def _pivot_distances(distances_from: Callable[[int], np.ndarray], m: int) -> np.ndarray:
    """Return the distances from all nodes (rows) to pivots (columns).

    Each pivot is the node that is farthest from all earlier pivots.
    """
    nearest = distances_from(0)  # only to choose the first pivot
    columns = []
    for _ in range(min(_PIVOTS, m)):
        columns.append(distances_from(int(np.argmax(nearest))))
        nearest = np.minimum(nearest, columns[-1])
    return np.column_stack(columns)


def _scale_to_plane(distances: np.ndarray) -> np.ndarray:
    """Return positions by classical scaling of distances from nodes (rows) to pivots (columns)."""
    squares = distances**2
    centered = squares - squares.mean(axis=0) - squares.mean(axis=1)[:, None] + squares.mean()
    _, vectors = np.linalg.eigh(centered.T @ centered)
    positions = centered @ vectors[:, -2:][:, ::-1]
    return positions * (distances.max() / np.ptp(positions[:, 0]))


def _minimize_stress(distances: np.ndarray, positions: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Minimize ``sum (|x_i - x_j| / d_ij - 1)^2``, pair by pair with ever shorter steps."""
    longest, shortest = distances.max() ** 2, distances[distances > 0].min() ** 2
    for rate in np.geomspace(longest, _LAST_RATE * shortest, _SWEEPS):
        _sweep(positions, distances, rng.permutation(len(positions)), rate)
    return positions


@numba.njit(cache=True, nogil=True, error_model="numpy")
def _sweep(x: np.ndarray, distances: np.ndarray, order: np.ndarray, rate: float) -> None:
    """Move every pair once toward its distance, all the way if that distance is short."""
    m = order.shape[0]
    for shift in range(1, m // 2 + 1):
        for p in range(m if 2 * shift < m else shift):
            i, j = order[p], order[(p + shift) % m]
            dx, dy = x[i, 0] - x[j, 0], x[i, 1] - x[j, 1]
            length = max(np.sqrt(dx * dx + dy * dy), 1e-12)
            wanted = distances[i, j]
            move = min(rate / wanted**2, 1.0) * (length - wanted) / (2.0 * length)
            x[i, 0] -= move * dx
            x[i, 1] -= move * dy
            x[j, 0] += move * dx
            x[j, 1] += move * dy


def _pull_and_push(W: sp.csr_array, positions: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Maximize ``sum_edges p log q + sum_random log(1 - q)``, ``q = 1 / (1 + |x_i - x_j|^2)``.

    ``p_ij`` is ``sqrt(w_ij)`` divided by the sum of the square roots at node i or at node j; it is the mean of
    both. With the weights themselves, two nodes whose only heavy edge joins them would drift away.
    """
    positions = positions * (_START_EXTENT / np.ptp(positions))
    roots = W.sqrt()
    edges = sp.triu(roots, k=1).tocoo()
    ends = np.column_stack([edges.row, edges.col]).astype(np.int32)  # compiled for one type
    share = edges.data * (1 / roots.sum(axis=1))[ends].mean(axis=1)
    for epoch in track(range(_EPOCHS), "layout"):
        seed = rng.integers(2**63, dtype=np.uint64)
        _epoch(positions, ends, _PULLS * share, 1 - epoch / _EPOCHS, seed)
    return positions


@numba.njit(cache=True, nogil=True, inline="always")
def _advance(state: np.uint64) -> np.uint64:
    """Return the next state of a linear congruential generator, whose high bits are random."""
    return state * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)


@numba.njit(cache=True, nogil=True, error_model="numpy")
def _epoch(x: np.ndarray, ends: np.ndarray, rates: np.ndarray, step: float, state: np.uint64) -> None:
    """Let each edge pull ``rate`` times on average; after each pull, random nodes push one end."""
    m = np.uint64(x.shape[0])
    for e in range(ends.shape[0]):
        state = _advance(state)
        pulls = int(rates[e] + (state >> np.uint64(11)) * 2.0**-53)
        for _ in range(pulls):
            state = _advance(state)
            side = np.int64(state >> np.uint64(63))
            i, j = ends[e, side], ends[e, 1 - side]
            dx, dy = x[i, 0] - x[j, 0], x[i, 1] - x[j, 1]
            pull = min(step * 2.0 / (1.0 + dx * dx + dy * dy), 0.5)  # at 0.5 the ends meet
            x[i, 0] -= pull * dx
            x[i, 1] -= pull * dy
            x[j, 0] += pull * dx
            x[j, 1] += pull * dy
            for _ in range(_PUSHES):
                state = _advance(state)
                k = np.int64(((state >> np.uint64(32)) * m) >> np.uint64(32))
                dx, dy = x[i, 0] - x[k, 0], x[i, 1] - x[k, 1]
                square = dx * dx + dy * dy
                push = step * 2.0 / ((0.001 + square) * (1.0 + square))
                push = min(push, 4.0 * step / max(np.sqrt(square), 1e-12))
                x[i, 0] += push * dx
                x[i, 1] += push * dy


def _turn_upright(positions: np.ndarray) -> np.ndarray:
    """Turn the positions so that their bounding box is smallest, and wider than it is high.

    The lower left corner of the box is at 0, and its area grows with the number of nodes.
    """
    hull = positions  # has the same extent in every direction
    if len(positions) > _HULL_FROM:
        hull = positions[ConvexHull(positions, qhull_options="QJ").vertices]
    angles = np.arange(2 * _TURNS) * np.pi / (2 * _TURNS)
    directions = np.array([np.cos(angles), np.sin(angles)])
    extents = np.ptp(hull @ directions, axis=0)
    best = int(np.argmin(extents[:_TURNS] * extents[_TURNS:]))
    sides = sorted([best, best + _TURNS], key=lambda side: -extents[side])
    turned = positions @ directions[:, sides]
    diagonal = np.linalg.norm(np.ptp(turned, axis=0))
    return (turned - turned.min(axis=0)) * (np.sqrt(2 * len(positions)) / diagonal)


def _pack(sizes: np.ndarray) -> np.ndarray:
    """Return the lower left corners of boxes that do not overlap and roughly fill a square.

    The boxes stand in rows, the highest first. Within a row, a box goes below the previous one if it fits there.
    """
    width = max(sizes[:, 0].max(), np.sqrt(np.prod(sizes, axis=1).sum())) * (1 + 1e-9)
    corners = np.empty_like(sizes)
    top, height, column, column_width, used = 0.0, 0.0, 0.0, 0.0, 0.0
    for k in np.lexsort((-sizes[:, 0], -sizes[:, 1])):
        across, down = sizes[k]
        if across > column_width or used + down > height:
            column, column_width, used = column + column_width, across, 0.0
            if column + across > width or height == 0:
                top, height, column = top - height, down, 0.0
        corners[k] = column, top - used - down
        used += down
    return corners
