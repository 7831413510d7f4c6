"""A learned graph as one HTML file to look at, search in and hand on: :func:`write_report`."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator

from smoothgraph.io import atomic_write
from smoothgraph.support.adjacency import adjacency_of
from smoothgraph.viz.report.page import as_page
from smoothgraph.viz.report.payload import payload_of

__all__ = ["MOST_EDGES", "MOST_NODES", "write_report"]

MOST_NODES = 20_000
MOST_EDGES = 300_000


def write_report(
    path: Path | str,
    graphs: Any,
    *,
    names: Iterable[Any] | None = None,
    attributes: Mapping[str, Any] | None = None,
    positions: Any = None,
    title: str = "A learned graph",
    settings: Mapping[str, Any] | None = None,
) -> None:
    """Write an interactive page about one graph, or about the graphs of a density path.

    The file needs no network and no other file, and no text in it can run as code. It shows the
    graph (zoom, drag, hover, search, colours), its statistics and proof of optimality, its
    strongest edges, and with several graphs a slider over their densities. Nothing is left out of
    it: graphs of more than 20,000 nodes, or more than 300,000 edges in all, are refused.

    Parameters
    ----------
    path : path
        The HTML file.
    graphs : fitted graph learner, or a sequence of them
        Graphs of the same nodes, for example from :func:`smoothgraph.density_path`, in any order.
        Symmetric adjacencies will do; they come without a proof.
    names : iterable, optional
        One name per node; by default the learner's ``node_names_``, or else 0, 1, 2, ...
    attributes : mapping, optional
        What nodes can be coloured by: name -> one value per node, numbers, strings or categories;
        None and NaN are missing. The page opens in the colours of the first.
    positions : (m, 2) array, optional
        Where to draw the nodes; by default the :func:`~smoothgraph.viz.layout.layout` of the
        graph in the middle of the densities, with which the page opens.
    title : str
        The heading.
    settings : mapping, optional
        Names and values to list, such as the file and the options that the graph comes from; by
        default the model and those of its parameters that are not the default.

    Examples
    --------
    .. code-block:: python

        graphs = density_path(table, [4, 8, 16])
        write_report("graph.html", graphs, attributes={"label": y}, title="Digits")
    """
    sequence = list(graphs) if isinstance(graphs, Sequence) else [graphs]
    ordered, adjacencies = _from_sparse_to_dense(sequence)
    _check_size(adjacencies)
    n_nodes = adjacencies[0].shape[0]
    middle = len(ordered) // 2
    own_names = getattr(ordered[middle], "node_names_", range(n_nodes))
    if positions is None:
        from smoothgraph.viz.layout import (
            layout,  # deferred: its compiled code is not always needed
        )

        positions = layout(adjacencies[middle])
    content = payload_of(
        ordered,
        adjacencies,
        names=own_names if names is None else names,
        attributes={} if attributes is None else attributes,
        positions=_checked_positions(positions, n_nodes),
        settings=_with_version(_settings_of(ordered[middle]) if settings is None else settings),
    )
    text = as_page(str(title), content)
    with atomic_write(path) as temporary:
        temporary.write_bytes(text)


def _from_sparse_to_dense(graphs: list[Any]) -> tuple[list[Any], list[sp.csr_array]]:
    if not graphs:
        raise ValueError("Expected at least one graph, got none; learn one first.")
    adjacencies = [adjacency_of(graph) for graph in graphs]
    sizes = sorted({W.shape[0] for W in adjacencies})
    if len(sizes) > 1:
        raise ValueError(
            f"Expected graphs of the same nodes, got graphs of {' and '.join(map(str, sizes))} "
            "nodes; write a report for each."
        )
    order = sorted(range(len(graphs)), key=lambda k: adjacencies[k].nnz)
    return [graphs[k] for k in order], [adjacencies[k] for k in order]


def _check_size(adjacencies: list[sp.csr_array]) -> None:
    n_nodes, n_edges = adjacencies[0].shape[0], sum(adjacencies).nnz // 2
    if n_nodes > MOST_NODES:
        raise ValueError(
            f"A report shows at most {MOST_NODES} nodes, got {n_nodes}; take some of them, for "
            "example graph.adjacency_[rows][:, rows] with the rows of a class or a cluster."
        )
    if n_edges > MOST_EDGES:
        raise ValueError(
            f"A report shows at most {MOST_EDGES} edges, of all its graphs together, got "
            f"{n_edges}; take fewer edges per node or fewer nodes."
        )


def _checked_positions(positions: Any, n_nodes: int) -> np.ndarray:
    result = np.asarray(positions, dtype=np.float64)
    if result.shape != (n_nodes, 2) or not np.all(np.isfinite(result)):
        raise ValueError(
            f"Expected positions of shape {(n_nodes, 2)}, all finite, got shape {result.shape} "
            f"with {np.sum(~np.isfinite(result))} values that are not; leave positions out to "
            "have them computed."
        )
    return result


def _settings_of(graph: Any) -> dict[str, Any]:
    """The model, and what was chosen other than by default."""
    if not isinstance(graph, BaseEstimator):
        return {}
    default = type(graph)().get_params(deep=False)
    chosen = {
        name: value
        for name, value in graph.get_params(deep=False).items()
        if name != "edges_per_node" and repr(value) != repr(default[name])
    }
    return {"model": type(graph).__name__} | chosen


def _with_version(settings: Mapping[str, Any]) -> dict[str, Any]:
    from smoothgraph import __version__  # deferred: the package may be in the middle of its import

    return {**settings, "smoothgraph": __version__}
