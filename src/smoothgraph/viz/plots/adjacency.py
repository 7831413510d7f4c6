"""The adjacency matrix as an image, clusters together."""

from typing import Any

import matplotlib
import numpy as np
import scipy.sparse as sp
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap, LogNorm, Normalize
from scipy.sparse.csgraph import connected_components, reverse_cuthill_mckee

from smoothgraph.support.adjacency import adjacency_of
from smoothgraph.tasks.spectral import smallest_eigenpairs
from smoothgraph.viz.plots.canvas import new_axes
from smoothgraph.viz.plots.colours import shortened
from smoothgraph.viz.plots.labels import FEW, Numbers, read_labels

MOST_CELLS = 500  # along a side: about as many as can be told apart
_FIEDLER = 2000  # nodes of a component up to which its Fiedler vector takes little time
_NAMED = 0.02  # of the nodes, in a group with room for its name


def draw_adjacency(graph: Any, *, labels: Any = None, ax: Axes | None = None) -> Axes:
    """The weights between all pairs of nodes, with nodes that belong together side by side.

    Nodes are sorted by their labels if these are given. Components follow each other, the
    largest first, and in each the nodes are in the order of the Fiedler vector (in
    reverse Cuthill-McKee order beyond 2000 nodes). Lines part up to 20 labels or components. Of
    more than 500 nodes, one cell stands for a block of the matrix and shows its summed weight.

    Parameters
    ----------
    graph : fitted graph learner, or symmetric adjacency
        The graph.
    labels : one value per node, optional
        As in :func:`draw_graph`; numbers on a scale only sort the nodes.
    ax : matplotlib Axes, optional
        By default those of a new figure.

    Examples
    --------
    .. code-block:: python

        draw_adjacency(graph, labels=digits.target)
    """
    W = adjacency_of(graph)
    order, groups, group_names = _order(W, labels)
    cells = _cells(W, order)
    ax = new_axes(8, 7) if ax is None else ax
    m = W.shape[0]
    if cells.max() > 0:
        drawn = np.ma.masked_equal(cells, 0)
        image = ax.imshow(
            drawn, extent=(0, m, m, 0), norm=_norm(drawn), cmap=_cmap(), interpolation="nearest"
        )
        block = f"{m / len(cells):.3g}"
        what = "weight" if len(cells) == m else f"weight, summed over {block} x {block} nodes"
        ax.figure.colorbar(image, ax=ax, label=what, shrink=0.8, aspect=30, pad=0.02)
    ax.set(xlim=(0, m), ylim=(m, 0), aspect="equal")
    _part(ax, groups, group_names)
    return ax


def _order(W: sp.csr_array, labels: Any) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """The nodes as they are drawn, the sizes of the groups to part, and their names."""
    natural, sizes = _natural_order(W)
    if labels is None:
        return natural, sizes, []
    read = read_labels(labels, W.shape[0])
    if isinstance(read, Numbers):
        return natural[np.argsort(read.values[natural], kind="stable")], np.array([W.shape[0]]), []
    codes = np.where(read.codes < 0, len(read.names), read.codes)
    order = natural[np.argsort(codes[natural], kind="stable")]
    names = [*read.names, *(["no label"] if np.any(read.codes < 0) else [])]
    return order, np.bincount(codes), names


def _natural_order(W: sp.csr_array) -> tuple[np.ndarray, np.ndarray]:
    """Components from large to small, nodes sorted in each; and the sizes of the components."""
    _, component = connected_components(W, directed=False)
    sizes = np.bincount(component)
    rank = np.empty(len(sizes), dtype=int)
    rank[np.argsort(-sizes, kind="stable")] = np.arange(len(sizes))
    within = np.empty(W.shape[0], dtype=int)
    within[reverse_cuthill_mckee(W, symmetric_mode=True)] = np.arange(W.shape[0])
    for number in np.flatnonzero((sizes > 2) & (sizes <= _FIEDLER)):
        nodes = np.flatnonzero(component == number)
        _, vectors = smallest_eigenpairs(W[nodes][:, nodes], 2)
        within[nodes] = np.argsort(np.argsort(vectors[:, 1], kind="stable"))
    return np.lexsort((within, rank[component])), np.sort(sizes)[::-1]


def _cells(W: sp.csr_array, order: np.ndarray) -> np.ndarray:
    """The weights summed over at most 500 x 500 blocks of the sorted matrix."""
    m = W.shape[0]
    side = min(m, MOST_CELLS)
    cell = np.empty(m, dtype=np.int64)
    cell[order] = np.arange(m) * side // m
    coo = W.tocoo()
    flat = cell[coo.row] * side + cell[coo.col]
    return np.bincount(flat, weights=coo.data, minlength=side * side).reshape(side, side)


def _norm(drawn: np.ma.MaskedArray) -> Normalize:
    low, high = np.percentile(drawn.compressed(), [1, 100])
    return Normalize(0, high) if low > 0.1 * high else LogNorm(low, high, clip=True)


def _cmap() -> ListedColormap:
    """From a blue that stands out on white to nearly black."""
    return ListedColormap(matplotlib.colormaps["YlGnBu"](np.linspace(0.3, 1, 256)))


def _part(ax: Axes, sizes: np.ndarray, names: list[str]) -> None:
    """Lines between up to 20 groups, with the names of those that have room for one."""
    m = int(sizes.sum())
    ax.set_xlabel(f"{m:,} node{'s' if m > 1 else ''}")
    ax.set(xticks=[], yticks=[])
    if not 2 <= len(sizes) <= FEW + 1:
        return
    ends = np.cumsum(sizes)
    ax.hlines(ends[:-1], 0, m, color="0.6", linewidth=0.6)
    ax.vlines(ends[:-1], 0, m, color="0.6", linewidth=0.6)
    if not names:
        ax.set_xlabel(f"{m:,} nodes in {len(sizes)} components")
        return
    roomy = np.flatnonzero(sizes >= _NAMED * m)
    middles = (ends - sizes / 2)[roomy]
    texts = [shortened(names[group]) for group in roomy]
    upright = 90 if max(map(len, texts)) > 3 else 0
    ax.set_yticks(middles, texts, parse_math=False)
    ax.set_xticks(middles, texts, parse_math=False, rotation=upright)
    ax.tick_params(length=0)
