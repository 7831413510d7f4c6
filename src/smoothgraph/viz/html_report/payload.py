"""Collect the data of a report: JSON values, and little-endian arrays in base64."""

from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp

from smoothgraph.support.adjacency import bridges_of
from smoothgraph.support.connectivity import components_by_size, n_isolated
from smoothgraph.viz.per_node import read_labels, read_names

_MOST_COLORS = 12  # of categories: the length of PALETTE in scripts/colors.js
_PARAMETERS = ("theta", "alpha", "beta", "sigma")
_FLOAT32 = np.finfo(np.float32)


def make_payload(
    graphs: Sequence[Any],
    adjacencies: Sequence[sp.csr_array],
    *,
    names: Iterable[Any],
    attributes: Mapping[str, Any],
    positions: np.ndarray,
    settings: Mapping[str, Any],
) -> dict[str, Any]:
    """Return the data of the page; the graphs go from the sparsest to the densest.

    A node whose name is empty is called by its number.
    """
    n_nodes = adjacencies[0].shape[0]
    i, j, weights = _unite_edges(adjacencies)
    return {
        "names": [name or f"node {k}" for k, name in enumerate(read_names(names, n_nodes))],
        "positions": _pack(positions, "<f4"),
        "i": _pack(i, "<i4"),
        "j": _pack(j, "<i4"),
        "graphs": [
            _describe_graph(graph, W, w) | {"bridges": _pack(_find_edges(i, j, bridges_of(graph), n_nodes), "<i4")}
            for graph, W, w in zip(graphs, adjacencies, weights, strict=True)
        ],
        "start": len(graphs) // 2,
        "attributes": [_describe_attribute(str(name), values, n_nodes) for name, values in attributes.items()],
        "settings": [[str(name), str(value)] for name, value in settings.items()],
    }


def _pack(values: Any, dtype: str) -> str:
    """Return the bytes of an array in base64."""
    return b64encode(np.ascontiguousarray(values, dtype=dtype).tobytes()).decode("ascii")


def _unite_edges(adjacencies: Sequence[sp.csr_array]) -> tuple[np.ndarray, np.ndarray, list[np.ndarray]]:
    """Return the ends of the edges of all graphs, heaviest last, and their weights in each graph.

    The weights are float32. A weight is 0 if and only if the graph does not have the edge.
    """
    n_nodes = adjacencies[0].shape[0]
    uppers = [sp.triu(W, k=1).tocoo() for W in adjacencies]
    numbers = [upper.row.astype(np.int64) * n_nodes + upper.col for upper in uppers]
    edges = np.unique(np.concatenate(numbers))
    weights = np.zeros((len(uppers), len(edges)), dtype=np.float32)
    for row, number, upper in zip(weights, numbers, uppers, strict=True):
        row[np.searchsorted(edges, number)] = np.clip(upper.data, _FLOAT32.tiny, _FLOAT32.max)
    order = np.argsort(weights.max(axis=0), kind="stable")
    return edges[order] // n_nodes, edges[order] % n_nodes, list(weights[:, order])


def _find_edges(i: np.ndarray, j: np.ndarray, ends: np.ndarray, n_nodes: int) -> np.ndarray:
    """Return which of the edges ``i < j`` have these ends ``(n, 2)``."""
    return np.flatnonzero(np.isin(i * n_nodes + j, ends.min(axis=1) * n_nodes + ends.max(axis=1)))


def _describe_attribute(name: str, values: Any, n_nodes: int) -> dict[str, Any]:
    """Return float64 numbers with NaN, or labels and 32-bit codes with -1, if one is missing."""
    read = read_labels(values, n_nodes, most_classes=_MOST_COLORS, what=f"value of {name!r}")
    if isinstance(read, np.ndarray):
        return {"name": name, "kind": "number", "values": _pack(read, "<f8")}
    return {"name": name, "kind": "category", "labels": read.names, "codes": _pack(read.codes, "<i4")}


def _describe_graph(graph: Any, W: sp.csr_array, weights: np.ndarray) -> dict[str, Any]:
    """Return what the page says of a graph; only a fitted learner has a certificate and parameters."""
    components = components_by_size(W)
    n_components = int(components.max()) + 1
    isolated = n_isolated(W)
    edges_per_node = W.nnz / W.shape[0]
    facts = {
        "edges": f"{W.nnz // 2:,}",
        "edges per node": f"{edges_per_node:.2f}",
        "components": f"{n_components:,}",
        "isolated nodes": f"{isolated:,}",
    }
    if getattr(graph, "connected", False):
        facts["bridges"] = f"{len(bridges_of(graph)):,}"
    if hasattr(graph, "dual_gap_"):
        facts["relative duality gap"] = f"{graph.dual_gap_:.1e}"
    if np.isfinite(getattr(graph, "relative_weight_error_", np.inf)):
        facts["no weight is off by more than"] = f"{100 * graph.relative_weight_error_:.1g}% of the mean weight"
    if hasattr(graph, "is_exact_"):
        facts["proved optimal over all pairs"] = _describe_proof(graph)
    facts |= {name: f"{getattr(graph, f'{name}_'):.4g}" for name in _PARAMETERS if hasattr(graph, f"{name}_")}
    return {
        "weights": _pack(weights, "<f4"),
        "components": _pack(components, "<i4"),
        "edges_per_node": edges_per_node,
        "n_components": n_components,
        "n_isolated": isolated,
        "facts": list(facts.items()),
    }


def _describe_proof(graph: Any) -> str:
    if graph.is_exact_:
        return "yes"
    if graph.violations_ is None:
        return "no: only over the given pairs"
    if graph.violations_.at_most > 0:
        return f"no: missing pairs {graph.violations_}"
    return "no: not all weights are proved"
