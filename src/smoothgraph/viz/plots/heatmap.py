"""The adjacency matrix as an image, sorted so that clusters show."""

from typing import Any

import matplotlib
import numpy as np
import scipy.sparse as sp
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap, LogNorm, Normalize
from scipy.sparse.csgraph import reverse_cuthill_mckee

from smoothgraph.support.adjacency import adjacency_of
from smoothgraph.support.classes import MOST_CLASSES
from smoothgraph.support.connectivity import components_by_size
from smoothgraph.tasks.spectral import smallest_eigenpairs
from smoothgraph.viz.per_node import read_labels
from smoothgraph.viz.plots.style import new_axes, shorten

_MOST_CELLS = 500  # along a side: about as many as the eye can resolve
_MOST_FIEDLER = 2000  # nodes of a component up to which its Fiedler vector takes little time
_MOST_GROUPS = MOST_CLASSES + 1  # to separate by lines: the labels of a legend, and "no label"
_ROOM_FOR_NAME = 0.02  # the smallest share of the nodes that leaves a group room for its name
# From a blue that stands out on white to nearly black.
_COLORS = ListedColormap(matplotlib.colormaps["YlGnBu"](np.linspace(0.3, 1, 256)))


def draw_adjacency(graph: Any, *, labels: Any = None, ax: Axes | None = None) -> Axes:
    """Draw the weights between all pairs of nodes, with related nodes side by side.

    Nodes are sorted by label if there are labels, then by component, the largest first. Within a component they
    follow the Fiedler vector, or the reverse Cuthill-McKee order if there are more than 2000 nodes. Lines separate
    up to 20 labels or components. If there are more than 500 nodes, each cell stands for several of them along each
    side and shows their total weight.

    Parameters
    ----------
    graph, labels, ax
        As in :func:`draw_graph`, but labels that would get a color scale there only sort the nodes.
    """
    W = adjacency_of(graph)
    order, sizes, names = _sort_nodes(W, labels)
    cells = _sum_cells(W, order)
    ax = new_axes(8, 7) if ax is None else ax
    m = W.shape[0]
    if cells.max() > 0:
        weights = np.ma.masked_equal(cells, 0)
        low, high = np.percentile(weights.compressed(), [1, 100])
        norm = Normalize(0, high) if low > 0.1 * high else LogNorm(low, high, clip=True)
        image = ax.imshow(weights, extent=(0, m, m, 0), norm=norm, cmap=_COLORS, interpolation="nearest")
        side = f"{m / len(cells):.3g}"
        what = "weight" if len(cells) == m else f"weight, summed over {side} x {side} nodes"
        ax.figure.colorbar(image, ax=ax, label=what, shrink=0.8, aspect=30, pad=0.02)
    ax.set(xlim=(0, m), ylim=(m, 0), aspect="equal")
    _separate_groups(ax, sizes, names)
    return ax


def _sort_nodes(W: sp.csr_array, labels: Any) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """Return the order of the nodes, and the sizes and names of the groups they form."""
    order, sizes = _sort_by_component(W)
    if labels is None:
        return order, sizes, []
    read = read_labels(labels, W.shape[0])
    if isinstance(read, np.ndarray):
        return order[np.argsort(read[order], kind="stable")], np.array([W.shape[0]]), []
    codes = np.where(read.codes < 0, len(read.names), read.codes)
    order = order[np.argsort(codes[order], kind="stable")]
    names = [*read.names, *(["no label"] if np.any(read.codes < 0) else [])]
    return order, np.bincount(codes), names


def _sort_by_component(W: sp.csr_array) -> tuple[np.ndarray, np.ndarray]:
    """Return the nodes from the largest component to the smallest, and the components' sizes."""
    component = components_by_size(W)
    sizes = np.bincount(component)
    rank = np.argsort(reverse_cuthill_mckee(W, symmetric_mode=True))
    for number in np.flatnonzero((sizes > 2) & (sizes <= _MOST_FIEDLER)):
        nodes = np.flatnonzero(component == number)
        _, vectors = smallest_eigenpairs(W[nodes][:, nodes], 2)
        rank[nodes] = np.argsort(np.argsort(vectors[:, 1], kind="stable"))
    return np.lexsort((rank, component)), sizes


def _sum_cells(W: sp.csr_array, order: np.ndarray) -> np.ndarray:
    """Return the sorted matrix, summed in at most 500 x 500 cells."""
    m = W.shape[0]
    side = min(m, _MOST_CELLS)
    cell = np.argsort(order) * side // m
    coo = W.tocoo()
    return sp.coo_array((coo.data, (cell[coo.row], cell[coo.col])), shape=(side, side)).toarray()


def _separate_groups(ax: Axes, sizes: np.ndarray, names: list[str]) -> None:
    """Draw lines between the groups unless there are too many, and name those with room."""
    m = int(sizes.sum())
    ax.set_xlabel(f"{m:,} node{'s' if m > 1 else ''}")
    ax.set(xticks=[], yticks=[])
    if not 2 <= len(sizes) <= _MOST_GROUPS:
        return
    ends = np.cumsum(sizes)
    ax.hlines(ends[:-1], 0, m, color="0.6", linewidth=0.6)
    ax.vlines(ends[:-1], 0, m, color="0.6", linewidth=0.6)
    if not names:
        ax.set_xlabel(f"{m:,} nodes in {len(sizes)} components")
        return
    roomy = np.flatnonzero(sizes >= _ROOM_FOR_NAME * m)
    middles = (ends - sizes / 2)[roomy]
    texts = [shorten(names[group]) for group in roomy]
    ax.set_yticks(middles, texts, parse_math=False)
    ax.set_xticks(middles, texts, parse_math=False, rotation=90 if max(map(len, texts)) > 3 else 0)
    ax.tick_params(length=0)
