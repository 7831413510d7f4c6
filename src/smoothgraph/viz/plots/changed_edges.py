"""Two graphs in one picture: the edges they share, and those that only one has."""

from typing import Any

import numpy as np
import scipy.sparse as sp
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.lines import Line2D

from smoothgraph.changes import CHANGES, GraphChanges
from smoothgraph.viz.node_layout import layout
from smoothgraph.viz.per_node import check_positions
from smoothgraph.viz.plots.name_placement import MOST_NAMES, write_names
from smoothgraph.viz.plots.style import GRAY, RASTER_FROM, explain_beside, new_axes

_STYLES: dict[str, dict[str, Any]] = {
    "shared": {"color": "0.7", "linewidth": 0.9},
    "new": {"color": "#117733", "linewidth": 1.3},
    "lost": {"color": "#ee7733", "linewidth": 1.3, "linestyle": (0, (3, 1.5))},
}


def draw_changes(changes: GraphChanges, positions: Any = None, *, ax: Axes | None = None) -> Axes:
    """Draw shared edges in gray, new ones in green, and lost ones as orange dashes; the legend counts them.

    Without ``positions``, the layout is that of both graphs together.
    """
    m = len(changes.names)
    i, j = changes.ends.T
    half = sp.coo_array((np.ones(len(i)), (i, j)), shape=(m, m))
    both = (half + half.T).tocsr()
    positions = layout(both) if positions is None else check_positions(positions, m)
    ax = new_axes(8, 8) if ax is None else ax
    ax.set_aspect("equal")
    ax.axis("off")
    entries = []
    kinds, counts = changes.kinds, changes.counts
    for k, change in enumerate(CHANGES):
        segments = positions[changes.ends[kinds == k]]
        style = _STYLES[change]
        ax.add_collection(
            LineCollection(list(segments), zorder=1 + 0.1 * k, rasterized=len(segments) > RASTER_FROM, **style)
        )
        entries.append((f"{change} ({counts[change]:,})", Line2D([], [], **style)))
    x, y = positions.T
    ax.scatter(x, y, s=float(np.clip(4e4 / m, 1, 60)), color=GRAY, zorder=2, rasterized=m > RASTER_FROM)
    explain_beside(ax, entries)
    if m <= MOST_NAMES:
        write_names(ax, both, positions, changes.names)
    return ax
