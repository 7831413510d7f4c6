"""Positions in the plane from a graph alone."""

from collections.abc import Callable
from typing import Any

import numba
import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components, dijkstra
from scipy.spatial import ConvexHull
from threadpoolctl import threadpool_limits

from smoothgraph.support.adjacency import adjacency_of
from smoothgraph.support.progress import track

_SMALL = 2000  # nodes up to which all distances along the graph are respected
_SWEEPS = 20
_LAST_RATE = 0.01  # at which an edge is drawn to a hundredth of what is missing
_PIVOTS = 50
_PULLS = 10.0  # per node and epoch
_EPOCHS = 300
_PUSHES = 5  # per pull
_START = 10.0  # extent of the start, in units of the kernel 1 / (1 + d^2)
_TURNS = 180  # tried in a right angle
_MANY = 1000  # positions of which the convex hull is found sooner than all are turned
_GAP = 0.8  # between components, in units of the distance between isolated nodes


def layout(graph: Any, *, seed: int = 0) -> np.ndarray:
    """One position per node in ``[-1/2, 1/2]^2``: nodes that are joined lie near each other.

    A connected graph of up to 2000 nodes is drawn with distances in the plane as close as
    possible to those along the graph (stress, as in Zheng, Pawar and Goodman, 2019). A larger
    one minimises the objective of LargeVis (Tang et al., 2016): edges pull in proportion to
    the roots of their weights, random pairs push. Both start from the distances to a few
    pivots (Brandes and Pich, 2006). Components are drawn by themselves and packed beside each
    other, each with an area in proportion to its nodes. The same graph and seed give the same
    positions.

    Parameters
    ----------
    graph : fitted graph learner, or symmetric adjacency
        The graph, of any size.
    seed : int
        Of what is random: in which order pairs are drawn together, and which push.

    Returns
    -------
    (m, 2) array

    Examples
    --------
    >>> import numpy as np
    >>> from smoothgraph.viz.layout import layout
    >>> chain = np.diag([1, 1, 1, 1], k=1)
    >>> abs(layout(chain + chain.T)[:, 0]).round(2)
    array([0.5 , 0.25, 0.  , 0.25, 0.5 ])
    """
    W = adjacency_of(graph)
    rng = np.random.default_rng(seed)
    _, component = connected_components(W, directed=False)
    order = np.argsort(component, kind="stable")
    ends = np.cumsum(np.bincount(component))
    W = W[order][:, order].tocsr()
    with threadpool_limits(1, user_api="blas"):  # faster at this size, and the same on any machine
        parts = [
            _component(W, first, last, rng)
            for first, last in zip([0, *ends[:-1]], ends, strict=True)
        ]
    sizes = np.array([np.ptp(part, axis=0) for part in parts])
    corners = _packed(sizes + _GAP) + _GAP / 2
    positions = np.empty((len(order), 2))
    positions[order] = np.concatenate([p + c for p, c in zip(parts, corners, strict=True)])
    return _in_unit_square(positions)


def _component(W: sp.csr_array, first: int, last: int, rng: np.random.Generator) -> np.ndarray:
    """The positions of the nodes ``first:last``, which have edges only among themselves."""
    m = last - first
    if m <= 2:
        return np.column_stack([2.0 * np.arange(m), np.zeros(m)])
    here = slice(W.indptr[first], W.indptr[last])
    indptr = W.indptr[first : last + 1] - W.indptr[first]
    block = sp.csr_array((W.data[here], W.indices[here] - first, indptr), shape=(m, m))
    return _upright(_connected(block, rng))


def _connected(W: sp.csr_array, rng: np.random.Generator) -> np.ndarray:
    """The positions of a connected graph."""
    m = W.shape[0]
    lengths = _lengths(W)
    if m <= _SMALL:
        distances = dijkstra(lengths)
        start = _scaled_to_pivots(_from_pivots(distances.__getitem__, m))
        return _least_stress(distances, start, rng)
    start = _scaled_to_pivots(_from_pivots(lambda i: dijkstra(lengths, indices=i), m))
    return _pulled_and_pushed(W, start, rng)


def _lengths(W: sp.csr_array) -> sp.csr_array:
    """How long edges should be: shorter the heavier, by a factor of 2 at most."""
    lengths = W.copy()
    lengths.data = np.clip(np.sqrt(np.median(W.data)) / np.sqrt(W.data), 0.5, 2.0)
    return lengths


def _from_pivots(distances_from: Callable[[int], np.ndarray], m: int) -> np.ndarray:
    """Distances along the graph of all nodes from pivots, each as far as can be from the others."""
    nearest = distances_from(0)  # node 0 only chooses the first
    columns = []
    for _ in range(min(_PIVOTS, m)):
        columns.append(distances_from(int(np.argmax(nearest))))
        nearest = np.minimum(nearest, columns[-1])
    return np.column_stack(columns)


def _scaled_to_pivots(distances: np.ndarray) -> np.ndarray:
    """Classical scaling of distances from all nodes (rows) to pivots (columns)."""
    squares = distances**2
    centred = squares - squares.mean(axis=0) - squares.mean(axis=1)[:, None] + squares.mean()
    _, vectors = np.linalg.eigh(centred.T @ centred)
    positions = centred @ vectors[:, -2:][:, ::-1]
    return positions * (distances.max() / np.ptp(positions[:, 0]))


