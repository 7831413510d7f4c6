"""Every mistake that an engine can make and that shows in its answers is an error that says what to do."""

import re

import numpy as np
import pytest
from engines import BruteForce, Misled

from smoothgraph import LogDegreeGraph
from smoothgraph.search.checked_engine import CheckedEngine

M = 40


@pytest.fixture
def X(rng):
    return rng.normal(size=(M, 3)) / 4  # squares are smaller than distances


def mistake(*, nearest=None, within=None, **attributes):
    """A class of engines that change the right answers."""

    class Mistaken(BruteForce):
        def __init__(self, X):
            super().__init__(X)
            vars(self).update(attributes)

        def nearest(self, k, share):
            answer = super().nearest(k, share)
            return answer if nearest is None else nearest(*answer)

        def within(self, reach, nodes=None):
            answer = super().within(reach, nodes)
            return answer if within is None else within(*answer)

    return Mistaken


def with_first(array, value):
    array = array.copy()
    array.flat[:1] = value
    return array


class Positions(BruteForce):
    """Numbers its answers by the positions of the nodes asked for."""

    def within(self, reach, nodes=None):
        i, j, z = super().within(reach, nodes)
        return (i if nodes is None else np.searchsorted(nodes, i)), j, z


class Unsquared(BruteForce):
    """Compares distances with a reach that is squared."""

    def within(self, reach, nodes=None):
        squared, self.Z = self.Z, np.sqrt(self.Z)
        answer = super().within(reach, nodes)
        self.Z = squared
        return answer


