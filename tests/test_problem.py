from dataclasses import replace

import numpy as np
import pytest
from helpers import DEGREE_PRIOR_NAMES, EDGE_PRIOR_NAMES, PAIR_SET_NAMES, cvxpy_optimum, make_problem
from scipy.optimize import brentq

from smoothgraph import Newton, Pairs, PairSet, Problem, models
from smoothgraph.priors import FixedDegrees, FreeDegrees, LogDegrees, QuadraticEdges, SquaredDegrees


@pytest.mark.parametrize("edge_prior", EDGE_PRIOR_NAMES)
@pytest.mark.parametrize("degree_prior", ["log", "squared"])
def test_no_dual_value_exceeds_a_primal_value(edge_prior, degree_prior, rng):
    problem = make_problem("mask", edge_prior, degree_prior)
    for _ in range(50):
        w = problem.feasible(rng.exponential(size=problem.pairs.n_pairs))
        u = rng.uniform(0.01, 5, problem.pairs.n_nodes)
        assert problem.dual(u) <= problem.primal(w)


@pytest.mark.parametrize("pair_set", PAIR_SET_NAMES)
@pytest.mark.parametrize("edge_prior", EDGE_PRIOR_NAMES)
@pytest.mark.parametrize("degree_prior", [n for n in DEGREE_PRIOR_NAMES if n != "free"])
def test_a_point_is_the_dual_with_its_gradient_and_hessian(pair_set, edge_prior, degree_prior, rng):
    problem = make_problem(pair_set, edge_prior, degree_prior)
    m, step = problem.pairs.n_nodes, 1e-5
    u = rng.uniform(1, 4, m)
    at = problem.evaluate(u)
    np.testing.assert_allclose(at.objective, -problem.dual(u))
    hessian = at.curvature()
    for i in range(m):
        nudge = step * np.eye(m)[i]
        slope = (problem.dual(u + nudge) - problem.dual(u - nudge)) / (2 * step)
        np.testing.assert_allclose(at.gradient[i], slope, rtol=1e-5, atol=1e-5)
        change = problem.evaluate(u - nudge).gradient - problem.evaluate(u + nudge).gradient
        np.testing.assert_allclose(hessian @ np.eye(m)[i], change / (2 * step), rtol=1e-5, atol=1e-5)
        np.testing.assert_allclose(hessian.jacobi[i], (hessian @ np.eye(m)[i])[i])


@pytest.mark.parametrize("degree_prior", ["log", "squared", "fixed"])
def test_both_formulas_of_the_gap_agree(degree_prior, rng):
    problem = make_problem("all", "quadratic", degree_prior)
    at = problem.evaluate(rng.uniform(1, 3, problem.pairs.n_nodes))
    np.testing.assert_allclose(at.gap, problem.gap(at.weights, at.u), rtol=1e-9)


@pytest.mark.parametrize("degree_prior", ["log", "squared"])
def test_the_gap_is_relative_to_what_the_dual_balances(degree_prior, rng):
    problem = make_problem("all", "quadratic", degree_prior)
    w = problem.feasible(rng.exponential(size=problem.pairs.n_pairs))
    u = rng.uniform(1, 3, problem.pairs.n_nodes)
    v = u[problem.pairs.pattern.rows] + u[problem.pairs.pattern.cols] - 2 * problem.pairs.z
    scale = abs(u @ problem.totals(w).degrees) + np.sum(np.maximum(v, 0) ** 2) / (4 * problem.edge_prior.beta)
    np.testing.assert_allclose(problem.gap(w, u) * scale, problem.primal(w) - problem.dual(u), rtol=1e-9)


def test_weights_are_not_called_optimal_where_the_dual_vanishes():
    """Without a degree prior all weights are better zero, and nothing is left to which a gap could be relative."""
    pairs = Pairs(PairSet.all_pairs(3), np.ones(3))
    problem = Problem(pairs, edge_prior=QuadraticEdges(1.0), degree_prior=FreeDegrees())
    assert problem.gap(np.zeros(3), np.zeros(3)) == 0
    assert problem.gap(np.ones(3), np.zeros(3)) > 0


@pytest.mark.parametrize("seed", range(8))
def test_no_gap_is_negative(seed):
    """Rounding puts some dual values above the primal ones."""
    problem = make_problem("all", "quadratic", "log", seed)
    solution = Newton(1e-12).solve(problem)
    assert 0 <= problem.gap(solution.w, solution.u) <= 1e-12
    assert problem.evaluate(solution.u).gap >= 0


@pytest.mark.parametrize("degree_prior", ["log", "squared", "fixed"])
def test_no_corrected_weight_is_negative(degree_prior, rng):
    """Also where a squared prior wants a degree below zero."""
    problem = make_problem("all", "quadratic", degree_prior)
    for _ in range(20):
        at = problem.evaluate(rng.uniform(0.1, 30, problem.pairs.n_nodes))
        assert np.all(at.balanced_weights() >= 0)


def test_tail_is_added_to_the_multipliers(rng):
    problem = make_problem("all", "quadratic", "log")
    u, tail = (rng.uniform(1, 2, problem.pairs.n_nodes), rng.uniform(0, 1, problem.pairs.n_nodes))
    np.testing.assert_allclose(problem.evaluate(u, tail).degrees, problem.evaluate(u + tail).degrees, rtol=1e-12)


