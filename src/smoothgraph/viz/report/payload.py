"""The data inside a report: a JSON head, and arrays in base64 (little-endian)."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from smoothgraph.support.connectivity import n_isolated
from smoothgraph.viz.report.attributes import attribute
from smoothgraph.viz.report.packing import packed

_PARAMETERS = ("theta", "alpha", "beta", "sigma")
_FLOAT32 = np.finfo(np.float32)


def payload_of(
    graphs: Sequence[Any],
    adjacencies: Sequence[sp.csr_array],
    *,
    names: Iterable[Any],
    attributes: Mapping[str, Any],
    positions: np.ndarray,
    settings: Mapping[str, Any],
) -> dict[str, Any]:
    """What the page shows; ``graphs`` and their ``adjacencies`` from sparse to dense."""
    n_nodes = adjacencies[0].shape[0]
    i, j, weights = union_of_edges(adjacencies)
    return {
        "names": node_labels(names, n_nodes),
        "positions": packed(positions, "<f4"),
        "i": packed(i, "<i4"),
        "j": packed(j, "<i4"),
        "graphs": [
            _graph(graph, W, w) for graph, W, w in zip(graphs, adjacencies, weights, strict=True)
        ],
        "start": len(graphs) // 2,
        "attributes": [
            attribute(str(name), values, n_nodes) for name, values in attributes.items()
        ],
        "settings": [[str(name), str(value)] for name, value in settings.items()],
    }


def union_of_edges(
    adjacencies: Sequence[sp.csr_array],
) -> tuple[np.ndarray, np.ndarray, list[np.ndarray]]:
    """The pairs joined in any graph, heaviest last, and their float32 weights in every graph.

    A weight is 0 where a graph does not have the edge, and only there.
    """
    n_nodes = adjacencies[0].shape[0]
    uppers = [sp.triu(W, k=1).tocoo() for W in adjacencies]
    numbers = [upper.row.astype(np.int64) * n_nodes + upper.col for upper in uppers]
    pairs = np.unique(np.concatenate(numbers))
    weights = np.zeros((len(uppers), len(pairs)), dtype=np.float32)
    for row, number, upper in zip(weights, numbers, uppers, strict=True):
        row[np.searchsorted(pairs, number)] = np.clip(upper.data, _FLOAT32.tiny, _FLOAT32.max)
    order = np.argsort(weights.max(axis=0), kind="stable")
    return pairs[order] // n_nodes, pairs[order] % n_nodes, list(weights[:, order])


def node_labels(names: Iterable[Any], n_nodes: int) -> list[str]:
    """One text per node; a node whose name is empty is called by its number."""
    if isinstance(names, np.ndarray) and names.dtype.kind not in "mM":
        names = names.tolist()
    labels = [str(name) or f"node {k}" for k, name in enumerate(names)]
    if len(labels) != n_nodes:
        raise ValueError(
            f"Expected one name per node, {n_nodes}, got {len(labels)}; "
            "give as many, or leave names out."
        )
    return labels


def _graph(graph: Any, W: sp.csr_array, weights: np.ndarray) -> dict[str, Any]:
    n_components, components = connected_components(W, directed=False)
    isolated = n_isolated(W)
    edges_per_node = W.nnz / W.shape[0]
    facts = {
        "edges": f"{W.nnz // 2:,}",
        "edges per node": f"{edges_per_node:.2f}",
        "components": f"{n_components:,}",
        "isolated nodes": f"{isolated:,}",
    }
    return {
        "weights": packed(weights, "<f4"),
        "components": packed(_by_size(components), "<i4"),
        "edges_per_node": edges_per_node,
        "n_components": n_components,
        "n_isolated": isolated,
        "facts": list((facts | _certificate(graph) | _parameter(graph)).items()),
    }


def _by_size(labels: np.ndarray) -> np.ndarray:
    """The labels renumbered so that 0 is the most frequent."""
    counts = np.bincount(labels)
    rank = np.empty(len(counts), dtype=np.int64)
    rank[np.argsort(-counts, kind="stable")] = np.arange(len(counts))
    return rank[labels]


def _certificate(graph: Any) -> dict[str, str]:
    """The proof that a learner comes with; a bare adjacency has none."""
    facts = {}
    if hasattr(graph, "dual_gap_"):
        facts["relative duality gap"] = f"{graph.dual_gap_:.1e}"
    if hasattr(graph, "is_exact_"):
        facts["proved optimal over all pairs"] = _proof(graph)
    return facts


def _proof(graph: Any) -> str:
    if graph.is_exact_:
        return "yes"
    if graph.violations_ is None:
        return "no: over the given pairs only"
    if graph.violations_.pairs > 0:
        return f"no: missing pairs {graph.violations_}"
    return "no: the gap is larger than asked for"


def _parameter(graph: Any) -> dict[str, str]:
    return {
        name: f"{getattr(graph, f'{name}_'):.4g}"
        for name in _PARAMETERS
        if hasattr(graph, f"{name}_")
    }
