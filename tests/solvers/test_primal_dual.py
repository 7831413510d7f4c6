import numpy as np
import pytest
from helpers import DEGREE_PRIOR_NAMES, EDGE_PRIOR_NAMES, PAIR_SET_NAMES, make_problem

from benchmarks.reference import summation
from smoothgraph import Newton, Pairs, PairSet, PrimalDual, Problem, Status, models
from smoothgraph.priors import EdgePrior, LogDegrees, QuadraticEdges

every_pair = pytest.mark.parametrize(
    ("edge_prior", "degree_prior"), [(f, g) for f in EDGE_PRIOR_NAMES for g in DEGREE_PRIOR_NAMES]
)


@every_pair
@pytest.mark.parametrize("pair_set", PAIR_SET_NAMES)
def test_agrees_with_newton(pair_set, edge_prior, degree_prior):
    problem = make_problem(pair_set, edge_prior, degree_prior, seed=1)
    exact = Newton(tol=1e-10).solve(problem)
    solution = PrimalDual(tol=1e-6, max_iter=100_000).solve(problem)
    assert solution.status is Status.CONVERGED
    assert solution.gap <= 1e-6
    scale = abs(exact.u @ exact.degrees) + abs(problem.evaluate(exact.u).conjugate)
    assert abs(solution.primal - exact.primal) <= 2e-5 * scale
    np.testing.assert_allclose(solution.w, exact.w, atol=0.02 * max(1, exact.w.max()))


def algorithm_1(z, S, alpha, beta, gamma, iterations):
    """The paper's box, line by line, with its corrected lines, on a plain matrix S."""
    w, d = np.zeros(S.shape[1]), np.zeros(S.shape[0])
    for _ in range(iterations):
        y = w - gamma * (2 * beta * w + S.T @ d)
        y_bar = d + gamma * (S @ w)
        p = np.maximum(0, y - 2 * gamma * z)
        p_bar = (y_bar - np.sqrt(y_bar**2 + 4 * alpha * gamma)) / 2
        q = p - gamma * (2 * beta * p + S.T @ p_bar)
        q_bar = p_bar + gamma * (S @ p)
        w = w - y + q
        d = d - y_bar + q_bar
    return p, -p_bar


def algorithm_2(z, S, alpha, s, gamma, iterations):
    w, c = np.zeros(S.shape[1]), 0.0
    for _ in range(iterations):
        y = w - gamma * (2 * alpha * (2 * w + S.T @ (S @ w)) + 2 * c)
        y_bar = c + gamma * 2 * w.sum()
        p = np.maximum(0, y - 2 * gamma * z)
        p_bar = y_bar - gamma * s
        q = p - gamma * (2 * alpha * (2 * p + S.T @ (S @ p)) + 2 * p_bar)
        q_bar = p_bar + gamma * 2 * p.sum()
        w = w - y + q
        c = c - y_bar + q_bar
    return p * s / (2 * p.sum()), -(2 * alpha * (S @ p) + p_bar)


