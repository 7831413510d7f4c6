"""Graphs of NetworkX, igraph, and PyGSP."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import scipy.sparse as sp

from smoothgraph.convert.node_attributes import check_distinct, choose_names, list_attributes, mark_bridges
from smoothgraph.io.graph_file import list_edges
from smoothgraph.support.adjacency import adjacency_of
from smoothgraph.support.input_error import InputError
from smoothgraph.support.optional import load_optional


def to_networkx(graph: Any, *, names: Iterable[Any] | None = None, attributes: Any = None) -> Any:
    """Return a ``networkx.Graph`` of the node names, with the edge attributes "weight" and "bridge".

    "bridge" is whether an edge was not learned, but added to connect the graph.

    Parameters
    ----------
    graph : fitted graph learner, or symmetric adjacency
        The graph; isolated nodes are kept.
    names : iterable, optional
        One name per node, all different; by default the learner's ``node_names_``, or else 0, 1, 2, ...
    attributes : mapping or DataFrame, optional
        More of the nodes, such as their classes: one value per node, in the order of the nodes, for each name.

    Examples
    --------
    .. code-block:: python

        graph = LogDegreeGraph(edges_per_node=8).fit(table)
        networkx.pagerank(to_networkx(graph))
    """
    networkx = load_optional("networkx", needed_by="to_networkx", extra="networkx")
    W = adjacency_of(graph)
    labels = check_distinct(choose_names(graph, names, W.shape[0]))
    source, target, weights = list_edges(W)
    edges = zip(source.tolist(), target.tolist(), weights.tolist(), mark_bridges(graph, source, target), strict=True)
    result = networkx.Graph()
    result.add_nodes_from(labels)
    result.add_edges_from((labels[i], labels[j], {"weight": w, "bridge": bridge}) for i, j, w, bridge in edges)
    for name, values in list_attributes(attributes, W.shape[0]).items():
        networkx.set_node_attributes(result, dict(zip(labels, values, strict=True)), name)
    return result


def to_igraph(graph: Any, *, names: Iterable[Any] | None = None, attributes: Any = None) -> Any:
    """Return an ``igraph.Graph`` with the vertex attribute "name" and the edge attributes "weight" and "bridge".

    Parameters
    ----------
    graph, names, attributes
        As in :func:`to_networkx`. Names become strings, by which igraph looks up vertices.

    Examples
    --------
    .. code-block:: python

        graph = LogDegreeGraph(edges_per_node=8).fit(table)
        to_igraph(graph).community_leiden("modularity", weights="weight")
    """
    igraph = load_optional("igraph", needed_by="to_igraph", extra="igraph")
    W = adjacency_of(graph)
    labels = check_distinct([str(name) for name in choose_names(graph, names, W.shape[0])])
    source, target, weights = list_edges(W)
    return igraph.Graph(
        n=W.shape[0],
        edges=np.stack([source, target], axis=1).tolist(),
        directed=False,
        vertex_attrs=list_attributes(attributes, W.shape[0]) | {"name": labels},
        edge_attrs={"weight": weights.tolist(), "bridge": mark_bridges(graph, source, target)},
    )


def to_pygsp(graph: Any) -> Any:
    """Return a ``pygsp2.graphs.Graph`` whose ``W`` is the adjacency matrix.

    PyGSP2 numbers the vertices and stores no names: row k of a signal belongs to node k.

    Parameters
    ----------
    graph : fitted graph learner, or symmetric adjacency
        The graph; isolated nodes are kept.

    Examples
    --------
    .. code-block:: python

        graph = to_pygsp(LogDegreeGraph(edges_per_node=8).fit(table))
        pygsp2.filters.Heat(graph, scale=10).filter(signal)
    """
    pygsp2 = load_optional("pygsp2", needed_by="to_pygsp", extra="pygsp")
    return pygsp2.graphs.Graph(sp.csr_matrix(adjacency_of(graph)))


def from_pygsp(graph: Any) -> sp.csr_array:
    """Return the adjacency matrix of a graph of PyGSP, without loops, for tasks, pictures, and conversions.

    Parameters
    ----------
    graph : graph of pygsp2
        It is undirected.

    Examples
    --------
    .. code-block:: python

        SpectralGraphClustering(4).fit_predict(from_pygsp(pygsp2.graphs.Minnesota()))
    """
    if not sp.issparse(getattr(graph, "W", None)):
        raise InputError(f"Expected a graph of PyGSP, with a sparse matrix W, got a {type(graph).__name__}.")
    return adjacency_of(sp.csr_array(graph.W, dtype=np.float64))
