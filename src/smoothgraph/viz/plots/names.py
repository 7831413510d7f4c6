"""Names beside nodes, where they hide little."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import scipy.sparse as sp
from matplotlib.axes import Axes
from matplotlib.patheffects import withStroke

from smoothgraph.viz.plots.canvas import check_one_per_node, plain, root_figure
from smoothgraph.viz.plots.colours import shortened

MOST_NAMES = 60
_SIZE = 8.0  # points
_WIDTH = 0.62  # of a character, in sizes
_AWAY = 7.0  # points from the middle of a node to its name
_NODE = 4.0  # radius of a node in points
_WIDEST_MARGIN = 0.4  # of the width of the graph
_ROUNDS = 3  # in which each name may move aside
# (horizontal, vertical) side of the node on which a name may stand, most welcome first.
_SIDES = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)]
_ACROSS = {1: "left", 0: "center", -1: "right"}
_UP = {1: "bottom", 0: "center", -1: "top"}


def write_names(
    ax: Axes, W: sp.csr_array, positions: np.ndarray, names: Iterable[Any] | None
) -> None:
    """The names of up to 60 nodes, each on the side where it covers least."""
    if names is None:
        return
    texts = [shortened(str(name)) for name in names]
    check_one_per_node(texts, len(positions), "name")
    if len(texts) > MOST_NAMES:
        return
    halves = np.array([[_WIDTH * _SIZE * len(text), 1.2 * _SIZE] for text in texts]) / 2
    _make_room(ax, 2 * halves[:, 0].max() + _AWAY)
    to_points = 72 / ax.figure.dpi
    nodes = ax.transData.transform(positions) * to_points
    inside = ax.get_window_extent().get_points() * to_points
    sides = _sides(nodes, _along_edges(W, nodes), halves, inside)
    for text, position, side in zip(texts, positions, sides, strict=True):
        across, up = side
        written = ax.annotate(
            text,
            position,
            xytext=_offset(side),
            textcoords="offset points",
            ha=_ACROSS[across],
            va=_UP[up],
            fontsize=_SIZE,
            path_effects=[withStroke(linewidth=2, foreground="white")],
            zorder=3,
        )
        plain(written).set_in_layout(False)


def _make_room(ax: Axes, points: float) -> None:
    """Limits wide enough for names of this many points to the left and right."""
    figure = root_figure(ax)
    figure.draw_without_rendering()  # now the axes have their place in the figure
    width = ax.get_window_extent().width * 72 / figure.dpi
    ax.set_xmargin(min(points / max(width - 2 * points, 1), _WIDEST_MARGIN))
    figure.draw_without_rendering()


def _along_edges(W: sp.csr_array, nodes: np.ndarray) -> np.ndarray:
    """Points on the edges, close to each other."""
    edges = sp.triu(W, k=1).tocoo()
    share = np.linspace(0.05, 0.95, 19)[:, None, None]
    return (share * nodes[edges.row] + (1 - share) * nodes[edges.col]).reshape(-1, 2)


def _sides(
    nodes: np.ndarray, on_edges: np.ndarray, halves: np.ndarray, frame: np.ndarray
) -> list[tuple[int, int]]:
    """The side of each node on which its name is least in the way of all others."""
    boxes = np.array(
        [[_box(n, h, side) for side in _SIDES] for n, h in zip(nodes, halves, strict=True)]
    )
    fixed = [
        [
            10 * _inside(box, nodes, _NODE)
            + _inside(box, on_edges, 0.0)
            + 300 * (1 - _shares(box, frame[None])[0])
            + 0.5 * rank
            for rank, box in enumerate(candidates)
        ]
        for candidates in boxes
    ]
    chosen = np.argmin(fixed, axis=1)
    for k in [*range(len(nodes))] * _ROUNDS:
        others = np.delete(boxes[np.arange(len(nodes)), chosen], k, axis=0)
        costs = [
            cost + 30 * _shares(box, others).sum()
            for cost, box in zip(fixed[k], boxes[k], strict=True)
        ]
        chosen[k] = np.argmin(costs)
    return [_SIDES[side] for side in chosen]


def _offset(side: tuple[int, int]) -> tuple[float, float]:
    away = _AWAY if 0 in side else 0.7 * _AWAY
    return away * side[0], away * side[1]


def _box(node: np.ndarray, half: np.ndarray, side: tuple[int, int]) -> np.ndarray:
    """Lower left and upper right corner of a name, in points."""
    centre = node + _offset(side) + half * side
    return np.array([centre - half, centre + half])


def _shares(box: np.ndarray, others: np.ndarray) -> np.ndarray:
    """How much of the box is in each of the others."""
    common = np.minimum(box[1], others[:, 1]) - np.maximum(box[0], others[:, 0])
    return np.prod(np.maximum(common, 0), axis=1) / max(np.prod(box[1] - box[0]), 1e-12)


def _inside(box: np.ndarray, points: np.ndarray, radius: float) -> int:
    """How many points are in the box or nearly so."""
    near = (points > box[0] - radius) & (points < box[1] + radius)
    return int(np.count_nonzero(near.all(axis=1)))
