from dataclasses import dataclass, field, replace

import numpy as np
import pytest
from sklearn.datasets import load_digits
from sklearn.neighbors import kneighbors_graph

from smoothgraph import DensityWarning, Newton, Pairs, PairSet, PrimalDual, models
from smoothgraph.density import Nearby, search_density
from smoothgraph.solution import Status

LOG, L2, FIXED = models.LogDegree(), models.L2Degree(), models.DoublyStochastic()
FAMILIES = [LOG, L2, FIXED]


@pytest.fixture(scope="module")
def digits():
    return Pairs.of(load_digits().data[:500])


def assert_warns(found, message):
    """The search returns the warning; whoever asked for the graph gives it."""
    with pytest.raises(DensityWarning, match=message):
        raise found.warning


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("edges_per_node", [2, 3, 5.5, 10, 30, 100, 400])
def test_the_density_asked_for(digits, family, edges_per_node):
    solution, p, warning = search_density(family, digits, edges_per_node)
    assert abs(solution.edges_per_node - edges_per_node) <= 0.01 * edges_per_node
    assert solution.gap <= 1e-6
    problem = solution.problem
    assert problem.pairs is digits
    np.testing.assert_allclose(problem.gap(solution.w, solution.u), solution.gap, atol=1e-9)
    own = family.problem(digits, p)
    np.testing.assert_allclose(own.gap(solution.w, solution.u), solution.gap, atol=1e-9)
    assert warning is None


def test_log_degree_solves_the_problem_with_theta(digits):
    solution, p, _ = search_density(LOG, digits, 8, Newton(tol=1e-10))
    theta = LOG.report(p)
    assert LOG.read(theta) == pytest.approx(p)
    assert solution.n_isolated == 0
    again = Newton(tol=1e-10).solve(models.log_degree(digits.scale(theta), alpha=1, beta=1))
    np.testing.assert_allclose(solution.w, again.w, atol=1e-4 * again.w.max())
    np.testing.assert_allclose(theta * solution.u, again.u, rtol=1e-3)  # in the distances' unit


def test_l2_degree_has_its_total_weight_and_alpha(digits):
    solution, alpha, _ = search_density(models.L2Degree(77.0), digits, 8)
    np.testing.assert_allclose(solution.degrees.sum(), 77.0)
    again = Newton().solve(models.l2_degree(digits, alpha=alpha, total_weight=77.0))
    np.testing.assert_allclose(again.edges_per_node, 8, rtol=0.01)


def test_doubly_stochastic_has_its_degrees_and_beta(digits, rng):
    degree = rng.uniform(0.5, 2, 500)
    solution, beta, _ = search_density(models.DoublyStochastic(degree), digits, 8)
    np.testing.assert_allclose(solution.degrees, degree, rtol=1e-5)
    again = Newton().solve(models.doubly_stochastic(digits, beta=beta, degree=degree))
    np.testing.assert_allclose(again.edges_per_node, 8, rtol=0.01)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("scale", [1e-12, 1e12])
def test_any_scale_of_the_data(digits, family, scale):
    solution, _, _ = search_density(family, digits.scale(scale), 8)
    assert abs(solution.edges_per_node - 8) <= 0.08


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("scale", [1e-200, 1e-40, 1e-3, 1e40, 1e140])
def test_parameters_and_multipliers_have_the_unit_of_the_distances(digits, family, scale):
    """``c`` times the distances: the same weights, ``c p`` and ``c u``."""
    solver, scaled = Newton(tol=1e-12), digits.scale(scale)
    solution, p, _ = search_density(family, digits, 8, solver)
    other, q, _ = search_density(family, scaled, 8, solver)
    np.testing.assert_allclose(q / scale, p, rtol=1e-3)
    np.testing.assert_allclose(other.u / scale, solution.u, rtol=1e-3)
    np.testing.assert_allclose(other.w, solution.w, atol=1e-3 * solution.w.max())
    np.testing.assert_array_equal(other.edges.z, scaled.z[other.edges.ids])


def test_a_nearby_solution_gives_the_same_graph(digits):
    first, p, _ = search_density(LOG, digits, 8)
    near = Nearby(p, first.u, first.edges_per_node)
    solution, larger, _ = search_density(LOG, digits, 9, near=near)
    assert abs(solution.edges_per_node - 9) <= 0.09
    assert larger > p


