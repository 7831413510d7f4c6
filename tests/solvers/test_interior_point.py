"""The interior-point method, alone and where Newton's method needs it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from smoothgraph import LogDegreeGraph
from smoothgraph.pairs.in_memory import Pairs
from smoothgraph.pairs.interior import Interior
from smoothgraph.priors import FixedDegrees, LogDegrees, QuadraticEdges, SquaredDegrees
from smoothgraph.problem import Problem
from smoothgraph.solution import Status
from smoothgraph.solvers import Newton
from smoothgraph.solvers.interior_point import solve_inside
from smoothgraph.solvers.neighborhood import Neighborhood
from smoothgraph.solvers.recorder import Recorder


def solved_inside(problem, tol):
    recorder = Recorder(500)
    recorder.begin(np.inf)
    nothing = np.zeros(problem.pairs.n_pairs), np.ones(problem.pairs.n_nodes)
    return solve_inside(problem, Neighborhood(problem), nothing, (tol, np.inf), recorder)


def with_outliers(n_nodes, n_outliers, seed, scale=1e4):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_nodes, 5))
    X[:n_outliers] = scale * rng.normal(size=(n_outliers, 5))
    return X


@pytest.mark.parametrize(
    ("degree_prior", "tol", "off"),
    [
        (LogDegrees(0.7), 1e-12, 1e-4),
        (SquaredDegrees(0.7, 40.0), 1e-12, 1e-4),
        (FixedDegrees(1.0), 1e-9, 1e-2),  # some multipliers are hardly determined, so that fewer digits can be had
    ],
)
@pytest.mark.parametrize("pull", [False, True])
@given(seed=st.integers(0, 2**32 - 1), beta=st.floats(1e-2, 1e2))
def test_the_same_weights_as_by_newton(degree_prior, tol, off, pull, seed, beta):
    rng = np.random.default_rng(seed)
    pairs = Pairs.of(rng.normal(size=(40, 3)))
    toward = {"w0": 0.2 * rng.random(pairs.n_pairs), "strength": 0.5} if pull else {}
    problem = Problem(pairs, edge_prior=QuadraticEdges(beta, **toward), degree_prior=degree_prior)
    status, w, u = solved_inside(problem, tol)
    assert status is Status.CONVERGED
    assert problem.gap(w, u) <= tol
    np.testing.assert_allclose(w, Newton(1e-12).solve(problem).w, atol=off * w.max())


def test_a_node_that_needs_no_edge_stays_alone(rng):
    X = rng.normal(size=(40, 3))
    X[0] = 100.0
    problem = Problem(Pairs.of(X), edge_prior=QuadraticEdges(1.0), degree_prior=SquaredDegrees(1.0, 40.0))
    _, w, _ = solved_inside(problem, 1e-10)
    np.testing.assert_array_equal(np.flatnonzero(problem.totals(w).degrees == 0), [0])


def test_a_node_that_must_have_an_edge_keeps_its_best_one(rng):
    pairs = Pairs.of(rng.normal(size=(12, 3)))
    w, s = rng.uniform(1, 2, size=(2, pairs.n_pairs))
    at = Interior(pairs, slope=10.0, threshold=0.0, w=w, s=s)  # whose slacks say that there is no edge
    W = pairs.pattern.adjacency(w).toarray()
    best = np.minimum(W.max(axis=0), W.max(axis=1, keepdims=True)) <= W
    np.testing.assert_array_equal(pairs.pattern.adjacency(at.edges(at_nodes=True)).toarray(), np.where(best, W, 0))
    assert not np.any(at.edges(at_nodes=False))


@pytest.mark.parametrize("n_outliers", [3, 10, 60])
@pytest.mark.parametrize("seed", range(5))
def test_far_outliers_are_exact_and_not_alone(n_outliers, seed):
    X = with_outliers(300, n_outliers, seed)
    graph = LogDegreeGraph(10).fit(X)  # a warning would be an error
    assert graph.is_exact_
    assert np.all(graph.adjacency_.sum(axis=1) > 0)
    f, g = graph.priors_
    problem = Problem(Pairs.of(X), edge_prior=f, degree_prior=g)
    w = np.asarray(graph.adjacency_[problem.pairs.pattern.rows, problem.pairs.pattern.cols]).ravel()
    assert problem.gap(w, graph.dual_) <= 1e-6


def test_many_outliers_of_many_nodes():
    graph = LogDegreeGraph(10).fit(with_outliers(1_200, 40, seed=0))
    assert graph.is_exact_
    assert np.all(graph.adjacency_.sum(axis=1) > 0)


def test_no_node_is_alone_before_the_optimum_is_reached():
    pairs = Pairs.of(with_outliers(300, 10, seed=0))
    problem = Problem(pairs, edge_prior=QuadraticEdges(0.7), degree_prior=LogDegrees(0.7))
    for max_iter in (1, 5, 20, 40, 60, 80):
        solution = Newton(1e-12, max_iter).solve(problem)
        assert solution.n_isolated == 0
        assert solution.n_iter <= max_iter


@pytest.mark.parametrize("seed", range(3))
def test_no_node_is_alone_on_the_way_to_its_degree(seed):
    X = np.random.default_rng(seed).normal(size=(30, 3)) * 10.0 ** np.linspace(-6, 6, 30)[:, None]
    degree_prior = FixedDegrees(np.random.default_rng(seed).exponential(size=30) + 1e-3)
    problem = Problem(Pairs.of(X), edge_prior=QuadraticEdges(0.01), degree_prior=degree_prior)
    nothing = np.zeros(problem.pairs.n_pairs), np.ones(30)
    for max_iter in range(10, 60, 4):
        recorder = Recorder(max_iter)
        recorder.begin(np.inf)
        _, w, _ = solve_inside(problem, Neighborhood(problem), nothing, (1e-12, np.inf), recorder)
        assert np.all(problem.totals(w).degrees > 0) or not np.any(w)


def test_what_is_known_is_kept_unless_something_better_is_found(rng):
    problem = Problem(Pairs.of(rng.normal(size=(40, 3))), edge_prior=QuadraticEdges(1.0), degree_prior=LogDegrees(0.7))
    known = Newton(1e-12).solve(problem)
    for max_iter in (1, 5, 500):
        recorder = Recorder(max_iter)
        recorder.begin(np.inf)
        _, w, u = solve_inside(problem, Neighborhood(problem), (known.w, known.u), (1e-30, np.inf), recorder)
        assert problem.gap(w, u) <= known.gap
