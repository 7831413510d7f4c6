"""Choose a place for every name, so that names cover neither each other nor nodes."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp
from matplotlib.axes import Axes
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import text_to_path

from smoothgraph.viz.per_node import read_names
from smoothgraph.viz.plots.name_texts import font_size, write_name
from smoothgraph.viz.plots.style import shorten, write_note

MOST_NAMES = 60  # beyond, only hubs have theirs
_HUBS = 30
_NODE_RADIUS = 4.0  # points
_WIDEST_MARGIN = 0.4  # of the width of the graph
_ROUNDS = 3  # in each, every name may move once
# The (horizontal, vertical) sides of a node where its name may stand, the preferred ones first.
_SIDES = np.array([(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)])
_DISTANCES = (0.85, 1.9, 3.2)  # from the center of a node to its name, in font sizes; a line bridges the longer ones
_SHORTEST = np.where(_SIDES.all(axis=1), 0.7, 1.0)[:, None]  # the corner of a name is nearer than its side
_OFFSETS = np.concatenate([_SIDES * _SHORTEST * distance for distance in _DISTANCES])
_CANDIDATE_SIDES = np.tile(_SIDES, (len(_DISTANCES), 1))
_RANKS = np.arange(len(_OFFSETS)) * 0.5
# What a name costs that covers a node, a point on an edge, or all of another name.
_COST_NODE, _COST_EDGE, _COST_NAME = 10.0, 1.0, 30.0
_ON_LINES = (0.35, 0.5, 0.65, 0.8, 0.95)  # points on a line to a name, beyond the node itself
_HALF_LINE = 1.0  # points to either side of such a line that have to be free
_COST_CLOSE = 3.0  # of a name to each node at most _CLOSE points away, of which one may seem to bear the name
_CLOSE = 9.0


def make_room(ax: Axes, names: Sequence[Any]) -> None:
    """Widen the limits so that the longest name fits on the left and on the right."""
    points = max((_measure(shorten(str(name)))[0] for name in names), default=0) + _DISTANCES[0] * font_size()
    figure = ax.figure.figure  # the whole figure, if the axes are in a subfigure
    figure.draw_without_rendering()  # places the axes in the figure
    width = ax.get_window_extent().width * 72 / figure.dpi
    ax.set_xmargin(min(points / max(width - 2 * points, 1), _WIDEST_MARGIN))


def write_names(ax: Axes, W: sp.csr_array, positions: np.ndarray, names: Iterable[Any]) -> None:
    """Write names where they cover neither other names nor, if there are up to 60, nodes.

    Beyond 60 nodes, only the 30 with most neighbors have names. A note says what is left out.
    """
    texts = [shorten(name) for name in read_names(names, len(positions))]
    by_importance = np.lexsort([-W.sum(axis=1), -np.diff(W.indptr)])
    few = len(texts) <= MOST_NAMES
    chosen = by_importance if few else by_importance[:_HUBS]
    ax.figure.figure.draw_without_rendering()
    to_points = 72 / ax.figure.dpi
    nodes = ax.transData.transform(positions) * to_points
    frame = ax.get_window_extent().get_points() * to_points
    halves = np.array([_measure(texts[k]) for k in chosen]).reshape(-1, 2) / 2
    offsets = _OFFSETS * font_size()
    centers = nodes[chosen, None] + offsets + halves[:, None] * _CANDIDATE_SIDES
    boxes = np.stack([centers - halves[:, None], centers + halves[:, None]], axis=2)
    costs, possible = _judge(boxes, nodes, _points_on_edges(W, nodes), frame, nodes_may_be_covered=not few)
    lines = _points_on_lines(nodes[chosen], offsets)
    costs += _COST_NODE * _count_inside(lines, nodes, _NODE_RADIUS).sum(axis=2)
    places = _place(boxes, lines, costs, possible)
    for k, place in sorted(zip(chosen.tolist(), places.tolist(), strict=True)):
        if place >= 0:
            far = place >= len(_SIDES)
            write_name(ax, texts[k], positions[k], offsets[place], _CANDIDATE_SIDES[place], line=far)
    left_out = np.count_nonzero(places < 0)
    if not few:
        write_note(ax, f"names: {len(chosen) - left_out} of the {_HUBS} nodes with most neighbors")
    elif left_out:
        write_note(ax, f"no room for {left_out} of {len(texts)} names")


def _measure(text: str) -> tuple[float, float]:
    """Return the width and the height of a name in points."""
    size = font_size()
    width, _, _ = text_to_path.get_text_width_height_descent(text, FontProperties(size=size), ismath=False)
    return width, 1.2 * size


def _points_on_edges(W: sp.csr_array, nodes: np.ndarray) -> np.ndarray:
    """Return 19 points on every edge."""
    edges = sp.triu(W, k=1).tocoo()
    share = np.linspace(0.05, 0.95, 19)[:, None, None]
    return (share * nodes[edges.row] + (1 - share) * nodes[edges.col]).reshape(-1, 2)


def _judge(
    boxes: np.ndarray, nodes: np.ndarray, on_edges: np.ndarray, frame: np.ndarray, *, nodes_may_be_covered: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Return the costs ``(names, places)`` of boxes, apart from other names, and whether a name may stand there."""
    covered, close = (_count_inside(boxes, nodes, padding) for padding in (_NODE_RADIUS, _CLOSE))
    costs = _COST_CLOSE * close + _COST_EDGE * _count_inside(boxes, on_edges, 0.0) + _RANKS
    if not nodes_may_be_covered:
        costs += _COST_NODE * covered
    inside = np.all((boxes[:, :, 0] >= frame[0]) & (boxes[:, :, 1] <= frame[1]), axis=2)
    return costs, inside & (nodes_may_be_covered | (covered == 0))


