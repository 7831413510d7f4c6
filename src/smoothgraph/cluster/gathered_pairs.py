"""Candidate pairs on workers that are few enough to solve with on the client."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from smoothgraph.cluster.pairs_on_workers import PairsOnWorkers
from smoothgraph.pairs.in_memory import Pairs
from smoothgraph.pairs.seam import CandidatePairs, Triples

SHARE_OF_MEMORY = 0.5  # of what the client has free, which gathered pairs may take
_BYTES_PER_PAIR = 80  # at the peak of a solution, with what it needs per node


@dataclass(frozen=True, eq=False)
class GatheredPairs(Pairs):
    """A copy in memory of ``on_workers``, or of a part of them; the graph that is learned goes back there."""

    on_workers: PairsOnWorkers | None = None

    def fitted_attributes(self, w: np.ndarray, bridges: Triples) -> dict[str, Any]:
        assert self.on_workers is not None, "they are copied from there"
        assert self.order is not None, "workers have an order"
        i, j = self.order[self.pattern.rows], self.order[self.pattern.cols]
        return self.on_workers.fitted_attributes(self.on_workers.send_weights(i, j, w), bridges)


def gather_few(pairs: PairsOnWorkers) -> CandidatePairs:
    """The pairs in memory if they fit well, or else as they are.

    A question to the workers takes tens of milliseconds, and a solution takes hundreds of questions.
    """
    import psutil  # which distributed needs
    from distributed.system import MEMORY_LIMIT  # of a container

    free = min(psutil.virtual_memory().available, MEMORY_LIMIT)
    if pairs.n_pairs * _BYTES_PER_PAIR > SHARE_OF_MEMORY * free:
        return pairs
    stored = pairs.gather_stored()
    return GatheredPairs(stored.pattern, stored.z, stored.order, on_workers=pairs)


def on_workers(pairs: CandidatePairs) -> PairsOnWorkers:
    """The pairs on the workers, of which these may be a copy."""
    found = pairs.on_workers if isinstance(pairs, GatheredPairs) else pairs
    assert isinstance(found, PairsOnWorkers), "pairs that were found by workers"
    return found