def test_a_model_with_a_density_starts_from_its_own_solution(digits):
    problem = models.log_degree(digits, edges_per_node=8)
    solution = Newton().solve(problem)
    assert solution.n_iter == 0
    assert abs(solution.edges_per_node - 8) <= 0.08
    for make in (models.l2_degree, models.doubly_stochastic):
        assert Newton().solve(make(digits, edges_per_node=8)).n_iter == 0


@pytest.mark.parametrize(
    ("make", "own", "message"),
    [
        (models.log_degree, {"beta": 1.0}, "either edges_per_node or alpha and beta"),
        (models.l2_degree, {"alpha": 1.0}, "either edges_per_node or alpha"),
        (models.doubly_stochastic, {"sigma": 1.0}, "either edges_per_node or beta and sigma"),
    ],
)
def test_a_density_and_parameters_contradict_each_other(make, own, message, digits):
    with pytest.raises(ValueError, match=message):
        make(digits, edges_per_node=8, **own)


def test_another_solver(rng):
    pairs = Pairs.of(rng.normal(size=(30, 3)))
    solver = PrimalDual(tol=1e-6, max_iter=200_000)
    solution, p, _ = search_density(LOG, pairs, 5, solver)
    q = search_density(LOG, pairs, 5).p
    assert abs(solution.edges_per_node - 5) <= 0.05 + 1 / 30
    np.testing.assert_allclose(p, q, rtol=0.1)


@pytest.mark.parametrize("family", FAMILIES)
def test_duplicates_are_no_obstacle(family, rng):
    pairs = Pairs.of(np.repeat(rng.normal(size=(60, 3)), 2, axis=0))
    solution, _, _ = search_density(family, pairs, 10)
    assert abs(solution.edges_per_node - 10) <= 0.1


@pytest.mark.parametrize("distance", [0.0, 1.0])
def test_ties_give_the_nearest_density_with_a_warning(distance):
    """All distances equal: by symmetry, only the complete graph exists."""
    pairs = Pairs(PairSet.all_pairs(10), np.full(45, distance))
    found = search_density(LOG, pairs, 3)
    assert_warns(found, "No graph with 3 edges per node .* nearest has 9")
    assert found.solution.edges_per_node == 9
    with pytest.warns(DensityWarning, match="No graph with 3 edges per node"):
        models.log_degree(pairs, edges_per_node=3)


@pytest.mark.parametrize("edges_per_node", [4, 4.5, 5, 5.3, 6])
def test_a_regular_grid_jumps(edges_per_node):
    """Each node of a ring sees its neighbors in pairs, so only even densities exist; rounding must not make others."""
    angle = 2 * np.pi * np.arange(40) / 40
    pairs = Pairs.of(np.column_stack([np.cos(angle), np.sin(angle)]))
    found = search_density(LOG, pairs, edges_per_node)
    assert found.solution.edges_per_node == (4 if edges_per_node < 5 else 6)
    if edges_per_node in (4, 6):
        assert found.warning is None
    else:
        assert_warns(found, "nearest has")


def test_a_density_two_percent_off_is_warned_of():
    """Of a ring's even densities, 36 and 38 are nearest to 37."""
    angle = 2 * np.pi * np.arange(40) / 40
    found = search_density(LOG, Pairs.of(np.column_stack([np.cos(angle), np.sin(angle)])), 37)
    assert found.solution.edges_per_node in (36, 38)
    assert_warns(found, "No graph with 37 edges per node")


def test_many_nodes_are_solved_to_the_tolerance_asked_for(rng):
    X = rng.normal(size=(5200, 2))
    pairs = Pairs.of(X, PairSet.from_mask(kneighbors_graph(X, 10)))
    solution, p, _ = search_density(LOG, pairs, 5)
    assert abs(solution.edges_per_node - 5) <= 0.05
    assert solution.converged
    assert LOG.problem(pairs, p).gap(solution.w, solution.u) <= 1e-6


