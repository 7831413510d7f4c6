"""The solver finds the same on edges in three blocks on workers as on edges in memory."""

import gc
import weakref

import numpy as np
import pytest
from smoothgraph.cluster.edges import FoundPairs, RemoteDistances, RemoteEdges
from smoothgraph.search.between import Pairs

from smoothgraph import PairSet
from smoothgraph.candidates.growing import OrderedSearch
from smoothgraph.density import doubly_stochastic_with, l2_degree_with, log_degree_with
from smoothgraph.models import doubly_stochastic, l2_degree, log_degree
from smoothgraph.solution import Status
from smoothgraph.solvers import Newton

FEW, MANY = 1500, 5200  # from 5000 nodes on, nodes are settled one by one first


def candidates(m, k=26):
    rng = np.random.default_rng(m)
    centres, widths = 5 * rng.normal(size=(20, 6)), 10 ** rng.uniform(-1, 0.3, size=(20, 1))
    place = rng.integers(20, size=m)
    X = centres[place] + widths[place] * rng.normal(size=(m, 6))
    return OrderedSearch(X, "sqeuclidean").neighbors(k, 1.0)[:2]


@pytest.fixture(scope="module", params=[FEW])
def both(request, cluster_client):
    """Edges and distances in memory, and the same in three unequal blocks on two workers."""
    edges, z = candidates(request.param)
    return (edges, z), on_workers(cluster_client, edges, z)


def on_workers(client, edges, z):
    m, middle = edges.n_nodes, edges.n_edges // 2
    bounds = [(0, m // 2), (m // 2, m // 2 + 20), (m // 2 + 20, m)]
    halves = [
        FoundPairs(client.submit(Pairs, edges.rows[part], edges.cols[part], z[part], pure=False))
        for part in (slice(0, middle), slice(middle, None))
    ]
    remote = RemoteEdges.of_pairs(client, halves, bounds)
    return remote, RemoteDistances(remote)


def assert_same_solution(found, expected):
    edges = expected.problem.edges.select(expected.active)
    pairs = Pairs.joined(found.active_weights.pairs())
    there, weights = PairSet.with_values(*pairs, edges.n_nodes)
    np.testing.assert_array_equal(there.indptr, edges.indptr)
    np.testing.assert_array_equal(there.cols, edges.cols)
    np.testing.assert_allclose(weights, expected.active_weights, rtol=1e-12)
    np.testing.assert_allclose(found.u, expected.u, rtol=1e-12)
    np.testing.assert_allclose(found.gap, expected.gap, rtol=1e-3, atol=1e-14)
    assert found.n_edges == expected.n_edges
    assert found.status is expected.status


@pytest.mark.parametrize(
    ("both", "model"),
    [(MANY, log_degree_with), (FEW, l2_degree_with), (FEW, doubly_stochastic_with)],
    indirect=["both"],
)
def test_the_graph_with_a_density(model, both):
    here, there = (model(*given, edges_per_node=8) for given in both)
    assert here.solution.status is Status.CONVERGED
    np.testing.assert_allclose(there.parameter, here.parameter, rtol=1e-12)
    assert_same_solution(there.solution, here.solution)


MODELS = {
    "log-degree": lambda edges, z: log_degree(edges, z, alpha=1.0, beta=1.0),
    "log-degree by descent": lambda edges, z: log_degree(edges, z, alpha=1.0, beta=1e-3),
    "l2-degree": lambda edges, z: l2_degree(edges, z, alpha=0.3),
    "doubly stochastic": lambda edges, z: doubly_stochastic(edges, z, beta=2.0),
}


@pytest.mark.parametrize("model", MODELS)
def test_the_solution_of_a_model(model, both):
    here, there = (Newton(tol=1e-8).solve(MODELS[model](*given)) for given in both)
    assert here.status is Status.CONVERGED
    assert_same_solution(there, here)


def test_a_warm_start(both):
    here, there = (log_degree(*given, alpha=1.0, beta=1.0) for given in both)
    start = 1.05 * Newton().solve(here).u
    expected = Newton().solve(here, start=start)
    assert_same_solution(Newton().solve(there, start=start), expected)


def test_too_few_iterations(both):
    here, there = (log_degree(*given, alpha=1.0, beta=1e-3) for given in both)
    expected = Newton(max_iter=2).solve(here)
    found = Newton(max_iter=2).solve(there)
    assert found.status is expected.status is Status.MAX_ITER
    assert_same_solution(found, expected)


def test_what_was_sent_is_let_go_with_the_answer(both):
    """Not only when Python looks for reference cycles: vectors are large."""
    edges = both[1][0]
    parts = edges.local(np.ones(edges.n_nodes))
    sent = [weakref.ref(part) for part in parts]
    gc.disable()
    try:
        edges.crew.call("largest_pair_sum", [(part,) for part in parts])
        del parts
        assert [part() for part in sent] == [None, None, None]
    finally:
        gc.enable()


def test_degrees_that_no_weights_have(cluster_client):
    """In a star the degree of the centre is that of all others together."""
    m = 60
    star = PairSet.from_pairs(np.zeros(m - 1, dtype=int), np.arange(1, m), m)
    z = np.linspace(1, 2, m - 1)
    given = (star, z), on_workers(cluster_client, star, z)
    here, there = (Newton().solve(doubly_stochastic(*each, beta=1.0)) for each in given)
    assert here.status is there.status is Status.INFEASIBLE


def test_more_edges_than_there_are(both):
    messages = []
    for given in both:
        with pytest.raises(ValueError, match="edges_per_node must be at most") as error:
            log_degree_with(*given, edges_per_node=1000)
        messages.append(str(error.value))
    assert messages[0] == messages[1]
