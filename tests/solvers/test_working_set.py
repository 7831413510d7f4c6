"""The working set: what it holds, and when it is enough."""

import numpy as np
import pytest
from helpers import make_problem
from scipy.spatial.distance import pdist

from smoothgraph import Newton, Pairs, PairSet, Problem, models
from smoothgraph.pairs.over_time import PairsOverTime
from smoothgraph.priors import LogDegrees, QuadraticEdges
from smoothgraph.solvers.working_set import WorkingSet


@pytest.fixture
def pairs(rng):
    return Pairs(PairSet.all_pairs(80), pdist(rng.normal(size=(80, 3)), "sqeuclidean"))


@pytest.fixture(params=["plain", "toward other weights", "stored in another order"])
def problem(request, pairs, rng):
    prior = QuadraticEdges(0.5)
    if request.param == "toward other weights":
        prior = QuadraticEdges(0.3, w0=np.maximum(rng.normal(size=pairs.n_pairs), 0), strength=0.2)
    if request.param == "stored in another order":
        empty = PairSet(80, np.zeros(81, np.int64), np.zeros(0, np.int32))
        stored = Pairs(empty, np.zeros(0), rng.permutation(80))
        pairs = stored.extend(pairs.pattern.rows, pairs.pattern.cols, pairs.z)
    return Problem(pairs, edge_prior=prior, degree_prior=LogDegrees(1.0))


def test_it_begins_with_the_cheapest_pairs_of_every_node(problem):
    working = WorkingSet.first(problem)
    part = working.part
    assert not working.is_everything
    assert part.pairs.pairs_per_node[0] >= 6
    np.testing.assert_allclose(part.pairs.nearest(6, part.edge_prior), problem.pairs.nearest(6, problem.edge_prior))


def test_few_pairs_are_all_taken():
    problem = make_problem("knn", "quadratic", "log")
    assert WorkingSet.first(problem).part is problem
    dense = make_problem("all", "entropy", "log")
    assert WorkingSet.first(dense).is_everything


def test_it_grows_by_what_the_multipliers_reach(problem, rng):
    working = WorkingSet.first(problem)
    u = problem.pairs.nearest(20)[:, -1] * rng.uniform(0.5, 1.5, 80)
    assert not working.is_enough(u)
    grown = working.grow(u)
    assert grown.is_enough(u)
    assert grown.is_enough(0.9 * u)  # without a count
    assert not grown.is_enough(3 * u)
    assert problem.pairs.n_pairs > grown.part.pairs.n_pairs > working.part.pairs.n_pairs
    whole, part = problem.evaluate(u), grown.part.evaluate(u)
    np.testing.assert_allclose(part.degrees, whole.degrees, rtol=1e-12)
    gaps = [at.problem.primal(at.weights) - at.problem.dual(u) for at in (part, whole)]
    np.testing.assert_allclose(gaps[0], gaps[1], rtol=1e-9)
    expanded = problem.pairs.expand(grown.part.pairs, part.weights)
    np.testing.assert_allclose(expanded, whole.weights, rtol=1e-12)


def test_it_never_shrinks(problem):
    near = problem.pairs.nearest(20)[:, -1]
    one = WorkingSet.first(problem).grow(near)
    both = one.grow(np.zeros(80))
    assert both.part.pairs.n_pairs == one.part.pairs.n_pairs
    together = WorkingSet.first(problem).grow(near, np.zeros(80))
    assert together.part.pairs.n_pairs == one.part.pairs.n_pairs


def test_everything_stays_everything(problem):
    everything = WorkingSet.first(problem).all_pairs()
    assert everything.is_everything
    assert everything.part is problem
    assert everything.grow(np.ones(80)) is everything
    assert everything.is_enough(np.full(80, 1e9))


def test_a_solution_on_it_is_one_on_all_pairs(problem):
    solution = Newton(tol=1e-11).solve(problem)
    assert solution.problem is problem
    working = WorkingSet.first(problem).grow(solution.u)
    on_part = Newton(tol=1e-11).solve(working.part)
    assert working.is_enough(on_part.u)
    part, pairs = working.part.pairs, problem.pairs
    w = pairs.expand(part, part.expand(on_part.edges, on_part.weights))
    np.testing.assert_allclose(w, solution.w, atol=1e-6 * solution.w.max())
    assert problem.gap(w, on_part.u) <= 1e-10


def test_time_windows_are_taken_together(rng):
    z = np.array([pdist(rng.normal(size=(60, 3)), "sqeuclidean") for _ in range(3)])
    pairs = PairsOverTime.over_windows(PairSet.all_pairs(60), z)
    problem = models.time_varying(pairs, n_windows=3, beta=0.5)
    working = WorkingSet.first(problem)
    assert not working.is_everything
    solution = Newton(tol=1e-9).solve(problem)
    assert working.grow(solution.u).is_enough(solution.u)
