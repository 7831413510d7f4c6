"""Every prior against its own definition: conjugates, derivatives and proximal maps."""

from dataclasses import dataclass

import numpy as np
import pytest
from helpers import DEGREE_PRIOR_NAMES, EDGE_PRIOR_NAMES, make_degree_prior, make_edge_prior

from smoothgraph import Newton, Pairs, PairSet, Problem
from smoothgraph.priors import DegreePrior, EntropyEdges, FixedDegrees, LogDegrees, QuadraticEdges, SquaredDegrees

SEEDS = range(5)
N = 12


@pytest.fixture(params=SEEDS)
def rng(request):
    return np.random.default_rng(request.param)


@pytest.fixture(params=EDGE_PRIOR_NAMES)
def edge_prior(request, rng):
    return make_edge_prior(request.param, N, rng)


@pytest.fixture(params=[name for name in DEGREE_PRIOR_NAMES if name != "free"])
def degree_prior(request, rng):
    return make_degree_prior(request.param, N, rng)


def multipliers(prior, rng):
    return rng.uniform(0.2, 3, N) if prior.domain[0] == 0 else rng.normal(size=N)


def test_edge_fenchel_young(edge_prior, rng):
    """f(w) + f*(v) >= v'w, with equality at the maximizer."""
    v = 3 * rng.normal(size=N)
    w = edge_prior.maximizer(v)
    assert np.all(w >= 0)
    total = edge_prior.value(w) + edge_prior.conjugate(v)
    np.testing.assert_allclose(total, v @ w, rtol=1e-9, atol=1e-9)
    for other in rng.uniform(0, 4, size=(20, N)):
        assert edge_prior.value(other) + edge_prior.conjugate(v) >= v @ other - 1e-9


def test_edge_divergence(edge_prior, rng):
    """f(w) + f*(v) - v'w, which vanishes at the maximizer."""
    v = 3 * rng.normal(size=N)
    for w in rng.uniform(0, 4, size=(20, N)):
        expected = edge_prior.value(w) + edge_prior.conjugate(v) - v @ w
        np.testing.assert_allclose(edge_prior.divergence(w, v), expected, rtol=1e-9)
    np.testing.assert_allclose(edge_prior.divergence(edge_prior.maximizer(v), v), 0, atol=1e-12)


def test_quadratic_divergence_keeps_its_digits(rng):
    """Beside terms of size 1, a gap of 1e-24 is not lost."""
    v, beta = rng.uniform(1, 3, N), rng.uniform(0.5, 2)
    w = v / (2 * beta)
    np.testing.assert_allclose(QuadraticEdges(beta).divergence((1 + 1e-12) * w, v), 1e-24 * beta * w @ w, rtol=1e-3)


@pytest.mark.parametrize("off", [1e-6, 1e-9])
def test_the_divergence_of_entropy_keeps_its_digits(off, rng):
    """Of weights that are nearly those of the multipliers, ``4 sigma^2 sum w off^2 / 2`` is left."""
    prior = EntropyEdges(0.05)
    v = -prior.temperature * rng.random(30)
    w = prior.maximizer(v)
    expected = prior.temperature * w.sum() * off**2 / 2
    np.testing.assert_allclose(prior.divergence((1 + off) * w, v), expected, rtol=1e-4)


