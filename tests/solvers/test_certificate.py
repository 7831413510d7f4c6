"""Every weight is as near to the optimum as its certificate says, wherever a solver stops."""

import numpy as np
import pytest
from helpers import DEGREE_PRIOR_NAMES, EDGE_PRIOR_NAMES, assert_matches, cvxpy_optimum, make_problem
from hypothesis import example, given
from hypothesis import strategies as st

from smoothgraph import (
    DoublyStochasticGraph,
    L2DegreeGraph,
    LogDegreeGraph,
    Newton,
    Pairs,
    PrimalDual,
    Problem,
    Status,
    TimeVaryingGraph,
    models,
)
from smoothgraph.priors import FixedDegrees, LogDegrees, QuadraticEdges, SquaredDegrees

PRECISE = 1e-9  # relative to the mean weight: the reference
every_prior = pytest.mark.parametrize(
    ("edge_prior", "degree_prior"), [(f, g) for f in EDGE_PRIOR_NAMES for g in DEGREE_PRIOR_NAMES]
)


def precise(problem):
    """The optimum, with ten digits or more."""
    solution = Newton(1e-13, weight_tol=PRECISE).solve(problem)
    assert solution.weight_error <= 1e-6 * solution.w.max()
    return solution


@every_prior
@given(seed=st.integers(0, 2**32 - 1), log_tol=st.floats(-8, -1))
def test_no_weight_is_farther_from_the_optimum_than_its_bound(edge_prior, degree_prior, seed, log_tol):
    problem = make_problem("all", edge_prior, degree_prior, seed)
    best, rough = precise(problem), Newton(10**log_tol, weight_tol=np.inf).solve(problem)
    error = np.max(np.abs(rough.w - best.w))
    assert error <= rough.weight_error + best.weight_error


@every_prior
def test_the_bound_holds_against_an_independent_solver(edge_prior, degree_prior):
    problem = make_problem("all", edge_prior, degree_prior, seed=5)
    assert_matches(precise(problem), *cvxpy_optimum(problem))


@given(seed=st.integers(0, 2**32 - 1), iterations=st.integers(1, 400))
@example(seed=68, iterations=28)  # far from the degrees that are fixed
@pytest.mark.parametrize("degree_prior", [LogDegrees(1.0), SquaredDegrees(1.0, 20.0), FixedDegrees()])
def test_the_bound_holds_for_iterates_of_another_method(degree_prior, seed, iterations):
    pairs = Pairs.of(np.random.default_rng(seed).normal(size=(12, 3)))
    problem = Problem(pairs, edge_prior=QuadraticEdges(0.5), degree_prior=degree_prior)
    best, rough = precise(problem), PrimalDual(1e-12, iterations).solve(problem)
    assert np.max(np.abs(rough.w - best.w)) <= rough.weight_error + best.weight_error


@given(seed=st.integers(0, 2**32 - 1), log_tol=st.floats(-12, -2))
def test_what_is_proved_present_or_absent_is(seed, log_tol):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(25, 3)) * 10 ** rng.uniform(-1, 1, size=(25, 1))
    problem = models.log_degree(Pairs.of(X), beta=10 ** rng.uniform(-2, 2))
    best, rough = precise(problem), Newton(10**log_tol, weight_tol=np.inf).solve(problem)
    there = best.adjacency.toarray() > 0
    i, j = np.triu_indices(25, 1)
    low, high = (u[i] + u[j] for u in rough.multiplier_bounds)
    z = problem.pairs.z
    assert np.all(there[i, j][2 * z < low])
    assert not np.any(there[i, j][2 * z >= high])
    assert np.all(there[rough.proved_edges.toarray()])
    assert rough.n_open_pairs == np.sum((2 * z >= low) & (2 * z < high))
    assert np.all((rough.multiplier_bounds[0] <= best.u) & (best.u <= rough.multiplier_bounds[1]))


