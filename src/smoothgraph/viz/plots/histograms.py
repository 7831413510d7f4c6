"""How many neighbours nodes have, and how heavy edges are."""

from typing import Any

import numpy as np
import scipy.sparse as sp
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from smoothgraph.support.adjacency import adjacency_of
from smoothgraph.support.connectivity import n_isolated
from smoothgraph.viz.plots.canvas import GREY, light_grid, panels
from smoothgraph.viz.plots.colours import FIRST

_BARS = 40


def draw_histograms(graph: Any, *, axes: Any = None) -> np.ndarray:
    """Two panels: the nodes by their number of neighbours, the edges by their weights.

    Weights that differ by more than a factor of 30 are shown on a logarithmic axis. Isolated
    nodes are counted in the title.

    Parameters
    ----------
    graph : fitted graph learner, or symmetric adjacency
        The graph.
    axes : two matplotlib Axes, optional
        By default those of a new figure.
    """
    W = adjacency_of(graph)
    both = panels(axes, 2, 10, 4)
    _draw_neighbours(both[0], W)
    _draw_weights(both[1], sp.triu(W, k=1).data)
    return both


def _draw_neighbours(ax: Axes, W: sp.csr_array) -> None:
    counts = np.diff(W.indptr)
    most = int(counts.max())
    width = -(-(most + 1) // _BARS)  # whole, so that each bar stands for as many numbers
    bins = np.arange(-0.5, most + width + 0.5, width)
    ax.hist(counts, bins=bins.tolist(), color=FIRST, edgecolor="white", linewidth=0.5)
    ax.axvline(counts.mean(), color=GREY, linestyle="--", linewidth=1)
    alone = f"{n_isolated(W):,} isolated" if n_isolated(W) else "none isolated"
    ax.set_title(f"{len(counts):,} nodes, {alone}", fontsize="medium")
    ax.set(xlabel=f"neighbours (mean {counts.mean():.3g}, dashed)", ylabel="nodes")
    _count_axes(ax)
    ax.set_xlim(-0.5, max(bins[-1], 4.5))
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))


def _draw_weights(ax: Axes, weights: np.ndarray) -> None:
    ax.set_title(f"{len(weights):,} edges", fontsize="medium")
    ax.set(xlabel="weight", ylabel="edges")
    _count_axes(ax)
    if len(weights) == 0:
        ax.set(xticks=[], ylim=(0, 1))
        return
    low, high = weights.min(), weights.max()
    bars = int(np.clip(np.sqrt(len(weights)), 5, _BARS))
    if high > 30 * low:
        ax.set_xscale("log")
        bins = np.geomspace(low, high, bars + 1)
    else:
        bins = np.linspace(0, 1.02 * high, bars + 1)
    ax.hist(weights, bins=bins.tolist(), color=FIRST, edgecolor="white", linewidth=0.5)


def _count_axes(ax: Axes) -> None:
    light_grid(ax, "y")
    ax.yaxis.set_major_locator(MaxNLocator(integer=True))