def test_degree_divergence(degree_prior, rng):
    """g(d) + g*(-u) + u'd, with the constraint that d meets."""
    u = multipliers(degree_prior, rng)
    for d in rng.uniform(0.1, 4, size=(20, N)):
        expected = degree_prior.value(d) + degree_prior.conjugate_if_met(u, d) + u @ d
        np.testing.assert_allclose(degree_prior.divergence(d, u), expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("off", [1e-3, 1e-5, 1e-12])
def test_the_barrier_keeps_the_digits_of_its_divergence(off, rng):
    alpha, u = 10 ** rng.uniform(-1, 1, size=N), rng.uniform(0.2, 3, N)
    found = LogDegrees(alpha).divergence((1 + off) * alpha / u, u)
    np.testing.assert_allclose(found, np.sum(alpha) * off**2 / 2, rtol=1e-3)


def test_large_weights_of_a_few_nodes_do_not_excuse_the_others(rng):
    """The gap is relative to what it would be relative to without these nodes."""
    X = rng.normal(size=(30, 2))
    alpha = np.where(np.arange(30) == 7, 1e9, 1.0)
    weighed = Problem(Pairs.of(X), edge_prior=QuadraticEdges(1.0), degree_prior=LogDegrees(alpha))
    solution = Newton(tol=1e-10).solve(weighed)
    off = np.where(np.arange(30) == 3, 1.1, 1.0)  # the multiplier of another node
    assert weighed.gap(solution.w, off * solution.u) >= (0.1 - np.log(1.1)) / (1.5 * 30)


def test_edge_maximizer_and_curvature_are_derivatives(edge_prior, rng):
    v = 3 * rng.normal(size=N)
    w, curvature = edge_prior.maximizer(v), edge_prior.curvature(v)
    for e in range(N):
        prior = edge_prior.take(np.array([e]))
        low, high = v[e : e + 1] - 1e-5, v[e : e + 1] + 1e-5
        slope = (prior.conjugate(high) - prior.conjugate(low)) / 2e-5
        np.testing.assert_allclose(w[e], slope, rtol=1e-6, atol=1e-6)
        bend = (prior.maximizer(high) - prior.maximizer(low))[0] / 2e-5
        np.testing.assert_allclose(curvature[e], bend, rtol=1e-6, atol=1e-6)


def test_edge_prox_against_a_grid(edge_prior, rng):
    y, step = 2 * rng.normal(size=N), rng.uniform(0.1, 2)
    w = edge_prior.prox(y, step)
    assert np.all(w >= 0)
    for e in range(N):
        prior = edge_prior.take(np.array([e]))
        grid = np.maximum(w[e] + np.linspace(-0.5, 0.5, 1001), 0)

        def objective(value, prior=prior, e=e):
            return prior.value(np.array([value])) + (value - y[e]) ** 2 / (2 * step)

        assert objective(w[e]) <= min(map(objective, grid)) + 1e-12


def test_edge_prox_is_the_maximizer_of_the_proximal_problem(edge_prior, rng):
    """Moreau: p = prox(y) exactly when p maximizes v'w - f(w) at v = (y - p) / step."""
    y, step = 2 * rng.normal(size=N), rng.uniform(0.1, 2)
    p = edge_prior.prox(y, step)
    np.testing.assert_allclose(edge_prior.maximizer((y - p) / step), p, rtol=1e-7, atol=1e-9)


def test_quadratic_gradient_and_lipschitz(rng):
    prior = make_edge_prior("quadratic with w0", N, rng)
    w, other = rng.random(N), rng.random(N)
    nudge = 1e-6 * rng.normal(size=N)
    change = prior.value(w + nudge) - prior.value(w - nudge)
    np.testing.assert_allclose(prior.gradient(w) @ (2 * nudge), change, rtol=1e-5)
    np.testing.assert_allclose(
        np.linalg.norm(prior.gradient(w) - prior.gradient(other)), prior.lipschitz * np.linalg.norm(w - other)
    )


def test_weights_vanish_exactly_below_the_threshold(rng):
    prior = make_edge_prior("quadratic with w0", N, rng)
    v = prior.threshold + rng.normal(size=N)
    np.testing.assert_array_equal(prior.maximizer(v) == 0, v <= prior.threshold)


def test_a_relaxed_prior_curves_more_and_only_if_needed():
    prior = QuadraticEdges(0.1)
    assert prior.relax(0.05) is prior
    assert prior.relax(2.0).beta == 2.0
    entropy = EntropyEdges(1.0)
    assert entropy.relax(5.0) is entropy
    assert entropy.relax(500.0).sigma > 1.0


def test_degree_fenchel_young(degree_prior, rng):
    """g(d) + g*(-u) >= -u'd, with equality at the maximizer."""
    u = multipliers(degree_prior, rng)
    d = degree_prior.maximizer(u)
    total = degree_prior.value(d) + degree_prior.conjugate(u)
    np.testing.assert_allclose(total, -u @ d, rtol=1e-9, atol=1e-9)
    for other in rng.uniform(0.1, 4, size=(20, N)):
        feasible = other * degree_prior.rescale(other)
        if degree_prior.violation(feasible) < 1e-12:
            bound = degree_prior.value(feasible) + degree_prior.conjugate(u)
            assert bound >= -u @ feasible - 1e-9


def test_degree_maximizer_and_curvature_are_derivatives(degree_prior, rng):
    u, step = multipliers(degree_prior, rng), 1e-5
    diagonal, r = degree_prior.curvature(u)
    hessian = np.diag(diagonal) - (0 if r is None else np.outer(r, r))
    for i in range(N):
        nudge = step * np.eye(N)[i]
        slope = (degree_prior.conjugate(u + nudge) - degree_prior.conjugate(u - nudge)) / (2 * step)
        np.testing.assert_allclose(degree_prior.maximizer(u)[i], -slope, rtol=1e-6, atol=1e-6)
        change = degree_prior.maximizer(u + nudge) - degree_prior.maximizer(u - nudge)
        np.testing.assert_allclose(hessian[i], -change / (2 * step), rtol=1e-6, atol=1e-6)


def test_log_prox_solves_its_optimality_condition(rng):
    prior, y, step = LogDegrees(1.7), rng.normal(size=N), 0.6
    d = prior.prox(y, step)
    np.testing.assert_allclose(-prior.alpha / d + (d - y) / step, 0, atol=1e-12)


def test_a_new_node_has_the_parameter_of_a_typical_fitted_one():
    u = np.array([0.5, 2.0])
    np.testing.assert_allclose(LogDegrees(np.array([3.0, 1.0, 1.0, 90.0, 1.0])).joining_degree(u, np.ones(5)), 1 / u)
    np.testing.assert_allclose(FixedDegrees(np.array([1.0, 3.0])).joining_degree(u, np.ones(2)), 2.0)


def test_hard_constraints_are_met_by_rescaling_and_measured(rng):
    d = rng.uniform(0.5, 2, N)
    squared = SquaredDegrees(1.0, 7.0)
    assert squared.violation(d) > 0.01
    assert squared.violation(d * squared.rescale(d)) < 1e-15
    assert FixedDegrees(2.0).violation(np.full(N, 2.0)) == 0
    np.testing.assert_allclose(FixedDegrees(2.0).violation(np.full(N, 3.0)), 0.5)


def test_farkas_proof_holds_only_where_it_should():
    """On a star the leaves want more weight than the center may carry."""
    star = Pairs(PairSet.from_pairs([0, 0, 0], [1, 2, 3], 4), np.ones(3))
    y = np.array([-1.0, 1.0, 1.0, 1.0])
    assert FixedDegrees(1.0).excluded_by(y, star)
    assert not FixedDegrees(np.array([3.0, 1.0, 1.0, 1.0])).excluded_by(y, star)
    assert not FixedDegrees(1.0).excluded_by(-y, star)
    assert FixedDegrees(1.0).excluded_by(y + 1, star)  # 6 > 2 * 4 / 2


def test_degrees_that_some_weights_have_are_never_excluded(rng):
    """Not even by a rounding error: where all ``y_i + y_j`` are the same, nothing is to spare."""
    pairs = Pairs(PairSet.all_pairs(N), np.ones(N * (N - 1) // 2))
    for _ in range(50):
        prior = FixedDegrees(pairs.pattern.degree_sums(rng.exponential(size=pairs.n_pairs)))
        for y in (np.full(N, rng.exponential()), rng.normal(size=N)):
            assert not prior.excluded_by(y, pairs)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: QuadraticEdges(-1.0), "beta must be a finite number >= 0, got -1.0"),
        (lambda: QuadraticEdges(np.nan), "beta"),
        (lambda: QuadraticEdges("1"), "beta"),
        (lambda: QuadraticEdges(1.0, strength=2.0), "no w0 was given"),
        (lambda: QuadraticEdges(1.0, w0=np.array([-1.0]), strength=1.0), "w0 must hold"),
        (lambda: EntropyEdges(0.0), "sigma must be a finite number > 0"),
        (lambda: LogDegrees(0.0), "alpha must be a finite number > 0"),
        (lambda: LogDegrees(True), "alpha"),
        (lambda: SquaredDegrees(1.0, 0.0), "total"),
        (lambda: SquaredDegrees(0.0, 1.0), "alpha"),
        (lambda: FixedDegrees(0.0), "degree must be a finite number > 0"),
        (lambda: FixedDegrees([1.0, 0.0]), "degree must be one number > 0 or one per node"),
        (lambda: LogDegrees([1.0, np.nan]), "alpha must be one number > 0 or one per node"),
        (lambda: FixedDegrees(np.array([1.0, np.inf])), "degree"),
    ],
)
def test_parameters_out_of_range_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