def _points_on_lines(starts: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """Return tiny boxes ``(names, places, n, 2, 2)`` along the lines to names; NaN for places that need no line."""
    along = np.where(np.arange(len(offsets)) < len(_SIDES), np.nan, 1.0)[:, None] * offsets
    points = starts[:, None, None] + np.multiply.outer(_ON_LINES, along).transpose(1, 0, 2)
    return np.stack([points - _HALF_LINE, points + _HALF_LINE], axis=3)


def _count_inside(boxes: np.ndarray, points: np.ndarray, padding: float) -> np.ndarray:
    """Return how many points lie in each padded box ``(..., 2, 2)``."""
    order = np.argsort(points[:, 0])
    points = points[order]
    first, last = np.searchsorted(points[:, 0], [boxes[..., 0, 0] - padding, boxes[..., 1, 0] + padding])
    low, high = boxes[..., 0, 1] - padding, boxes[..., 1, 1] + padding
    counts = np.zeros(boxes.shape[:-2], dtype=int)
    for k in np.ndindex(counts.shape):  # at most 60 names in 24 places
        up = points[first[k] : last[k], 1]
        counts[k] = np.count_nonzero((up >= low[k]) & (up <= high[k]))
    return counts


def _place(boxes: np.ndarray, lines: np.ndarray, costs: np.ndarray, possible: np.ndarray) -> np.ndarray:
    """Return the place of each name, or -1 if there is none that is clear of earlier names and their lines."""
    costs = np.where(possible, costs, costs + 1e6)
    everyone = np.arange(len(boxes))
    chosen = np.argmin(costs, axis=1)
    for k in [*everyone] * _ROUNDS:
        others = np.delete(boxes[everyone, chosen], k, axis=0)
        chosen[k] = np.argmin(costs[k] + _COST_NAME * _overlaps(boxes[k], others).sum(axis=1))
    names, drawn_lines = np.zeros((0, 2, 2)), np.zeros((0, 2, 2))
    for k in everyone:
        later = boxes[everyone[k + 1 :], chosen[k + 1 :]]
        on_lines = lines[k].reshape(-1, 2, 2)
        crossed = np.any(_overlaps(on_lines, names) > 0, axis=1).reshape(len(boxes[k]), -1).any(axis=1)
        covers = np.any(_overlaps(boxes[k], np.concatenate([names, drawn_lines])) > 0, axis=1)
        free = possible[k] & ~covers & ~crossed
        total = costs[k] + _COST_NAME * _overlaps(boxes[k], later).sum(axis=1)
        chosen[k] = np.argmin(np.where(free, total, np.inf)) if free.any() else -1
        if chosen[k] >= 0:
            names = np.concatenate([names, boxes[k, chosen[k]][None]])
            drawn_lines = np.concatenate([drawn_lines, lines[k, chosen[k]]])
    return chosen


def _overlaps(boxes: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return the share of each box that lies in each of the others."""
    common = np.minimum(boxes[:, None, 1], others[None, :, 1]) - np.maximum(boxes[:, None, 0], others[None, :, 0])
    areas = np.prod(boxes[:, 1] - boxes[:, 0], axis=1)
    return np.prod(np.maximum(common, 0), axis=2) / np.maximum(areas, 1e-12)[:, None]
