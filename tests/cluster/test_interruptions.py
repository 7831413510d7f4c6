"""Whatever a call was interrupted in, blocks know afterwards what they knew before."""

import numpy as np
import pytest
from dask_workers import ClientInProcess
from smoothgraph.cluster.edges import FoundPairs, RemoteDistances, RemoteEdges
from smoothgraph.search.between import Pairs

from smoothgraph import PairSet
from smoothgraph.models import log_degree


class Interruption(BaseException):
    """Like a KeyboardInterrupt, which would end the tests if nothing caught it."""


class Interrupted(ClientInProcess):
    """Blocks that are interrupted when they are asked for something the n-th time."""

    def __init__(self):
        self.method, self.left = None, 0

    def submit(self, task, *arguments, actor=False, **options):
        made = super().submit(task, *arguments, actor=actor, **options)
        return _Interruptible(self, made) if actor else made

    def interrupt(self, method, number):
        self.method, self.left = method, number


class _Interruptible:
    status = "finished"

    def __init__(self, client, made):
        self._client, self._actor = client, made.result()

    def result(self, **_):
        return self

    def do(self, method, box):
        client = self._client
        if method == client.method:
            client.left -= 1
            if client.left == 0:
                raise Interruption
        return self._actor.do(method, box)


@pytest.fixture
def client():
    return Interrupted()


@pytest.fixture
def problem(client):
    rng = np.random.default_rng(0)
    edges = PairSet.all_pairs(60)
    z = rng.uniform(0.5, 2, edges.n_edges)
    found = [FoundPairs(client.submit(Pairs, edges.rows, edges.cols, z))]
    remote = RemoteEdges.of_pairs(client, found, [(0, 20), (20, 40), (40, 60)])
    return log_degree(remote, RemoteDistances(remote), alpha=1.0, beta=1.0)


def graph_of(weights):
    i, j, w = Pairs.joined(weights.pairs())
    order = np.lexsort((j, i))
    return [part[order] for part in (i, j, w)]


@pytest.mark.parametrize(("method", "number"), [("begin", 2), ("grow", 1), ("grow", 3)])
def test_a_working_set_that_was_half_told(client, problem, method, number):
    u = np.full(60, 1.1)
    working = problem.working_set()
    weights = problem.evaluate(u).weights
    expected = graph_of(weights)
    assert 0 < len(expected[0]) < problem.edges.n_edges
    client.interrupt(method, number)
    with pytest.raises(Interruption):
        working.take_everything() if method == "begin" else working.grow(3 * u)
    for found, known in zip(graph_of(weights), expected, strict=True):
        np.testing.assert_array_equal(found, known)


def test_a_block_that_was_being_made_again(client, problem):
    """It is made once more, and told everything."""
    u = np.full(60, 1.1)
    problem.working_set().grow(3 * u)
    weights = problem.evaluate(3 * u).weights
    expected = graph_of(weights)
    problem.edges.crew.close()
    client.interrupt("grow", 2)
    with pytest.raises(Interruption):
        weights.pairs()
    for found, known in zip(graph_of(weights), expected, strict=True):
        np.testing.assert_array_equal(found, known)


def test_what_blocks_know_already_is_not_told_again(client, problem):
    working = problem.working_set()
    weights = problem.evaluate(np.full(60, 1.1)).weights
    working.take_everything()
    weights.pairs()  # which has to tell what was known before
    client.interrupt("begin", 1)
    weights.pairs()
