import cvxpy as cp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from smoothgraph.priors.coupled_edges import COUPLINGS, FusedOverTime, SmoothOverTime

both = pytest.mark.parametrize("coupling", ["l2", "l1"])


def changes_matrix(n_windows):
    return np.diff(np.eye(n_windows), axis=0)


def smooth_conditions_hold(w, v, beta, gamma):
    """``2 A w >= v``, ``w >= 0`` and one of them with equality, per window."""
    D = changes_matrix(len(v))
    slack = 2 * (beta * w + gamma * D.T @ (D @ w)) - v
    allowed = 1e-9 * (np.abs(v).max() + gamma * w.max(initial=0))
    assert np.all(slack >= -allowed)
    assert np.all(np.abs(slack[w > 0]) <= allowed)


def weights(coupling, v, beta, gamma):
    return COUPLINGS[coupling](beta, gamma, len(v)).maximizer(np.asarray(v, dtype=float))


courses = st.integers(1, 12).flatmap(lambda n: st.lists(st.floats(-5, 5), min_size=n, max_size=n).map(np.array))


@given(courses, st.floats(-2, 2), st.floats(-3, 6))
def test_smooth_weights_meet_the_conditions_of_the_optimum(v, log_beta, log_gamma):
    beta, gamma = 10.0**log_beta, 10.0 ** (log_beta + log_gamma)
    w = weights("l2", v, beta, gamma)
    assert np.all(w >= 0)
    smooth_conditions_hold(w, v, beta, gamma)


@given(courses, st.floats(-2, 2), st.floats(-3, 6))
def test_fused_weights_meet_the_conditions_of_the_optimum(v, log_beta, log_gamma):
    """``v - 2 beta w = D'y - n``, ``|y| <= gamma``, its sign at jumps, ``n >= 0``, ``n w = 0``."""
    beta, gamma = 10.0**log_beta, 10.0 ** (log_beta + log_gamma)
    w = weights("l1", v, beta, gamma)
    assert np.all(w >= 0)
    allowed = 1e-9 * (np.abs(v).max() + gamma)
    low, high = 0.0, 0.0  # between which y can be, as time goes on
    for t in range(len(v)):
        rest = v[t] - 2 * beta * w[t]
        low, high = (low - rest, high - rest) if w[t] > 0 else (-gamma, high - rest)
        if t == len(v) - 1:
            assert low <= allowed
            assert high >= -allowed
            break
        jump = np.sign(w[t + 1] - w[t])
        if jump != 0:
            assert low - allowed <= gamma * jump <= high + allowed
            low = high = gamma * jump
        low, high = max(low, -gamma), min(high, gamma)
        assert low <= high + allowed


@pytest.mark.parametrize("gamma", [0.1, 1.0, 5.0])
def test_fused_weights_are_those_of_cvxpy(gamma, rng):
    for _ in range(5):
        v = rng.normal(size=12) + 0.5
        w = cp.Variable(12, nonneg=True)
        cp.Problem(cp.Maximize(v @ w - 0.7 * cp.sum_squares(w) - gamma * cp.tv(w))).solve(
            solver=cp.CLARABEL, tol_gap_abs=1e-12, tol_gap_rel=1e-12, tol_feas=1e-12
        )
        np.testing.assert_allclose(weights("l1", v, 0.7, gamma), w.value, atol=1e-5)


@both
def test_edges_do_not_see_each_other(coupling, rng):
    v = rng.normal(size=(6, 9))
    together = COUPLINGS[coupling](0.5, 2.0, 6).maximizer(v.ravel()).reshape(6, 9)
    alone = np.transpose([weights(coupling, column, 0.5, 2.0) for column in v.T])
    np.testing.assert_array_equal(together, alone)


@both
def test_without_coupling_windows_do_not_see_each_other(coupling, rng):
    v = rng.normal(size=20)
    np.testing.assert_allclose(weights(coupling, v, 0.3, 0.0), np.maximum(v, 0) / 0.6)


@both
@pytest.mark.parametrize("gamma", [1e4, 1e8, 1e12])
def test_strong_coupling_gives_the_mean_to_all_digits(coupling, gamma, rng):
    v = rng.normal(size=15) + 1.0
    np.testing.assert_allclose(weights(coupling, v, 0.5, gamma), v.mean(), rtol=1e-9 + 1e3 / gamma)


@both
@pytest.mark.parametrize("gamma", [0.0, 0.3, 3.0])
def test_conjugate_and_its_derivatives(coupling, gamma, rng):
    """Fenchel's equality, then gradient and the Hessian's diagonal by differences."""
    prior = COUPLINGS[coupling](0.4, gamma, 5)
    v, h = rng.normal(size=5 * 7), 1e-6
    w = prior.maximizer(v)
    np.testing.assert_allclose(prior.conjugate(v), v @ w - prior.value(w), rtol=1e-12)
    for e in range(len(v)):
        step = h * (np.arange(len(v)) == e)
        up, down = prior.maximizer(v + step), prior.maximizer(v - step)
        slope = (prior.conjugate(v + step) - prior.conjugate(v - step)) / (2 * h)
        np.testing.assert_allclose(w[e], slope, atol=1e-8)
        np.testing.assert_allclose(prior.curvature(v)[e], (up - down)[e] / (2 * h), atol=1e-6)


def test_values():
    w = np.array([1.0, 2.0, 4.0, 2.0])  # two edges: 1 -> 4, 2 -> 2
    assert SmoothOverTime(0.5, 2.0, 2).value(w) == 0.5 * 25 + 2 * 9
    assert FusedOverTime(0.5, 2.0, 2).value(w) == 0.5 * 25 + 2 * 3


@both
@pytest.mark.parametrize(
    ("bad", "name"), [((0.0, 1.0, 3), "beta"), ((1.0, -1.0, 3), "gamma"), ((1.0, 1.0, 0), "n_win")]
)
def test_bad_parameters_are_refused(coupling, bad, name):
    with pytest.raises(ValueError, match=name):
        COUPLINGS[coupling](*bad)
