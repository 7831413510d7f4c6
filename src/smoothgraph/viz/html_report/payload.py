"""Collect the data of a report: JSON values, and little-endian arrays in base64."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp

from smoothgraph.support.adjacency import bridges_of
from smoothgraph.support.connectivity import components_by_size, n_components, n_isolated
from smoothgraph.viz.atlas import Outlines
from smoothgraph.viz.html_report.shown_graphs import MOST_EDGES, Shown, ShownGraph
from smoothgraph.viz.per_node import Categories, read_labels

_PARAMETERS = ("theta", "alpha", "beta", "sigma")
_MOST_WEIGHTS = 9 * MOST_EDGES  # as many as the graphs of a density path have
_FLOAT32 = np.finfo(np.float32)


def make_payload(
    shown: Shown,
    *,
    positions: np.ndarray,
    background: Outlines | None,
    settings: Mapping[str, Any],
    times: Sequence[Any] | None = None,
) -> dict[str, Any]:
    """Return the data of the page; without ``times``, the graphs go from the sparsest to the densest."""
    n_nodes = len(shown.names)
    i, j, weights, n_edges = _unite_edges([graph.W for graph in shown.graphs])
    notes = [*shown.notes]
    attributes = [_describe_attribute(str(name), values, n_nodes) for name, values in shown.attributes.items()]
    if shown.sizes is not None:
        attributes.append(_describe_numbers("nodes in the region", shown.sizes))
    if n_edges > len(i):
        notes.append(f"The page shows the heaviest {len(i):,} of {n_edges:,} edges.")
    return {
        "names": shown.names,
        "n_nodes": shown.graphs[0].full.shape[0],
        "positions": _pack(positions, "<f4"),
        "i": _pack(i, "<i4"),
        "j": _pack(j, "<i4"),
        "stability": None if shown.stability is None else _pack(_entries(shown.stability, i, j), "<f4"),
        "graphs": [_describe_graph(graph, w, i, j) for graph, w in zip(shown.graphs, weights, strict=True)],
        "start": len(shown.graphs) // 2 if times is None else 0,
        "times": None if times is None else [str(time) for time in times],
        "attributes": attributes,
        "settings": [[str(name), str(value)] for name, value in settings.items()],
        "limits": notes,
        "map": None if background is None else {k: _pack_lines(v) for k, v in background._asdict().items()},
    }


def _pack(values: Any, dtype: str) -> np.ndarray:
    """Return a little-endian array, which the compressed payload has as bytes."""
    return np.ascontiguousarray(values, dtype=dtype)


def _pack_lines(lines: Sequence[np.ndarray]) -> dict[str, np.ndarray]:
    """Return the points of all lines, and where each line begins."""
    starts = np.cumsum([0, *map(len, lines)])
    return {"points": _pack(np.concatenate([np.zeros((0, 2)), *lines]), "<f4"), "starts": _pack(starts, "<i4")}


def _unite_edges(adjacencies: Sequence[sp.csr_array]) -> tuple[np.ndarray, np.ndarray, list[np.ndarray], int]:
    """Return the ends of the edges of all graphs, heaviest last, their weights in each graph, and their number.

    The weights are float32. A weight is 0 if and only if the graph does not have the edge. The lightest edges are left
    out beyond ``MOST_EDGES``, or so many that all weights together would be more than ``_MOST_WEIGHTS``.
    """
    n_nodes = adjacencies[0].shape[0]
    uppers = [sp.triu(W, k=1).tocoo() for W in adjacencies]
    numbers = [upper.row.astype(np.int64) * n_nodes + upper.col for upper in uppers]
    edges = np.unique(np.concatenate(numbers))
    weights = np.zeros((len(uppers), len(edges)), dtype=np.float32)
    for row, number, upper in zip(weights, numbers, uppers, strict=True):
        row[np.searchsorted(edges, number)] = np.clip(upper.data, _FLOAT32.tiny, _FLOAT32.max)
    most = min(MOST_EDGES, _MOST_WEIGHTS // len(uppers))
    order = np.argsort(weights.max(axis=0), kind="stable")[-most:]
    return edges[order] // n_nodes, edges[order] % n_nodes, list(weights[:, order]), len(edges)


def _entries(matrix: sp.csr_array, i: np.ndarray, j: np.ndarray) -> np.ndarray:
    """Return the entries of a sparse matrix, 0 where it has none."""
    return np.asarray(matrix[i, j]).ravel() if len(i) else np.zeros(0)


def _find_edges(i: np.ndarray, j: np.ndarray, ends: np.ndarray, n_nodes: int) -> np.ndarray:
    """Return which of the edges ``i < j`` have these ends ``(n, 2)``."""
    return np.flatnonzero(np.isin(i * n_nodes + j, np.min(ends, axis=1) * n_nodes + np.max(ends, axis=1)))


def _describe_attribute(name: str, values: Any, n_nodes: int) -> dict[str, Any]:
    """Return float64 numbers with NaN, or labels and 32-bit codes with -1, if one is missing."""
    read = values
    if not isinstance(values, Categories):
        read = read_labels(values, n_nodes, what=f"value of {name!r}")
    if isinstance(read, np.ndarray):
        return _describe_numbers(name, read)
    return {"name": name, "kind": "category", "labels": read.names, "codes": _pack(read.codes, "<i4")}


def _describe_numbers(name: str, values: np.ndarray) -> dict[str, Any]:
    return {"name": name, "kind": "number", "values": _pack(values, "<f8")}


def _describe_graph(shown: ShownGraph, weights: np.ndarray, i: np.ndarray, j: np.ndarray) -> dict[str, Any]:
    """Return what the page says of a graph; only a fitted learner has a certificate and parameters."""
    n_shown = shown.W.shape[0]
    return {
        "weights": _pack(weights, "<f4"),
        "components": _pack(components_by_size(shown.W), "<i4"),
        "bridges": _pack(_find_edges(i, j, shown.bridges, n_shown), "<i4"),
        "doubtful": _pack(_find_edges(i, j, shown.doubtful, n_shown), "<i4"),
        "edges_per_node": shown.full.nnz / shown.full.shape[0],
        "n_components": n_components(shown.full),
        "n_isolated": n_isolated(shown.full),
        "facts": list(_describe_facts(shown).items()),
    }


def _describe_facts(shown: ShownGraph) -> dict[str, str]:
    """Return names and values for the statistics."""
    graph, W = shown.of, shown.full
    facts = {
        "edges": f"{W.nnz // 2:,}",
        "edges per node": f"{W.nnz / W.shape[0]:.2f}",
        "components": f"{n_components(W):,}",
        "isolated nodes": f"{n_isolated(W):,}",
    }
    if getattr(graph, "connected", False) or len(bridges_of(graph)):
        facts["bridges"] = f"{len(bridges_of(graph)):,}"
    if hasattr(graph, "dual_gap_"):
        facts["relative duality gap"] = f"{graph.dual_gap_:.1e}"
    if np.isfinite(getattr(graph, "relative_weight_error_", np.inf)):
        facts["no weight is off by more than"] = f"{100 * graph.relative_weight_error_:.1g}% of the mean weight"
    if hasattr(graph, "is_exact_"):
        facts["proved optimal over all pairs"] = describe_proof(graph)
    facts |= {name: f"{getattr(graph, f'{name}_'):.4g}" for name in _PARAMETERS if hasattr(graph, f"{name}_")}
    return facts


def describe_proof(graph: Any) -> str:
    """Return whether a fitted learner is proved optimal, and if not, why."""
    if graph.is_exact_:
        return "yes"
    if graph.violations_ is None:
        return "no: only over the given pairs"
    if graph.violations_.at_most > 0:
        return f"no: missing pairs {graph.violations_}"
    return "no: not all weights are proved"
