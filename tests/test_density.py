import numpy as np
import pytest
from sklearn.datasets import load_digits

from smoothgraph import Newton, Pairs, PairSet, distances, models
from smoothgraph.density import (
    DensityWarning,
    Nearby,
    doubly_stochastic_with,
    l2_degree_with,
    log_degree_with,
)

MODELS = [log_degree_with, l2_degree_with, doubly_stochastic_with]


@pytest.fixture(scope="module")
def digits():
    X = load_digits().data[:500]
    return PairSet.all_pairs(500), distances(X)


@pytest.mark.parametrize("learn", MODELS)
@pytest.mark.parametrize("edges_per_node", [2, 3, 5.5, 10, 30, 100, 400])
def test_the_density_asked_for(digits, learn, edges_per_node):
    solution, _ = learn(*digits, edges_per_node=edges_per_node)
    assert abs(solution.edges_per_node - edges_per_node) <= 0.01 * edges_per_node
    assert solution.gap <= 1e-6
    problem = solution.problem
    np.testing.assert_allclose(problem.gap(solution.w, solution.u), solution.gap, atol=1e-9)


def test_log_degree_solves_the_problem_with_theta(digits):
    edges, z = digits
    solution, theta = log_degree_with(edges, z, edges_per_node=8, solver=Newton(tol=1e-10))
    assert solution.n_isolated == 0
    again = Newton(tol=1e-10).solve(models.log_degree(Pairs(edges, theta * z), alpha=1, beta=1))
    np.testing.assert_allclose(solution.w, again.w, atol=1e-4 * again.w.max())


def test_l2_degree_has_its_total_weight_and_alpha(digits):
    edges, z = digits
    solution, alpha = l2_degree_with(edges, z, edges_per_node=8, total_weight=77.0)
    np.testing.assert_allclose(solution.degrees.sum(), 77.0)
    again = Newton().solve(models.l2_degree(Pairs(edges, z), alpha=alpha, total_weight=77.0))
    np.testing.assert_allclose(again.edges_per_node, 8, rtol=0.01)


@pytest.mark.parametrize("learn", MODELS)
@pytest.mark.parametrize("scale", [1e-12, 1e12])
def test_any_scale_of_the_data(digits, learn, scale):
    edges, z = digits
    solution, _ = learn(edges, scale * z, edges_per_node=8)
    assert abs(solution.edges_per_node - 8) <= 0.08


def test_a_nearby_solution_gives_the_same_graph(digits):
    first = log_degree_with(*digits, edges_per_node=8)
    near = Nearby(first.parameter, first.solution.u, first.solution.edges_per_node)
    solution, theta = log_degree_with(*digits, edges_per_node=9, near=near)
    assert abs(solution.edges_per_node - 9) <= 0.09
    assert theta < first.parameter


@pytest.mark.parametrize("learn", MODELS)
def test_duplicates_are_no_obstacle(learn, rng):
    X = np.repeat(rng.normal(size=(60, 3)), 2, axis=0)
    solution, _ = learn(PairSet.all_pairs(120), distances(X), edges_per_node=10)
    assert abs(solution.edges_per_node - 10) <= 0.1


@pytest.mark.parametrize("distance", [0.0, 1.0])
def test_ties_give_the_nearest_density_with_a_warning(distance):
    """All distances equal: by symmetry, only the complete graph exists."""
    z = np.full(45, distance)
    with pytest.warns(DensityWarning, match="No graph with 3 edges per node .* nearest has 9"):
        solution, _ = log_degree_with(PairSet.all_pairs(10), z, edges_per_node=3)
    assert solution.edges_per_node == 9


def test_a_regular_grid_jumps():
    """Each node of a ring sees its neighbours in pairs, so that odd densities do not exist."""
    angle = 2 * np.pi * np.arange(40) / 40
    X = np.column_stack([np.cos(angle), np.sin(angle)])
    edges = PairSet.all_pairs(40)
    solution, _ = log_degree_with(edges, distances(X), edges_per_node=4)
    assert solution.edges_per_node == 4
    with pytest.warns(DensityWarning, match="nearest has"):
        solution, _ = log_degree_with(edges, distances(X), edges_per_node=5)
    assert 4 <= solution.edges_per_node <= 6  # rounding breaks some of the ties at the jump


def test_fewer_edges_than_the_sparsest_graph_has(digits):
    with pytest.warns(DensityWarning, match="nearest has"):
        solution, _ = log_degree_with(*digits, edges_per_node=1)
    assert solution.n_isolated == 0
    assert 1 <= solution.edges_per_node < 2


@pytest.mark.parametrize("bad", [0, -1, np.nan, 12])
def test_impossible_densities_are_refused(bad):
    with pytest.raises(ValueError, match="edges_per_node"):
        log_degree_with(PairSet.all_pairs(10), np.ones(45), edges_per_node=bad)
