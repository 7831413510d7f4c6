"""What a notebook shows of a learned graph: the facts in words, and a small picture."""

from html import escape
from typing import Any

import numpy as np
import scipy.sparse as sp

from smoothgraph.support.adjacency import adjacency_of, bridges_of, without_edges
from smoothgraph.support.connectivity import n_components, n_isolated
from smoothgraph.support.wording import agree
from smoothgraph.viz.html_report.payload import describe_proof
from smoothgraph.viz.node_layout import layout
from smoothgraph.viz.palettes import DEFAULT

MOST_DRAWN = 2000  # nodes, beyond which the layout takes too long for a cell
_MOST_LINES = 20_000
_EXTENT = 1000  # of the picture, in its own units, which are whole numbers
_MARGIN = 20
_PIXELS = 300
_BRIDGE = "#be185d"
_STYLE = (
    "<style>.smoothgraph-card{display:flex;flex-wrap:wrap;gap:8px 20px;align-items:center;margin:8px 0;"
    "font:13px/1.6 system-ui,sans-serif}.smoothgraph-facts{display:grid;grid-template-columns:auto minmax(0,320px);"
    "gap:0 14px;overflow-wrap:anywhere}</style>"
)


def render_card(graph: Any) -> str:
    """Return the HTML of a fitted learner's graph; one that is still on workers stays there, and has no picture."""
    W = None if "adjacency_" not in vars(graph) else adjacency_of(graph)
    facts = _count_on_workers(graph) if W is None else _count(graph, W)
    facts |= _describe_certificate(graph)
    told = getattr(graph, "_told", ())
    if told:
        facts[agree(len(told), "Warning", "Warnings")] = " ".join(told)
    picture = ""
    if W is not None and W.shape[0] <= MOST_DRAWN:
        picture = _draw(W, bridges_of(graph))
    else:
        facts["Picture"] = f"Only up to {MOST_DRAWN:,} nodes. Call plot() or explore() to see this graph."
    rows = "".join(f"<b>{escape(name)}</b><span>{escape(value)}</span>" for name, value in facts.items())
    return f'{_STYLE}<div class="smoothgraph-card"><div class="smoothgraph-facts">{rows}</div>{picture}</div>'


def _count(graph: Any, W: sp.csr_array) -> dict[str, str]:
    neighbors = np.diff(W.indptr)
    isolated = n_isolated(W)
    parts = n_components(W)
    alone = f", {isolated:,} of them isolated {agree(isolated, 'node', 'nodes')}" if isolated else ""
    return _name_counts(
        n_nodes=W.shape[0],
        density=f"{neighbors.mean():.1f} on average, from {neighbors.min():,} to {neighbors.max():,}",
        n_edges=W.nnz // 2,
        components=f"{parts:,}{alone}",
        n_bridges=len(bridges_of(graph)) if getattr(graph, "connected", False) else None,
    )


def _count_on_workers(graph: Any) -> dict[str, str]:
    n_nodes, n_edges = graph.graph_.n_nodes, int(graph.graph_.n_edges)
    return _name_counts(
        n_nodes=n_nodes,
        density=f"{2 * n_edges / n_nodes:.1f} on average",
        n_edges=n_edges,
        components=f"{graph.n_components_:,}",
        n_bridges=len(bridges_of(graph)) if graph.connected else None,
    )


def _name_counts(*, n_nodes: int, density: str, n_edges: int, components: str, n_bridges: int | None) -> dict[str, str]:
    counts = {"Nodes": f"{n_nodes:,}", "Neighbors per node": density, "Edges": f"{n_edges:,}", "Components": components}
    return counts if n_bridges is None else counts | {"Bridges": f"{n_bridges:,}"}


def _describe_certificate(graph: Any) -> dict[str, str]:
    """Return what is proved of the graph, in words; nothing for methods without a proof."""
    if not hasattr(graph, "is_exact_"):
        return {}
    scope = "This is the optimum over all pairs of nodes." if graph.is_exact_ else _capitalize(describe_proof(graph))
    error = graph.relative_weight_error_
    within = f" No weight is off by more than {100 * error:.1g}% of the mean weight." if error < 1 else ""
    if within and not graph.is_exact_:
        within = within.replace(" No", " Among the pairs that were looked at, no")
    return {"Proved" if graph.is_exact_ else "Proved optimal": f"{scope}{within}"}


def _capitalize(proof: str) -> str:
    return f"{proof[0].upper()}{proof[1:]}."


def _draw(W: sp.csr_array, bridges: np.ndarray) -> str:
    """Return an SVG whose lines take the color of the text around it, so that it suits light and dark themes."""
    places = layout(W) * [1, -1]
    extent = np.ptp(places, axis=0).max() or 1.0
    at = np.rint((places - places.min(axis=0)) / extent * _EXTENT).astype(int) + _MARGIN
    wide, high = at.max(axis=0) + _MARGIN
    dot = float(np.clip(500 / np.sqrt(len(at)), 8, 40))
    upper = sp.triu(without_edges(W, bridges) if len(bridges) else W, k=1).tocoo()
    heaviest = np.argsort(-upper.data, kind="stable")[:_MOST_LINES]
    edges = np.column_stack([upper.row, upper.col])[heaviest]
    scale = _PIXELS / max(wide, high)
    return (
        f'<svg role="img" aria-label="The learned graph" width="{scale * wide:.0f}" height="{scale * high:.0f}" '
        f'viewBox="0 0 {wide} {high}" fill="none" stroke-linecap="round">'
        f'<path d="{_lines(at, edges)}" stroke="currentColor" stroke-opacity="0.35" stroke-width="{dot / 7:.1f}"/>'
        f'<path d="{_lines(at, bridges)}" stroke="{_BRIDGE}" stroke-dasharray="14 10" stroke-width="5"/>'
        f'<path d="{"".join(f"M{x} {y}h0" for x, y in at)}" stroke="{DEFAULT.categories[0]}" stroke-width="{dot:.0f}"/>'
        "</svg>"
    )


def _lines(at: np.ndarray, edges: np.ndarray) -> str:
    starts, ends = at[edges[:, 0]], at[edges[:, 1]]
    return "".join(f"M{x} {y}l{dx} {dy}" for (x, y), (dx, dy) in zip(starts, ends - starts, strict=True))
