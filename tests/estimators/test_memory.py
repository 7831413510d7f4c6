"""The memory that a fit takes is proportional to the edges."""

import tracemalloc

import numpy as np
import pytest

from smoothgraph import LogDegreeGraph

BYTES_PER_EDGE = 1000  # what docs/scaling.md says


@pytest.mark.parametrize("neighbors", ["exact", "approximate"])
def test_a_fit_takes_less_than_a_thousand_bytes_per_edge(neighbors, rng):
    X = rng.normal(size=(12_000, 6)).astype(np.float32)
    LogDegreeGraph(neighbors=neighbors).fit(X[:5000])  # imports and compiled code are there
    tracemalloc.start()
    try:
        graph = LogDegreeGraph(neighbors=neighbors).fit(X)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < BYTES_PER_EDGE * graph.adjacency_.nnz / 2
