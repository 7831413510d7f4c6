"""Pictures of graphs."""

from typing import Any

import numpy as np
import scipy.sparse as sp
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure


def draw_graph(
    adjacency: Any,
    positions: np.ndarray,
    *,
    labels: np.ndarray | None = None,
    ax: Axes | None = None,
) -> Axes:
    """The nodes at ``positions``, coloured by ``labels``; heavier edges are darker."""
    if ax is None:
        ax = Figure(figsize=(8, 8), layout="constrained").subplots()
    draw_edges(ax, adjacency, positions)
    size = float(np.clip(4e4 / len(positions), 2, 80))
    x, y = np.asarray(positions).T
    groups = [None] if labels is None else np.unique(labels).tolist()
    for group in groups:
        chosen = slice(None) if labels is None else labels == group
        ax.scatter(x[chosen], y[chosen], s=size, linewidths=0, zorder=2, label=group)
    if labels is not None:
        ax.legend(loc="upper right", frameon=False, fontsize="small", markerscale=2)
    ax.set_aspect("equal")
    ax.axis("off")
    return ax


def draw_edges(ax: Axes, adjacency: Any, positions: np.ndarray) -> None:
    """A line for every edge between the positions of its ends; heavier ones are darker."""
    upper = sp.triu(adjacency, k=1).tocoo()
    strength = np.sqrt(upper.data / upper.data.max()) if upper.nnz else upper.data
    order = np.argsort(strength)
    lines = LineCollection(
        positions[np.column_stack([upper.row, upper.col])[order]],
        colors=np.column_stack([np.full((upper.nnz, 3), 0.25), 0.1 + 0.6 * strength[order]]),
        linewidths=0.3 + 1.2 * strength[order],
        zorder=1,
    )
    ax.add_collection(lines)