def test_on_is_the_problem_on_those_pairs(rng):
    problem = make_problem("all", "quadratic with w0", "log")
    ids = np.flatnonzero(rng.random(problem.pairs.n_pairs) < 0.7)
    part = problem.on(problem.pairs.at(ids))
    np.testing.assert_array_equal(part.pairs.z, problem.pairs.z[ids])
    np.testing.assert_array_equal(part.edge_prior.w0, problem.edge_prior.w0[ids])
    few = np.flatnonzero(rng.random(len(ids)) < 0.8)
    again = part.on(part.pairs.at(few))
    np.testing.assert_array_equal(again.pairs.z, problem.pairs.z[ids[few]])
    np.testing.assert_array_equal(again.edge_prior.w0, problem.edge_prior.w0[ids[few]])
    w = rng.random(len(few))
    np.testing.assert_array_equal(part.pairs.expand(again.pairs, w)[few], w)


def problem_with(z, edges=None, degree_prior=None):
    edges = PairSet.all_pairs(3) if edges is None else edges
    return Problem(Pairs(edges, z), edge_prior=QuadraticEdges(1.0), degree_prior=degree_prior or LogDegrees(1.0))


@pytest.mark.parametrize(
    ("z", "message"),
    [
        ([1.0, np.nan, 1.0], "NaN or infinity"),
        ([1.0, np.inf, 1.0], "NaN or infinity"),
        ([1.0, -2.0, 1.0], "smallest is -2"),
        ([1.0, 2.0], r"one distance per candidate pair, \(3,\)"),
    ],
)
def test_bad_distances_are_refused(z, message):
    with pytest.raises(ValueError, match=message):
        problem_with(z)


@pytest.mark.parametrize("degree_prior", [LogDegrees(1.0), FixedDegrees(1.0)])
def test_nodes_without_candidates_are_named(degree_prior):
    edges = PairSet.from_pairs([0, 2], [1, 4], 6)
    with pytest.raises(ValueError, match=r"2 nodes \(3, 5\) have no candidate pair"):
        problem_with([1.0, 1.0], edges, degree_prior)


def test_squared_degrees_allow_nodes_without_candidates():
    edges = PairSet.from_pairs([0, 2], [1, 4], 6)
    problem = models.l2_degree(Pairs(edges, np.ones(2)))
    assert problem.pairs.pairs_per_node == (0, 1)
    assert problem.pairs.lone_nodes().tolist() == [3, 5]
    solution = Newton(1e-10).solve(problem)
    assert solution.converged
    np.testing.assert_allclose(solution.w, solution.degrees.sum() / 4)  # by symmetry


def test_no_candidate_at_all_is_refused():
    with pytest.raises(ValueError, match="no candidate pair to choose from"):
        problem_with([], PairSet.from_pairs([], [], 3))


def test_a_prior_graph_of_another_size_is_refused():
    prior = QuadraticEdges(1.0, w0=np.ones(4), strength=1.0)
    with pytest.raises(ValueError, match=r"one parameter per candidate pair, \(3,\), got \(4,\)"):
        Problem(Pairs(PairSet.all_pairs(3), np.ones(3)), edge_prior=prior, degree_prior=LogDegrees(1.0))


@pytest.mark.parametrize(("edge_prior", "degree_prior"), [(QuadraticEdges(1.0), object()), (LogDegrees(1.0),) * 2])
def test_what_is_no_prior_is_refused(edge_prior, degree_prior):
    with pytest.raises(ValueError, match=r"Expected a prior that inherits from \w+Prior \(see .*\), got "):
        Problem(Pairs(PairSet.all_pairs(3), np.ones(3)), edge_prior=edge_prior, degree_prior=degree_prior)


@pytest.mark.parametrize("degree_prior", [FixedDegrees(1.0), SquaredDegrees(0.3, 10.0)])
def test_under_a_hard_constraint_the_gap_is_that_of_the_degrees_at_hand(degree_prior, rng):
    """Weights that miss the constraint may have the optimal value without being optimal."""
    pairs = Pairs.of(rng.normal(size=(10, 2)))
    problem = Problem(pairs, edge_prior=QuadraticEdges(1.0), degree_prior=degree_prior)
    optimum = Newton(1e-12).solve(problem)
    shape = rng.exponential(size=pairs.n_pairs)
    w = brentq(lambda factor: problem.primal(factor * shape) - optimum.dual, 0, 1) * shape
    totals, at = problem.totals(w), problem.evaluate(optimum.u)
    asked = (
        FixedDegrees(totals.degrees)
        if isinstance(degree_prior, FixedDegrees)
        else replace(degree_prior, total=float(totals.degrees.sum()))
    )
    best, _ = cvxpy_optimum(replace(problem, degree_prior=asked))
    scale = abs(optimum.u @ totals.degrees) + abs(at.conjugate)
    proved = (problem.gap(w, optimum.u) - degree_prior.violation(totals.degrees)) * scale
    assert 0.1 < problem.primal(w) - best <= proved + 1e-6
