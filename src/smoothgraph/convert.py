"""Convert graphs for other packages. Weights, names and isolated nodes are kept.

Every function takes a fitted graph learner or a symmetric adjacency matrix, sparse or dense. The other packages are
optional.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np
import scipy.sparse as sp

from smoothgraph.estimators.graph_learner import GraphLearner, check_learner
from smoothgraph.estimators.graph_neighbors import Nearest, nearest_nodes
from smoothgraph.io.graph_file import list_edges
from smoothgraph.support.adjacency import adjacency_of
from smoothgraph.support.checks import check_count
from smoothgraph.support.input_error import InputError
from smoothgraph.support.optional import load_optional


def to_networkx(graph: Any, *, names: Iterable[Any] | None = None) -> Any:
    """Return a ``networkx.Graph`` of the node names, with the edge attribute "weight".

    Parameters
    ----------
    graph : fitted graph learner, or symmetric adjacency
        The graph; isolated nodes are kept.
    names : iterable, optional
        One name per node, all different; by default the learner's ``node_names_``, or else 0, 1, 2, ...

    Examples
    --------
    .. code-block:: python

        graph = LogDegreeGraph(edges_per_node=8).fit(table)
        networkx.pagerank(to_networkx(graph))
    """
    networkx = load_optional("networkx", needed_by="to_networkx", extra="networkx")
    W = adjacency_of(graph)
    labels = _check_distinct(_choose_names(graph, names, W.shape[0]))
    edges = (column.tolist() for column in list_edges(W))
    result = networkx.Graph()
    result.add_nodes_from(labels)
    result.add_weighted_edges_from((labels[i], labels[j], weight) for i, j, weight in zip(*edges, strict=True))
    return result


def to_igraph(graph: Any, *, names: Iterable[Any] | None = None) -> Any:
    """Return an ``igraph.Graph`` with the vertex attribute "name" and the edge attribute "weight".

    Parameters
    ----------
    graph, names
        As in :func:`to_networkx`. Names become strings, by which igraph looks up vertices.

    Examples
    --------
    .. code-block:: python

        graph = LogDegreeGraph(edges_per_node=8).fit(table)
        to_igraph(graph).community_leiden("modularity", weights="weight")
    """
    igraph = load_optional("igraph", needed_by="to_igraph", extra="igraph")
    W = adjacency_of(graph)
    labels = _check_distinct([str(name) for name in _choose_names(graph, names, W.shape[0])])
    source, target, weights = (column.tolist() for column in list_edges(W))
    return igraph.Graph(
        n=W.shape[0],
        edges=list(zip(source, target, strict=True)),
        directed=False,
        vertex_attrs={"name": labels},
        edge_attrs={"weight": weights},
    )


def to_pyg(graph: Any, *, names: Iterable[Any] | None = None) -> Any:
    """Return a ``torch_geometric.data.Data`` with every edge in both directions.

    ``edge_index`` (int64) is sorted by row, ``edge_weight`` is float32 like the parameters of the layers, and
    ``node_names`` is a list. ``x``, also float32, holds the rows of a learner, unless they are sparse.

    Parameters
    ----------
    graph, names
        As in :func:`to_networkx`, but names may repeat. ``num_nodes`` includes isolated nodes.

    Examples
    --------
    .. code-block:: python

        data = to_pyg(LogDegreeGraph(edges_per_node=8).fit(table))
        GCNConv(16, 4)(data.x, data.edge_index, data.edge_weight)
    """
    torch_geometric = load_optional("torch_geometric", needed_by="to_pyg", extra="pyg")
    torch = load_optional("torch", needed_by="to_pyg", extra="pyg")
    W = adjacency_of(graph)
    coo = W.tocoo()
    rows = getattr(graph, "signals_", None)
    return torch_geometric.data.Data(
        x=None if rows is None or sp.issparse(rows) else torch.from_numpy(rows.astype(np.float32)),
        edge_index=torch.from_numpy(np.stack([coo.row, coo.col]).astype(np.int64)),
        edge_weight=torch.from_numpy(coo.data.astype(np.float32)),
        num_nodes=W.shape[0],
        node_names=_choose_names(graph, names, W.shape[0]),
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


def to_knn(graph: Any, n_neighbors: int) -> Nearest:
    """Return the ``nodes`` nearest to each node along the edges, and the ``lengths`` of the paths: two arrays.

    Both have ``n_neighbors`` columns, and the first is the node itself, as in UMAP. A neighbor that is joined by an
    edge is at the length of that edge, unless there is a shorter path.

    Parameters
    ----------
    graph : fitted graph learner
        The graph, whose ``distances_`` are the lengths of its edges. It should be connected.
    n_neighbors : int
        How many nodes to return, with the node itself.

    Examples
    --------
    .. code-block:: python

        knn = to_knn(SmoothGraph().fit(X), 15)
        UMAP(n_neighbors=15, precomputed_knn=tuple(knn), force_approximation_algorithm=True).fit_transform(X)
    """
    check_learner(graph, "to_knn")
    return nearest_nodes(graph.distances_, check_count("n_neighbors", n_neighbors, minimum=2))


def to_anndata(adata: Any, graph: Any, *, distances: Any = None, key_added: str | None = None) -> None:
    """Write the graph into ``adata`` where ``scanpy.pp.neighbors`` would write its own.

    The tools of scanpy then use it: ``sc.tl.leiden``, ``sc.tl.umap``, ``sc.tl.paga``, ...

    - ``adata.obsp["connectivities"]``: the weights, scaled so that the largest is 1, as scanpy's lie in (0, 1];
    - ``adata.obsp["distances"]``: the distances on the edges of the graph;
    - ``adata.uns["neighbors"]``: the two keys, and the parameters that scanpy reads. ``n_neighbors`` is the rounded
      mean number of neighbors plus one, because scanpy counts the node itself; ``method`` is "smoothgraph", which
      ``sc.tl.umap`` logs; ``metric`` is the learner's, or "euclidean" if there is none.

    Parameters
    ----------
    adata : AnnData
        Its rows are the nodes, in the order of the graph. It is modified in place.
    graph : fitted graph learner, or symmetric adjacency
        The graph to write.
    distances : square matrix, optional
        A sparse matrix is stored unchanged, a dense one on the edges of the graph. The default is the learner's
        ``distances_``. For an adjacency matrix, it is ``1 / connectivities``, of which only the order is meaningful.
    key_added : str, optional
        As in scanpy, write to ``adata.uns[key_added]``, ``adata.obsp[key_added + "_connectivities"]`` and
        ``adata.obsp[key_added + "_distances"]`` instead.

    Examples
    --------
    .. code-block:: python

        to_anndata(adata, LogDegreeGraph(edges_per_node=15).fit(adata.obsm["X_pca"]))
        sc.tl.leiden(adata)
        sc.tl.umap(adata)
    """
    if not hasattr(adata, "obsp"):
        raise TypeError(f"Expected an AnnData first and the graph second, got a {type(adata).__name__} first.")
    W = adjacency_of(graph)
    if adata.n_obs != W.shape[0]:
        raise InputError(
            f"Expected an AnnData with one row per node, {W.shape[0]}, got {adata.n_obs} rows; "
            "learn the graph from the rows of this AnnData, or select the rows that are nodes."
        )
    if W.nnz:
        W.data /= W.data.max()
    lengths = _choose_distances(graph, W, distances)
    metric = graph.measure.name if isinstance(graph, GraphLearner) else "precomputed"
    prefix = "" if key_added is None else f"{key_added}_"
    adata.uns["neighbors" if key_added is None else key_added] = {
        "connectivities_key": f"{prefix}connectivities",
        "distances_key": f"{prefix}distances",
        "params": {
            "n_neighbors": round(W.nnz / W.shape[0]) + 1,
            "method": "smoothgraph",
            "random_state": 0,
            "metric": "euclidean" if metric in ("sqeuclidean", "precomputed") else metric,
        },
    }
    adata.obsp[f"{prefix}distances"] = sp.csr_matrix(lengths)
    adata.obsp[f"{prefix}connectivities"] = sp.csr_matrix(W)


def _choose_names(graph: Any, names: Iterable[Any] | None, n_nodes: int) -> list[Any]:
    """Return one name per node as Python objects, except that dates stay NumPy scalars."""
    if names is None:
        names = graph.node_names_ if isinstance(graph, GraphLearner) else range(n_nodes)
    if isinstance(names, np.ndarray) and names.dtype.kind not in "mM":
        names = names.tolist()
    labels = list(names)
    if len(labels) != n_nodes:
        raise InputError(
            f"Expected one name per node, {n_nodes}, got {len(labels)}; add or remove names, or leave them out."
        )
    return labels


def _check_distinct(labels: list[Any]) -> list[Any]:
    repeated = [label for label, count in Counter(labels).items() if count > 1]
    if repeated:
        raise InputError(
            f"Expected all names to be different, got {repeated[0]!r} more than once; "
            f"pass other names, for example names=range({len(labels)})."
        )
    return labels


def _choose_distances(graph: Any, connectivities: sp.csr_array, given: Any) -> Any:
    """Return the distances that ``to_anndata`` stores, as documented there."""
    has_lengths = isinstance(graph, GraphLearner) and (graph.signals_ is not None or "distances_" in vars(graph))
    result, coo = connectivities.copy(), connectivities.tocoo()
    if given is not None:
        if np.shape(given) != connectivities.shape:
            raise InputError(
                f"Expected distances of shape {connectivities.shape}, got {np.shape(given)}; "
                "give one row and one column per node."
            )
        if sp.issparse(given):
            return given
        result.data = np.asarray(given, dtype=float)[coo.row, coo.col]
    elif has_lengths:
        return graph.distances_
    else:
        result.data = 1 / result.data
    return result
