"""Edges as lines."""

from typing import Any

import numpy as np
import scipy.sparse as sp
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection

from smoothgraph.viz.plots.canvas import RASTER_FROM, write_note

MOST_EDGES = 200_000  # beyond, lines only cover each other


def draw_edges(ax: Axes, adjacency: Any, positions: np.ndarray) -> None:
    """A line for every edge between the positions of its ends; heavier ones are darker.

    Of more than 200,000 edges the heaviest are drawn, and a note says so.
    """
    upper = sp.triu(adjacency, k=1).tocoo()
    order = np.argsort(upper.data, kind="stable")[-MOST_EDGES:]
    strength = np.sqrt(upper.data[order] / upper.data.max()) if upper.nnz else upper.data
    crowd = max(1.0, len(order) / RASTER_FROM)
    lines = LineCollection(
        positions[np.column_stack([upper.row, upper.col])[order]],
        colors=np.column_stack(
            [np.full((len(order), 3), 0.25), (0.1 + 0.6 * strength) / crowd**0.4]
        ),
        linewidths=(0.3 + 1.2 * strength) / crowd**0.25,
        zorder=1,
        rasterized=len(order) > RASTER_FROM,
    )
    ax.add_collection(lines)
    if upper.nnz > MOST_EDGES:
        write_note(ax, f"the heaviest {MOST_EDGES:,} of {upper.nnz:,} edges")
