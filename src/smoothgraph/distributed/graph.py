"""A learned graph that stays on the workers until it is written or gathered."""

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from smoothgraph.distributed.problem import RemoteWeights
from smoothgraph.edges import EdgeSet
from smoothgraph.neighbors.between import Pairs


@dataclass(frozen=True, eq=False)
class RemoteGraph:
    """The edges with a weight, in parts on the workers; node ``i`` there is ``order[i]`` here."""

    weights: RemoteWeights
    order: np.ndarray
    n_edges: int

    @property
    def n_nodes(self) -> int:
        """The number of nodes."""
        return len(self.order)

    @property
    def n_parts(self) -> int:
        """In how many parts the edges are."""
        return len(self.weights.edges.bounds)

    def gather(self) -> sp.csr_array:
        """The adjacency, here: symmetric, zero diagonal."""
        i, j, w = Pairs.joined(self.weights.pairs())
        edges, weights = EdgeSet.with_values(self.order[i], self.order[j], w, self.n_nodes)
        return edges.adjacency(weights)

    def __repr__(self) -> str:
        return f"RemoteGraph({self.n_nodes} nodes, {self.n_edges} edges, {self.n_parts} parts)"
