"""The protocol of an engine, kept by the built-in one and by one for words."""

import numpy as np
import pytest

from smoothgraph.search import NearPairs, NeighborEngine, TiledSearch


class WordSearch:
    """Words by the number of letters that they do not share: all that an engine must have."""

    order = None

    def __init__(self, words):
        letters = [set(word) for word in words]
        self.n_nodes = len(words)
        self._z = np.array([[float(len(a ^ b)) for b in letters] for a in letters])

    def nearest(self, k, share):  # noqa: ARG002
        others = self._z + np.diag(np.full(self.n_nodes, np.inf))
        ids = np.argsort(others, axis=1, kind="stable")[:, :k]
        return ids, np.take_along_axis(others, ids, axis=1)

    def within(self, reach, nodes=None, share=1.0):  # noqa: ARG002
        near = 2 * self._z < reach[:, None] + reach
        if nodes is None:
            near = np.triu(near, 1)
        else:
            near &= np.isin(np.arange(self.n_nodes), nodes)[:, None]
            np.fill_diagonal(near, val=False)
        i, j = np.nonzero(near)
        return NearPairs(i, j, self._z[i, j])


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
    pairs = engine.within(reach)
    assert np.all(2 * pairs.z < reach[pairs.i] + reach[pairs.j])
    known = {frozenset(pair) for pair in zip(pairs.i.tolist(), pairs.j.tolist(), strict=True)}
    assert len(known) == len(pairs.i)
    wanted = 2 * z < reach[:, None] + reach[ids]
    for i, j in zip(np.nonzero(wanted)[0].tolist(), ids[wanted].tolist(), strict=True):
        assert {i, j} in known
    some = np.array([1, 5, 8])
    found = engine.within(reach, some)
    expected = [(i, j) for i in some.tolist() for j in range(m) if frozenset((i, j)) in known]
    assert sorted(zip(found.i.tolist(), found.j.tolist(), strict=True)) == expected
