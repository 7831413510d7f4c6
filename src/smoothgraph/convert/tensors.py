"""Graphs of PyTorch Geometric."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import scipy.sparse as sp

from smoothgraph.convert.node_attributes import choose_names
from smoothgraph.support.adjacency import adjacency_of
from smoothgraph.support.optional import load_optional


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
        node_names=choose_names(graph, names, W.shape[0]),
    )
