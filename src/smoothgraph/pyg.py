"""Learned graphs for PyTorch Geometric: ``LearnedGraph`` stands where ``KNNGraph`` was."""

from typing import Any

import numpy as np
from sklearn.base import clone

from smoothgraph.convert import to_pyg
from smoothgraph.estimators.graph_learner import check_learner
from smoothgraph.estimators.smooth import SmoothGraph
from smoothgraph.support.input_error import InputError
from smoothgraph.support.optional import load_optional

_torch = load_optional("torch", needed_by="smoothgraph.pyg", extra="pyg")
_data = load_optional("torch_geometric.data", needed_by="smoothgraph.pyg", extra="pyg")
_BaseTransform: Any = load_optional(
    "torch_geometric.transforms", needed_by="smoothgraph.pyg", extra="pyg"
).BaseTransform


@_data.datapipes.functional_transform("learned_graph")
class LearnedGraph(_BaseTransform):
    """Learn the graph of the nodes from ``data.pos``, or from ``data.x`` if there are no positions.

    Its functional name is ``learned_graph``. ``data.edge_index`` gets every edge in both directions, sorted by row, and
    ``data.edge_attr`` the weights, one number per edge. They are divided by their mean in each graph, because layers
    such as ``GCNConv`` add loops of weight 1. Edges that were there before are replaced. In a batch, every graph is
    learned on its own. A graph of one node has no edges.

    Parameters
    ----------
    learner : graph learner, optional
        A copy of it learns each graph; by default, :class:`~smoothgraph.SmoothGraph`.
    attribute : str, optional
        What the graph is learned from, such as "x", if not from "pos".

    Examples
    --------
    .. code-block:: python

        data = smoothgraph.pyg.LearnedGraph()(data)  # instead of KNNGraph(k=10)(data)
        GCNConv(16, 4)(data.x, data.edge_index, data.edge_attr)
    """

    def __init__(self, learner: Any = None, *, attribute: str | None = None) -> None:
        self.learner = SmoothGraph() if learner is None else learner
        self.attribute = attribute
        check_learner(self.learner, "LearnedGraph")

    def forward(self, data: Any) -> Any:
        """Return the data with the learned edges."""
        if isinstance(data, _data.Batch):
            return _data.Batch.from_data_list([self.forward(part) for part in data.to_data_list()])
        signals = self._signals(data)
        number = np.zeros(len(signals), dtype=int) if data.batch is None else data.batch.cpu().numpy()
        edges, weights = [np.empty((2, 0), dtype=np.int64)], [np.empty(0, dtype=np.float32)]
        for k in np.unique(number):
            nodes = np.flatnonzero(number == k)
            if len(nodes) > 1:
                learned = to_pyg(clone(self.learner).fit(signals[nodes]).adjacency_)
                edges.append(nodes[learned.edge_index.numpy()])
                weights.append((learned.edge_weight / learned.edge_weight.mean()).numpy())
        joined = np.concatenate(edges, axis=1)
        order = np.lexsort(joined[::-1])
        data.edge_index = _torch.from_numpy(joined[:, order]).to(data[self._source(data)].device)
        data.edge_attr = _torch.from_numpy(np.concatenate(weights)[order]).to(data.edge_index.device)
        return data

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.learner!r})"

    def _source(self, data: Any) -> str:
        if self.attribute is not None:
            return self.attribute
        return "x" if data.pos is None else "pos"

    def _signals(self, data: Any) -> np.ndarray:
        """What the graph is learned from: one row per node."""
        source = self._source(data)
        values: Any = data.get(source, None)
        if not _torch.is_tensor(values):
            raise InputError(
                f"Expected a tensor data.{source} with one row per node, got "
                f"{'none' if values is None else type(values).__name__}; set it, or name another as attribute=."
            )
        if values.layout != _torch.strided:
            values = values.to_dense()
        rows = values.detach().cpu().numpy()
        return rows.reshape(len(rows), -1)