@pytest.mark.parametrize("n_nodes", [10, 300, 6000])
@pytest.mark.parametrize("Learner", [LogDegreeGraph, L2DegreeGraph, DoublyStochasticGraph])
def test_by_default_every_weight_is_proved_within_a_thousandth_of_the_mean(Learner, n_nodes):
    """Clusters of widths 1 to 10; a gap of 1e-6 alone would not prove that."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_nodes, 4)) * np.geomspace(1, 10, n_nodes)[:, None]
    graph = Learner(4).fit(X)
    assert graph.is_exact_
    assert graph.relative_weight_error_ <= 1e-3
    assert graph.weight_error_ == pytest.approx(graph.relative_weight_error_ * graph.adjacency_.data.mean())
    if n_nodes <= 300:
        f, g = graph.priors_
        best = precise(Problem(Pairs.of(X), edge_prior=f, degree_prior=g))
        assert abs(graph.adjacency_ - best.adjacency).max() <= graph.weight_error_ + best.weight_error


def test_a_learner_tells_which_pairs_are_open(rng):
    graph = LogDegreeGraph(5).fit(rng.normal(size=(200, 3)))
    low, high = graph.dual_bounds_.T
    assert np.all((low <= graph.dual_) & (graph.dual_ <= high))
    assert 0 <= graph.n_open_pairs_ <= 10
    proved = graph.adjacency_ > graph.weight_error_
    assert proved.nnz / 2 >= graph.adjacency_.nnz / 2 - 10
    graph.set_params(alpha=1.0, beta=0.0, edges_per_node=None).fit(rng.normal(size=(20, 3)))
    assert graph.weight_error_ == np.inf


def test_a_model_without_bounds_of_multipliers_has_none(rng):
    graph = LogDegreeGraph(5).fit(rng.normal(size=(50, 3)))
    assert hasattr(graph, "dual_bounds_")
    assert not hasattr(L2DegreeGraph(5).fit(rng.normal(size=(50, 3))), "dual_bounds_")


def test_a_gap_proves_no_weight_where_nothing_shapes_the_edges(rng):
    """With ``beta = 0`` the optimum need not be unique; the gap alone decides."""
    solution = Newton().solve(models.log_degree(Pairs.of(rng.normal(size=(20, 3))), beta=0.0))
    assert solution.converged
    assert solution.weight_error == np.inf


def test_a_solver_that_cannot_prove_the_weights_says_so(rng):
    """The objective hardly depends on ``beta``, so that not even the smallest gap tells the weights."""
    problem = models.log_degree(Pairs.of(1e6 * rng.normal(size=(60, 3))), beta=1e-6)
    by_gap, by_weights = Newton(weight_tol=np.inf).solve(problem), Newton().solve(problem)
    assert by_gap.converged
    assert by_weights.gap <= 1e-6
    assert by_weights.certificate.relative_error > 1e-3
    assert by_weights.status is Status.STALLED


def test_a_learner_names_the_tolerance_that_was_missed(rng):
    with pytest.warns(UserWarning, match=r"reached tol, but weights may be off by .* times the mean weight"):
        graph = LogDegreeGraph(alpha=1.0, beta=1e-6).fit(1e6 * rng.normal(size=(60, 3)))
    assert not graph.is_exact_


@pytest.mark.parametrize("coupling", ["l2", "l1"])
def test_weights_over_time_are_proved(coupling, rng):
    X = rng.normal(size=(60, 8))
    graph = TimeVaryingGraph(alpha=1.0, beta=1.0, window=20, coupling=coupling).fit(X)
    exact = TimeVaryingGraph(alpha=1.0, beta=1.0, window=20, coupling=coupling, tol=1e-14).fit(X)
    assert graph.relative_weight_error_ <= 1e-3
    for ours, best in zip(graph.adjacencies_, exact.adjacencies_, strict=True):
        assert abs(ours - best).max() <= graph.weight_error_ + exact.weight_error_


def test_a_component_of_two_nodes_with_fixed_degrees_is_proved():
    """Steps that raise one node and lower the other move no weight, and the linear system is singular."""
    X = np.concatenate([np.random.default_rng(0).normal(size=(20, 2)), [[1e3, 0], [1e3, 1]]])
    solution = Newton().solve(models.doubly_stochastic(Pairs.of(X), beta=1.0))
    assert solution.converged
    best = precise(solution.problem)
    assert np.max(np.abs(solution.w - best.w)) <= solution.weight_error + best.weight_error