def test_log_degree_is_algorithm_1(rng):
    m, alpha, beta, iterations = 15, 1.3, 0.4, 60
    edges, z = PairSet.all_pairs(m), rng.random(m * (m - 1) // 2)
    gamma = 0.9 / (1 + 2 * beta + np.sqrt(2 * (m - 1)))
    p, u = algorithm_1(z, summation(edges), alpha, beta, gamma, iterations)
    problem = models.log_degree(Pairs(edges, z), alpha=alpha, beta=beta)
    solution = PrimalDual(tol=1e-15, max_iter=iterations, step=0.9).solve(problem)
    np.testing.assert_allclose(solution.u, u, rtol=1e-10)
    candidates = [p, problem.evaluate(u).weights]
    assert any(np.allclose(solution.w, w, rtol=1e-9, atol=1e-12) for w in candidates)
    np.testing.assert_allclose(solution.gap, min(problem.gap(w, u) for w in candidates), rtol=1e-6)


def test_l2_degree_is_algorithm_2(rng):
    m, alpha, iterations = 15, 0.7, 60
    edges, z = PairSet.all_pairs(m), rng.random(m * (m - 1) // 2)
    gamma = 0.9 / (1 + 4 * alpha * m + 2 * np.sqrt(m * (m - 1) / 2))
    p, u = algorithm_2(z, summation(edges), alpha, m, gamma, iterations)
    problem = models.l2_degree(Pairs(edges, z), alpha=alpha)
    solution = PrimalDual(tol=1e-15, max_iter=iterations, step=0.9).solve(problem)
    np.testing.assert_allclose(solution.u, u, rtol=1e-10)
    other = problem.feasible(problem.evaluate(u).weights)
    assert any(np.allclose(solution.w, w, rtol=1e-9, atol=1e-12) for w in (p, other))


@every_pair
def test_the_returned_point_is_feasible_and_sparse(edge_prior, degree_prior):
    """Even after a few iterations, when the iterate itself has negative entries."""
    problem = make_problem("all", edge_prior, degree_prior, seed=2)
    solution = PrimalDual(max_iter=25).solve(problem)
    assert np.all(solution.w >= 0)
    if edge_prior == "quadratic":
        assert np.any(solution.w == 0)
    if degree_prior == "squared":
        np.testing.assert_allclose(solution.degrees.sum(), problem.degree_prior.total)


def test_the_papers_rule_stops_at_a_small_change_and_tells_the_true_gap():
    problem = make_problem("all", "quadratic", "log", seed=3)
    coarse = PrimalDual(tol=1e-3, stop="change").solve(problem)
    fine = PrimalDual(tol=1e-7, stop="change").solve(problem)
    assert coarse.converged
    assert fine.converged
    assert coarse.n_iter < fine.n_iter
    assert fine.gap < coarse.gap
    np.testing.assert_allclose(problem.gap(fine.w, fine.u), fine.gap)


@pytest.mark.parametrize("seed", [0, 2, 3, 5])
@pytest.mark.parametrize("tol", [0.3, 0.1, 1e-2, 1e-3])
def test_the_papers_rule_holds_for_the_weights_and_for_the_dual_variable(seed, tol):
    """Both change by less than ``tol`` in the last iteration, and not in any before; whatever the gap is."""
    problem = make_problem("all", "quadratic", "log", seed)
    S, z = summation(problem.pairs.pattern), problem.pairs.z
    alpha, beta = problem.degree_prior.alpha, problem.edge_prior.beta
    gamma = 0.9 / (1 + 2 * beta + np.sqrt(2 * (problem.pairs.n_nodes - 1)))
    w, d, change = np.zeros(S.shape[1]), np.zeros(S.shape[0]), np.inf
    while not change < tol:
        y, y_bar = w - gamma * (2 * beta * w + S.T @ d), d + gamma * (S @ w)
        p, p_bar = np.maximum(0, y - 2 * gamma * z), (y_bar - np.sqrt(y_bar**2 + 4 * alpha * gamma)) / 2
        moves = p - gamma * (2 * beta * p + S.T @ p_bar) - y, p_bar + gamma * (S @ p) - y_bar
        norms = np.linalg.norm(w), np.linalg.norm(d)
        change = max(np.linalg.norm(m) / n for m, n in zip(moves, norms, strict=True)) if min(norms) > 0 else np.inf
        w, d = w + moves[0], d + moves[1]
    solution = PrimalDual(tol=tol, stop="change", step=0.9).solve(problem)
    assert solution.status is Status.CONVERGED
    np.testing.assert_allclose(solution.w, p, rtol=1e-9, atol=1e-12)


def test_beta_zero_is_allowed():
    """The gap then tells only whether u is feasible; the objective is what converges."""
    rng = np.random.default_rng(0)
    edges = PairSet.all_pairs(8)
    problem = models.log_degree(Pairs(edges, rng.uniform(0.5, 2, edges.n_pairs)), beta=0.0)
    solution = PrimalDual(tol=1e-9, stop="change", max_iter=200_000).solve(problem)
    exact = Newton(tol=1e-9).solve(problem)
    np.testing.assert_allclose(solution.primal, exact.primal, rtol=1e-6)


def test_max_iter_is_said():
    solution = PrimalDual(tol=1e-12, max_iter=5).solve(make_problem("all", "quadratic", "log"))
    assert solution.status is Status.MAX_ITER
    assert solution.n_iter == 5


class NoProx(EdgePrior):
    """Newton's half of the protocol only."""

    def value(self, w):
        return float(w @ w)

    def conjugate(self, v):
        return QuadraticEdges(1.0).conjugate(v)

    def maximizer(self, v):
        return QuadraticEdges(1.0).maximizer(v)

    def curvature(self, v):
        return QuadraticEdges(1.0).curvature(v)


def test_a_prior_without_prox_is_refused_by_name():
    problem = Problem(Pairs(PairSet.all_pairs(4), np.ones(6)), edge_prior=NoProx(), degree_prior=LogDegrees(1.0))
    assert Newton().solve(problem).converged
    with pytest.raises(TypeError, match="PrimalDual needs the proximal map of NoProx"):
        PrimalDual().solve(problem)


@pytest.mark.parametrize("bad", [{"tol": -1}, {"max_iter": 0}, {"step": 1.0}, {"step": 0}, {"stop": "never"}])
def test_bad_settings_are_refused(bad):
    with pytest.raises(ValueError, match=next(iter(bad))):
        PrimalDual(**bad)


def test_the_papers_rule_gives_the_iterate_of_its_algorithm(rng):
    """Not the weights that the multipliers define, even where they are nearer to the optimum."""
    m, iterations = 15, 60
    edges, z = PairSet.all_pairs(m), rng.random(m * (m - 1) // 2)
    gamma = 0.9 / (1 + 2 * 0.4 + np.sqrt(2 * (m - 1)))
    p, u = algorithm_1(z, summation(edges), 1.3, 0.4, gamma, iterations)
    problem = models.log_degree(Pairs(edges, z), alpha=1.3, beta=0.4)
    other = problem.evaluate(u).weights
    assert problem.gap(other, u) < problem.gap(p, u)
    solution = PrimalDual(tol=1e-15, max_iter=iterations, step=0.9, stop="change").solve(problem)
    np.testing.assert_allclose(solution.w, p, rtol=1e-9, atol=1e-12)
