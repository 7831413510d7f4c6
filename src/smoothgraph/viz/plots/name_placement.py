"""Write names beside nodes where they cover as little as possible."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import scipy.sparse as sp
from matplotlib.axes import Axes
from matplotlib.patheffects import withStroke
from matplotlib.transforms import Bbox

from smoothgraph.viz.per_node import read_names
from smoothgraph.viz.plots.style import shorten

MOST_NAMES = 60
_FONT_SIZE = 8.0  # points
_CHARACTER_WIDTH = 0.62  # of an average character, in font sizes
_DISTANCE = 7.0  # points from the center of a node to its name
_NODE_RADIUS = 4.0  # points
_WIDEST_MARGIN = 0.4  # of the width of the graph
_ROUNDS = 3  # in each, every name may change sides once
# The (horizontal, vertical) sides of a node where its name may stand, the preferred ones first.
_SIDES = np.array([(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)])
_OFFSETS = _SIDES * np.where(_SIDES.all(axis=1), 0.7 * _DISTANCE, _DISTANCE)[:, None]
_ALIGN_HORIZONTAL = {1: "left", 0: "center", -1: "right"}
_ALIGN_VERTICAL = {1: "bottom", 0: "center", -1: "top"}


def write_names(ax: Axes, W: sp.csr_array, positions: np.ndarray, names: Iterable[Any]) -> None:
    """Write each name on the side of its node where it covers least; write none beyond 60."""
    texts = [shorten(name) for name in read_names(names, len(positions))]
    if len(texts) > MOST_NAMES:
        return
    sizes = np.array([[_CHARACTER_WIDTH * len(text), 1.2] for text in texts]) * _FONT_SIZE
    _widen(ax, sizes[:, 0].max() + _DISTANCE)
    to_points = 72 / ax.figure.dpi
    nodes = ax.transData.transform(positions) * to_points
    frame = ax.get_window_extent().get_points() * to_points
    sides = _choose_sides(nodes, _points_on_edges(W, nodes), sizes / 2, frame)
    for text, position, side in zip(texts, positions, sides, strict=True):
        across, up = _SIDES[side]
        ax.annotate(
            text,
            position,
            xytext=_OFFSETS[side],
            textcoords="offset points",
            ha=_ALIGN_HORIZONTAL[across],
            va=_ALIGN_VERTICAL[up],
            fontsize=_FONT_SIZE,
            path_effects=[withStroke(linewidth=2, foreground="white")],
            zorder=3,
            parse_math=False,
            in_layout=False,
        )


def _widen(ax: Axes, points: float) -> None:
    """Widen the limits so that names of this many points fit on the left and on the right."""
    figure = ax.figure.figure  # the whole figure, if the axes are in a subfigure
    figure.draw_without_rendering()  # places the axes in the figure
    width = ax.get_window_extent().width * 72 / figure.dpi
    ax.set_xmargin(min(points / max(width - 2 * points, 1), _WIDEST_MARGIN))
    figure.draw_without_rendering()


def _points_on_edges(W: sp.csr_array, nodes: np.ndarray) -> np.ndarray:
    """Return 19 points on every edge."""
    edges = sp.triu(W, k=1).tocoo()
    share = np.linspace(0.05, 0.95, 19)[:, None, None]
    return (share * nodes[edges.row] + (1 - share) * nodes[edges.col]).reshape(-1, 2)


def _choose_sides(nodes: np.ndarray, on_edges: np.ndarray, halves: np.ndarray, frame: np.ndarray) -> np.ndarray:
    """Choose a side for each name so that it covers few nodes, edges and other names.

    All arguments are in points; ``halves`` are half the width and height of each name.
    """
    centers = nodes[:, None] + _OFFSETS + halves[:, None] * _SIDES
    boxes = np.stack([centers - halves[:, None], centers + halves[:, None]], axis=2)
    fixed = [
        [
            10 * Bbox(box).padded(_NODE_RADIUS).count_contains(nodes)
            + Bbox(box).count_contains(on_edges)
            + 300 * (1 - _overlaps(box, frame[None])[0])
            + 0.5 * rank
            for rank, box in enumerate(candidates)
        ]
        for candidates in boxes
    ]
    chosen = np.argmin(fixed, axis=1)
    for k in [*range(len(nodes))] * _ROUNDS:
        others = np.delete(boxes[np.arange(len(nodes)), chosen], k, axis=0)
        costs = [cost + 30 * _overlaps(box, others).sum() for cost, box in zip(fixed[k], boxes[k], strict=True)]
        chosen[k] = np.argmin(costs)
    return chosen


def _overlaps(box: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return the share of the box that lies in each of the others."""
    common = np.minimum(box[1], others[:, 1]) - np.maximum(box[0], others[:, 0])
    return np.prod(np.maximum(common, 0), axis=1) / max(np.prod(box[1] - box[0]), 1e-12)
