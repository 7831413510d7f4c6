"""The paper's propositions, as properties of the solutions."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from smoothgraph import Newton, Pairs, PairSet, models

sizes, seeds = st.integers(3, 12), st.integers(0, 2**32 - 1)
logs = st.floats(-1.5, 1.5)
solver = Newton(tol=1e-12)


def instance(m, seed):
    rng = np.random.default_rng(seed)
    return PairSet.all_pairs(m), rng.exponential(size=m * (m - 1) // 2)


def assert_same(a, b):
    np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5 * max(1, np.max(np.abs(b))))


@given(sizes, seeds, logs)
def test_proposition_1_gaussian_weights(m, seed, log_sigma):
    """The entropy prior's solution is exp(-z / (2 sigma^2))."""
    (edges, z), sigma = instance(m, seed), 10**log_sigma
    solution = solver.solve(models.gaussian(Pairs(edges, z), sigma=sigma))
    np.testing.assert_allclose(solution.w, np.exp(-z / (2 * sigma**2)), rtol=1e-9)
    assert solution.gap <= 1e-12


@given(sizes, seeds, logs, logs, logs)
def test_proposition_2_scaling_of_log_degree(m, seed, log_alpha, log_beta, log_gamma):
    """F(Z, alpha, beta) = gamma F(Z, alpha / gamma, beta gamma)."""
    edges, z = instance(m, seed)
    alpha, beta, gamma = 10**log_alpha, 10**log_beta, 10**log_gamma
    one = solver.solve(models.log_degree(Pairs(edges, z), alpha=alpha, beta=beta)).w
    other = solver.solve(models.log_degree(Pairs(edges, z), alpha=alpha / gamma, beta=beta * gamma)).w
    assert_same(gamma * other, one)


@given(sizes, seeds, logs, logs)
def test_one_parameter_theta_and_the_scale_delta(m, seed, log_alpha, log_beta):
    """F(Z, alpha, beta) = delta F(theta Z, 1, 1)."""
    (edges, z), alpha, beta = instance(m, seed), 10**log_alpha, 10**log_beta
    theta, delta = 1 / np.sqrt(alpha * beta), np.sqrt(alpha / beta)
    one = solver.solve(models.log_degree(Pairs(edges, z), alpha=alpha, beta=beta)).w
    assert_same(delta * solver.solve(models.log_degree(Pairs(edges, theta * z))).w, one)


@given(sizes, seeds, logs, logs)
def test_proposition_3_l2_degree_ignores_a_constant(m, seed, log_alpha, log_gamma):
    """H(Z + gamma, alpha, s) = H(Z, alpha, s)."""
    (edges, z), alpha = instance(m, seed), 10**log_alpha
    one = solver.solve(models.l2_degree(Pairs(edges, z), alpha=alpha)).w
    other = solver.solve(models.l2_degree(Pairs(edges, z + 10**log_gamma), alpha=alpha)).w
    assert_same(other, one)


@given(sizes, seeds, logs, logs)
def test_proposition_3_scaling_of_l2_degree(m, seed, log_alpha, log_gamma):
    """H(Z, alpha, s) = gamma H(Z, alpha gamma, s / gamma)."""
    (edges, z), alpha, gamma, s = instance(m, seed), 10**log_alpha, 10**log_gamma, 5.0
    one = solver.solve(models.l2_degree(Pairs(edges, z), alpha=alpha, total_weight=s)).w
    other = models.l2_degree(Pairs(edges, z), alpha=alpha * gamma, total_weight=s / gamma)
    assert_same(gamma * solver.solve(other).w, one)


@given(sizes, seeds, logs, st.floats(0, 2))
def test_equation_4_an_l1_term_is_a_constant_on_the_distances(m, seed, log_beta, gamma):
    """tr(X'LX) + gamma |W|_11 = (1/2) |W o (2 gamma + Z)|_11.

    Checked on the objective: the l1 term of the right size leaves the optimum of the
    shifted problem optimal for the original one with that term.
    """
    (edges, z), beta = instance(m, seed), 10**log_beta
    shifted = models.log_degree(Pairs(edges, z + 2 * gamma), beta=beta)
    solution = solver.solve(shifted)
    w, original = solution.w, models.log_degree(Pairs(edges, z), beta=beta)
    l1_of_matrix = 2 * w.sum()
    np.testing.assert_allclose(original.primal(w) + 2 * gamma * l1_of_matrix, shifted.primal(w), rtol=1e-10, atol=1e-10)
    W = edges.adjacency(w)
    for factor in (0.97, 1.03):
        v = w * factor
        assert original.primal(v) + 2 * gamma * 2 * v.sum() >= shifted.primal(w) - 1e-9
    np.testing.assert_allclose(W.sum(), l1_of_matrix)


@given(sizes, seeds, st.floats(-6, 6))
def test_scale_of_the_distances_only_scales_the_matching_problem(m, seed, log_scale):
    """F(c Z, alpha, c^2 beta) = F(Z, alpha, beta) / c."""
    (edges, z), c = instance(m, seed), 10**log_scale
    one = solver.solve(models.log_degree(Pairs(edges, z), beta=0.5)).w
    other = solver.solve(models.log_degree(Pairs(edges, c * z), beta=0.5 * c**2)).w
    assert_same(c * other, one)
