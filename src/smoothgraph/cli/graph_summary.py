"""The facts about a graph that commands print."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from smoothgraph.support.connectivity import n_components, n_isolated

if TYPE_CHECKING:
    from smoothgraph.io import GraphFile

_PARAMETERS = ("theta", "alpha", "beta")


def measure(W: Any) -> dict[str, Any]:
    """Return the size, density and connectivity of an adjacency matrix."""
    return {
        "nodes": W.shape[0],
        "edges": W.nnz // 2,
        "edges_per_node": W.nnz / W.shape[0],
        "components": n_components(W),
        "isolated_nodes": n_isolated(W),
    }


def describe(content: "GraphFile", measured: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is recorded in the file of a graph and is not measured anyway; bridges are only counted."""
    return {name: value for name, value in content.info.items() if name not in (*measured, "bridge_ends")}


def summarize(graph: Any, groups: np.ndarray | None = None) -> dict[str, Any]:
    """Return what a fitted learner found, and its certificate; with ``groups`` of the nodes, also their least shares.

    Of a graph that is still on workers, the isolated nodes are not counted, which would gather it.
    """
    if "graph_" in vars(graph) and "adjacency_" not in vars(graph):
        n_nodes, n_edges = graph.graph_.n_nodes, int(graph.graph_.n_edges)
        size = {
            "nodes": n_nodes,
            "edges": n_edges,
            "edges_per_node": 2 * n_edges / n_nodes,
            "components": graph.n_components_,
        }
    else:
        size = measure(graph.adjacency_)
    size["bridges"] = len(graph.bridges_)
    if hasattr(graph, "density_choice_"):
        size["density_choice"] = str(graph.density_choice_)
    if groups is not None and hasattr(graph, "group_shares_"):
        size["least_group_shares"] = _least_shares(graph, groups)
    certificate = {
        "relative_duality_gap": float(graph.dual_gap_),
        "largest_weight_error": float(graph.weight_error_) if np.isfinite(graph.weight_error_) else None,
        "proved_optimal": bool(graph.is_exact_),
        "pairs": graph.neighbors_,
    }
    parameters = {name: float(getattr(graph, f"{name}_")) for name in _PARAMETERS if hasattr(graph, f"{name}_")}
    return size | certificate | parameters


def _least_shares(graph: Any, groups: np.ndarray) -> dict[str, float]:
    """Return, for each group, the least share of its weight that a node of another group has for it."""
    return {
        str(label): float(shares[groups != label].min())
        for label, shares in zip(graph.groups_, graph.group_shares_.T, strict=True)
    }
