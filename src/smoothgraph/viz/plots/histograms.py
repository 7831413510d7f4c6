"""The distributions of the number of neighbors and of the weights."""

from typing import Any

import numpy as np
import scipy.sparse as sp
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from smoothgraph.support.adjacency import adjacency_of
from smoothgraph.support.connectivity import n_isolated
from smoothgraph.viz.plots.style import FIRST, GRAY, light_grid, two_axes

_MOST_BARS = 40
_LOG_FROM = 30  # ratio of the largest weight to the smallest
_BARS: dict[str, Any] = {"color": FIRST, "edgecolor": "white", "linewidth": 0.5}


def draw_histograms(graph: Any, *, axes: Any = None) -> np.ndarray:
    """Draw two histograms: the number of neighbors of the nodes, and the weights of the edges.

    The axis of the weights is logarithmic if they differ by more than a factor of 30. The title tells the number of
    isolated nodes.

    Parameters
    ----------
    graph : fitted graph learner, or symmetric adjacency
        The graph.
    axes : two matplotlib Axes, optional
        The axes to draw on; by default, those of a new figure.
    """
    W = adjacency_of(graph)
    both = two_axes(axes)
    _draw_neighbors(both[0], W)
    _draw_weights(both[1], sp.triu(W, k=1).data)
    for ax in both:
        light_grid(ax, "y")
        ax.yaxis.set_major_locator(MaxNLocator(integer=True))
    return both


def _draw_neighbors(ax: Axes, W: sp.csr_array) -> None:
    counts = np.diff(W.indptr)
    most = int(counts.max())
    width = -(-(most + 1) // _MOST_BARS)  # an integer, so that all bars cover equally many counts
    bins = np.arange(-0.5, most + width + 0.5, width)
    ax.hist(counts, bins=bins.tolist(), **_BARS)
    ax.axvline(counts.mean(), color=GRAY, linestyle="--", linewidth=1)
    isolated = f"{n_isolated(W):,} isolated" if n_isolated(W) else "none isolated"
    ax.set_title(f"{len(counts):,} nodes, {isolated}", fontsize="medium")
    ax.set(xlabel=f"neighbors (mean {counts.mean():.3g}, dashed)", ylabel="nodes")
    ax.set_xlim(-0.5, max(bins[-1], 4.5))
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))


def _draw_weights(ax: Axes, weights: np.ndarray) -> None:
    ax.set_title(f"{len(weights):,} edges", fontsize="medium")
    ax.set(xlabel="weight", ylabel="edges")
    if len(weights) == 0:
        ax.set(xticks=[], ylim=(0, 1))
        return
    low, high = weights.min(), weights.max()
    n_bars = int(np.clip(np.sqrt(len(weights)), 5, _MOST_BARS))
    if high > _LOG_FROM * low:
        ax.set_xscale("log")
        bins = np.geomspace(low, high, n_bars + 1)
    else:
        bins = np.linspace(0, 1.02 * high, n_bars + 1)
    ax.hist(weights, bins=bins.tolist(), **_BARS)
