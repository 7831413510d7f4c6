"""What a report shows of its graphs: all nodes and edges, or regions of the nodes and the heaviest edges."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import scipy.sparse as sp

from smoothgraph.support.adjacency import bridges_of
from smoothgraph.viz.node_regions import contract, find_regions
from smoothgraph.viz.per_node import Categories, check_one_per_node, read_labels, read_names

# Limits that keep the file small, and the page quick to load and to explore.
MOST_NODES = 20_000
MOST_EDGES = 300_000
MOST_REGIONS = 5_000
_BELIEVED = 0.5  # the share of resamples from which an edge is not doubtful


@dataclass(frozen=True, eq=False)
class ShownGraph:
    """A graph as the page draws it; ``of`` is the graph that the user gave, with all of its facts."""

    of: Any
    full: sp.csr_array
    W: sp.csr_array
    bridges: np.ndarray  # (n, 2)
    doubtful: np.ndarray  # (n, 2)


@dataclass(frozen=True, eq=False)
class Shown:
    """Everything that the page shows, in the order of its nodes."""

    graphs: list[ShownGraph]
    names: list[str]
    attributes: Mapping[str, Any]
    positions: np.ndarray | None
    stability: sp.csr_array | None
    all_names: list[str]
    region: np.ndarray  # of every node; without regions, its number
    sizes: np.ndarray | None = None  # how many nodes each region has
    notes: list[str] = field(default_factory=list)  # what is not shown


def show(
    graphs: Sequence[Any],
    adjacencies: Sequence[sp.csr_array],
    *,
    names: Iterable[Any],
    attributes: Mapping[str, Any],
    positions: np.ndarray | None,
    stability: sp.csr_array | None,
) -> Shown:
    """Return all nodes, or regions of them beyond ``MOST_NODES``."""
    n_nodes = adjacencies[0].shape[0]
    all_names = [name or f"node {k}" for k, name in enumerate(read_names(names, n_nodes))]
    shown = Shown(
        graphs=[
            ShownGraph(graph, W, W, bridges_of(graph), _find_doubtful(graph, W, stability))
            for graph, W in zip(graphs, adjacencies, strict=True)
        ],
        names=all_names,
        attributes=attributes,
        positions=positions,
        stability=stability,
        all_names=all_names,
        region=np.arange(n_nodes),
    )
    for name, values in attributes.items():
        check_one_per_node(values if hasattr(values, "dtype") else list(values), n_nodes, f"value of {str(name)!r}")
    return shown if n_nodes <= MOST_NODES else _show_regions(shown)


def _find_doubtful(graph: Any, W: sp.csr_array, stability: sp.csr_array | None) -> np.ndarray:
    """Return the ends ``(n, 2)`` of edges that come back in less than half of the resamples, or are not proved."""
    edges = sp.triu(W, k=1).tocoo()
    doubtful = np.zeros(edges.nnz, dtype=bool)
    error = getattr(graph, "weight_error_", np.nan)
    if np.isfinite(error):
        doubtful |= edges.data <= error
    if stability is not None:
        doubtful |= np.asarray(stability[edges.row, edges.col]).ravel() < _BELIEVED
    return np.column_stack([edges.row, edges.col])[doubtful]


def _show_regions(shown: Shown) -> Shown:
    """Return the same graphs between regions of the middle one, with the means or the most frequent values of each."""
    middle = shown.graphs[len(shown.graphs) // 2].full
    region = find_regions(middle, MOST_REGIONS)
    sizes = np.bincount(region)
    degrees = middle.sum(axis=1)
    center = np.lexsort([-degrees, region])[np.cumsum(sizes) - sizes]
    graphs = [
        replace(
            graph,
            W=contract(graph.W, region),
            bridges=_join_ends(region[graph.bridges]),
            doubtful=np.zeros((0, 2), np.int64),
        )
        for graph in shown.graphs
    ]
    others = [f" and {size - 1} more" if size > 1 else "" for size in sizes]
    positions = shown.positions
    if positions is not None:
        positions = np.column_stack([_means(positions[:, axis], region, sizes) for axis in (0, 1)])
    n_nodes, count = len(region), len(sizes)
    return Shown(
        graphs=graphs,
        names=[f"{shown.names[k]}{more}" for k, more in zip(center, others, strict=True)],
        attributes={name: _summarize(values, region, sizes) for name, values in shown.attributes.items()},
        positions=positions,
        stability=None,
        all_names=shown.names,
        region=region,
        sizes=sizes,
        notes=[
            f"The page shows {count:,} regions of the {n_nodes:,} nodes. A region bears the name of its node of "
            "largest weighted degree. An edge is the sum of all edges between two regions, and a value is the mean of "
            "a region, or the most frequent one. The statistics are those of all nodes."
        ],
    )


def _join_ends(ends: np.ndarray) -> np.ndarray:
    """Return the different pairs of regions that these edges join."""
    ends = np.sort(ends, axis=1)
    return np.unique(ends[ends[:, 0] < ends[:, 1]], axis=0)


def _means(values: np.ndarray, region: np.ndarray, counts: np.ndarray) -> np.ndarray:
    return np.bincount(region, values, minlength=len(counts)) / counts


def _summarize(values: Any, region: np.ndarray, sizes: np.ndarray) -> Any:
    """Return the mean, or the most frequent category, of the values in each region."""
    read = read_labels(values, len(region))
    if isinstance(read, Categories):
        pairs = sp.coo_array((np.ones(len(region)), (region, read.codes + 1))).tocsr()
        frequent = np.asarray(pairs.argmax(axis=1)).ravel() - 1
        return Categories(frequent, read.names)
    known = ~np.isnan(read)
    counts = np.bincount(region[known], minlength=len(sizes))
    with np.errstate(invalid="ignore"):
        return np.bincount(region[known], read[known], minlength=len(sizes)) / counts
