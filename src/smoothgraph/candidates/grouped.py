"""Candidate pairs between nodes that are split by groups."""

import numpy as np

from smoothgraph.candidates.fixed import Candidates, FixedCandidates
from smoothgraph.pairs.in_memory import Pairs
from smoothgraph.pairs.seam import Triples
from smoothgraph.pairs.split import SplitPairs


class GroupedCandidates(FixedCandidates):
    """The pairs of other candidates, with every node split into parts by the ``groups`` of the nodes."""

    def __init__(self, whole: Candidates, groups: np.ndarray) -> None:
        assert isinstance(whole.pairs, Pairs), "nodes are split in memory"
        self._whole, self.name, self.scale = whole, whole.name, whole.scale
        self.complete = isinstance(whole, FixedCandidates) and whole.complete
        self.pairs = SplitPairs.between_groups(whole.pairs, groups)

    def join_components(self, component: np.ndarray) -> Triples:
        return self._whole.join_components(component)
