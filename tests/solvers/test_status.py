"""Status and gap agree, whatever the solver and wherever it stops."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from smoothgraph import LogDegreeGraph, Newton, Pairs, PrimalDual, Problem
from smoothgraph.priors import LogDegrees, QuadraticEdges, SquaredDegrees
from smoothgraph.solution import Status


@pytest.mark.parametrize("degree_prior", [LogDegrees(1.0), SquaredDegrees(1.0, 20.0)])
@given(seed=st.integers(0, 2**32 - 1), log_tol=st.floats(-16, -1), max_iter=st.integers(1, 60))
def test_newton_has_converged_if_and_only_if_gap_and_weights_are_within_their_tolerances(
    degree_prior, seed, log_tol, max_iter
):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(20, 3)) * 10 ** rng.uniform(-3, 3, size=(20, 1))
    problem = Problem(Pairs.of(X), edge_prior=QuadraticEdges(10 ** rng.uniform(-3, 3)), degree_prior=degree_prior)
    for weight_tol in (np.inf, 1e-3):
        solution = Newton(10**log_tol, max_iter, weight_tol).solve(problem)
        weights_are = weight_tol == np.inf or solution.weight_error <= weight_tol * solution.certificate.mean_weight
        assert (solution.gap <= 10**log_tol and weights_are) == solution.converged
        assert solution.gap == solution.history[-1].gap


def test_primal_dual_has_converged_if_and_only_if_its_gap_is_within_tol(rng):
    problem = Problem(Pairs.of(rng.normal(size=(20, 3))), edge_prior=QuadraticEdges(1.0), degree_prior=LogDegrees(1.0))
    for max_iter in (10, 100, 1000, 10_000):
        solution = PrimalDual(1e-4, max_iter).solve(problem)
        assert (solution.gap <= 1e-4) == (solution.status is Status.CONVERGED)
    assert solution.converged


def test_primal_dual_has_converged_if_its_last_iteration_reaches_tol(rng):
    """It looks at the gap every ten iterations, and at the end."""
    problem = Problem(Pairs.of(rng.normal(size=(20, 3))), edge_prior=QuadraticEdges(1.0), degree_prior=LogDegrees(1.0))
    gap = PrimalDual(1e-15, 305).solve(problem).gap
    solution = PrimalDual(gap, 305).solve(problem)
    assert (solution.gap, solution.n_iter) == (gap, 305)
    assert solution.converged


def test_newton_returns_the_best_of_its_points():
    """A step that improves the dual may widen the gap."""
    risen = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        pairs = Pairs.of(rng.normal(size=(12, 3)))
        problem = Problem(pairs, edge_prior=QuadraticEdges(0.3), degree_prior=LogDegrees(1.0))
        start = Newton(1e-10).solve(problem).u * 4 ** rng.uniform(-1, 1, size=12)
        if problem.evaluate(start).gap < 3:  # a start that Newton takes
            gaps = [step.gap for step in Newton(1e-12).solve(problem, start=start).history]
            for k in range(1, len(gaps) - 1):
                risen += gaps[k] > gaps[k - 1]
                best = Newton(1e-12, k).solve(problem, start=start)
                assert best.gap <= min(gaps[: k + 1]) * (1 + 1e-9)
    assert risen > 0


@pytest.mark.parametrize("max_iter", [1, 2, 3, 50])
def test_the_gap_is_that_over_all_pairs_wherever_newton_stops(max_iter, rng):
    """Also while it still leaves out most pairs that the multipliers make edges of."""
    problem = Problem(Pairs.of(rng.normal(size=(80, 3))), edge_prior=QuadraticEdges(500), degree_prior=LogDegrees(1.0))
    solution = Newton(1e-8, max_iter).solve(problem)
    assert solution.converged == (max_iter == 50)
    np.testing.assert_allclose(solution.gap, problem.gap(solution.w, solution.u), rtol=1e-9)


def test_a_search_that_counts_more_exactly_has_still_converged(rng):
    """Densities are found with solutions of more accuracy, which some data do not allow."""
    X = rng.normal(size=(60, 3)) * 10 ** rng.uniform(-6, 6, size=(60, 1))
    graph = LogDegreeGraph(5).fit(X)  # a warning would be an error
    assert graph.is_exact_
    assert graph.dual_gap_ <= 1e-6