def _least_stress(
    distances: np.ndarray, positions: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """Minimises ``sum (|x_i - x_j| / d_ij - 1)^2``, pair by pair with shorter and shorter steps."""
    longest, shortest = distances.max() ** 2, distances[distances > 0].min() ** 2
    for rate in np.geomspace(longest, _LAST_RATE * shortest, _SWEEPS):
        _sweep(positions, distances, rng.permutation(len(positions)), rate)
    return positions


@numba.njit(cache=True, nogil=True, error_model="numpy")
def _sweep(x: np.ndarray, distances: np.ndarray, order: np.ndarray, rate: float) -> None:
    """Moves every pair once towards its distance, all the way if that is short."""
    m = order.shape[0]
    for shift in range(1, m // 2 + 1):
        for p in range(m if 2 * shift < m else shift):
            i, j = order[p], order[(p + shift) % m]
            dx, dy = x[i, 0] - x[j, 0], x[i, 1] - x[j, 1]
            drawn = max(np.sqrt(dx * dx + dy * dy), 1e-12)
            wanted = distances[i, j]
            move = min(rate / wanted**2, 1.0) * (drawn - wanted) / (2.0 * drawn)
            x[i, 0] -= move * dx
            x[i, 1] -= move * dy
            x[j, 0] += move * dx
            x[j, 1] += move * dy


def _pulled_and_pushed(
    W: sp.csr_array, positions: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """Maximises ``sum_edges p log q + sum_random log(1 - q)``, ``q = 1 / (1 + |x_i - x_j|^2)``.

    ``p_ij`` is the edge's share in the roots of the weights at one end, in the mean of both.
    """
    positions = positions * (_START / np.ptp(positions))
    roots = W.sqrt()  # by whole weights, two nodes that nearly have only each other would drift off
    edges = sp.triu(roots, k=1).tocoo()
    ends = np.column_stack([edges.row, edges.col]).astype(np.int32)  # compiled for one type
    share = edges.data * (1 / roots.sum(axis=1))[ends].mean(axis=1)
    for epoch in track(range(_EPOCHS), "layout"):
        seed = rng.integers(2**63, dtype=np.uint64)
        _epoch(positions, ends, _PULLS * share, 1 - epoch / _EPOCHS, seed)
    return positions


@numba.njit(cache=True, nogil=True, error_model="numpy")
def _epoch(
    x: np.ndarray, ends: np.ndarray, rates: np.ndarray, step: float, state: np.uint64
) -> None:
    """Each edge pulls ``rate`` times in the mean; after a pull random nodes push one end.

    ``state`` is that of a linear congruential generator, whose high bits are random.
    """
    m = np.uint64(x.shape[0])
    for e in range(ends.shape[0]):
        state = state * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
        pulls = int(rates[e] + (state >> np.uint64(11)) * 2.0**-53)
        for _ in range(pulls):
            state = state * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
            side = np.int64(state >> np.uint64(63))
            i, j = ends[e, side], ends[e, 1 - side]
            dx, dy = x[i, 0] - x[j, 0], x[i, 1] - x[j, 1]
            pull = min(step * 2.0 / (1.0 + dx * dx + dy * dy), 0.5)  # at 0.5 the ends meet
            x[i, 0] -= pull * dx
            x[i, 1] -= pull * dy
            x[j, 0] += pull * dx
            x[j, 1] += pull * dy
            for _ in range(_PUSHES):
                state = state * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
                k = np.int64(((state >> np.uint64(32)) * m) >> np.uint64(32))
                dx, dy = x[i, 0] - x[k, 0], x[i, 1] - x[k, 1]
                square = dx * dx + dy * dy
                push = step * 2.0 / ((0.001 + square) * (1.0 + square))
                push = min(push, 4.0 * step / max(np.sqrt(square), 1e-12))
                x[i, 0] += push * dx
                x[i, 1] += push * dy


def _upright(positions: np.ndarray) -> np.ndarray:
    """The positions turned so that their box is smallest and wide, with area ~ nodes, at 0."""
    angles = np.arange(2 * _TURNS) * np.pi / (2 * _TURNS)
    directions = np.array([np.cos(angles), np.sin(angles)])
    extents = np.ptp(_outermost(positions) @ directions, axis=0)
    best = int(np.argmin(extents[:_TURNS] * extents[_TURNS:]))
    sides = sorted([best, best + _TURNS], key=lambda side: -extents[side])
    turned = positions @ directions[:, sides]
    diagonal = np.linalg.norm(np.ptp(turned, axis=0))
    return (turned - turned.min(axis=0)) * (np.sqrt(2 * len(positions)) / diagonal)


def _outermost(positions: np.ndarray) -> np.ndarray:
    """Positions with the same extent in every direction, few of them."""
    if len(positions) <= _MANY:
        return positions
    return positions[ConvexHull(positions, qhull_options="QJ").vertices]


def _packed(sizes: np.ndarray) -> np.ndarray:
    """Lower left corners of boxes that do not overlap and together are about square.

    They stand in rows, highest first; in a row, boxes that fit under the last one go there.
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


def _in_unit_square(positions: np.ndarray) -> np.ndarray:
    low, high = positions.min(axis=0), positions.max(axis=0)
    return (positions - (low + high) / 2) / (max(high - low) or 1.0)