def test_fewer_edges_than_the_sparsest_graph_has(digits):
    found = search_density(LOG, digits, 1)
    assert_warns(found, "nearest has")
    assert found.solution.n_isolated == 0
    assert 1 <= found.solution.edges_per_node < 2


def test_all_candidate_pairs_can_be_asked_for(rng):
    pairs = Pairs.of(rng.normal(size=(20, 3)))
    solution, _, warning = search_density(LOG, pairs, 19)
    assert warning is None
    assert solution.n_edges >= 189  # half a percent off is close


@dataclass(frozen=True)
class Hasty:
    """A user's solver, which gives up early and remembers what it found."""

    tol: float = 1e-6
    max_iter: int = 4
    found: list = field(default_factory=list)

    def solve(self, problem, *, start=None):
        self.found.append(Newton(self.tol, self.max_iter).solve(problem, start=start))
        return self.found[-1]


@pytest.mark.parametrize("max_iter", [2, 4, 6])
@pytest.mark.parametrize("edges_per_node", [1, 1.9, 3])
def test_a_graph_that_converged_is_preferred_to_a_nearer_one(max_iter, edges_per_node, rng):
    solver = Hasty(max_iter=max_iter)
    pairs = Pairs.of(rng.normal(size=(40, 3)))
    solution, _, warning = search_density(LOG, pairs, edges_per_node, solver)
    converged = [one for one in solver.found if one.converged]
    stalled = len(solver.found) - len(converged)
    nearest = min(converged or solver.found, key=lambda one: abs(np.log(one.edges_per_node / edges_per_node)))
    assert solution.edges_per_node == nearest.edges_per_node
    assert solution.gap == nearest.gap
    if warning is not None and stalled:
        assert f"{stalled} of the solutions on the way did not reach the tolerance" in str(warning)


@pytest.mark.parametrize("family", FAMILIES)
def test_edges_are_counted_exactly_though_a_rough_solution_would_do(digits, family):
    _, p, _ = search_density(family, digits, 8, Newton(tol=0.1))
    exact = Newton(tol=1e-10).solve(family.problem(digits, p))
    assert abs(exact.edges_per_node - 8) <= 0.08


@pytest.mark.parametrize("seed", [1, 7, 9])
def test_edges_of_uneven_data_are_counted_exactly(seed):
    """With all degrees fixed, a gap of 1e-3 still hides or adds 3 edges of 100."""
    rng = np.random.default_rng(seed)
    pairs = Pairs.of(rng.normal(size=(300, 3)) * np.exp(rng.normal(size=(300, 1))))
    found = search_density(FIXED, pairs, 8, Newton(tol=0.1))
    assert found.warning is None
    exact = Newton(tol=1e-10).solve(FIXED.problem(pairs, found.p))
    assert abs(exact.edges_per_node - 8) <= 0.08


@dataclass(frozen=True)
class Coarse:
    """A user's solver, which cannot reach a gap of 1e-9."""

    tol: float = 1e-6

    def solve(self, problem, *, start=None):
        solution = PrimalDual(max(self.tol, 1e-7), 200_000).solve(problem, start=start)
        return solution if solution.gap <= self.tol else replace(solution, status=Status.STALLED)


def test_a_gap_within_the_tolerance_asked_for_has_converged(rng):
    solution, _, warning = search_density(LOG, Pairs.of(rng.normal(size=(40, 3))), 5, Coarse())
    assert 1e-9 < solution.gap <= 1e-6
    assert solution.converged
    assert warning is None


@pytest.mark.parametrize("bad", [0, -1, np.nan, 12])
def test_impossible_densities_are_refused(bad):
    with pytest.raises(ValueError, match="edges_per_node"):
        search_density(LOG, Pairs(PairSet.all_pairs(10), np.ones(45)), bad)


@pytest.mark.parametrize("seed", range(8))
def test_half_an_edge_off_is_as_near_as_can_be(seed):
    """23 nodes with three neighbors each would have 34.5 edges, and 22 nodes 33."""
    X = np.random.default_rng(seed).normal(size=(23, 3))
    for rows, nearest in ((X, (34, 35)), (X[:22], (33,))):
        problem = models.log_degree(Pairs.of(rows), edges_per_node=3)  # without a warning
        assert Newton().solve(problem).n_edges in nearest