@dataclass(frozen=True)
class PricedDegrees(DegreePrior):
    """``g(d) = price sum d - sum log d``: a prior of a user's, whose multipliers lie above ``-price``."""

    price: float
    needs_edges = True

    @property
    def domain(self):
        return (-self.price, np.inf)

    def value(self, d):
        return self.price * np.sum(d) + LogDegrees(1.0).value(d)

    def conjugate(self, u):
        return LogDegrees(1.0).conjugate(u + self.price)

    def maximizer(self, u):
        return 1 / (u + self.price)

    def curvature(self, u):
        return 1 / (u + self.price) ** 2, None


@pytest.mark.parametrize("price", [-0.9, 5.0])
@pytest.mark.parametrize("beta", [1e-3, 1.0])
def test_a_domain_of_its_own(price, beta, rng):
    """A price per degree is the same as a larger distance of all pairs."""
    pairs = Pairs.of(rng.normal(size=(40, 3)) * np.exp(rng.normal(size=(40, 1))))
    priced = Pairs(pairs.pattern, pairs.z + 1)
    edge_prior = QuadraticEdges(beta)
    plain = Problem(Pairs(pairs.pattern, priced.z + price), edge_prior=edge_prior, degree_prior=LogDegrees(1.0))
    expected = Newton(tol=1e-12).solve(plain)
    found = Newton(tol=1e-12).solve(Problem(priced, edge_prior=edge_prior, degree_prior=PricedDegrees(price)))
    assert found.converged
    # Strong convexity: |w - w*|^2 <= gap / beta, and both gaps are relative to less than 400.
    np.testing.assert_allclose(found.w, expected.w, atol=2 * np.sqrt(1e-12 * 400 / beta))
    scales = [np.abs(one.u) @ one.degrees + one.problem.evaluate(one.u).conjugate for one in (found, expected)]
    assert max(scales) < 400
