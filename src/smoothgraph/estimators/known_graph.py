"""A known graph of the nodes, which a fit keeps close to."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from smoothgraph.candidates.choice import NeighborChoice
from smoothgraph.candidates.fixed import Candidates
from smoothgraph.estimators.identical_rows import Places
from smoothgraph.pairs.distances import measure_pairs
from smoothgraph.pairs.pair_set import PairSet
from smoothgraph.support.adjacency import adjacency_of
from smoothgraph.support.input_error import InputError


@dataclass(frozen=True, eq=False)
class KnownGraph:
    """The adjacency matrix of a known graph."""

    adjacency: sp.csr_array

    @classmethod
    def read(cls, graph: Any, n_nodes: int) -> "KnownGraph | None":
        """From anything that is accepted as a graph; None if there is none."""
        if graph is None:
            return None
        W = adjacency_of(graph)
        if W.shape[0] != n_nodes:
            raise InputError(
                f"prior_graph must have the {n_nodes} nodes of the data, in their order, got {W.shape[0]}."
            )
        return cls(W)

    def merge(self, places: Places) -> "KnownGraph":
        """The graph of the places of the nodes: the sum of the edges between them."""
        member = sp.coo_array((np.ones(len(places.place)), (np.arange(len(places.place)), places.place))).tocsr()
        merged = (member.T @ self.adjacency @ member).tocsr()
        return KnownGraph(adjacency_of(merged))

    def join(self, candidates: Candidates, rows: Any, choice: NeighborChoice) -> None:
        """Add the known edges to the candidate pairs, with their distances, where pairs were searched for."""
        if choice.measure.metric == "precomputed" or candidates.pairs.n_pairs == _count_pairs(candidates.pairs.n_nodes):
            return
        if callable(choice.neighbors):
            raise InputError(
                "A neighbor engine measures distances of its own, which are not known for the edges of prior_graph; "
                "use neighbors='auto'."
            )
        pattern = PairSet.from_mask(self.adjacency)
        z = measure_pairs(rows, pattern, choice.measure)
        measured = np.isfinite(z)
        candidates.include(pattern.rows[measured], pattern.cols[measured], z[measured])


def _count_pairs(n_nodes: int) -> int:
    return n_nodes * (n_nodes - 1) // 2
