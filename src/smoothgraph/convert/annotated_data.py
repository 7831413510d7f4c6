"""Graphs in an AnnData, where the tools of scanpy look for them."""

from typing import Any

import numpy as np
import scipy.sparse as sp

from smoothgraph.estimators.graph_learner import GraphLearner
from smoothgraph.support.adjacency import adjacency_of
from smoothgraph.support.input_error import InputError


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
