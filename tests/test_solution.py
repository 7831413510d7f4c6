import numpy as np
import pytest

from smoothgraph import Newton, Pairs, PairSet, PrimalDual, models


@pytest.fixture
def solution(rng):
    """Two far-apart clusters, so that there are two components."""
    X = np.concatenate([rng.normal(size=(15, 2)), 100 + rng.normal(size=(15, 2))])
    edges = PairSet.all_pairs(30)
    z = np.sum((X[edges.rows] - X[edges.cols]) ** 2, axis=1)
    return Newton(tol=1e-9).solve(models.log_degree(Pairs(edges, z), beta=3.0))


def test_the_graph_in_its_three_forms(solution):
    W, L = solution.adjacency.toarray(), solution.laplacian.toarray()
    np.testing.assert_array_equal(W[np.triu_indices(30, 1)], solution.w)
    np.testing.assert_allclose(W.sum(axis=1), solution.degrees)
    np.testing.assert_allclose(L, np.diag(solution.degrees) - W)
    assert np.linalg.eigvalsh(L).min() > -1e-12


def test_counts(solution):
    assert solution.n_edges == np.count_nonzero(solution.w)
    assert solution.edges_per_node == pytest.approx(2 * solution.n_edges / 30)
    assert solution.n_components == 2
    assert solution.n_isolated == 0


def test_isolated_nodes_are_counted():
    edges = PairSet.from_pairs([0, 1], [1, 2], 5)
    solution = Newton().solve(models.l2_degree(Pairs(edges, np.ones(2))))
    assert solution.n_isolated == 2
    assert solution.n_components == 3


def test_repr_tells_the_essentials(solution):
    assert "30 nodes" in repr(solution)
    assert "CONVERGED" in repr(solution)


def test_the_optimum_lies_between_primal_and_dual(rng):
    problem = models.log_degree(Pairs.of(rng.normal(size=(30, 3))), alpha=1.0, beta=1.0)
    rough, exact = PrimalDual(1e-1).solve(problem), Newton(1e-12).solve(problem)
    assert rough.dual < exact.primal < rough.primal
