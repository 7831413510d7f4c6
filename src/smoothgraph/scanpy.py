"""Learned graphs for scanpy: ``neighbors`` stands where ``scanpy.pp.neighbors`` was."""

from typing import Any

import numpy as np
import scipy.sparse as sp

from smoothgraph.convert import to_anndata
from smoothgraph.estimators.smooth import SmoothGraph
from smoothgraph.support.input_error import InputError

_N_PCS = 50  # as in scanpy: with at most so many genes, the cells are given by the genes themselves


def neighbors(
    adata: Any,
    edges_per_node: float | str = 22,
    *,
    n_pcs: int | None = None,
    use_rep: str | None = None,
    groups: str | None = None,
    metric: str = "sqeuclidean",
    key_added: str | None = None,
    copy: bool = False,
) -> Any:
    """Learn a :class:`~smoothgraph.SmoothGraph` of the cells, and write it where ``scanpy.pp.neighbors`` would.

    The tools of scanpy then use it: ``sc.tl.leiden``, ``sc.tl.umap``, ``sc.tl.paga``, ``sc.tl.diffmap``, ... The
    connectivities are the learned weights, divided by the largest, and the distances are those of the edges.

    Parameters
    ----------
    adata : AnnData
        The cells.
    edges_per_node : float or "auto"
        The mean number of neighbors of a cell, 22 by default: about as many as ``scanpy.pp.neighbors`` gives at
        ``n_neighbors=15``, after it has made its graph symmetric. The resolution 1 of ``sc.tl.leiden`` suits it.
    n_pcs : int, optional
        How many columns of the representation to take, all by default. 0 is the same as ``use_rep="X"``.
    use_rep : str, optional
        The key of ``adata.obsm`` that gives the cells, or "X". By default "X_pca", or "X" if there are at most 50
        genes.
    groups : str, optional
        A column of ``adata.obs``, such as the batch. Every cell then has at least a tenth of its weight for each other
        group, see :class:`~smoothgraph.LogDegreeGraph`.
    metric : str
        The distance of two cells, as in :class:`~smoothgraph.LogDegreeGraph`.
    key_added : str, optional
        As in scanpy, write to ``adata.uns[key_added]`` and ``adata.obsp[key_added + "_connectivities"]``.
    copy : bool
        Whether to return a copy instead of writing to ``adata``.

    Returns
    -------
    AnnData or None
        The copy, if there is one.

    Examples
    --------
    .. code-block:: python

        smoothgraph.scanpy.neighbors(adata, n_pcs=30)  # instead of sc.pp.neighbors(adata, n_pcs=30)
        sc.tl.leiden(adata, flavor="igraph", n_iterations=2)
    """
    if not hasattr(adata, "obsm"):
        raise TypeError(f"Expected an AnnData, got a {type(adata).__name__}.")
    adata = adata.copy() if copy else adata
    cells = _representation(adata, use_rep, n_pcs)
    graph = SmoothGraph(edges_per_node, metric=metric).fit(cells, groups=_labels(adata, groups))
    to_anndata(adata, graph, key_added=key_added)
    used = {"use_rep": use_rep, "n_pcs": n_pcs, "groups": groups}
    written = adata.uns["neighbors" if key_added is None else key_added]["params"]
    written |= {name: value for name, value in used.items() if value is not None}
    return adata if copy else None


def _representation(adata: Any, use_rep: str | None, n_pcs: int | None) -> Any:
    """The table that scanpy would take, except that no components are computed."""
    if use_rep is None:
        use_rep = "X" if n_pcs == 0 or adata.n_vars <= _N_PCS else "X_pca"
    if use_rep == "X":
        table = adata.X
    elif use_rep in adata.obsm:
        table = adata.obsm[use_rep]
        if n_pcs is not None:
            if n_pcs > table.shape[1]:
                raise InputError(f"Expected n_pcs of at most {table.shape[1]}, as {use_rep!r} has, got {n_pcs}.")
            table = table[:, :n_pcs]
    else:
        raise InputError(
            f"Expected a key of adata.obsm or 'X', got use_rep={use_rep!r}, and adata.obsm has {sorted(adata.obsm)}; "
            "call sc.pp.pca(adata) first, or use_rep='X'."
        )
    return table if sp.issparse(table) else np.asarray(table)


def _labels(adata: Any, groups: str | None) -> np.ndarray | None:
    if groups is None:
        return None
    if groups not in adata.obs:
        raise InputError(f"Expected a column of adata.obs, got groups={groups!r}; there are {list(adata.obs)}.")
    return np.asarray(adata.obs[groups])
