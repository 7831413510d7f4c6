"""Write the report of one or several graphs."""

from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import scipy.sparse as sp
from sklearn.base import BaseEstimator

from smoothgraph.io import atomic_write
from smoothgraph.support.adjacency import adjacency_of
from smoothgraph.support.input_error import InputError
from smoothgraph.viz.html_report.html_page import render_page
from smoothgraph.viz.html_report.payload import make_payload
from smoothgraph.viz.per_node import check_positions

# Limits that keep the file small, and the page quick to load and to explore.
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

    The file needs no network and no other file, and no text in it can run as code. It shows the graph (zoom, drag,
    hover, search, colors), its statistics and its certificate of optimality, its strongest edges and, for several
    graphs, a slider over their densities. The page shows every node and edge, so the function refuses graphs with
    more than 20,000 nodes, or with more than 300,000 different edges in all.

    Parameters
    ----------
    path : path
        The HTML file to write.
    graphs : fitted graph learner, or a sequence of them
        Graphs of the same nodes, in any order, for example from :func:`smoothgraph.density_path`. Symmetric
        adjacencies also work, but have no certificate.
    names : iterable, optional
        One name per node; by default the learner's ``node_names_``, or else 0, 1, 2, ...
    attributes : mapping, optional
        Attributes to color the nodes by: a name, and one value per node, which may be a number, string or category.
        None and NaN are missing values. The page opens in the colors of the first attribute.
    positions : (m, 2) array, optional
        The positions of the nodes; by default, the :func:`~smoothgraph.viz.layout` of the graph with the median
        density, which the page shows first.
    title : str
        The heading of the page.
    settings : mapping, optional
        Names and values to list, such as the input file and the options that produced the graph; by default, the
        model and those of its parameters that differ from their defaults.

    Examples
    --------
    .. code-block:: python

        graphs = density_path(table, [4, 8, 16])
        write_report("graph.html", graphs, attributes={"label": y}, title="Digits")
    """
    sequence = list(graphs) if isinstance(graphs, Sequence) else [graphs]
    adjacencies = [adjacency_of(graph) for graph in sequence]
    _check_sizes(adjacencies)
    order = sorted(range(len(sequence)), key=lambda k: adjacencies[k].nnz)
    middle = order[len(order) // 2]
    n_nodes = adjacencies[0].shape[0]
    if positions is None:
        from smoothgraph.viz.node_layout import layout  # deferred: Numba takes a while

        positions = layout(adjacencies[middle])
    if settings is None:
        settings = _settings_of(sequence[middle])
    payload = make_payload(
        [sequence[k] for k in order],
        [adjacencies[k] for k in order],
        names=getattr(sequence[middle], "node_names_", range(n_nodes)) if names is None else names,
        attributes={} if attributes is None else attributes,
        positions=check_positions(positions, n_nodes),
        settings={**settings, "smoothgraph": version("smoothgraph")},
    )
    page = render_page(str(title), payload)
    with atomic_write(path) as temporary:
        temporary.write_bytes(page)


def _check_sizes(adjacencies: list[sp.csr_array]) -> None:
    """Raise an InputError unless there are graphs, of the same nodes, and not too large for a page."""
    sizes = sorted({W.shape[0] for W in adjacencies})
    if not sizes:
        raise InputError("Expected at least one graph, got none; learn one first.")
    if len(sizes) > 1:
        raise InputError(
            f"Expected graphs of the same nodes, got graphs of {' and '.join(map(str, sizes))} "
            "nodes; write one report for each."
        )
    if sizes[0] > MOST_NODES:
        raise InputError(
            f"A report shows at most {MOST_NODES} nodes, got {sizes[0]}; select some of them, for "
            "example graph.adjacency_[rows][:, rows] with the rows of a class or a cluster."
        )
    n_edges = sum(adjacencies).nnz // 2
    if n_edges > MOST_EDGES:
        raise InputError(
            f"A report shows at most {MOST_EDGES} edges over all its graphs, got {n_edges}; use "
            "fewer edges per node or fewer nodes."
        )


def _settings_of(graph: Any) -> dict[str, Any]:
    """Return the model and those of its parameters that differ from their defaults."""
    if not isinstance(graph, BaseEstimator):
        return {}
    default = type(graph)().get_params(deep=False)
    chosen = {
        name: value
        for name, value in graph.get_params(deep=False).items()
        if name != "edges_per_node" and repr(value) != repr(default[name])
    }
    return {"model": type(graph).__name__} | chosen
