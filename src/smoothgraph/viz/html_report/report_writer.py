"""Write the report of one or several graphs."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator

from smoothgraph.estimators.stability import EdgeStability
from smoothgraph.io import GraphFile, atomic_write
from smoothgraph.support.adjacency import adjacency_of
from smoothgraph.support.input_error import InputError
from smoothgraph.viz.html_report.html_page import render_page
from smoothgraph.viz.html_report.map_background import map_background
from smoothgraph.viz.html_report.payload import make_payload
from smoothgraph.viz.html_report.shown_graphs import Shown, show
from smoothgraph.viz.palettes import find_palette
from smoothgraph.viz.per_node import check_positions
from smoothgraph.viz.places import project


def write_report(  # noqa: PLR0913 (each option is a part of the page)
    path: Path | str,
    graphs: Any,
    *,
    names: Iterable[Any] | None = None,
    attributes: Mapping[str, Any] | None = None,
    positions: Any = None,
    places: Any = None,
    stability: Any = None,
    times: Sequence[Any] | None = None,
    title: str = "A learned graph",
    notes: str = "",
    palette: str | Sequence[str] | None = None,
    settings: Mapping[str, Any] | None = None,
) -> None:
    """Write an interactive page about one graph, about the graphs of a density path, or about graphs over time.

    The file needs no network and no other file, and no text in it can run as code. It shows the graph (zoom, drag,
    hover, search, colors, filters), its statistics and its certificate of optimality, its strongest edges and, for
    several graphs, a slider over their densities or times. What it shows can be saved as PNG, SVG and CSV, and
    printed. Beyond 20,000 nodes, it shows regions, and beyond 300,000 different edges in all, the heaviest edges; a
    note says so.

    Parameters
    ----------
    path : path
        The HTML file to write.
    graphs : fitted graph learner, or a sequence of them
        Graphs of the same nodes, in any order, for example from :func:`smoothgraph.density_path`. Symmetric
        adjacencies and :class:`smoothgraph.io.GraphFile` also work, but have no certificate. The result of
        :func:`smoothgraph.edge_stability` is a graph with its ``stability``.
    names : iterable, optional
        One name per node; by default the learner's ``node_names_``, or else 0, 1, 2, ...
    attributes : mapping, optional
        Attributes to color the nodes by: a name, and one value per node, which may be a number, string or category.
        None and NaN are missing values. The page opens in the colors of the first attribute.
    positions : (m, 2) array, optional
        The positions of the nodes; by default, the :func:`~smoothgraph.viz.layout` of the graph with the median
        density, which the page shows first.
    places : (m, 2) array, optional
        The latitudes and longitudes of the nodes, instead of ``positions``. The page has a map.
    stability : symmetric sparse matrix, optional
        The share of resamples in which each edge came back. The page has a threshold for it, and edges below one half
        are dashed.
    times : sequence, optional
        One text or date per graph, such as the first days of the windows of a :class:`smoothgraph.TimeVaryingGraph`,
        whose ``adjacencies_`` are the graphs. The slider then goes through the graphs in the order given, and the
        layout is that of their mean.
    title : str
        The heading of the page.
    notes : str
        A text below the heading. Empty lines separate paragraphs.
    palette : str or list of str, optional
        The colors, as in :func:`draw_graph`.
    settings : mapping, optional
        Names and values to list, such as the input file and the options that produced the graph; by default, the
        model and those of its parameters that differ from their defaults.

    Examples
    --------
    .. code-block:: python

        graphs = density_path(table, [4, 8, 16])
        write_report("graph.html", graphs, attributes={"label": y}, title="Digits")
    """
    colors = find_palette(palette)
    _, payload = collect(
        graphs,
        names=names,
        attributes=attributes,
        positions=positions,
        places=places,
        stability=stability,
        times=times,
        settings=settings,
    )
    page = render_page(str(title), str(notes), payload | {"palette": asdict(colors)})
    with atomic_write(path) as temporary:
        temporary.write_bytes(page)


def collect(
    graphs: Any,
    *,
    names: Iterable[Any] | None = None,
    attributes: Mapping[str, Any] | None = None,
    positions: Any = None,
    places: Any = None,
    stability: Any = None,
    times: Sequence[Any] | None = None,
    settings: Mapping[str, Any] | None = None,
) -> tuple[Shown, dict[str, Any]]:
    """Return what a page shows, and its data, from the arguments of :func:`write_report`."""
    if isinstance(graphs, EdgeStability):
        graphs, stability = graphs.learner, graphs.frequency if stability is None else stability
    sequence = list(graphs) if isinstance(graphs, Sequence) else [graphs]
    adjacencies = [adjacency_of(graph) for graph in sequence]
    n_nodes = _check_nodes(adjacencies)
    given, stretch = _place(positions, places, n_nodes)
    order = list(range(len(sequence)))
    if times is None:
        order.sort(key=lambda k: adjacencies[k].nnz)
    elif len(times) != len(sequence):
        raise InputError(f"Expected one time per graph, {len(sequence)}, got {len(times)}.")
    middle = order[len(order) // 2]
    shown = show(
        [sequence[k] for k in order],
        [adjacencies[k] for k in order],
        names=_names_of(sequence[middle], n_nodes) if names is None else names,
        attributes={} if attributes is None else attributes,
        positions=given,
        stability=None if stability is None else _check_stability(stability, n_nodes),
    )
    return shown, make_payload(
        shown,
        positions=_lay_out(shown, over_time=times is not None) if shown.positions is None else shown.positions,
        background=None if stretch is None or given is None else map_background(given, stretch),
        settings={
            **(_settings_of(sequence[middle]) if settings is None else settings),
            "smoothgraph": version("smoothgraph"),
        },
        times=times,
    )


def _check_nodes(adjacencies: list[sp.csr_array]) -> int:
    """Return the number of nodes, or raise an InputError unless there are graphs, and of the same nodes."""
    sizes = sorted({W.shape[0] for W in adjacencies})
    if not sizes:
        raise InputError("Expected at least one graph, got none; learn one first.")
    if len(sizes) > 1:
        raise InputError(
            f"Expected graphs of the same nodes, got graphs of {' and '.join(map(str, sizes))} "
            "nodes; write one report for each."
        )
    return sizes[0]


def _place(positions: Any, places: Any, n_nodes: int) -> tuple[np.ndarray | None, float | None]:
    """Return the positions, if any are given, and on a map by how much it stretches latitudes."""
    if places is None:
        return None if positions is None else check_positions(positions, n_nodes), None
    if positions is not None:
        raise InputError("Expected positions or places, got both; places are latitudes and longitudes.")
    latitude, longitude = check_positions(places, n_nodes).T
    return project(latitude, longitude, n_nodes)


def _check_stability(stability: Any, n_nodes: int) -> sp.csr_array:
    """Return the shares as a sparse matrix, or raise an InputError."""
    shares = adjacency_of(stability)
    if shares.shape[0] != n_nodes or shares.max() > 1:
        raise InputError(
            f"Expected the stability of edges between {n_nodes} nodes, from 0 to 1, got {shares.shape[0]} nodes and "
            f"values up to {shares.max():g}; use the frequency that edge_stability returns."
        )
    return shares


def _lay_out(shown: Shown, *, over_time: bool) -> np.ndarray:
    """Return the layout of the mean of the graphs over time, or of the graph with the median density."""
    from smoothgraph.viz.node_layout import layout  # deferred: Numba takes a while

    graphs = [graph.W for graph in shown.graphs]
    return layout(sum(graphs[1:], graphs[0]) / len(graphs) if over_time else graphs[len(graphs) // 2])


def _names_of(graph: Any, n_nodes: int) -> Iterable[Any]:
    return graph.ids if isinstance(graph, GraphFile) else getattr(graph, "node_names_", range(n_nodes))


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
