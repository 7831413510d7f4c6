"""The weights of a known graph on candidate pairs."""

import numpy as np
import scipy.sparse as sp

from smoothgraph.pairs.seam import CandidatePairs


def known_weights(pairs: CandidatePairs, known: sp.csr_array) -> np.ndarray:
    """Return one weight per pair: that of the ``known`` graph, 0 where it has no edge."""
    from smoothgraph.pairs.in_memory import Pairs  # deferred: it imports scikit-learn, which a model does not need

    assert isinstance(pairs, Pairs), "a known graph is looked up in memory"
    edges = sp.triu(known, k=1).tocoo()
    here = pairs.contains(edges.row, edges.col)
    i, j = pairs.to_places(edges.row[here]), pairs.to_places(edges.col[here])
    weights = np.zeros(pairs.n_pairs)
    weights[pairs.pattern.positions(i, j)] = edges.data[here]
    return weights
