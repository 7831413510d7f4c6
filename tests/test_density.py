import numpy as np
import pytest
from sklearn.datasets import load_digits

from smoothgraph import EdgeSet, Newton, distances, log_degree_with, models


@pytest.fixture(scope="module")
def digits():
    X = load_digits().data[:500]
    return EdgeSet.all_pairs(500), distances(X)


@pytest.mark.parametrize("edges_per_node", [2, 5, 10, 30, 100])
def test_the_density_asked_for(digits, edges_per_node):
    solution, theta = log_degree_with(*digits, edges_per_node=edges_per_node)
    assert abs(solution.edges_per_node - edges_per_node) <= 0.01 * edges_per_node
    assert solution.n_isolated == 0
    assert solution.gap <= 1e-6
    edges, z = digits
    again = Newton(tol=1e-6).solve(models.log_degree(edges, theta * z, alpha=1, beta=1))
    np.testing.assert_allclose(again.edges_per_node, solution.edges_per_node, rtol=0.005)


@pytest.mark.parametrize("scale", [1e-12, 1e12])
def test_any_scale_of_the_data(digits, scale):
    edges, z = digits
    solution, _ = log_degree_with(edges, scale * z, edges_per_node=8)
    assert abs(solution.edges_per_node - 8) <= 0.08


def test_duplicates_and_ties_give_the_nearest_density(rng):
    """All distances equal: only the complete graph exists."""
    edges = EdgeSet.all_pairs(20)
    solution, _ = log_degree_with(edges, np.ones(edges.n_edges), edges_per_node=5)
    assert solution.converged
    X = np.repeat(rng.normal(size=(30, 3)), 4, axis=0)
    solution, _ = log_degree_with(EdgeSet.all_pairs(120), distances(X), edges_per_node=10)
    assert abs(solution.edges_per_node - 10) <= 2


def test_all_points_equal():
    edges = EdgeSet.all_pairs(10)
    assert log_degree_with(edges, np.zeros(45), edges_per_node=3).solution.edges_per_node == 9


@pytest.mark.parametrize("bad", [0, -1, np.nan, 12])
def test_impossible_densities_are_refused(bad):
    with pytest.raises(ValueError, match="edges_per_node"):
        log_degree_with(EdgeSet.all_pairs(10), np.ones(45), edges_per_node=bad)
