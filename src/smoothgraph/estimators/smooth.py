"""The graph to use where a k-nearest-neighbor graph was."""

from dataclasses import dataclass, field

import numpy as np

from smoothgraph.candidates.nodes import NodeData
from smoothgraph.estimators.checkpoint import Checkpoint
from smoothgraph.estimators.learning import Start
from smoothgraph.estimators.log_degree import LogDegreeGraph

_FAR_FEWER = 1 / 5  # of the neighbors asked for: a node with less is named
_FEWER, _MANY = 1 / 3, 0.1  # so many times the neighbors asked for, at that share of the nodes, are told of, too


class FewNeighborsWarning(UserWarning):
    """Some nodes have far fewer neighbors than were asked for."""


@dataclass(eq=False, repr=False)
class SmoothGraph(LogDegreeGraph):
    """The graph to use where a k-nearest-neighbor graph was: safe for every node, and connected.

    It is a :class:`LogDegreeGraph` with other defaults. Distances are divided by local scales, so that sparse and
    dense regions get equally many edges. The components are joined by the shortest edges that do. Identical rows are
    one node while the graph is learned. The number of edges per node is chosen from the data unless you ask for one.
    Nodes that still have far fewer neighbors than asked for are named in a :class:`FewNeighborsWarning`.

    Parameters
    ----------
    edges_per_node : "auto" or float
        The mean number of neighbors. "auto" learns denser and denser graphs until no fragments are left (components
        of fewer than 15 nodes), and takes half as many edges more. ``density_choice_`` tells how.
    scale, connected, merge_identical
        As in :class:`LogDegreeGraph`, with the defaults "local", True, and True.
    alpha, beta, metric, nodes, missing, neighbors, solver, tol, max_iter, warm_start, checkpoint, verbose
        As in :class:`LogDegreeGraph`.

    Attributes
    ----------
    density_choice_ : DensityChoice
        With ``edges_per_node="auto"``, how it was chosen. Print it.
    adjacency_, laplacian_, bridges_, n_components_, scale_, dual_gap_, is_exact_, edges_per_node_, ...
        As in :class:`LogDegreeGraph`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from smoothgraph import SmoothGraph
    >>> graph = SmoothGraph().fit(load_iris().data)
    >>> graph.n_components_, graph.is_exact_
    (1, True)
    """

    edges_per_node: float | str | None = "auto"
    scale: str = field(default="local", kw_only=True)
    connected: bool = field(default=True, kw_only=True)
    merge_identical: bool = field(default=True, kw_only=True)

    def learn(self, data: NodeData, start: Start | None = None, checkpoint: Checkpoint | None = None) -> list[Warning]:
        """Learn as any learner does, and tell of nodes with few neighbors."""
        told = super().learn(data, start, checkpoint)
        if "graph_" in vars(self):  # counting them would gather the graph from the workers
            return told
        neighbors, asked = np.diff(self.adjacency_.indptr), self.edges_per_node_
        few = neighbors < _FAR_FEWER * asked
        if not np.any(few):
            few = neighbors < _FEWER * asked
            if np.mean(few) <= _MANY:
                return told
        worst = np.flatnonzero(few)[np.argsort(neighbors[few], kind="stable")]
        named = [f"{self.node_names_[node]} ({neighbors[node]})" for node in worst[:5]] + ["..."] * (len(worst) > 5)
        told.append(
            FewNeighborsWarning(
                f"{len(worst)} of {len(neighbors)} nodes have far fewer neighbors than the mean, which is {asked:.3g}: "
                f"{', '.join(named)}. In parentheses is their number of neighbors. These nodes may be outliers, or "
                "near-copies of each other. Look at their data, or ask for more edges per node."
            )
        )
        return told
