"""The protocol of an engine, kept by the built-in one and by one for words."""

import numpy as np
import pytest
from engines import BruteForce

from smoothgraph.search import NearPairs, NeighborEngine, TiledSearch


class WordSearch(BruteForce):
    """Words by the number of letters that they do not share."""

    def __init__(self, words):
        letters = [set(word) for word in words]
        self.n_nodes, self.order = len(words), None
        self.Z = np.array([[float(len(a ^ b)) for b in letters] for a in letters])
        np.fill_diagonal(self.Z, np.inf)


WORDS = ["graph", "grape", "paper", "pear", "edge", "node", "nodes", "sedge", "tree", "greet"]


def numbers():
    return TiledSearch.of(np.random.default_rng(0).normal(size=(300, 3)))


def words():
    return WordSearch(WORDS)


@pytest.mark.parametrize("make", [numbers, words])
def test_engines_keep_the_protocol(make, rng):
    engine: NeighborEngine = make()
    m, k = engine.n_nodes, 4
    assert engine.order is None or sorted(engine.order.tolist()) == list(range(m))
    ids, z = engine.nearest(k, 0.5)
    assert ids.shape == z.shape == (m, k)
    assert not np.any(ids == np.arange(m)[:, None])
    reach = z.max(axis=1) * rng.uniform(0, 2, size=m)
    pairs = NearPairs(*engine.within(reach))
    assert np.all(2 * pairs.z < reach[pairs.i] + reach[pairs.j])
    known = {frozenset(pair) for pair in zip(pairs.i.tolist(), pairs.j.tolist(), strict=True)}
    assert len(known) == len(pairs.i)
    wanted = 2 * z < reach[:, None] + reach[ids]
    for i, j in zip(np.nonzero(wanted)[0].tolist(), ids[wanted].tolist(), strict=True):
        assert {i, j} in known
    some = np.array([1, 5, 8])
    found = NearPairs(*engine.within(reach, some))
    expected = [(i, j) for i in some.tolist() for j in range(m) if frozenset((i, j)) in known]
    assert sorted(zip(found.i.tolist(), found.j.tolist(), strict=True)) == expected