MISTAKES = {
    "no engine": (lambda _: 3, "function in neighbors= that returns a NeighborEngine, but it returned 3; return an"),
    "too few nodes": (mistake(n_nodes=M - 1), f"Expected {M}, the rows of the table, but n_nodes of Mistaken gave 39;"),
    "no numbering": (mistake(order=np.zeros(M, int)), "Expected every node once, but order of Mistaken gave"),
    "the node itself": (
        mistake(nearest=lambda ids, z: (with_first(ids, 0), with_first(z, 0.0))),
        "Expected other nodes as neighbors, but nearest() of Mistaken gave node 0 itself; leave it out.",
    ),
    "a pair of one node": (
        mistake(within=lambda i, j, z: (np.append(i, 7), np.append(j, 7), np.append(z, 0.0))),
        "Expected other nodes as neighbors, but within() of Mistaken gave node 7 itself; leave it out.",
    ),
    "too few columns": (
        mistake(nearest=lambda ids, z: (ids[:, 1:], z[:, 1:])),
        f"Expected 2 arrays of shape ({M}, 8), but nearest() of Mistaken gave shapes [(40, 7), (40, 7)];",
    ),
    "no distances": (
        mistake(nearest=lambda ids, _: ids),
        "Expected 2 arrays of shape (40, 8), but nearest() of Mistaken gave ndarray;",
    ),
    "no pairs": (mistake(within=lambda i, *_: (i,)), "Expected 3 arrays of shape (n_pairs,), but within()"),
    "columns of unlike lengths": (
        mistake(within=lambda i, j, z: (i, j, z[1:])),
        "Expected 3 arrays of shape (n_pairs,), but within() of Mistaken gave shapes [(",
    ),
    "fractions": (
        mistake(nearest=lambda ids, z: (ids.astype(float), z)),
        "Expected nodes as integers, but nearest() of Mistaken gave them as float64;",
    ),
    "no such node": (
        mistake(nearest=lambda ids, z: (with_first(ids, M), z)),
        "Expected nodes from 0 to 39, but nearest() of Mistaken gave node 40;",
    ),
    "a negative node": (
        mistake(within=lambda i, j, z: (i, with_first(j, -1), z)),
        "Expected nodes from 0 to 39, but within() of Mistaken gave node -1;",
    ),
    "NaN": (
        mistake(within=lambda i, j, z: (i, j, with_first(z, np.nan))),
        "Expected finite distances >= 0, but within() of Mistaken gave nan for nodes",
    ),
    "infinity": (
        mistake(nearest=lambda ids, z: (ids, with_first(z, np.inf))),
        "Expected finite distances >= 0, but nearest() of Mistaken gave inf for nodes 0 and",
    ),
    "a negative distance": (
        mistake(nearest=lambda ids, z: (ids, with_first(z, -1.0))),
        "Expected finite distances >= 0, but nearest() of Mistaken gave -1 for nodes 0 and",
    ),
    "another distance in the other direction": (
        mistake(nearest=lambda ids, z: (ids, z * np.where(ids > np.arange(M)[:, None], 1.0, 1.01))),
        "Expected one distance per pair, but nearest() of Mistaken gave nodes",
    ),
    "squares in one method": (
        mistake(within=lambda i, j, z: (i, j, z**2)),
        "Expected one distance per pair, but within() of Mistaken gave nodes",
    ),
    "roots compared with squares": (
        Unsquared,
        "Expected all pairs within reach, but within() of Unsquared gave none of nodes",
    ),
    "a missing pair": (
        mistake(within=lambda i, j, z: (i[z > z.min()], j[z > z.min()], z[z > z.min()])),
        "Expected all pairs within reach, but within() of Mistaken gave none of nodes",
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_named(name, X):
    engine, message = MISTAKES[name]
    with pytest.raises(ValueError, match=re.escape(message)):
        LogDegreeGraph(edges_per_node=4, neighbors=engine).fit(X)


def test_positions_are_not_nodes(X):
    engine = CheckedEngine(Positions(X), M)
    message = "Expected pairs i, j with i in nodes, but within() of Positions gave i = 0; return nodes[i], not i."
    with pytest.raises(ValueError, match=re.escape(message)):
        engine.within(np.ones(M), np.array([5, 20]))


@pytest.mark.parametrize("nodes", [None, np.array([3, 30])])
def test_a_known_pair_must_come_if_it_is_asked_for(X, nodes):
    """Only pairs of the nodes asked for, and only within reach."""
    engine = CheckedEngine(mistake(within=lambda i, j, z: (i[:0], j[:0], z[:0]))(X), M)
    _, z = engine.nearest(5, 1.0)
    near = np.full(M, -np.inf)
    assert len(engine.within(near, nodes).i) == 0
    near[[3, 30]] = 1e3
    assert len(engine.within(np.full(M, 0.99 * z.min()), nodes).i) == 0
    with pytest.raises(ValueError, match="all pairs within reach"):
        engine.within(np.full(M, 1.01 * z[[3, 30]].max()), nodes)


def test_a_pair_that_the_other_node_named_must_come():
    """The nearest of node 0 is node 1, whose own nearest is node 2."""
    engine = CheckedEngine(mistake(within=lambda i, j, z: (i[j != 0], j[j != 0], z[j != 0]))([[0.0], [1.0], [1.9]]), 3)
    engine.nearest(1, 1.0)
    with pytest.raises(ValueError, match="gave none of nodes 0 and 1"):
        engine.within(np.full(3, 1.1), np.array([1]))


def test_a_pair_within_reach_only_by_rounding_may_be_missing():
    engine = CheckedEngine(mistake(nearest=lambda ids, z: (ids, z * (1 - 5e-5)))([[0.0], [1.0]]), 2)
    engine.nearest(1, 1.0)
    assert len(engine.within(np.full(2, 1 - 2e-5)).i) == 0


def test_possible_answers_are_passed_on(X):
    plain, engine = BruteForce(X), CheckedEngine(BruteForce(X), M)
    for got, expected in zip(engine.nearest(4, 0.5), plain.nearest(4, 0.5), strict=True):
        np.testing.assert_array_equal(got, expected)
    reach = np.linspace(-1, 1, M)
    for nodes in (None, np.array([1, 5, 39])):
        for got, expected in zip(engine.within(reach, nodes), plain.within(reach, nodes), strict=True):
            np.testing.assert_array_equal(got, expected)


def test_lists_and_no_pairs_at_all_are_possible(X):
    engine = mistake(nearest=lambda ids, z: [ids.tolist(), z.tolist()], within=lambda *_: ([], [], []))
    checked = CheckedEngine(engine(X), M)
    assert checked.nearest(4, 1.0)[0].shape == (M, 4)
    assert [len(column) for column in checked.within(np.full(M, -np.inf))] == [0, 0, 0]


def test_single_precision_is_no_mistake(rng):
    """Distances of nodes at one place are rounding alone, and differ from one answer to the next."""
    X = np.repeat(rng.normal(size=(M // 2, 3)), 2, axis=0)

    def noisy(z):
        return np.abs(z + 1e-7 * (z + z.max()) * rng.normal(size=z.shape))

    engine = mistake(nearest=lambda ids, z: (ids, noisy(z)), within=lambda i, j, z: (i, j, noisy(z) if len(z) else z))
    assert LogDegreeGraph(edges_per_node=4, neighbors=engine).fit(X).is_exact_


def test_neighbors_that_are_not_the_nearest_are_no_mistake(X):
    assert LogDegreeGraph(edges_per_node=4, neighbors=Misled).fit(X).is_exact_
